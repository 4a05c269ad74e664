"""What commands in a container answer. Pure.

Settings hold a document in YAML, from a command to what it prints, or to all that comes of it:

    hostname: web-0
    cat /etc/config: {output: "a: 1", code: 0}
    "*": {error: "no such command", code: 127}

A command is looked for as it was given, then by its first word, then under `*`. Some that scripts like to use are known
without being written there; `sh -c` does what it is given, with `;` and `&&`, and a shell does line by line what it
reads.
"""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from kubewright.cluster.nodes.course import code_of, is_interpreter, steps
from kubewright.errors import KubewrightError
from kubewright.model.yaml import load_yaml

__all__ = ["Answer", "answer", "is_shell", "passes_on", "read_answers"]

Document = dict[str, Any]

#: What stands between commands is made of these.
_BETWEEN: Final = ";&\n"
_KINDS: Final = ("containers", "initContainers", "ephemeralContainers")


class Answer(NamedTuple):
    """What comes of a command."""

    output: str = ""
    error: str = ""
    code: int = 0


def read_answers(text: str) -> Mapping[str, Answer]:
    """What settings say."""
    if not text:
        return {}
    said = load_yaml(text.encode(), "kubewright.dev/exec")
    if not isinstance(said, dict):
        raise KubewrightError("kubewright.dev/exec is a document from commands to what they answer.")
    return {str(command): _read(str(command), what) for command, what in said.items()}


def _read(command: str, what: object) -> Answer:
    if what is None or isinstance(what, str | int | float):
        return Answer(_line(str(what)) if what is not None else "")
    code = what.get("code", 0) if isinstance(what, dict) else None
    if not isinstance(what, dict) or set(what) - {"output", "error", "code"} or type(code) is not int:
        raise KubewrightError(f"kubewright.dev/exec: {command!r} answers a text, or output, error and code.")
    return Answer(_line(str(what.get("output") or "")), _line(str(what.get("error") or "")), code)


def _line(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def is_shell(command: Sequence[str]) -> bool:
    """Whether it reads what it is to do."""
    return bool(command) and is_interpreter(command[0]) and "-c" not in command


def passes_on(command: Sequence[str], answers: Mapping[str, Answer]) -> bool:
    """Whether it says what it reads, and does no more."""
    if len(command) == 3 and is_interpreter(command[0]) and command[1] == "-c" and " ".join(command) not in answers:
        command = command[2].split()
    return list(command) == ["cat"] and "cat" not in answers


def answer(command: Sequence[str], answers: Mapping[str, Answer], pod: Document, container: str = "") -> Answer:
    """What a command answers that reads nothing; in the first container, if none is named."""
    whole = " ".join(command)
    for name in (whole, command[0] if command else ""):
        if name in answers:
            return answers[name]
    if len(command) >= 3 and is_interpreter(command[0]) and command[1] == "-c":
        return _script(command[2], answers, pod, container)
    if "*" in answers:
        return answers["*"]
    return _known(command, pod, container)


def _script(text: str, answers: Mapping[str, Answer], pod: Document, container: str) -> Answer:
    """What commands answer, one after the other; unless what all of them answer is written."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_BETWEEN)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        whole, tokens = shlex.split(text), [*lexer]
    except ValueError as error:
        return Answer(error=f"sh: {error}\n", code=2)
    if " ".join(whole) in answers:
        return answers[" ".join(whole)]
    # The end of a line ends a command, except in quotes, where it is a part of what is said.
    tokens = [each.strip("\n") or ";" if each and not each.strip(_BETWEEN) else each for each in tokens]
    done = Answer()
    for words, always in steps(tokens):
        if always or not done.code:
            step = answer(words, answers, pod, container)
            done = Answer(done.output + step.output, done.error + step.error, step.code)
            if words[0] == "exit":
                break
    return done


def _known(command: Sequence[str], pod: Document, container: str) -> Answer:
    word, rest = (command[0].rpartition("/")[2] if command else ":"), list(command[1:])
    if word == "echo":
        return Answer(" ".join(rest) + "\n")
    if word == "cat":
        return Answer(error="".join(f"cat: {name}: No such file or directory\n" for name in rest), code=int(bool(rest)))
    if word == "hostname":
        return Answer(pod["metadata"]["name"] + "\n")
    if word == "sleep":
        return Answer()
    if (code := code_of(word, rest)) is not None:
        return Answer(code=code)
    if word == "env":
        containers = [each for kind in _KINDS for each in pod["spec"].get(kind) or ()]
        chosen = next((each for each in containers if each["name"] == container), containers[0])
        named = [(each["name"], each.get("value", "")) for each in chosen.get("env") or ()]
        return Answer("".join(f"{name}={value}\n" for name, value in [("HOSTNAME", pod["metadata"]["name"]), *named]))
    return Answer(error=f"sh: {command[0]}: not found\n", code=127)
