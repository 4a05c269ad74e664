"""Which paths a value has.

`leaves` is what somebody owns who applies the value: its leaves, the items of associative lists, the keys of maps, and
the containers that are empty; a declared field that holds something is no more than a way to it. `whole` is what has
come or gone when the value has: every path in it, its own included.
"""

from typing import Any

from kubewright.cluster.fields.element import field
from kubewright.cluster.fields.items import REMEMBERED, elements_of
from kubewright.cluster.fields.pathset import LEAF, PathSet
from kubewright.cluster.fields.shape import LIST, MAP, Invalid, ListShape, MapShape, Shape, kind_of

__all__ = ["leaves", "whole"]

_SCALARS = {str, int, bool, float}


def leaves(value: object, shape: Shape) -> PathSet:
    """The set of somebody who applies a value."""
    return _leaves(value, shape, own=False) or {}


def _leaves(value: Any, shape: Shape, *, own: bool) -> PathSet | None:
    """What is owned of a value and below; `own` says that its own path is, whatever it is."""
    kind = kind_of(shape, value)
    if kind == MAP:
        members = shape.members
        assert members is not None
        if not members.atomic:
            return _map_leaves(value, members, own) if value and value.__class__ is dict else LEAF if own else None
    elif kind == LIST:
        items = shape.items
        assert items is not None
        if not items.atomic:
            return _list_leaves(value, items, own) if value and value.__class__ is list else LEAF if own else None
    return LEAF


def _map_leaves(value: dict[str, Any], shape: MapShape, own: bool) -> PathSet | None:
    made: PathSet = {".": LEAF} if own else {}
    fields = shape.fields
    for name, member in value.items():
        found = fields.get(name)
        if found is not None:
            element, inner = found
            if inner.scalar is not None and member.__class__ in _SCALARS:
                made[element] = LEAF
                continue
            part = _leaves(member, inner, own=member is None or member == {})
        else:
            element, part = field(name), _leaves(member, shape.of(name), own=True)
        if part is not None:
            made[element] = part
    return made if len(made) > own else LEAF if own else None


def _list_leaves(value: list[Any], shape: ListShape, own: bool) -> PathSet:
    made: PathSet = {".": LEAF} if own else {}
    twice = set()
    for element, item in zip(elements_of(shape, value), value, strict=True):
        if element in made:
            twice.add(element)
        else:
            part = _leaves(item, shape.item, own=True)
            made[element] = LEAF if part is None else part
    for element in twice:
        made[element] = LEAF
    return made


def whole(value: object, shape: Shape) -> PathSet:
    """Every path of a value, its own included."""
    if value.__class__ is dict:
        members = shape.members
        if members is not None and value and not members.atomic:
            return _whole_map(value, members)
    elif value.__class__ is list:
        items = shape.items
        if items is not None and value and not items.atomic:
            return _whole_list(value, items)
    elif shape.scalar is None:
        kind_of(shape, value)  # nothing at all may be allowed
    return LEAF


def _whole_map(value: dict[str, Any], shape: MapShape) -> PathSet:
    flat = {*map(type, value.values())} <= _SCALARS
    if flat and (known := shape.flat.get(names := tuple(value))) is not None:
        return known
    made: PathSet = {".": LEAF}
    fields, rest = shape.fields, shape.item
    for name, member in value.items():
        found = fields.get(name)
        if found is not None:
            element, inner = found
        elif rest is not None:
            element, inner = "f:" + name, rest
        else:
            raise Invalid("schema error: invalid atom: inlined", f".{name}")
        if member.__class__ is dict or member.__class__ is list:
            made[element] = whole(member, inner)
        else:
            made[element] = LEAF
    if flat and len(shape.flat) < REMEMBERED:
        shape.flat[names] = made
    return made


def _whole_list(value: list[Any], shape: ListShape) -> PathSet:
    made: PathSet = {".": LEAF}
    inner = shape.item
    flat = inner.members.flat if inner.members is not None and not inner.members.atomic else {}
    for element, item in zip(elements_of(shape, value), value, strict=True):
        # Items that cannot be told apart are owned together, and nothing in them is.
        if element in made:
            made[element] = LEAF
            continue
        known = flat.get((*item,)) if item.__class__ is dict else None
        made[element] = whole(item, inner) if known is None or not {*map(type, item.values())} <= _SCALARS else known
    return made
