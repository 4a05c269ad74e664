"""What became of one value when another took its place: which paths went, changed and came.

A leaf (a scalar, or what is owned as a whole) that is there before and after counts as changed if it is another value.
A container that comes or goes takes every path in it along, its own too. Items of a list that cannot be told apart are
compared together: they change as one, and nothing in them is looked at.
"""

from typing import Any, NamedTuple

from kubewright.cluster.fields.check import FITTING, check_scalar, same
from kubewright.cluster.fields.element import field
from kubewright.cluster.fields.items import elements_of
from kubewright.cluster.fields.owned import whole
from kubewright.cluster.fields.pathset import LEAF, PathSet, united
from kubewright.cluster.fields.shape import LIST, MAP, SCALAR, ListShape, MapShape, Shape, kind_of

__all__ = ["NOTHING", "Comparison", "compare"]


class Comparison(NamedTuple):
    """The paths that went, changed and came. A part that is None has none of them."""

    removed: PathSet | None
    modified: PathSet | None
    added: PathSet | None


NOTHING = Comparison(None, None, None)
_MODIFIED = Comparison(None, LEAF, None)


def compare(left: object, right: object, shape: Shape) -> Comparison:
    """What became of `left`; parts of the result are sets, None if empty."""
    return _compare(left, right, shape) or NOTHING


def _compare(left: object, right: object, shape: Shape) -> Comparison | None:
    """None if nothing did."""
    if left is right:
        return None
    if isinstance(left, dict) and isinstance(right, dict) and (left or right):
        # As `_as` would. Two frames a level, not three: a value that is as deep as may be leaves room for no more.
        fields = shape.members
        if fields is not None and not fields.atomic:
            return _compare_maps(left, right, fields)
    kind, other = kind_of(shape, left), kind_of(shape, right)
    if kind == other:
        return _as(kind, left, right, shape)
    found = [each for each in (MAP, SCALAR, LIST) if each in (kind, other)]
    parts = [part for each in found if (part := _as(each, left, right, shape))]
    return _both(*parts) if len(parts) == 2 else parts[0] if parts else None


def _as(kind: int, left: object, right: object, shape: Shape) -> Comparison | None:
    if kind == MAP:
        fields = shape.members
        assert fields is not None
        before, after = left if isinstance(left, dict) else {}, right if isinstance(right, dict) else {}
        if not fields.atomic and (before or after):
            return _compare_maps(before, after, fields)
    elif kind == LIST:
        items = shape.items
        assert items is not None
        earlier, later = left if isinstance(left, list) else [], right if isinstance(right, list) else []
        if not items.atomic and (earlier or later):
            return _compare_lists(earlier, later, items)
    else:
        check_scalar(left, right, shape)
    return None if same(left, right) else _MODIFIED


def _both(one: Comparison, other: Comparison) -> Comparison:
    return Comparison(*map(_either, one, other))


def _either(one: PathSet | None, other: PathSet | None) -> PathSet | None:
    if one is None or other is None:
        return other if one is None else one
    return united(one, other)


def _compare_maps(left: dict[str, Any], right: dict[str, Any], shape: MapShape) -> Comparison | None:
    removed: PathSet = {}
    modified: PathSet = {}
    added: PathSet = {}
    fields = shape.fields
    for name, after in right.items():
        if name in left:
            before = left[name]
            if before is after or (before.__class__ is after.__class__ is str and before == after):
                continue
            element, inner = fields.get(name) or (field(name), shape.of(name))
            if before.__class__ is after.__class__ and inner.scalar in FITTING.get(after.__class__, ()):
                # Most members that changed are scalars that stayed what they should be.
                if before != after:
                    modified[element] = LEAF
                continue
            found = _compare(before, after, inner)
            if found is not None:
                gone, changed, come = found
                if gone is not None:
                    removed[element] = gone
                if changed is not None:
                    modified[element] = changed
                if come is not None:
                    added[element] = come
        else:
            element, inner = fields.get(name) or (field(name), shape.of(name))
            added[element] = whole(after, inner)
    if not left.keys() <= right.keys():
        for name, before in left.items():
            if name not in right:
                element, inner = fields.get(name) or (field(name), shape.of(name))
                removed[element] = whole(before, inner)
    if not removed and not modified and not added:
        return None
    return Comparison(removed or None, modified or None, added or None)


def _grouped(elements: list[str], items: list[Any]) -> dict[str, list[Any]]:
    made: dict[str, list[Any]] = {}
    for element, item in zip(elements, items, strict=True):
        made.setdefault(element, []).append(item)
    return made


def _compare_sets(left: list[str], right: list[str]) -> Comparison | None:
    """What became of scalars that are all told apart: each is its element, so it came, went or stayed."""
    before, after = {*left}, {*right}
    removed = {element: LEAF for element in left if element not in after}
    added = {element: LEAF for element in right if element not in before}
    return Comparison(removed or None, None, added or None) if removed or added else None


def _is_set(elements: list[str], items: list[Any], shape: ListShape) -> bool:
    """Whether all items are scalars as they should be, and told apart."""
    scalar = shape.item.scalar
    if shape.keys or len({*elements}) != len(elements):
        return False
    return all(scalar in FITTING.get(kind, ()) for kind in {*map(type, items)})


def _compare_lists(left: list[Any], right: list[Any], shape: ListShape) -> Comparison | None:
    removed: PathSet = {}
    modified: PathSet = {}
    added: PathSet = {}
    theirs, ours, inner = elements_of(shape, left), elements_of(shape, right), shape.item
    if _is_set(theirs, left, shape) and _is_set(ours, right, shape):
        return _compare_sets(theirs, ours)
    before, after = _grouped(theirs, left), _grouped(ours, right)
    for element in [*before, *(element for element in after if element not in before)]:
        old, new = before.get(element, ()), after.get(element, ())
        if len(old) == 1 and len(new) == 1:
            found = _compare(old[0], new[0], inner)
            if found is not None:
                gone, changed, come = found
                if gone is not None:
                    removed[element] = gone
                if changed is not None:
                    modified[element] = changed
                if come is not None:
                    added[element] = come
        elif len(old) > 1 and len(new) > 1:
            if not same(old, new):
                modified[element] = LEAF
        else:
            # What comes of several is one that is new, and what several come of is one that went.
            if old:
                removed[element] = LEAF if len(old) > 1 else whole(old[0], inner)
            if new:
                added[element] = LEAF if len(new) > 1 else whole(new[0], inner)
    if not removed and not modified and not added:
        return None
    return Comparison(removed or None, modified or None, added or None)
