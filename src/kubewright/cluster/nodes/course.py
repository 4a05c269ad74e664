"""How a container's own command goes, where that is plain to see. Pure.

    command: [sleep, "30"]                          ends after half a minute
    command: [sh, -c, "echo working; exit 3"]       ends at once, with 3
    command: [sh, -c, "sleep infinity"]             does not end
    image: registry.k8s.io/pause:3.10               nor does this, which is made for waiting

No program is run. But what scripts in examples and tests do is mostly this, and a Job that says `exit 3` is meant to
fail. Of any other command nothing is known.
"""

import math
import shlex
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

__all__ = ["Course", "code_of", "course", "is_interpreter", "steps"]

_SHELLS: Final = ("sh", "bash", "ash")
#: They print something, and no more.
_PRINTING: Final = ("echo", "printf", "date", "hostname", "env")
#: Waits until it is stopped: the image of that name, and the program in it and in others.
_WAITING: Final = "pause"
_UNITS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class Course(NamedTuple):
    """After how many seconds a command ends, and with which code; one that does not end takes for ever."""

    seconds: float
    code: int


def is_interpreter(word: str) -> bool:
    """Whether a program does what it is told to."""
    return word.rpartition("/")[2] in _SHELLS


def code_of(word: str, rest: Sequence[str]) -> int | None:
    """What a command ends with that does nothing else; None for any other."""
    if word in ("true", ":"):
        return 0
    if word == "false":
        return 1
    if word == "exit" and len(rest) <= 1 and all(each.isascii() and each.isdecimal() for each in rest):
        return int(rest[0]) & 255 if rest else 0
    return None


def course(command: Sequence[str], image: str = "") -> Course | None:
    """How a command goes, or an image that is given none; None if that is not known."""
    words = [*command] or [_program(image)]
    if is_interpreter(words[0]):
        return _script(words[2]) if len(words) > 2 and words[1] == "-c" else None
    return _simple([words[0].rpartition("/")[2], *words[1:]])


def steps(tokens: Sequence[str]) -> Iterator[tuple[list[str], bool]]:
    """The commands of a script, and of each whether it is done though the one before it failed."""
    words, always = list[str](), True
    for token in [*tokens, ";"]:
        if token not in (";", "&&"):
            words.append(token)
            continue
        if words:
            yield words, always
        words, always = [], token == ";"


def _program(image: str) -> str:
    """What an image runs of itself, as far as its name tells."""
    name = image.rpartition("/")[2].partition("@")[0].partition(":")[0]
    return name if name == _WAITING else ""


def _script(text: str) -> Course | None:
    """How commands go, one after the other."""
    lexer = shlex.shlex(text.replace("\n", " ; "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        tokens = [*lexer]
    except ValueError:
        return None
    seconds, code = 0.0, 0
    for words, always in steps(tokens):
        if not always and code:
            continue
        step = _simple(words)
        if step is None:
            return None
        seconds, code = seconds + step.seconds, step.code
        if words[0] == "exit" or seconds == math.inf:
            break
    return Course(seconds, code)


def _simple(words: Sequence[str]) -> Course | None:
    name, rest = words[0], words[1:]
    if any(not set(word) - set("|&<>()") for word in rest if word):
        return None  # a pipe, a redirection: what comes of those nobody says
    if name == _WAITING and not rest:
        return Course(math.inf, 0)
    if name == "sleep" and rest:
        times = [_seconds(word) for word in rest]
        return None if None in times else Course(math.fsum(filter(None, times)), 0)
    code = 0 if name in _PRINTING else code_of(name, rest)
    return Course(0.0, code) if code is not None else None


def _seconds(text: str) -> float | None:
    if text in ("infinity", "inf"):
        return math.inf
    unit = _UNITS.get(text[-1:])
    number = text[:-1] if unit is not None else text
    if not (number.isascii() and number.replace(".", "", 1).isdecimal()):
        return None
    return float(number) * (unit or 1.0)
