"""The functions of strings: searching, cutting, replacing, joining.

Positions count characters, as Python's do. What Go calls lower and upper case here touches ASCII only, and `trim` cuts
what Unicode calls white space.
"""

import re
from typing import Final

from kubewright.cel.library.overload import Overload
from kubewright.cel.values import EvaluationError, Native, no_such_overload

__all__ = ["OVERLOADS"]


def _out_of_range(index: int) -> EvaluationError:
    return EvaluationError(f"index out of range: {index}")


def char_at(text: str, index: int) -> str:
    """The character at a place; the place after the last has none."""
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return text[index : index + 1]


def index_of(text: str, part: str, start: int = 0) -> int:
    """The first place of `part` from `start` on, or -1."""
    if not part:
        return start
    if start < 0:
        raise _out_of_range(start)
    return -1 if start >= len(text) else text.find(part, start)


def last_index_of(text: str, part: str) -> int:
    """The last place of `part`, or -1."""
    return len(text) if not part else text.rfind(part)


def last_index_of_before(text: str, part: str, start: int) -> int:
    """The last place of `part` that is not after `start`, or -1."""
    if not part:
        return start
    if start < 0:
        raise _out_of_range(start)
    return -1 if start >= len(text) else text.rfind(part, 0, start + len(part))


_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_UPPER: Final = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}


def lower_ascii(text: str) -> str:
    """ASCII letters in lower case."""
    return text.lower() if text.isascii() else text.translate(_LOWER)


def upper_ascii(text: str) -> str:
    """ASCII letters in upper case."""
    return text.upper() if text.isascii() else text.translate(_UPPER)


def replace(text: str, old: str, new: str, count: int = -1) -> str:
    """`count` occurrences of `old` replaced, or all; an empty one is found around every character."""
    return text.replace(old, new, count)


def split(text: str, separator: str, count: int = -1) -> list[str]:
    """The parts between separators: at most `count`, all if it is negative; by character if there is none."""
    if count == 0:
        return []
    if not separator:
        parts = list(text)
        return parts if count < 0 or len(parts) <= count else [*parts[: count - 1], "".join(parts[count - 1 :])]
    return text.split(separator, count - 1 if count > 0 else -1)


def substring(text: str, start: int) -> str:
    """What follows a place."""
    if not 0 <= start <= len(text):
        raise _out_of_range(start)
    return text[start:]


def substring_to(text: str, start: int, end: int) -> str:
    """What lies between two places."""
    if start > end:
        raise EvaluationError(f"invalid substring range. start: {start}, end: {end}")
    if not 0 <= start <= len(text):
        raise _out_of_range(start)
    if end > len(text):
        raise _out_of_range(end)
    return text[start:end]


# Unicode's White_Space: Python's own strip() would take the four separators 0x1c to 0x1f too.
_SPACE: Final = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_TRIMMED: Final = _SPACE + "\u2028\u2029\u202f\u205f\u3000"


def trim(text: str) -> str:
    """The text without white space around it."""
    return text.strip(_TRIMMED)


def join(parts: list[Native], separator: str | None = None) -> str:
    """The strings of a list, one after the other."""
    try:
        return (separator or "").join(parts)
    except TypeError:
        raise no_such_overload("join(list)" if separator is None else "join(list, string)") from None


_ESCAPES: Final = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
_quoted: Final = re.compile('[\\a\\b\\f\\n\\r\\t\\v\\\\"\ud800-\udfff]')


def quote(text: str) -> str:
    """The text as a literal: in double quotes, with CEL's escapes."""
    return '"' + _quoted.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"
    return _ESCAPES.get(char) or "\\" + char


def escape_key(key: str) -> str:
    """A key as JSON Pointer writes it."""
    return key.replace("~", "~0").replace("/", "~1")


def _starts_with(text: str, prefix: str) -> bool:
    return text.startswith(prefix)


def _ends_with(text: str, suffix: str) -> bool:
    return text.endswith(suffix)


def _contains(text: str, part: str) -> bool:
    return part in text


OVERLOADS: Final = {
    "starts_with_string": Overload(
        "startsWith",
        _starts_with,
        (
            "string",
            "string",
        ),
    ),
    "ends_with_string": Overload(
        "endsWith",
        _ends_with,
        (
            "string",
            "string",
        ),
    ),
    "contains_string": Overload(
        "contains",
        _contains,
        (
            "string",
            "string",
        ),
    ),
    "string_char_at_int": Overload(
        "charAt",
        char_at,
        (
            "string",
            "int",
        ),
    ),
    "string_index_of_string": Overload(
        "indexOf",
        index_of,
        (
            "string",
            "string",
        ),
    ),
    "string_index_of_string_int": Overload(
        "indexOf",
        index_of,
        (
            "string",
            "string",
            "int",
        ),
    ),
    "string_last_index_of_string": Overload(
        "lastIndexOf",
        last_index_of,
        (
            "string",
            "string",
        ),
    ),
    "string_last_index_of_string_int": Overload(
        "lastIndexOf",
        last_index_of_before,
        (
            "string",
            "string",
            "int",
        ),
    ),
    "string_lower_ascii": Overload("lowerAscii", lower_ascii, ("string",)),
    "string_upper_ascii": Overload("upperAscii", upper_ascii, ("string",)),
    "string_replace_string_string": Overload(
        "replace",
        replace,
        (
            "string",
            "string",
            "string",
        ),
    ),
    "string_replace_string_string_int": Overload(
        "replace",
        replace,
        (
            "string",
            "string",
            "string",
            "int",
        ),
    ),
    "string_split_string": Overload(
        "split",
        split,
        (
            "string",
            "string",
        ),
    ),
    "string_split_string_int": Overload(
        "split",
        split,
        (
            "string",
            "string",
            "int",
        ),
    ),
    "string_substring_int": Overload(
        "substring",
        substring,
        (
            "string",
            "int",
        ),
    ),
    "string_substring_int_int": Overload(
        "substring",
        substring_to,
        (
            "string",
            "int",
            "int",
        ),
    ),
    "string_trim": Overload("trim", trim, ("string",)),
    "list_join": Overload("join", join, ("list",)),
    "list_join_string": Overload(
        "join",
        join,
        (
            "list",
            "string",
        ),
    ),
    "strings_quote": Overload("strings.quote", quote, ("string",)),
    "string_jsonpatch_escapeKey_string": Overload("jsonpatch.escapeKey", escape_key, ("string",)),
}
