"""A large object in slices.

Who owns a path, and what a write does to that, does not depend on other paths. So two states of a large object can be
cut in slices, and the sets of its managers with them; each slice is an object of its own, small enough to be worked on
at once, and what comes of all of them is put together again.

    spec: {big: {a, b, c, d}, text}   ──►   spec: {big: {a, b}}   spec: {big: {c, d}}   spec: {text}

A container that is cut is there in each of its slices, and so its own path is in the sets of each.
"""

from collections.abc import Container, Generator, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from kubewright.cluster.fields.items import elements_of
from kubewright.cluster.fields.pathset import LEAF, PathSet
from kubewright.cluster.fields.shape import Invalid, Shape

__all__ = ["ABSENT", "SLICE", "Slice", "Torn", "assembled", "cut", "united_all"]

#: A slice is so long in JSON, more or less: that takes a millisecond or two.
SLICE: Final = 12 * 1024
#: What a scalar counts for: a path to be looked at, however long its text.
_SCALAR: Final = 16
#: An object of which there is nothing.
ABSENT: Final = object()
#: Deeper than this nothing is cut.
_DEEPEST: Final = 16
#: Maps of more members are put in order. The encoder's own sort takes the square of their number if most are in order.
_WIDE: Final = 64

_encode: Final = msgspec.json.Encoder().encode

Parts = list[PathSet | None]


class Torn(Exception):
    """A container that was cut is gone from a slice: what comes of the whole cannot be told from the slices."""


class Slice(NamedTuple):
    """A part of two states of an object, and of some sets."""

    before: Any
    after: Any
    sets: list[PathSet]
    #: The names on the way down to the container of which this is a slice.
    path: tuple[str, ...]


class _Piece(NamedTuple):
    before: Any
    after: Any
    parts: Parts
    path: tuple[str, ...]


def cut(
    before: Any, after: Any, shape: Shape, sets: Sequence[PathSet], *, size: int, ordered: bool = False
) -> Generator[Slice, None, None]:
    """The slices of two states of an object, each a map or `ABSENT`.

    `ordered` cuts lists only if their slices can be strung together.
    """
    for piece in _cut(before, after, shape, [each or None for each in sets], (), size, ordered):
        yield Slice(piece.before, piece.after, [part or {} for part in piece.parts], piece.path)


def _cut(
    before: Any, after: Any, shape: Shape, parts: Parts, path: tuple[str, ...], size: int, ordered: bool
) -> Generator[_Piece, None, None]:
    """The slices of one container."""
    is_list = (after if before is ABSENT else before).__class__ is list
    old, new = _members(before, shape), _members(after, shape)
    # What is left of the sets; a container's own path goes with every slice.
    own = [part is not None and (not part or "." in part) for part in parts]
    rest = [dict(part or ()) for part in parts]
    for each in rest:
        each.pop(".", None)
    names: list[str] = []
    taken: Parts = [{} for _ in parts]
    weight = 0

    def piece() -> _Piece:
        was, now = (
            state if state is ABSENT else _built({name: found[name] for name in names if name in found}, is_list)
            for state, found in ((before, old), (after, new))
        )
        return _Piece(was, now, [_owning(part, mine) for part, mine in zip(taken, own, strict=True)], path)

    for name in _in_line(old, new):
        was, now = old.get(name, ABSENT), new.get(name, ABSENT)
        element = name if is_list else "f:" + name
        mine = [each.pop(element, None) for each in rest]
        heavy = _weight(was, size)
        if was is now and heavy > size and not is_list:
            # As it was: nothing has to be compared.
            none: Parts = [None for _ in parts]
            for place, part in enumerate(mine):
                for below in _cut_set(part, size) if part else () if part is None else (LEAF,):
                    yield _Piece({}, {}, [*none[:place], {element: below}, *none[place + 1 :]], path)
            continue
        heavy += _weight(now, size)
        # An item of a list is not cut: without its keys nobody would know it.
        if heavy > size and not is_list and len(path) < _DEEPEST:
            inner = _inner(shape, name)
            if inner is not None and _is_cut(was, now, inner, ordered):
                for inside_piece in _cut(was, now, inner, mine, (*path, name), size, ordered):
                    wrapped = [
                        _wrapped(part, element, each) for part, each in zip(inside_piece.parts, own, strict=True)
                    ]
                    was, now = (
                        state if state is ABSENT else {} if inside is ABSENT else {name: inside}
                        for state, inside in ((before, inside_piece.before), (after, inside_piece.after))
                    )
                    yield _Piece(was, now, wrapped, inside_piece.path)
                continue
        names.append(name)
        for part, each in zip(taken, mine, strict=True):
            if each is not None:
                assert part is not None
                part[element] = each
        weight += heavy
        if weight >= size:
            yield piece()
            names, taken, weight = [], [{} for _ in parts], 0
    taken = [{**(part or {}), **each} for part, each in zip(taken, rest, strict=True)]
    if names or any(taken) or not (old or new):
        yield piece()


def _members(container: Any, shape: Shape) -> dict[str, Any]:
    """What is in a container, by name or element."""
    if container is ABSENT:
        return {}
    if isinstance(container, dict):
        return container
    assert shape.items is not None
    return dict(zip(elements_of(shape.items, container), container, strict=True))


def _built(members: dict[str, Any], is_list: bool) -> Any:
    return [*members.values()] if is_list else members


def _owning(part: PathSet | None, own: bool) -> PathSet | None:
    if not own:
        return part or None
    return {".": LEAF, **part} if part else LEAF


def _wrapped(part: PathSet | None, element: str, own: bool) -> PathSet | None:
    return _owning(None if part is None else {element: part}, own)


def _inner(shape: Shape, name: str) -> Shape | None:
    if shape.members is None:
        return None
    found = shape.members.fields.get(name)
    return found[1] if found is not None else shape.members.item


def _is_cut(before: Any, after: Any, shape: Shape, ordered: bool) -> bool:
    """Whether a value is owned part by part, in both states."""
    kinds = {state.__class__ for state in (before, after) if state is not ABSENT}
    if kinds == {dict}:
        return shape.members is not None and not shape.members.atomic
    if kinds != {list} or shape.items is None or shape.items.atomic or shape.members is not None:
        return False
    try:
        found = [elements_of(shape.items, state) for state in (before, after) if state is not ABSENT]
    except Invalid:
        return False
    if any(len({*each}) != len(each) for each in found):
        return False
    theirs, ours = found[0], found[-1]
    return not ordered or theirs == ours or _shared(theirs, {*ours}) == _shared(ours, {*theirs})


def _shared(elements: Iterable[str], others: Container[str]) -> list[str]:
    return [element for element in elements if element in others]


def _in_line(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """All names, those that both have in the order of the new; before each what only the old has, then the new.

    That is the order in which `merge` has the items of lists, if both have what they share in the same order.
    """
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


def _weight(value: Any, enough: int) -> int:
    """How long a value is in JSON; if it is surely too long, any length that is."""
    if value.__class__ is not dict and value.__class__ is not list:
        return _SCALAR
    # No member takes less than eight bytes.
    return enough + 1 if len(value) > enough // 8 else len(_encode(value))


def _cut_set(part: PathSet, size: int) -> Generator[PathSet, None, None]:
    """A set of which nothing changes, in parts."""
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


def united_all(parts: Iterable[PathSet]) -> Generator[None, None, PathSet]:
    """The union of the sets of slices."""
    found = [part for part in parts if part]
    return (yield from _union(found)) if found else {}


def _union(parts: list[PathSet]) -> Generator[None, None, PathSet]:
    if len(parts) == 1:
        return parts[0]
    grouped: dict[str, list[PathSet]] = {}
    for part in parts:
        for element, inner in part.items():
            grouped.setdefault(element, []).append(inner)
        if not part:
            grouped.setdefault(".", []).append(LEAF)
    if len(grouped) == 1 and "." in grouped:
        return LEAF
    yield
    made: PathSet = {}
    for name in sorted(grouped) if len(grouped) > _WIDE else grouped:
        inner = grouped[name]
        made[name] = LEAF if name == "." else inner[0] if len(inner) == 1 else (yield from _union(inner))
    return made


def assembled(slices: Sequence[Any]) -> Generator[None, None, Any]:
    """The container of which these are the slices."""
    if len(slices) == 1:
        return slices[0]
    if all(each.__class__ is list for each in slices):
        return [item for each in slices for item in each]
    if not all(each.__class__ is dict for each in slices):
        raise Torn
    grouped: dict[str, list[Any]] = {}
    for each in slices:
        for name, member in each.items():
            grouped.setdefault(name, []).append(member)
    yield
    made: dict[str, Any] = {}
    for name in sorted(grouped) if len(grouped) > _WIDE else grouped:
        inner = grouped[name]
        made[name] = inner[0] if len(inner) == 1 else (yield from assembled(inner))
    return made
