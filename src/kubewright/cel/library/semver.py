"""Semantic versions as values: `semver("1.2.3-rc.1")`, compared by precedence; build data does not count."""

import re
from typing import Final

from kubewright.cel.library.overload import Overload
from kubewright.cel.memory import remembered
from kubewright.cel.values import UINT_MAX, EvaluationError, Native, Opaque, no_such_overload
from kubewright.model.selectors.names import quote

__all__ = ["OVERLOADS", "Semver"]

_is_number: Final = re.compile("[0-9]*").fullmatch
_is_word: Final = re.compile("[0-9A-Za-z-]*").fullmatch


class Semver(Opaque):
    """A version; `key` orders it among others."""

    __slots__ = ("key", "major", "minor", "patch")

    type_name = "kubernetes.Semver"

    def __init__(self, major: int, minor: int, patch: int, prerelease: list[str]) -> None:
        self.major, self.minor, self.patch = major, minor, patch
        # A release comes after its pre-releases; numbers among these come before words.
        parts = tuple([(0, int(part), "") if _is_number(part) else (1, 0, part) for part in prerelease])
        self.key = (major, minor, patch, not prerelease, parts)

    def equals(self, other: Native) -> bool:
        if type(other) is not Semver:
            raise no_such_overload()
        return self.key == other.key


def _number(text: str, part: str) -> int:
    if not _is_number(text):
        raise EvaluationError(f"Invalid character(s) found in {part} number {quote(text)}")
    if len(text) > 1 and text[0] == "0":
        raise EvaluationError(f"{part.capitalize()} number must not contain leading zeroes {quote(text)}")
    return _uint(text)


def _uint(text: str) -> int:
    if not text:
        raise EvaluationError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > 20 or int(text) > UINT_MAX:
        raise EvaluationError(f"strconv.ParseUint: parsing {quote(text)}: value out of range")
    return int(text)


def _parse(text: str) -> Semver:
    if not text:
        raise EvaluationError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise EvaluationError("No Major.Minor.Patch elements found")
    major, minor = _number(parts[0], "major"), _number(parts[1], "minor")
    rest, plus, build = parts[2].partition("+")
    rest, minus, prerelease = rest.partition("-")
    patch = _number(rest, "patch")
    words = prerelease.split(".") if minus else []
    for word in words:
        if not word:
            raise EvaluationError("Prerelease is empty")
        if _is_number(word):
            if len(word) > 1 and word[0] == "0":
                raise EvaluationError(f"Numeric PreRelease version must not contain leading zeroes {quote(word)}")
            _uint(word)
        elif not _is_word(word):
            raise EvaluationError(f"Invalid character(s) found in prerelease {quote(word)}")
    for word in build.split(".") if plus else []:
        if not word:
            raise EvaluationError("Build meta data is empty")
        if not _is_word(word):
            raise EvaluationError(f"Invalid character(s) found in build meta data {quote(word)}")
    return Semver(major, minor, patch, words)


_recall: Final = remembered(_parse)


def string_to_semver(text: str, normalize: bool = False) -> Semver:
    """`semver(text)`; `normalize` forgives a leading v, leading zeros and missing parts."""
    return _recall(_normalized(text) if normalize else text)


def _normalized(text: str) -> str:
    parts = text.removeprefix("v").split(".", 2)
    for place, part in enumerate(parts):
        if len(part) > 1:
            stripped = part.lstrip("0")
            parts[place] = stripped if stripped[:1].isdigit() and stripped[:1].isascii() else "0" + stripped
    if len(parts) < 3:
        if "+" in parts[-1] or "-" in parts[-1]:
            raise EvaluationError("short version cannot contain PreRelease/Build meta data")
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def is_semver(text: str, normalize: bool = False) -> bool:
    """Whether `semver(text)` would succeed."""
    try:
        string_to_semver(text, normalize)
    except EvaluationError:
        return False
    return True


def _int(value: int) -> int:
    # The server keeps these as unsigned and lets them wrap.
    return value if value < 2**63 else value - 2**64


_V: Final = "kubernetes.Semver"

OVERLOADS: Final = {
    "string_to_semver": Overload("semver", string_to_semver, ("string",)),
    "string_bool_to_semver": Overload("semver", string_to_semver, ("string", "bool")),
    "is_semver_string": Overload("isSemver", is_semver, ("string",)),
    "is_semver_string_bool": Overload("isSemver", is_semver, ("string", "bool")),
    "semver_is_greater_than": Overload("isGreaterThan", lambda a, b: a.key > b.key, (_V, _V)),
    "semver_is_less_than": Overload("isLessThan", lambda a, b: a.key < b.key, (_V, _V)),
    "semver_compare_to": Overload("compareTo", lambda a, b: (a.key > b.key) - (a.key < b.key), (_V, _V)),
    "semver_major": Overload("major", lambda a: _int(a.major), (_V,)),
    "semver_minor": Overload("minor", lambda a: _int(a.minor), (_V,)),
    "semver_patch": Overload("patch", lambda a: _int(a.patch), (_V,)),
}
