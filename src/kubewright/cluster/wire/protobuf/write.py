"""Numbers and bytes as protobuf writes them.

tag(number, kind) -> bytes
number(value) -> bytes                 # what stands behind the tag of a number
sized(data) -> bytes                   # what stands behind the tag of bytes
"""

from kubewright.cluster.wire.protobuf.scan import LENGTH, VARINT

__all__ = ["message", "number", "sized", "tag"]


def number(value: int) -> bytes:
    """A number of 64 bits, of which a negative one has all."""
    if 0 <= value < 128:
        return bytes((value,))
    value &= 0xFFFF_FFFF_FFFF_FFFF
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def sized(data: bytes) -> bytes:
    """Bytes, and before them how many they are."""
    return number(len(data)) + data


def tag(place: int, kind: int) -> bytes:
    """What a field begins with: its number in the message, and how its value is written."""
    return number(place << 3 | kind)


def message(*values: int | bytes | None) -> bytes:
    """A message of fields that are numbered as they stand here; None is left out."""
    out = b""
    for place, value in enumerate(values, 1):
        if isinstance(value, int):
            out += tag(place, VARINT) + number(value)
        elif value is not None:
            out += tag(place, LENGTH) + sized(value)
    return out
