"""A step of a path, as the text under which FieldsV1 has it.

    f:replicas                    a field of a struct, or a key of a map
    k:{"name":"a","port":80}      an item of a list, by its keys
    v:"a"                         an item of a set
    i:0                           an item by its place

Texts are canonical: keys stand in order, numbers and texts are as Go's encoder writes them. So two steps are the same
if their texts are, and `1` and `1.0` are one while `true` and `1` are two, which Python's own equality has otherwise.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

import msgspec

from kubewright.schema.walk.golang import marshal, quote, sprint

__all__ = ["BadElement", "field", "keyed", "order", "plainly_keyed", "plainly_valued", "read", "spelled", "valued"]

_plain: Final = re.compile(r"[ !#-%'-;=?-\[\]-~]*").fullmatch
_one_text: Final = re.compile(r'(k:\{"[^"\\]*":|v:)"').match
#: Of fewer elements the ranks are known already, most likely.
_MANY: Final = 64
_index: Final = re.compile(r"[-+]?[0-9]+").fullmatch


class BadElement(ValueError):
    """A text that looks like an element and is none."""


def _json(value: object) -> str:
    if value.__class__ is str:
        return f'"{value}"' if _plain(value) else marshal(value)
    return str(value) if value.__class__ is int else marshal(value)


def field(name: str) -> str:
    """A field, or a key of a map."""
    return "f:" + name


def keyed(pairs: Iterable[tuple[str, object]]) -> str:
    """An item of a list by its keys, which come in order."""
    return "k:{" + ",".join([f"{_json(name)}:{_json(value)}" for name, value in pairs]) + "}"


def valued(value: object) -> str:
    """An item of a set."""
    return "v:" + _json(value)


def plainly_keyed(name: str, texts: list[str]) -> list[str]:
    """Items by the one key they have; `TypeError` if not all are texts that are written as they are."""
    _check_plain(texts)
    before = "k:{" + _json(name) + ':"'
    return [f'{before}{text}"}}' for text in texts]


def plainly_valued(texts: list[str]) -> list[str]:
    """The items of a set; `TypeError` if not all are texts that are written as they are."""
    _check_plain(texts)
    return [f'v:"{text}"' for text in texts]


def _check_plain(texts: list[str]) -> None:
    if not _plain("".join(texts)):
        raise TypeError("a text has to be escaped")


@lru_cache(maxsize=4096)
def read(text: str) -> str | None:
    """The canonical form of an element that a client wrote; None if it is of a sort that nobody knows."""
    if len(text) < 2:
        raise BadElement("key must be 2 characters long:")
    if text[1] != ":":
        raise BadElement(f"missing colon: {text}")
    match text[0]:
        case "f":
            return text
        case "v":
            return valued(_decoded(text[2:]))
        case "k":
            keys = _decoded(text[2:])
            if not isinstance(keys, dict):
                raise BadElement(f"expected {{ or n, but found {text[2:3]}")
            return keyed(sorted(keys.items()))
        case "i":
            if not _index(text[2:]):
                raise BadElement(f"strconv.Atoi: parsing {quote(text[2:])}: invalid syntax")
            return f"i:{int(text[2:])}"
    return None


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise BadElement(str(error)) from None


def order(elements: Iterable[str]) -> list[str]:
    """The elements of one set in the order in which they are written: fields, keys, values, places."""
    listed = sorted(elements)
    # Most sets hold nothing but fields, which are ordered as texts are; `.` stands before all.
    if not listed or listed[-1] < "g":
        return listed
    return (_by_text(listed) if len(listed) > _MANY else None) or sorted(listed, key=_rank)


def _by_text(listed: list[str]) -> list[str] | None:
    """Sorted elements in their order, if they differ in nothing but one text that is written as it is: most lists."""
    first = listed[0] == "."
    begin = _one_text(listed[first])
    # What stands between two texts in order begins as both do.
    if begin is None or not listed[-1].startswith(begin[0]):
        return None
    together = "".join(listed[first:])
    marks = begin[0].count('"') + 1
    if together.count('"') == marks * (len(listed) - first) and not any(char in together for char in " !\\"):
        # No text has a character that stands before the mark at its end: so they are in order with all around them.
        return listed
    start, end = begin.end(), -2 if begin[0][0] == "k" else -1
    texts = {element[start:end]: element for element in listed[first:]}
    together = "".join(texts)
    if '"' in together or "\\" in together:
        return None
    return listed[:first] + [texts[text] for text in sorted(texts)]


@lru_cache(maxsize=4096)
def _rank(text: str) -> tuple[Any, ...]:
    rest = text[2:]
    match text[0]:
        case ".":
            return (0,)
        case "f":
            return (1, rest)
        case "k":
            return (2, *((name, _value_rank(value)) for name, value in sorted(_decoded(rest).items())))
        case "v":
            return (3, _value_rank(_decoded(rest)))
    return (4, int(rest))


def _value_rank(value: object) -> tuple[Any, ...]:
    """Values stand in the order of their types, then of themselves."""
    if isinstance(value, bool):
        return (2, value)
    if isinstance(value, (int, float)):
        return (0, value)
    if isinstance(value, str):
        return (1, value)
    if isinstance(value, list):
        return (3, *map(_value_rank, value))
    if isinstance(value, dict):
        return (4, *((name, _value_rank(value[name])) for name in sorted(value)))
    return (5,)


def spelled(text: str) -> str:
    """An element as messages have it: `.spec`, `[name="a"]`, `[="x"]`, `[0]`."""
    rest = text[2:]
    match text[0]:
        case "f":
            return f".{rest}"
        case "k":
            keys = sorted(_decoded(rest).items())
            return "[" + ",".join(f"{name}={_spelled_value(value)}" for name, value in keys) + "]"
        case "v":
            return f"[={_spelled_value(_decoded(rest))}]"
    return f"[{rest}]"


def _spelled_value(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list):
        return "[" + ",".join(map(_spelled_value, value)) + "]"
    if isinstance(value, dict):
        return "".join(f"{name}={_spelled_value(value[name])}" for name in sorted(value))
    return sprint(value)
