"""Documents from outside: the error all of them share, and JSON, in and out.

A plain value is what JSON can say: dict with string keys, list, str, int, float, bool, None. Whatever the text, reading
it gives such a value or raises `DocumentError` with the position: the byte for JSON, line and column for YAML
(`kubewright.model.yaml`). Writing one (`dump_json`) refuses what JSON cannot say, with its place.
"""

import math
import re
from collections.abc import Mapping
from typing import Final

import msgspec

from kubewright.errors import KubewrightError

__all__ = ["MAX_DEPTH", "DocumentError", "Named", "UnsayableError", "dump_json", "is_deep", "is_shallow", "load_json"]

#: Levels of nesting. Python bears a thousand calls inside each other; what walks through a document takes two a level.
MAX_DEPTH: Final = 400


class DocumentError(KubewrightError, ValueError):
    """A text that is no document, with the place where it stops being one.

    `line` and `column` (from 1) are known for YAML, `offset` (in bytes, from 0) for JSON.
    """

    def __init__(
        self,
        source: object,
        problem: str,
        *,
        line: int | None = None,
        column: int | None = None,
        offset: int | None = None,
    ) -> None:
        place = f"byte {offset}" if line is None else f"line {line}, column {column}"
        super().__init__(f"{source}, {place}: {problem}")
        self.line = line
        self.column = column
        self.offset = offset


class UnsayableError(KubewrightError, ValueError):
    """A value that JSON cannot say."""


_JSON_TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{]|[\]}]|[-0-9.eE+]++', re.DOTALL)
#: Nor the marks of strings.
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b'[]{}"'))
#: Each takes at most two levels away.
_STEPS: Final = 32
_JSON_PLACE: Final = re.compile(r" \(byte (\d+)\)$")
_encode: Final = msgspec.json.Encoder().encode


class Named(msgspec.Struct, frozen=True, gc=False):
    """Where a document is from, as errors say it: the text is made only for them."""

    kind: str
    key: object

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


def load_json(data: bytes | str, source: object = "JSON") -> object:
    """The value of a JSON text. Of keys that stand twice the last wins, as in Go."""
    if isinstance(data, str):
        text = data
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            offset = len(text[: error.start].encode())
            raise DocumentError(source, "a lone surrogate is no character", offset=offset) from None
    if not is_shallow(data):
        _check_json_depth(data, source)
    try:
        return msgspec.json.decode(data)
    except UnicodeDecodeError:
        raise DocumentError(source, "this is not UTF-8", offset=_not_utf8(data)) from None
    except RecursionError:
        _check_json_depth(data, source)
        raise
    except msgspec.DecodeError as error:
        problem, offset = str(error), len(data)
        if place := _JSON_PLACE.search(problem):
            problem, offset = problem[: place.start()], int(place[1])
        elif "out of range" in problem:
            offset = _too_large_number(data)
        raise DocumentError(source, problem, offset=offset) from None


def dump_json(value: object) -> bytes:
    """The JSON of a value.

    A number that is none would be written as null, and what is null in a patch is deleted: it is looked for, but only
    where something is written as null.
    """
    try:
        try:
            data = _encode(value)
        except (TypeError, ValueError) as error:
            raise UnsayableError(_unsayable(value) or f"{error}.") from None
        problem = _unsayable(value) if data.find(b"null") >= 0 else ""
    except RecursionError:
        raise UnsayableError("a document is nested too deep, or holds itself.") from None
    if problem:
        raise UnsayableError(problem)
    return data


def _unsayable(value: object, place: str = "") -> str:
    """What of a value JSON cannot say, in a sentence; empty if it can."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            below = f"{place}.{key}" if place else str(key)
            if problem := (isinstance(key, str) and _unsayable(key, place)) or _unsayable(part, below):
                return problem
    elif isinstance(value, list | tuple | set | frozenset):
        for number, part in enumerate(value):
            if problem := _unsayable(part, f"{place}[{number}]"):
                return problem
    elif isinstance(value, float) and not math.isfinite(value):
        return f"{place or 'a document'} is {value}, which JSON cannot say: it would be null."
    elif isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return f"{place or 'a document'} has a lone surrogate, which is no character: {value!r:.60}."
    elif not _is_sayable(value):
        return f"{place or 'a document'} is {value!r:.60}, of the type {type(value).__name__}, which JSON cannot say."
    return ""


def _is_sayable(value: object) -> bool:
    try:
        msgspec.json.encode(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def is_shallow(data: bytes) -> bool:
    """Whether no walk is needed to see that a text is not too deep; counting is nearly free, and enough for most.

    In long lists there are many brackets, and few levels of them: without all else, the innermost pairs go in one step,
    so that after a few steps few are left. Marks of strings stay, and keep apart what is in them and what is not; they
    go in pairs, too, and so no bracket in a string ever takes one with it that is a level.
    """
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return True
    if b"\\" in data:
        data = data.replace(rb"\\", b"").replace(rb"\"", b"")
    rest = data.translate(None, _NO_BRACKETS)
    for _ in range(_STEPS):
        rest = rest.replace(b'""', b"").replace(b"{}", b"").replace(b"[]", b"")
    return len(rest.replace(b'"', b"")) <= MAX_DEPTH - 2 * _STEPS


def is_deep(data: bytes) -> bool:
    """Whether a JSON text is nested deeper than documents may be."""
    return not is_shallow(data) and _too_deep(data) is not None


def _check_json_depth(data: bytes, source: object) -> None:
    if (offset := _too_deep(data)) is not None:
        raise DocumentError(source, f"nested more than {MAX_DEPTH} levels deep", offset=offset)


def _too_deep(data: bytes) -> int | None:
    """Where a JSON text goes deeper than it may."""
    depth = 0
    for token in _JSON_TOKEN.finditer(data):
        if token[0] in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                return token.start()
        elif token[0] in b"]}":
            depth -= 1
    return None


def _not_utf8(data: bytes) -> int:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return len(data)


def _too_large_number(data: bytes) -> int:
    for token in _JSON_TOKEN.finditer(data):
        if token[0][:1] in b"-0123456789" and (len(token[0]) > 4000 or _overflows(token[0])):
            return token.start()
    return len(data)


def _overflows(number: bytes) -> bool:
    try:
        return abs(float(number)) == float("inf")
    except ValueError:  # not a number at all; what is wrong with it is told elsewhere
        return False
