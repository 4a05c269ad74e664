"""What a page of the documentation asks its reader to do, read from its text.

| a block of    | is                                                                        |
|---------------|---------------------------------------------------------------------------|
| `python`      | run, one after the other with the same names                              |
| `console`     | typed line by line: after `$ ` stands a command, below it what it prints  |
| `sh`          | run as a script                                                           |
| anything else | to be looked at                                                           |

After a paragraph that ends in "into `FILE`:" or "to the end of `FILE`:" a block of any language is written there. In
what a command prints `…` is anything: alone, any lines; within one, any text. What differs from run to run (ages,
ports, process numbers, the random ends of names) need not be the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

__all__ = ["Block", "Command", "blocks", "matches"]

_BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_FILE: Final = re.compile(r"(into|to the end of) `([\w./-]+)`:?\s*$")
#: What is another thing in every run.
_CHANCE: Final = [
    (re.compile(r"(https?://[\w.]+|\[::1\]):\d+"), r"\1:PORT"),
    (re.compile(r"pid \d+"), "pid N"),
    (re.compile(r"\b10\.0\.0\.\d+\b"), "ADDRESS"),
    (re.compile(r":3\d{4}/"), ":PORT/"),
    (re.compile(r"\b(\d+d)?(\d+h)?(\d+m)?\d+s\b"), "AGE"),
    (re.compile(r"\b([a-z][a-z0-9-]*)-[a-z0-9]{6,10}-[a-z0-9]{5}\b"), r"\1-HASH-END"),
    (re.compile(r"[ \t]+"), " "),  # columns are as wide as what is in them
]


@dataclass(frozen=True)
class Command:
    """A line that is typed, and the lines that it prints."""

    text: str
    prints: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Block:
    """A block of a page, and the file it is to be written to."""

    language: str
    text: str
    line: int
    file: str = ""
    appended: bool = False

    def commands(self) -> Iterator[Command]:
        """What is typed in a `console` block; a line that ends in a backslash goes on."""
        current: Command | None = None
        for each in self.text.replace("\\\n", "").splitlines():
            if each.startswith("$ "):
                if current is not None:
                    yield current
                current = Command(each[2:])
            elif current is not None:
                current.prints.append(each)
        if current is not None:
            yield current


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page, in order."""
    end = 0
    for found in _BLOCK.finditer(text):
        before = text[end : found.start()].strip().rpartition("\n\n")[2]
        named = _FILE.search(" ".join(before.split()))
        line = text.count("\n", 0, found.start()) + 1
        name, appended = (named[2], named[1] != "into") if named else ("", False)
        yield Block(found[1], found[2], line, name, appended)
        end = found.end()


def matches(expected: list[str], printed: list[str]) -> bool:
    """Whether a command printed what the page says."""
    if not expected:
        return True
    first, *rest = expected
    if first.strip() == "…":
        return any(matches(rest, printed[number:]) for number in range(len(printed) + 1)) if rest else True
    if not printed or not _line(first).fullmatch(_masked(printed[0])):
        return False
    return matches(rest, printed[1:]) if rest else not printed[1:]


def _line(expected: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in _masked(expected).split("…")))


def _masked(line: str) -> str:
    for pattern, shown in _CHANCE:
        line = pattern.sub(shown, line)
    return line.strip()
