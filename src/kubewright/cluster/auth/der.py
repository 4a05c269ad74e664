"""DER, as far as certificates need it: values as bytes, each a tag, a length and a content.

By hand, because loading a library that knows all of X.509 takes longer than anything else a server does to start. What
is signed, and by what, is not done here: see `authority`.
"""

from typing import Final, NamedTuple

__all__ = [
    "BITS",
    "EXPLICIT",
    "OCTETS",
    "SEQUENCE",
    "SET",
    "UTC_TIME",
    "Value",
    "bits",
    "boolean",
    "integer",
    "oid",
    "read",
    "sequence",
    "tagged",
    "text",
    "text_of",
    "utc_time",
]

BITS: Final = 0x03
OCTETS: Final = 0x04
UTC_TIME: Final = 0x17
SEQUENCE: Final = 0x30
SET: Final = 0x31
#: The tag of `[0]` around another value; the others follow it.
EXPLICIT: Final = 0xA0

_CHARSETS: Final = {0x14: "latin-1", 0x1C: "utf-32-be", 0x1E: "utf-16-be"}


class Value(NamedTuple):
    """A value that was read; `whole` is all of its bytes."""

    tag: int
    content: bytes
    whole: bytes


def tagged(tag: int, *parts: bytes) -> bytes:
    """A value of these parts, one after the other."""
    content = b"".join(parts)
    size = len(content)
    if size < 0x80:
        return bytes((tag, size)) + content
    length = size.to_bytes((size.bit_length() + 7) // 8)
    return bytes((tag, 0x80 | len(length))) + length + content


def sequence(*parts: bytes) -> bytes:
    """A SEQUENCE."""
    return tagged(SEQUENCE, *parts)


def boolean(value: bool) -> bytes:
    """A BOOLEAN."""
    return tagged(0x01, b"\xff" if value else b"\x00")


def integer(number: int) -> bytes:
    """An INTEGER that is not negative."""
    return tagged(0x02, number.to_bytes(number.bit_length() // 8 + 1))


def bits(data: bytes, unused: int = 0) -> bytes:
    """A BIT STRING; `unused` bits of the last byte are none of it."""
    return tagged(BITS, bytes((unused,)), data)


def text(value: str) -> bytes:
    """A UTF8String."""
    return tagged(0x0C, value.encode())


def utc_time(value: str) -> bytes:
    """A UTCTime, written as `240131235959Z`: good until 2049."""
    return tagged(UTC_TIME, value.encode())


def oid(dotted: str) -> bytes:
    """An OBJECT IDENTIFIER."""
    first, second, *rest = map(int, dotted.split("."))
    encoded = bytearray()
    for number in (first * 40 + second, *rest):
        groups = [number & 0x7F]
        while number := number >> 7:
            groups.append(number & 0x7F | 0x80)
        encoded += bytes(reversed(groups))
    return tagged(0x06, bytes(encoded))


def read(data: bytes) -> list[Value]:
    """The values that stand one after the other in some bytes; ValueError if they are none."""
    found: list[Value] = []
    at = 0
    while at < len(data):
        start, tag = at, data[at]
        at += 2
        if at > len(data) or tag & 0x1F == 0x1F:
            raise ValueError("this is no DER")
        size = data[at - 1]
        if size & 0x80:
            count = size & 0x7F
            size = int.from_bytes(data[at : at + count])
            at += count
        at += size
        if at > len(data):
            raise ValueError("this DER is cut off")
        found.append(Value(tag, data[at - size : at], data[start:at]))
    return found


def text_of(value: Value) -> str:
    """The text of a string of any of the kinds that names are written in."""
    return value.content.decode(_CHARSETS.get(value.tag, "utf-8"))
