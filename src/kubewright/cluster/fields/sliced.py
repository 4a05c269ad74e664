"""What a write does to who owns what in a large object, in steps: slice by slice (see `slices`).

Everything here comes to what `ownership` says of the whole. What it says of the whole only, is asked of it: objects
that have to be converted, and containers of which an apply leaves nothing.
"""

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from kubewright.cluster.fields import ownership
from kubewright.cluster.fields.assembly import Torn, assembled, in_order, united_all
from kubewright.cluster.fields.check import check, look_in_steps
from kubewright.cluster.fields.compare import compare
from kubewright.cluster.fields.joint import joint
from kubewright.cluster.fields.ownership import Applied, Conflicts, Convert, Filter, Owned, Typed, Unconvertible
from kubewright.cluster.fields.pathset import LEAF, PathSet, difference
from kubewright.cluster.fields.shape import Shape
from kubewright.cluster.fields.slices import ABSENT, VALUE, Orders, cut

__all__ = ["Versions", "apply", "made", "unchanged", "update"]

M = TypeVar("M", bound=Hashable)
#: The managers after one state took the place of another.
Update = Callable[[Any, Any, dict[M, Owned], Convert], dict[M, Owned]]
#: A set of what no object has.
_NOWHERE: Final[PathSet] = {"i:-1": LEAF}


class Versions:
    """The versions in which the managers of an object wrote, if objects differ from one to the other by its name alone.

    An object is cut where it can be in all of them. Every slice has to fit in each, whoever owns something in it.
    """

    def __init__(self, version: str, shapes: Mapping[str, Shape]) -> None:
        self.version = version
        self._shapes = shapes
        #: Where objects are cut.
        self.shape = joint([*shapes.values()])

    def convert(self, typed: Typed, version: str) -> Typed:
        """A slice in another version; `Unconvertible` if it does not fit there, without a word of why."""
        shape = self._shapes[version]
        if shape is typed.shape:
            return typed
        if check(_without_entries(typed.value), shape):
            raise Unconvertible
        return Typed(typed.value, shape)

    def check(self, live: Any, most: int) -> Generator[None, None, None]:
        """`Unconvertible` if an object does not fit in one of them. Of what stays as it is, slices do not tell."""
        for version, shape in self._shapes.items():
            if version != self.version and (yield from look_in_steps(_without_entries(live), shape, most=most))[0]:
                raise Unconvertible


def _without_entries(value: Any) -> Any:
    """A slice without who owns what: that was written here, fits in every version, and is not cut."""
    meta = value.get("metadata") if value.__class__ is dict else None
    if meta.__class__ is not dict or "managedFields" not in meta:
        return value
    return {**value, "metadata": {name: member for name, member in meta.items() if name != "managedFields"}}


def update(
    live: Any, new: Any, versions: Versions, managers: Mapping[M, Owned], updated: Update[M], size: int
) -> Generator[None, None, dict[M, Owned]]:
    """The managers after `new` took the place of `live`; `updated` says it of a slice. `Unconvertible`."""
    yield from versions.check(live, size // VALUE)
    found = _Found(managers, versions.version)
    for piece in cut(live, new, versions.shape, found.sets, size=size):
        yield
        if piece is None:
            continue
        before, after, sets, _ = piece
        owned = found.of(sets)
        found.add(owned, updated(before, after, owned.copy(), versions.convert))
    yield
    return (yield from found.managers())


def made(new: Any, shape: Shape, whole: Callable[[Any], PathSet], size: int) -> Generator[None, None, PathSet]:
    """All that is in a new object; `whole` says it of a slice."""
    found = []
    for piece in cut(ABSENT, new, shape, (), size=size):
        if piece is not None:
            found.append(whole(piece.after))
        yield
    return (yield from united_all(found))


def apply(
    live: Typed,
    config: Typed,
    versions: Versions,
    managers: Mapping[M, Owned],
    me: M,
    keep: Filter,
    *,
    force: bool,
    said: PathSet,
    size: int,
) -> Generator[None, None, Applied]:
    """What comes of it when `me` applies a configuration; `Conflicts`, `Torn`, `Unconvertible`."""
    yield from versions.check(live.value, size // VALUE)
    found = _Found(managers, versions.version, me)
    last = managers[me].version if me in managers else versions.version
    values = []
    changed = False
    conflicts: dict[M, list[PathSet]] = {}
    shape = live.shape
    orders: Orders = {}
    for piece in cut(live.value, config.value, versions.shape, [*found.sets, said], size=size, orders=orders):
        yield
        if piece is None:
            continue
        before, after, sets, path = piece
        *theirs, mine = sets
        owned, states = found.of(theirs), (Typed(before, shape), Typed(after, shape))
        try:
            value, now = ownership.apply(
                *states, versions.version, owned, me, versions.convert, keep, force=force, said=mine or {}
            )
        except Conflicts as found_here:
            for manager, fields in found_here.fields.items():
                conflicts.setdefault(manager, []).append(fields)
            continue
        for state in (before, value):
            versions.convert(Typed(state, shape), last)
        if value is not before:
            _check_whole(value, path)
            changed = True
        values.append(value)
        found.add(owned, now)
    yield
    if conflicts:
        united = {}
        for manager, parts in conflicts.items():
            united[manager] = yield from united_all(parts)
        raise Conflicts(united)
    if not changed and not any(order.moved for order in orders.values()):
        return Applied(live.value, (yield from found.managers()))
    value = yield from assembled(values, shape)
    for way, order in orders.items():
        yield from in_order(value, way, order.elements, shape)
    return Applied(value, (yield from found.managers()))


def unchanged(before: Any, after: Any, shape: Shape, fields: PathSet, size: int) -> Generator[None, None, PathSet]:
    """What is left of a set without what changed when one state took the place of another."""
    found = []
    for piece in cut(before, after, shape, [fields], size=size):
        yield
        if piece is None:
            continue
        [left] = piece.sets
        for changed in compare(piece.before, piece.after, shape):
            left = difference(left or {}, changed or {})
        if left:
            found.append(left)
    return (yield from united_all(found))


def _check_whole(value: Any, path: tuple[str, ...]) -> None:
    """What is cut has to be there after all: a slice from which it went says nothing of the others."""
    for name in path:
        # An item that is cut is alone in its slices.
        value = value[0] if value.__class__ is list else value.get(name) if value.__class__ is dict else None
        if not value:
            raise Torn


class _Witness(NamedTuple):
    """A manager who is none."""

    version: str


class _Found(Generic[M]):
    """The managers of an object, and what was found of each in the slices so far."""

    def __init__(self, managers: Mapping[M, Owned], version: str, me: M | None = None) -> None:
        self._before = managers
        self.sets = [owned.fields for owned in managers.values()]
        self._found: dict[M, list[Owned]] = {}
        self._changed: set[M] = set()
        # One of each other version in which somebody else wrote, in order, who is in every slice and owns nothing
        # there is: so every slice is seen in all versions, as the whole is.
        others = {owned.version: None for manager, owned in managers.items() if manager != me}
        self._witnesses: dict[Any, Owned] = {
            _Witness(each): Owned(_NOWHERE, each, False) for each in others if each != version
        }

    def of(self, sets: Sequence[PathSet | None]) -> dict[M, Owned]:
        """The managers of a slice, given their sets."""
        pairs = zip(self._before.items(), sets, strict=True)
        found = {manager: owned._replace(fields=fields) for (manager, owned), fields in pairs if fields}
        return self._witnesses | found

    def add(self, before: Mapping[M, Owned], after: Mapping[M, Owned]) -> None:
        """Note what became of the managers of a slice."""
        for manager in {**before, **after}:
            if manager in self._witnesses:
                continue
            if manager in after:
                self._found.setdefault(manager, []).append(after[manager])
            if before.get(manager) != after.get(manager):
                self._changed.add(manager)

    def managers(self) -> Generator[None, None, dict[M, Owned]]:
        """What became of them in all; who owns what he owned before has the same set."""
        made: dict[M, Owned] = {}
        for manager, parts in self._found.items():
            if manager in self._changed:
                fields = yield from united_all([part.fields for part in parts])
                made[manager] = parts[0]._replace(fields=fields)
                yield
            else:
                made[manager] = self._before[manager]
        return made
