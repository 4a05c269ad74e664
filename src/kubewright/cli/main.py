"""Finds the command, runs it, and says what went wrong in one sentence.

A command is a function from its arguments to an exit code: 0 for done, 1 for "no" (a breaking change, a finding). What
cannot be done is 2 and one sentence: a `KubewrightError` was written for the reader, and the system's own errors about
files say what happened.
"""

import contextlib
import difflib
import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from kubewright.errors import KubewrightError
from kubewright.version import KUBERNETES, VERSION

__all__ = ["COMMANDS", "main"]

#: Command words → where the function is, and what it does in a line.
COMMANDS = {
    "cluster up": ("kubewright.cli.cluster:up", "start a Kubernetes API on this machine"),
    "cluster down": ("kubewright.cli.cluster:down", "stop it"),
    "cluster status": ("kubewright.cli.cluster:status", "say where it is"),
    "crd": ("kubewright.cli.crd:print_crds", "print the CRDs of the types in a module"),
    "crd diff": ("kubewright.cli.crd:diff", "list what changed between two CRDs, and whom it breaks"),
    "crd lint": ("kubewright.cli.crd:lint", "find what is legal in a CRD and yet a mistake"),
    "install": ("kubewright.cli.install:install", "install the CRDs of an operator"),
    "run": ("kubewright.cli.run:run", "run an operator"),
    "types": ("kubewright.cli.types:print_types", "turn a CRD or OpenAPI document into Python types"),
    "uninstall": ("kubewright.cli.install:uninstall", "delete the CRDs of an operator"),
}

_HELP = "\n".join(
    [
        "usage: kubewright COMMAND ...",
        "",
        "Build Kubernetes operators in Python.",
        "",
        "commands:",
        *(f"  {name:<14} {summary}" for name, (_, summary) in COMMANDS.items()),
        "",
        "options:",
        "  --version      print the versions of kubewright and of the Kubernetes it speaks",
        "  --help         print this; `kubewright COMMAND --help` says more about a command",
    ]
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # YAML and JSON are UTF-8, whatever the terminal
    try:
        return _run(words)
    except KubewrightError as error:
        return _fail(str(error), 2)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        return _fail(f"{error.filename or 'standard output'}: {error.strerror}.", 2)


def _drop_output() -> None:
    """Keep Python from complaining, when it ends, of output that cannot be written."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    if not words or words[0] in ("--help", "-h", "help"):
        print(_HELP)
        return 0 if words else 2
    if words[0] in ("--version", "version"):
        print(f"kubewright {VERSION} (Kubernetes {KUBERNETES})")
        return 0
    more = [name for name in COMMANDS if name.startswith(f"{words[0]} ")]
    for length in (2, 1):
        name = " ".join(words[:length])
        if name in COMMANDS:
            if length == 1 and more and _is_misspelt(words, more):
                break
            code = _load(COMMANDS[name][0])(words[length:])
            sys.stdout.flush()
            return code
    if more and words[1:] in (["--help"], ["-h"]):
        print(f"usage: kubewright {words[0]} COMMAND ...", "", "commands:", sep="\n")
        print(*(f"  {name:<14} {COMMANDS[name][1]}" for name in more), sep="\n")
        return 0
    if more and len(words) == 1:
        return _fail(f"`kubewright {words[0]}` wants another word: {_quoted(more)}.", 2)
    if more:
        there = [*(name for name in words[:1] if name in COMMANDS), *more]
        near = _nearest(words[1], more)
        return _fail(f"there is no command `{words[0]} {words[1]}`{near}; there are {_quoted(there)}.", 2)
    return _fail(f"there is no command {words[0]!r}{_nearest(words[0], COMMANDS)}; `kubewright --help` lists them.", 2)


def _is_misspelt(words: list[str], commands: list[str]) -> bool:
    """Whether a second word, where a module may stand too, was meant for one of these commands."""
    if len(words) < 2 or not words[1].isidentifier() or _is_module(words[1]):
        return False
    # Of modules there is one, so a third word that is no option belongs to a command.
    return (len(words) > 2 and not words[2].startswith("-")) or bool(_nearest(words[1], commands))


def _is_module(name: str) -> bool:
    here = Path(name)
    return here.exists() or here.with_suffix(".py").exists() or importlib.util.find_spec(name) is not None


def _nearest(word: str, commands: Iterable[str]) -> str:
    """A question, if one of the commands has a word much like it."""
    by_word = {name.split()[0]: name.split()[0] for name in commands} | {name.split()[-1]: name for name in commands}
    near = difflib.get_close_matches(word, by_word, 1)
    return f" (did you mean `{by_word[near[0]]}`?)" if near else ""


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _load(place: str) -> Callable[[Sequence[str]], int]:
    module, _, name = place.partition(":")
    command: Callable[[Sequence[str]], int] = getattr(importlib.import_module(module), name)
    return command


def _fail(message: str, code: int) -> int:
    print(f"kubewright: {message}", file=sys.stderr)
    return code
