"""Python's regular expressions as RE2's, with the same verdict.

A pattern is read by Python's own parser and written anew for RE2, so what it matches is what Python matches. What RE2
has not (look-around, back-references) and what means more in Python than a reader sees (`\\d` is every digit of
Unicode, `\\b` knows every letter) is refused; `re.ASCII` makes the latter exact. `$` at the end also matches before a
last newline, and says so in RE2.
"""

import importlib
import re
from collections.abc import Iterable
from typing import Any, Final, Literal

from kubewright.schema.pattern import PatternError, compile_pattern
from kubewright.schema.rules.kinds import Refusal

__all__ = ["Way", "to_re2"]

Way = Literal["match", "search", "fullmatch"]

#: Python's own parser of patterns; it has no public name.
_parser: Final[Any] = importlib.import_module("re._parser")
_FLAGS: Final = re.ASCII | re.DOTALL | re.VERBOSE | re.UNICODE
_LAST: Final = 0x10FFFF
_CATEGORIES: Final = {
    "DIGIT": [(0x30, 0x39)],
    "WORD": [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)],
    "SPACE": [(0x09, 0x0D), (0x20, 0x20)],
}
_SHORT: Final = {"DIGIT": r"\d", "WORD": r"\w", "SPACE": r"\s"}
#: What a repeat sign may follow as it is.
_ATOMS: Final = ("LITERAL", "NOT_LITERAL", "ANY", "IN", "BRANCH", "SUBPATTERN")
_REASONS: Final = {
    "ASSERT": "look-around",
    "ASSERT_NOT": "look-around",
    "GROUPREF": "a back-reference",
    "GROUPREF_EXISTS": "a condition on a group",
    "ATOMIC_GROUP": "an atomic group",
    "POSSESSIVE_REPEAT": "a possessive repeat",
}


def to_re2(pattern: str, flags: int, way: Way) -> str:
    """The RE2 expression that, searched for in a string, is found where Python's `re.<way>` matches."""
    if flags & ~_FLAGS:
        raise Refusal(f"the flag {re.RegexFlag(flags & ~_FLAGS)!r} of a pattern has no exact form in CEL; spell it out")
    try:
        tree = _parser.parse(pattern, flags)
    except (re.error, OverflowError, RecursionError) as error:
        raise Refusal(f"the pattern {pattern!r} is wrong: {error}") from error
    if tree.state.flags & ~_FLAGS:
        raise Refusal(f"the pattern {pattern!r} sets a flag that has no exact form in CEL; spell it out")
    items = list(tree)
    if way != "search" and items and str(items[0][1]) in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
        del items[0]  # said already by the way
    text = _Writer(way).sequence(items, tree.state.flags, tail=True)
    text = {"search": text, "match": f"^{text}", "fullmatch": f"^{text}$"}[way]
    try:
        compile_pattern(text)
    except PatternError as error:
        raise Refusal(f"the pattern {pattern!r} is too large for RE2: {error}") from error
    return text


class _Writer:
    """One pass over a parsed pattern."""

    def __init__(self, way: Way) -> None:
        self._end = "" if way == "fullmatch" else r"\n?\z"

    def sequence(self, items: Iterable[Any], flags: int, *, tail: bool) -> str:
        """One thing after another; `tail` says that nothing follows them in the pattern."""
        listed = list(items)
        return "".join(
            self._item(str(code), argument, flags, tail=tail and index == len(listed) - 1)
            for index, (code, argument) in enumerate(listed)
        )

    def _item(self, code: str, argument: Any, flags: int, *, tail: bool) -> str:
        match code:
            case "LITERAL":
                return _char(argument)
            case "NOT_LITERAL":
                return f"[^{_in_class(argument, argument)}]"
            case "ANY":
                return "(?s:.)" if flags & re.DOTALL else r"[^\n]"
            case "IN":
                return _class(argument, flags)
            case "BRANCH":
                return f"(?:{'|'.join(self.sequence(branch, flags, tail=tail) for branch in argument[1])})"
            case "SUBPATTERN":
                _, added, removed, inner = argument
                if added & ~_FLAGS:
                    raise Refusal("a flag inside this pattern has no exact form in CEL; spell it out")
                return f"(?:{self.sequence(inner, (flags | added) & ~removed, tail=tail)})"
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeat(argument[0], argument[1], argument[2], flags)
            case "AT":
                return self._at(str(argument), flags, tail=tail)
        raise Refusal(f"{_REASONS.get(code, code)} in a pattern has no form in RE2, which the API server uses")

    def _repeat(self, least: Any, most: Any, inner: Any, flags: int) -> str:
        endless = str(most) == "MAXREPEAT"
        if least > 1000 or (not endless and most > 1000):
            raise Refusal("RE2 repeats something at most 1000 times; use len() for longer strings")
        short = {(0, True): "*", (1, True): "+"}.get((least, endless)) or ("?" if (least, most) == (0, 1) else None)
        count = short or (f"{{{least},}}" if endless else f"{{{least},{most}}}" if most != least else f"{{{least}}}")
        text = self.sequence(inner, flags, tail=False)
        return f"{text if len(inner) == 1 and str(inner[0][0]) in _ATOMS else f'(?:{text})'}{count}"

    def _at(self, where: str, flags: int, *, tail: bool) -> str:
        match where:
            case "AT_BEGINNING" | "AT_BEGINNING_STRING":
                return "^"
            case "AT_END_STRING":
                return r"\z"
            case "AT_END":
                if not tail:
                    raise Refusal("`$` inside a pattern also matches before a last newline in Python; use \\Z")
                return self._end
            case "AT_BOUNDARY":
                if not flags & re.ASCII:
                    raise Refusal(r"\b knows every letter of Unicode in Python and ASCII's in RE2; add re.ASCII")
                return r"\b"
        raise Refusal(r"\B differs between Python and RE2; leave it out")


def _class(items: Iterable[tuple[Any, Any]], flags: int) -> str:
    negated, text = "", ""
    for code, argument in items:
        match str(code):
            case "NEGATE":
                negated = "^"
            case "LITERAL":
                text += _in_class(argument, argument)
            case "RANGE":
                text += _in_class(*argument)
            case _:
                text += _category(str(argument), flags)
    return f"[{negated}{text}]"


def _category(name: str, flags: int) -> str:
    """`\\d` and its like, written out."""
    kind = name.removeprefix("CATEGORY_").removeprefix("NOT_")
    if not flags & re.ASCII:
        raise Refusal(f"{_SHORT[kind]} is all of Unicode's in Python and ASCII's in RE2; write the characters, "
                      "as in [0-9], or add re.ASCII")  # fmt: skip
    ranges = _CATEGORIES[kind]
    if "NOT_" in name:
        edges = [-1, *(edge for pair in ranges for edge in pair), _LAST + 1]
        ranges = [(a + 1, b - 1) for a, b in zip(edges[::2], edges[1::2], strict=True) if a + 1 <= b - 1]
    return "".join(_in_class(low, high) for low, high in ranges)


def _in_class(low: int, high: int) -> str:
    return _char(low) if low == high else f"{_char(low)}-{_char(high)}"


def _char(code: int) -> str:
    if 0xD800 <= code <= 0xDFFF:
        raise Refusal("a pattern with half a surrogate pair matches no JSON string")
    char = chr(code)
    if char.isascii() and not char.isalnum() and char.isprintable() and char not in " _:/@,;=<>!#%&~`'\"":
        return "\\" + char
    return char if char.isprintable() else f"\\x{{{code:x}}}"
