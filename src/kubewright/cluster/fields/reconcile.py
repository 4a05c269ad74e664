"""A set brought up to date with a shape that changed since the set was written.

What was owned in parts and is atomic now is owned as a whole by whoever owned a part of it. The other way round nothing
is done: who owned the whole goes on owning its path.
"""

from typing import Final

import msgspec

from kubewright.cluster.fields.pathset import LEAF, PathSet
from kubewright.cluster.fields.shape import ATOMIC, DEDUCED, UNTYPED, MapShape, Shape

__all__ = ["reconcile"]

_encode: Final = msgspec.json.Encoder().encode
#: So many sets are known to stay under a shape, and none whose text is longer than this.
_SETTLED: Final = 64
_LONGEST: Final = 16 * 1024


def reconcile(fields: PathSet, shape: Shape) -> PathSet:
    """The set as it is to be under a shape; the same one if nothing has to change."""
    members = shape.members
    # Nearly all sets stay as they are, and the same few come with every write.
    text = _encode(fields)
    if members is not None and text in members.settled:
        return fields
    made = _below(fields, shape)
    if made is not None:
        return made
    if members is not None and len(text) <= _LONGEST:
        if len(members.settled) >= _SETTLED:
            members.settled.clear()
        members.settled.add(text)
    return fields


def _below(fields: PathSet, shape: Shape) -> PathSet | None:
    """The changed set of what is below a path; None if it stays."""
    members, items = shape.members, shape.items
    if members is not None:
        if _is_deduced(members):
            return None
    elif shape.scalar is not None or items is None:
        return None
    made: PathSet | None = None
    for element, part in fields.items():
        if not part:  # a leaf: there is nothing below that could change
            continue
        if members is not None:
            found = members.fields.get(element[2:]) if element[0] == "f" else None
            inner = found[1] if found is not None else members.item
        else:
            assert items is not None
            inner = items.item
        if inner is None:
            continue
        changed = LEAF if _is_atomic(inner) else _below(part, inner)
        if changed is not None:
            if made is None:
                made = fields.copy()
            made[element] = changed
    return made


def _is_atomic(shape: Shape) -> bool:
    if shape.members is not None:
        return shape.members.atomic and not _is_deduced(shape.members)
    return shape.scalar is None and shape.items is not None and shape.items.atomic


def _is_deduced(shape: MapShape) -> bool:
    """Whether a map has no declared fields and anything for a member: such maps have no marks that could change."""
    rest = shape.item
    if shape.fields or rest is None:
        return False
    if rest is DEDUCED or rest is ATOMIC:
        return rest is DEDUCED
    return rest.scalar == UNTYPED
