"""The slices of a large object, put together again: its value, and the sets of its managers.

What several slices have is a container that was cut, and is put together in its turn; or a key of an item, which is the
same in each.
"""

from collections import deque
from collections.abc import Generator, Iterable, Sequence
from typing import Any, Final

from kubewright.cluster.fields.items import element_of, elements_of
from kubewright.cluster.fields.pathset import LEAF, PathSet
from kubewright.cluster.fields.shape import Shape
from kubewright.model.parts import MOST

__all__ = ["Torn", "assembled", "in_order", "united_all"]

#: Maps of more members are put in order. The encoder's own sort takes the square of their number if most are in order.
_WIDE: Final = 64


class Torn(Exception):
    """A container that was cut is gone from a slice: what comes of the whole cannot be told from the slices."""


def united_all(parts: Iterable[PathSet]) -> Generator[None, None, PathSet]:
    """The union of the sets of slices."""
    found = [part for part in parts if part]
    return (yield from _union(found)) if found else {}


def _union(parts: list[PathSet]) -> Generator[None, None, PathSet]:
    if len(parts) == 1:
        return parts[0]
    made, shared = yield from _together([part or {".": LEAF} for part in parts])
    if len(made) == 1 and "." in made:
        return LEAF
    yield
    for name, inner in shared.items():
        if name != ".":
            made[name] = yield from _union(inner)
    return made


def _together(
    slices: Iterable[dict[str, Any]],
) -> Generator[None, None, tuple[dict[str, Any], dict[str, list[Any]]]]:
    """What is in any of some maps; and of what is in several of them, what it is in each."""
    made: dict[str, Any] = {}
    shared: dict[str, list[Any]] = {}
    for each in slices:
        for name in sorted(made.keys() & each.keys()):
            shared.setdefault(name, [made[name]]).append(each[name])
        made |= each
    if len(made) > _WIDE:
        yield
        made = {name: made[name] for name in sorted(made)}
    return made, shared


def assembled(slices: Sequence[Any], shape: Shape) -> Generator[None, None, Any]:
    """The container of which these are the slices."""
    if len(slices) == 1:
        return slices[0]
    kinds = {each.__class__ for each in slices}
    if kinds == {list}:
        return (yield from _strung(slices, shape))
    if kinds != {dict}:
        # A key of an item is in each of its slices.
        if dict in kinds or list in kinds:
            raise Torn
        return slices[0]
    made, shared = yield from _together(slices)
    yield
    for name, inner in shared.items():
        assert shape.members is not None, "nothing is cut whose shape is not known"
        made[name] = yield from assembled(inner, shape.members.of(name))
    return made


def _strung(slices: Sequence[list[Any]], shape: Shape) -> Generator[None, None, list[Any]]:
    """The list of which these are the slices, in order."""
    items = shape.items
    assert items is not None, "a list is cut because it has elements"
    groups: list[tuple[str, list[Any]]] = []
    for each in slices:
        # An item that is cut is alone in its slices.
        element = element_of(items, each[0]) if len(each) == 1 else ""
        if element and groups and groups[-1][0] == element:
            groups[-1][1].append(each[0])
        else:
            groups.append((element, [*each]))
    made: list[Any] = []
    for element, found in groups:
        if element and len(found) > 1:
            made.append((yield from assembled(found, items.item)))
        else:
            made += found
    return made


def in_order(value: Any, path: Sequence[str], elements: Sequence[str], shape: Shape) -> Generator[None, None, None]:
    """Put the list at a path in order, in place; of what is not there any more, its place is left out."""
    *way, last = path
    for name in way:
        if value.__class__ is list:
            items = shape.items
            assert items is not None, "it was cut"
            value = next((item for item in value if element_of(items, item) == name), None)
            shape = items.item
        else:
            value, shape = _member(value, name, shape)
    found, inner = _member(value, last, shape)
    if found.__class__ is not list:
        return
    assert inner.items is not None, "it was cut"
    left: dict[str, deque[Any]] = {}
    for start in range(0, len(found), MOST):
        some = found[start : start + MOST]
        for element, item in zip(elements_of(inner.items, some), some, strict=True):
            left.setdefault(element, deque()).append(item)
        yield
    value[last] = [left[element].popleft() for element in elements if left.get(element)]


def _member(value: Any, name: str, shape: Shape) -> tuple[Any, Shape]:
    assert shape.members is not None, "it was cut"
    return value.get(name) if value.__class__ is dict else None, shape.members.of(name)
