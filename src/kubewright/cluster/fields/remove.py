"""An object without some of its paths.

What is removed is removed with all below it. A container out of which everything went is null, which the readers of
objects take for none; an atomic one goes with the first path in it. What is not touched is the object's own part.
"""

from typing import Any

from kubewright.cluster.fields.items import element_of
from kubewright.cluster.fields.pathset import PathSet
from kubewright.cluster.fields.shape import LIST, MAP, Invalid, ListShape, MapShape, Shape, kind_of

__all__ = ["named", "remove"]


def remove(value: Any, gone: PathSet, shape: Shape) -> Any:
    """The value without what is in the set."""
    if not gone:
        return value
    kind = kind_of(shape, value)
    if kind == MAP:
        fields = shape.members
        assert fields is not None
        if value.__class__ is not dict or not value or fields.atomic:
            return None
        return _remove_members(value, gone, fields)
    if kind == LIST:
        items = shape.items
        assert items is not None
        if value.__class__ is not list or not value or items.atomic:
            return None
        return _remove_items(value, gone, items)
    return value


def _remove_members(value: dict[str, Any], gone: PathSet, shape: MapShape) -> dict[str, Any] | None:
    made: dict[str, Any] = {}
    for name, member in value.items():
        part = gone.get("f:" + name)
        if part is None:
            made[name] = member
        elif part and "." not in part:
            made[name] = remove(member, part, shape.of(name))
    return made or None


def _remove_items(value: list[Any], gone: PathSet, shape: ListShape) -> list[Any] | None:
    made: list[Any] = []
    for item in value:
        try:
            part = gone.get(element_of(shape, item))
        except Invalid:
            part = None
        if part is None:
            made.append(item)
        elif part and "." not in part:
            made.append(remove(item, part, shape.item))
    return made or None


def named(fields: PathSet, shape: Shape | None) -> PathSet:
    """The set with the declared fields on the ways of its paths: who owns all in a struct owns the struct."""
    made: PathSet = {}
    members = shape.members if shape is not None else None
    items = shape.items if shape is not None else None
    for element, part in fields.items():
        if not part:
            made[element] = part
            continue
        inner, declared = None, False
        if element[0] == "f" and members is not None:
            found = members.fields.get(element[2:])
            declared, inner = found is not None, found[1] if found is not None else members.item
        elif element[0] == "k" and items is not None:
            inner = items.item
        below = named(part, inner)
        made[element] = {".": {}, **below} if declared and "." not in below else below
    return made
