"""The grammar of protobuf: a message is a row of fields, each a tag (its number, how its value is written) and a value.

    varint(data, at, end) -> (value, at)
    extent(data, at, end) -> (at, stop)              # of a value whose length stands before it
    skip(data, at, end) -> at                        # past a field that nobody knows
    stray(data, at, end, message, known) -> at       # the same, or what is wrong with it
    fields(data, message, known) -> Iterator[(number, value)]

What is wrong is said as gogo/protobuf says it, by which the server's decoder is made.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = [
    "EOF",
    "FIXED64",
    "LENGTH",
    "VARINT",
    "Malformed",
    "extent",
    "fields",
    "signed",
    "skip",
    "stray",
    "text",
    "varint",
]

#: How a value is written.
VARINT, FIXED64, LENGTH, GROUP_END = 0, 1, 2, 4
EOF: Final = "unexpected EOF"
_NEGATIVE: Final = "proto: negative length found during unmarshaling"


class Malformed(Exception):
    """These bytes are no such message; the text is what the server's decoder says."""


def varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """A number of 64 bits, and where it ends."""
    value = shift = 0
    while True:
        if shift >= 64:
            raise Malformed("proto: integer overflow")
        if at >= end:
            raise Malformed(EOF)
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
        shift += 7


def extent(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Where a value begins and ends whose length stands here."""
    size, at = varint(data, at, end)
    if at + size >= 1 << 63:
        raise Malformed(_NEGATIVE)
    if at + size > end:
        raise Malformed(EOF)
    return at, at + size


def signed(value: int, bits: int) -> int:
    """The lower bits of a number, the highest of which is its sign."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def text(data: bytes) -> str:
    """A text; every byte that is not UTF-8 is shown as what JSON writes for it."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        # Loaded when it is needed: that is, for nobody who means well.
        from kubewright.cluster.wire.unreadable import text_of

        return text_of(data)


def skip(data: bytes, at: int, end: int) -> int:
    """Where the field ends whose tag stands here, groups and all that is in them included."""
    depth = 0
    while at < end:
        tag, at = varint(data, at, end)
        match tag & 7:
            case 0:
                _, at = varint(data, at, end)
            case 1:
                at += 8
            case 2:
                size, at = varint(data, at, end)
                if at + size >= 1 << 63:
                    raise Malformed(_NEGATIVE)
                at += size
            case 3:
                depth += 1
            case 4:
                if not depth:
                    raise Malformed("proto: unexpected end of group")
                depth -= 1
            case 5:
                at += 4
            case unknown:
                raise Malformed(f"proto: illegal wireType {unknown}")
        if not depth:
            if at > end:
                raise Malformed(EOF)
            return at
    raise Malformed(EOF)


def stray(data: bytes, at: int, end: int, message: str, known: Mapping[int, str]) -> int:
    """Where a field ends that is not as it should be; `known` are the names of the fields that the message has."""
    tag, _ = varint(data, at, end)
    number, kind = signed(tag >> 3, 32), tag & 7
    if kind == GROUP_END:
        raise Malformed(f"proto: {message}: wiretype end group for non-group")
    if number <= 0:
        raise Malformed(f"proto: {message}: illegal tag {number} (wire type {tag})")
    if number in known:
        raise Malformed(f"proto: wrong wireType = {kind} for field {known[number]}")
    return skip(data, at, end)


def fields(data: bytes, message: str, known: Mapping[int, tuple[str, int]]) -> Iterator[tuple[int, Any]]:
    """The fields that are `known`, by number, with their names and how they are written: numbers, or bytes."""
    names = {number: name for number, (name, _) in known.items()}
    at, end = 0, len(data)
    while at < end:
        tag, after = varint(data, at, end)
        number, kind = tag >> 3, tag & 7
        if number not in known or known[number][1] != kind:
            at = stray(data, at, end, message, names)
        elif kind == VARINT:
            value, at = varint(data, after, end)
            yield number, value
        else:
            start, at = extent(data, after, end)
            yield number, data[start:at]
