"""Patterns: `matches`, `find`, `findAll`, by RE2, which is linear in the text whatever the pattern.

Texts are searched as UTF-8. A pattern that is no RE2 expression is reported in Go's words.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from kubewright.cel.conversions import utf8
from kubewright.cel.escapes import takes_bytes
from kubewright.cel.library.overload import Overload
from kubewright.cel.memory import remembered
from kubewright.cel.values import EvaluationError

__all__ = ["OVERLOADS", "finder", "matcher"]

# What RE2 says of a bad pattern, and what Go says.
_GO_WORDS: Final = {
    "missing )": "missing closing )",
    "missing ]": "missing closing ]",
    "unexpected )": "unexpected )",
    "invalid character class": "invalid character class",
    "invalid character class range": "invalid character class range",
    "invalid escape sequence": "invalid escape sequence",
    "no argument for repetition operator": "missing argument to repetition operator",
    "bad repetition operator": "invalid nested repetition operator",
    "invalid repetition size": "invalid repeat count",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "invalid named capture group": "invalid named capture",
    "trailing \\": "trailing backslash at end of expression",
    "invalid UTF-8": "invalid UTF-8",
}


def _compiled(pattern: str) -> Any:
    import re2  # 5 ms, and many rule sets have no pattern

    options = re2.Options()
    options.log_errors = False
    # Only the place of the whole match is wanted; without groups RE2 stays in its automaton.
    options.never_capture = True
    if takes_bytes(pattern):
        raise EvaluationError("error parsing regexp: invalid escape sequence: `\\C`")
    try:
        # The wrapper's methods build match objects in Python and take five times as long as the match itself.
        return re2.compile(utf8(pattern), options)._regexp.Match, re2._re2.RE2.Anchor.UNANCHORED
    except re2.error as error:
        said = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        reason, _, where = said.partition(": ")
        raise EvaluationError(f"error parsing regexp: {_GO_WORDS.get(reason, reason)}: `{where}`") from None


@lru_cache(maxsize=256)
def matcher(pattern: str) -> Callable[[str], bool]:
    """The function that says whether a pattern is found in a text."""
    match, anywhere = _compiled(pattern)

    def found(text: str) -> bool:
        encoded = utf8(text)
        span: tuple[int, int] = match(anywhere, encoded, 0, len(encoded))[0]
        return span[0] >= 0

    return remembered(found, 256)


@lru_cache(maxsize=256)
def finder(pattern: str) -> Callable[[str, int], list[str]]:
    """The function that finds up to `count` matches of a pattern in a text, all if it is negative."""
    try:
        match, anywhere = _compiled(pattern)
    except EvaluationError as error:
        raise EvaluationError(f"Illegal regex: {error}") from None

    def found(text: str, count: int) -> list[str]:
        encoded = utf8(text)
        results: list[str] = []
        place, before = 0, -1
        while place <= len(encoded) and (count < 0 or len(results) < count):
            start, end = match(anywhere, encoded, place, len(encoded))[0]
            if start < 0:
                break
            # An empty match right after another one is none.
            if end > start or start != before:
                results.append(encoded[start:end].decode(errors="replace"))
            before = end
            place = end if end > place else _next(encoded, place)
        return results

    return found


def _next(encoded: bytes, place: int) -> int:
    """Where the character after the one at `place` begins."""
    place += 1
    while place < len(encoded) and encoded[place] & 0xC0 == 0x80:
        place += 1
    return place


def matches(text: str, pattern: str) -> bool:
    """Whether a pattern is found in a text."""
    return matcher(pattern)(text)


def find(text: str, pattern: str) -> str:
    """The first match, or the empty string."""
    return next(iter(finder(pattern)(text, 1)), "")


def find_all(text: str, pattern: str, count: int = -1) -> list[str]:
    """The matches, one after the other."""
    return finder(pattern)(text, count)


OVERLOADS: Final = {
    "matches": Overload("matches", matches, ("string", "string")),
    "matches_string": Overload("matches", matches, ("string", "string")),
    "string_find_string": Overload("find", find, ("string", "string")),
    "string_find_all_string": Overload("findAll", find_all, ("string", "string")),
    "string_find_all_string_int": Overload("findAll", find_all, ("string", "string", "int")),
}
