"""Long JSON is decoded piece by piece, so that others have their turn in between.

Where a value ends is found much sooner than what it is. So of a long one only the members are told apart, and then they
are decoded one after the other, those that are long themselves in the same way.
"""

from collections.abc import Callable, Generator
from typing import Any, Final

import msgspec

from kubewright.model.parts import DEEPEST

__all__ = ["PIECE", "Decode", "decode_in_steps"]

#: So many bytes are decoded at once, more or less: that takes a millisecond or less.
PIECE: Final = 64 * 1024

Decode = Callable[[bytes | memoryview], Any]

_decode: Final = msgspec.json.Decoder().decode
_members: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_items: Final = msgspec.json.Decoder(list[msgspec.Raw]).decode


def decode_in_steps(
    data: bytes | memoryview, decode: Decode = _decode, *, piece: int = PIECE, depth: int = 0
) -> Generator[None, None, Any]:
    """The value of JSON, as `decode` would give it: what it raises is raised, sooner or later."""
    if len(data) <= piece or depth == DEEPEST or data[:1] not in (b"{", b"["):
        return decode(data)
    is_map = data[:1] == b"{"
    parts: dict[Any, msgspec.Raw] = _members(data) if is_map else dict(enumerate(_items(data)))
    made: dict[Any, Any] = dict.fromkeys(parts)
    names: list[Any] = []
    texts: list[memoryview] = []
    length = 0
    for name, raw in parts.items():
        text = memoryview(raw)
        if len(text) > piece:
            yield
            made[name] = yield from decode_in_steps(text, decode, piece=piece, depth=depth + 1)
            continue
        names.append(name)
        texts.append(text)
        length += len(text)
        if length > piece:
            yield
            made.update(zip(names, _together(texts, decode), strict=True))
            names, texts, length = [], [], 0
    yield
    made.update(zip(names, _together(texts, decode), strict=True))
    return made if is_map else [*made.values()]


def _together(texts: list[memoryview], decode: Decode) -> list[Any]:
    """The values of some texts: sooner than one by one."""
    values: list[Any] = decode(b"[" + b",".join(texts) + b"]")
    return values
