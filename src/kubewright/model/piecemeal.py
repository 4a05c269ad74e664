"""Long JSON is decoded piece by piece, so that others have their turn in between.

Most long values have many members that are short. Where some of these end, a pattern finds; they are decoded together,
and what they are is known then. Where members are long themselves, or deep, the rest of them is told apart first, which
takes less time than to decode it, and each long one is decoded in the same way.
"""

import re
from collections.abc import Callable, Generator, Iterator
from typing import Any, Final

import msgspec

from kubewright.model.parts import DEEPEST

__all__ = ["PIECE", "Decode", "cut_list", "decode_in_steps", "end_of_short"]

#: So many bytes are decoded at once, more or less: that takes a millisecond or less.
PIECE: Final = 64 * 1024

Decode = Callable[[bytes | memoryview], Any]

_SPACES: Final = (b" ", b"\t", b"\r", b"\n")
_SPACE: Final = rb"[ \t\r\n]*+"
_TEXT: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_FLAT: Final = rb'[\[{](?:[^"\[\]{}]++|' + _TEXT + rb")*+[\]}]"
_NESTED: Final = rb'[\[{](?:[^"\[\]{}]++|' + _TEXT + rb"|" + _FLAT + rb")*+[\]}]"
#: A value that is no more than two containers deep. Whether it is as it should be is seen when it is decoded.
_VALUE: Final = rb'(?:[^ \t\r\n",:\[\]{}]++|' + _TEXT + rb"|" + _NESTED + rb")" + _SPACE + rb","
_short_items: Final = re.compile(rb"(?:" + _SPACE + _VALUE + rb")++").match
_short_members: Final = re.compile(rb"(?:" + _SPACE + _TEXT + _SPACE + rb":" + _SPACE + _VALUE + rb")++").match

_decode: Final = msgspec.json.Decoder().decode
_members: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_items: Final = msgspec.json.Decoder(list[msgspec.Raw]).decode


def decode_in_steps(
    data: bytes | memoryview, decode: Decode = _decode, *, piece: int = PIECE, depth: int = 0
) -> Generator[None, None, Any]:
    """The value of JSON, as `decode` would give it: what it raises is raised, sooner or later."""
    if len(data) > piece and data[:1] in _SPACES:
        data = bytes(data).lstrip(b" \t\r\n")
    if len(data) <= piece or depth == DEEPEST or data[:1] not in (b"{", b"["):
        return decode(data)
    is_map = data[:1] == b"{"
    made: Any = {} if is_map else []
    add = made.update if is_map else made.extend
    at, some = 1, b"{%b}" if is_map else b"[%b]"
    while (end := end_of_short(data, at, piece, is_map)) > at:
        add(decode(some % data[at : end - 1]))
        at = end
        yield
    if at == 1:
        return (yield from _apart(data, decode, piece, depth))
    rest = yield from _apart(some[:1] + data[at:], decode, piece, depth)
    if not rest:
        return decode(data)  # after a comma there has to be something
    add(rest)
    return made


def cut_list(data: bytes, *, piece: int = PIECE) -> Iterator[bytes]:
    """A long JSON list as some that are shorter, each of whole items."""
    data = data.lstrip(b" \t\r\n")
    at = 1
    while (end := end_of_short(data, at, piece, False)) > at:
        yield b"[%b]" % data[at : end - 1]
        at = end
    rest = data if at == 1 else b"[" + data[at:]
    if len(rest) <= piece:
        yield rest
        return
    some: list[msgspec.Raw] = []
    length = 0
    for item in _items(rest):
        some.append(item)
        length += len(item)
        if length > piece:
            yield b"[%b]" % b",".join(some)
            some, length = [], 0
    yield b"[%b]" % b",".join(some)


def end_of_short(data: bytes | memoryview, at: int, piece: int, is_map: bool) -> int:
    """Where the short members end that begin at a place, the comma after the last of them included."""
    found = (_short_members if is_map else _short_items)(data, at, at + piece)
    return at if found is None else found.end()


def _apart(data: bytes | memoryview, decode: Decode, piece: int, depth: int) -> Generator[None, None, Any]:
    """The value of JSON whose members are told apart."""
    if len(data) <= piece:
        return decode(data)
    is_map = data[:1] == b"{"
    parts: dict[Any, msgspec.Raw] = _members(data) if is_map else dict(enumerate(_items(data)))
    made: dict[Any, Any] = dict.fromkeys(parts)
    names: list[Any] = []
    texts: list[msgspec.Raw] = []
    length = 0
    for name, raw in parts.items():
        if len(raw) > piece:
            yield
            made[name] = yield from decode_in_steps(memoryview(raw), decode, piece=piece, depth=depth + 1)
            continue
        names.append(name)
        texts.append(raw)
        length += len(raw)
        if length > piece:
            yield
            made.update(zip(names, _together(texts, decode), strict=True))
            names, texts, length = [], [], 0
    yield
    made.update(zip(names, _together(texts, decode), strict=True))
    return made if is_map else [*made.values()]


def _together(texts: list[msgspec.Raw], decode: Decode) -> list[Any]:
    """The values of some texts: sooner than one by one."""
    values: list[Any] = decode(b"[" + b",".join(texts) + b"]")
    return values
