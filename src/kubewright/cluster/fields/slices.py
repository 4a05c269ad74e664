"""A large object in slices.

Who owns a path, and what a write does to that, does not depend on other paths. So two states of a large object can be
cut in slices, and the sets of its managers with them; each slice is an object of its own, small enough to be worked on
at once, and what comes of all of them is put together again (`assembly`).

    spec: {big: {a, b, c, d}, text}   ──►   spec: {big: {a, b}}   spec: {big: {c, d}}   spec: {text}

A container that is cut is there in each of its slices, and so its own path is in the sets of each. Items of a list that
share their keys are owned together, and so they are in one slice. Where the slices of a list are not in the order in
which a merge has its items, that order is noted.
"""

from collections.abc import Container, Generator, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from kubewright.cluster.fields.check import same_in_steps
from kubewright.cluster.fields.element import field
from kubewright.cluster.fields.items import elements_of
from kubewright.cluster.fields.merge import merged_order
from kubewright.cluster.fields.pathset import LEAF, PathSet
from kubewright.cluster.fields.shape import Invalid, ListShape, Shape
from kubewright.model.parts import MOST
from kubewright.model.parts import weight as count

__all__ = ["ABSENT", "SLICE", "VALUE", "Order", "Orders", "Slice", "cut"]

#: A slice is so long in JSON, more or less: that takes a millisecond or two.
SLICE: Final = 12 * 1024
#: A value takes so many bytes of that, more or less.
VALUE: Final = 12
#: What a scalar counts for: a path to be looked at, however long its text.
_SCALAR: Final = 16
#: An object of which there is nothing.
ABSENT: Final = object()
#: Deeper than this nothing is cut.
_DEEPEST: Final = 16
#: Two states with fewer members are narrow.
_NARROW: Final = 32

_encode: Final = msgspec.json.Encoder().encode

Parts = list[PathSet | None]


class Slice(NamedTuple):
    """A part of two states of an object, and of some sets: None of one that has nothing here."""

    before: Any
    after: Any
    sets: Parts
    #: The names, and elements, on the way down to the container of which this is a slice.
    path: tuple[str, ...]


class _Several(list[Any]):
    """Items that cannot be told apart."""


class Order(NamedTuple):
    """In which order a merge has the items of a list."""

    elements: list[str]
    #: Whether they were in another before.
    moved: bool


#: By the names, and elements, on the way down to a list.
Orders = dict[tuple[str, ...], Order]


class _How(NamedTuple):
    size: int
    orders: Orders | None


class _Members(NamedTuple):
    """What is in the two states of a container, by name or element; None of one that is absent."""

    old: dict[str, Any] | None
    new: dict[str, Any] | None
    is_list: bool = False
    #: Whether some items cannot be told apart.
    several: bool = False

    def built(self, names: Iterable[str], state: dict[str, Any] | None) -> Any:
        """A container of some of them."""
        if state is None:
            return ABSENT
        found = {name: state[name] for name in names if name in state}
        if self.several:
            return [item for each in found.values() for item in (each if each.__class__ is _Several else (each,))]
        return [*found.values()] if self.is_list else found

    def around(self, keys: Iterable[str], state: dict[str, Any] | None, name: str, part: Any) -> Any:
        """A container of a part of one of them."""
        made = self.built(keys, state)
        if made is ABSENT or part is ABSENT:
            return made
        return [part] if self.is_list else {**made, name: part}


def cut(
    before: Any,
    after: Any,
    shape: Shape,
    sets: Sequence[PathSet],
    *,
    size: int,
    orders: Orders | None = None,
) -> Generator[Slice | None, None, None]:
    """The slices of two states of an object, each a map or `ABSENT`; None where there is none yet, but others may go.

    `orders` is told of lists whose slices, strung together, are not in the order of a merge of the two.
    """
    members = _Members(_there(before), _there(after))
    return _cut(members, shape, [each or None for each in sets], (), (), _How(size, orders))


def _cut(
    members: _Members, shape: Shape, parts: Parts, keys: Sequence[str], path: tuple[str, ...], how: _How
) -> Generator[Slice | None, None, None]:
    """The slices of one container; its `keys`, by which a list knows it, are in each."""
    is_list, size = members.is_list, how.size
    old, new = members.old or {}, members.new or {}
    # What is left of the sets; a container's own path goes with every slice, and so do its keys.
    rest = [dict(part or ()) for part in parts]
    own: list[PathSet] = [{".": LEAF} if part is not None and not part else {} for part in parts]
    for everywhere, left in zip(own, rest, strict=True):
        everywhere |= {element: left.pop(element) for element in (".", *map(field, keys)) if element in left}
    names: list[str] = []
    taken: list[PathSet] = [{} for _ in parts]
    weight, told = 0, False

    def piece() -> Slice:
        was, now = (members.built((*keys, *names), state) for state in members[:2])
        return Slice(was, now, [_owning(part, mine) for part, mine in zip(taken, own, strict=True)], path)

    narrow = len(old) + len(new) < _NARROW
    for name in _in_line(old, new):
        if name in keys:
            continue
        was, now = old.get(name, ABSENT), new.get(name, ABSENT)
        element = name if is_list else "f:" + name
        mine = [each.pop(element, None) for each in rest]
        heavy = _weight(was, size, narrow)
        if was is now and heavy > size and how.orders is None:
            # As it was: nothing has to be compared. Where the slices are put together again, all of it must be in them.
            was, now = (members.built(keys, state) for state in members[:2])
            none: Parts = [None for _ in parts]
            for place, part in enumerate(mine):
                for below in _cut_set(part, size):
                    yield Slice(was, now, [*none[:place], {element: below}, *none[place + 1 :]], path)
            continue
        heavy += _weight(now, size, narrow)
        if heavy > size and len(path) < _DEEPEST and (inner := _inner(shape, name, is_list)) is not None:
            within = yield from _parted(was, now, inner, (*path, name), how)
            if within is not None:
                if is_list and names:  # the items of a list stay in their order
                    yield piece()
                    names, taken, weight = [], [{} for _ in parts], 0
                below_keys = shape.items.keys if is_list and shape.items is not None else ()
                for inside in _cut(within, inner, mine, below_keys, (*path, name), how):
                    if inside is None:
                        yield None
                        continue
                    was, now = (
                        members.around(keys, state, name, part)
                        for state, part in ((members.old, inside.before), (members.new, inside.after))
                    )
                    wrapped = [
                        _owning(None if part is None else {element: part}, each)
                        for part, each in zip(inside.sets, own, strict=True)
                    ]
                    yield Slice(was, now, wrapped, inside.path)
                told = True
                continue
            if _is_whole(was, now, inner) and (yield from same_in_steps(was, now)):
                # It need not be compared again.
                members = members._replace(new={**(members.new or {}), name: was})
        names.append(name)
        for part, each in zip(taken, mine, strict=True):
            if each is not None:
                part[element] = each
        weight += heavy
        if weight >= size:
            yield piece()
            names, taken, weight, told = [], [{} for _ in parts], 0, True
    taken = [part | each for part, each in zip(taken, rest, strict=True)]
    if names or any(taken) or not told:
        yield piece()


def _owning(part: PathSet | None, own: PathSet) -> PathSet | None:
    if not own:
        return part or None
    found = own | part if part else own
    return LEAF if len(found) == 1 and "." in found else found


def _inner(shape: Shape, name: str, is_list: bool) -> Shape | None:
    if is_list:
        return shape.items.item if shape.items is not None else None
    if shape.members is None:
        return None
    found = shape.members.fields.get(name)
    return found[1] if found is not None else shape.members.item


def _is_whole(before: Any, after: Any, shape: Shape) -> bool:
    """Whether a value is owned as a whole, and was so before."""
    owned = shape.items if after.__class__ is list else shape.members if after.__class__ is dict else None
    return before.__class__ is after.__class__ and owned is not None and owned.atomic


def _parted(
    before: Any, after: Any, shape: Shape, path: tuple[str, ...], how: _How
) -> Generator[None, None, _Members | None]:
    """What is in a value that is owned part by part, in both states; None if it is not."""
    if before is None and after.__class__ is list and shape.scalar is None and shape.members is None:
        before = []  # as a new object has it where a list has to be
    kinds = {state.__class__ for state in (before, after) if state is not ABSENT}
    if kinds == {dict}:
        if shape.members is None or shape.members.atomic:
            return None
        return _Members(_there(before), _there(after))
    items = shape.items
    if kinds != {list} or items is None or items.atomic or shape.members is not None:
        return None
    try:
        theirs, old = yield from _by_element(before, items)
        ours, new = yield from _by_element(after, items)
    except Invalid:
        return None
    several = len(old or ()) != len(theirs) or len(new or ()) != len(ours)
    if how.orders is not None and (
        several or (old and new and theirs != ours and _shared(theirs, new) != _shared(ours, old))
    ):
        elements: list[str] = []
        for element, _ in merged_order(theirs, ours):
            elements.append(element)
            if len(elements) % MOST == 0:
                yield
        how.orders[path] = Order(elements, elements != theirs)
    return _Members(old, new, True, several)


def _there(state: Any) -> Any:
    return None if state is ABSENT else state


def _by_element(state: Any, shape: ListShape) -> Generator[None, None, tuple[list[str], dict[str, Any] | None]]:
    """The elements of a list, and its items by these. `Invalid` if one has no element."""
    if state is ABSENT:
        return [], None
    made: dict[str, Any] = {}
    elements: list[str] = []
    for start in range(0, len(state), MOST):
        some = state[start : start + MOST]
        elements += elements_of(shape, some)
        made.update(zip(elements[start:], some, strict=True))
        if len(some) == MOST:
            yield
    return elements, made if len(made) == len(state) else (yield from _together(elements, state))


def _together(elements: list[str], state: list[Any]) -> Generator[None, None, dict[str, Any]]:
    """The items of a list by elements that some of them share."""
    made: dict[str, Any] = {}
    for number, (element, item) in enumerate(zip(elements, state, strict=True), 1):
        if element not in made:
            made[element] = item
        elif made[element].__class__ is _Several:
            made[element].append(item)
        else:
            made[element] = _Several([made[element], item])
        if number % MOST == 0:
            yield
    return made


def _shared(elements: Iterable[str], others: Container[str]) -> list[str]:
    return [element for element in elements if element in others]


def _in_line(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """All names, those that both have in the order of the new; before each what only the old has, then the new.

    That is the order in which `merge` has the items of lists, if both have what they share in the same order.
    """
    names = [*new] or [*old]
    if not old or names == [*old]:
        return names
    made: list[str] = []
    left = iter(old)
    fresh: list[str] = []
    for name in new:
        if name not in old:
            fresh.append(name)
            continue
        for other in left:
            if other == name:
                break
            if other not in new:
                made.append(other)
        made += [*fresh, name]
        fresh = []
    made += [name for name in left if name not in new]
    return made + fresh


def _weight(value: Any, enough: int, narrow: bool = False) -> int:
    """How long a value is in JSON, more or less; if it is surely too long, any length that is.

    Among few values each may be nearly all there is, which is not written to be weighed.
    """
    if value.__class__ is not dict and value.__class__ is not list and value.__class__ is not _Several:
        return _SCALAR
    if narrow:
        return count(value, enough // _SCALAR) * _SCALAR
    # No member takes less than eight bytes.
    return enough + 1 if len(value) > enough // 8 else len(_encode(value))


def _cut_set(part: PathSet | None, size: int) -> Generator[PathSet, None, None]:
    """A set of which nothing changes, in parts."""
    if not part:
        if part is not None:
            yield LEAF
        return
    group: PathSet = {}
    weight = 0
    for element, inner in part.items():
        heavy = _weight(inner, size)
        if heavy > size:
            for below in _cut_set(inner, size):
                yield {element: below}
            continue
        group[element] = inner
        weight += len(element) + heavy
        if weight >= size:
            yield group
            group, weight = {}, 0
    if group:
        yield group
