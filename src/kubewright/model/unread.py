"""An object of which each part is read when somebody asks for it.

What a server answers to a write is mostly not looked at, or its status alone, and to read all of a Deployment costs
more than to send it. So an object may be handed out unread (`codec.unread`): its slots are empty, and where the names
of lent fields are else (`fields`) it has None, then the parts of its document. To who reads it there is no difference;
before it is changed, compared, copied or written, all of it is read.
"""

from typing import Any

import msgspec
from msgspec import UNSET

__all__ = ["is_unread", "part_of", "split", "whole"]

#: The parts of an object, each as the text that it is.
split = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def is_unread(obj: Any) -> bool:
    """Whether not all of an object was read yet."""
    lent = obj._lent
    return lent is None or type(lent) is dict


def part_of(obj: Any, name: str) -> Any:
    """A field of an object that is unread, read now and put into its slot; `UNSET` if the document has none."""
    info = type(obj).__kw__
    parts = obj._lent
    if parts is None:
        parts = obj._lent = split(obj._raw)
    elif type(parts) is not dict:  # another thread has had all of it read since it was looked at
        return getattr(obj, f"_kw_{name}")
    part = parts.get(info.wire_names[name])
    if part is None:
        return UNSET
    value = info.codec.part(type(obj), name)(part)
    setattr(obj, f"_kw_{name}", value)
    return value


def whole(obj: Any) -> None:
    """Have all of an object read."""
    if is_unread(obj):
        for name in type(obj).__kw__.wire_names:
            if getattr(obj, f"_kw_{name}") is UNSET:
                part_of(obj, name)
        obj._lent = UNSET
