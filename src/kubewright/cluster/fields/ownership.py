"""What a write does to who owns what.

A *manager* owns a set of paths, in the version of the kind that it wrote. An update takes what it changed from all
others. An apply owns what it says; it must not change what others own (`Conflicts`), unless it is forced, and then
takes it from them; what it owned before, says no more and nobody else owns, goes.

Each manager's set means something only in its own version, so objects are converted to it (`Convert`) before they are
compared. A manager of a version that is not there any more is forgotten (`NoSuchVersion`).
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, TypeVar

from kubewright.cluster.fields.check import same
from kubewright.cluster.fields.compare import Comparison, compare
from kubewright.cluster.fields.merge import merge
from kubewright.cluster.fields.owned import leaves
from kubewright.cluster.fields.pathset import PathSet, covers, difference, intersection, union
from kubewright.cluster.fields.reconcile import reconcile
from kubewright.cluster.fields.remove import named, remove
from kubewright.cluster.fields.shape import Shape

__all__ = [
    "Applied",
    "Conflicts",
    "Convert",
    "Filter",
    "NoSuchVersion",
    "Owned",
    "Typed",
    "Unconvertible",
    "apply",
    "update",
]

M = TypeVar("M", bound=Hashable)


class Typed(NamedTuple):
    """A value and what it is."""

    value: Any
    shape: Shape


class Owned(NamedTuple):
    """What a manager owns, in which version, and whether by applying it."""

    fields: PathSet
    version: str
    applied: bool


class NoSuchVersion(Exception):
    """There is no such version of the kind any more."""


class Unconvertible(Exception):
    """An object cannot be had in another version of its kind; the text is the server's."""


class Conflicts(Exception):
    """Paths that an apply would change though others own them."""

    def __init__(self, fields: Mapping[Any, PathSet]) -> None:
        super().__init__("conflicts")
        self.fields = fields


#: Gives an object in another version; `NoSuchVersion` if there is none. What is in that version already stays as it is.
Convert = Callable[[Typed, str], Typed]
#: What is left of a set in a version, without what this endpoint does not change.
Filter = Callable[[PathSet, str], PathSet]


def update(
    live: Typed, new: Typed, version: str, managers: Mapping[M, Owned], me: M, convert: Convert, keep: Filter
) -> dict[M, Owned]:
    """The managers after `me` put `new` in the place of `live`."""
    now = _reconciled(live, managers, convert)
    comparison = _take(live, new, version, now, me, convert, keep, force=True)
    mine = now[me].fields if me in now else {}
    if comparison.removed:
        mine = difference(mine, comparison.removed)
    mine = keep(union(union(mine, comparison.modified or {}), comparison.added or {}), version)
    if mine:
        now[me] = Owned(mine, version, False)
    else:
        now.pop(me, None)
    return now


class Applied(NamedTuple):
    """What came of an apply: the object, which is the live one itself if nothing changed, and the managers."""

    value: Any
    managers: dict[Any, Owned]


def apply(
    live: Typed,
    config: Typed,
    version: str,
    managers: Mapping[M, Owned],
    me: M,
    convert: Convert,
    keep: Filter,
    *,
    force: bool,
    said: PathSet | None = None,
) -> Applied:
    """What comes of it when `me` applies a configuration to an object; `Conflicts` if others own what would change.

    `said` are the leaves of the configuration, for who knows them.
    """
    now = _reconciled(live, managers, convert)
    merged = Typed(merge(live.value, config.value, live.shape), live.shape)
    last = now.get(me)
    mine = keep(leaves(config.value, config.shape) if said is None else said, version)
    now[me] = Owned(mine, version, True)
    # Who gives nothing up leaves nothing to prune: whatever is in `mine` would be put back.
    if last is not None and last.fields and not (last.version == version and covers(mine, last.fields)):
        try:
            merged = _prune(merged, now, version, last, convert)
        except Unconvertible as error:
            raise Unconvertible(f"failed to prune fields: {error}") from None
    _take(live, merged, version, now, me, convert, keep, force=force)
    return Applied(live.value if same(live.value, merged.value) else merged.value, now)


def _reconciled(live: Typed, managers: Mapping[M, Owned], convert: Convert) -> dict[M, Owned]:
    made: dict[M, Owned] = {}
    for manager, owned in managers.items():
        try:
            shape = convert(live, owned.version).shape
        except NoSuchVersion:
            continue
        fields = reconcile(owned.fields, shape)
        made[manager] = owned if fields is owned.fields else owned._replace(fields=fields)
    return made


def _take(
    live: Typed,
    new: Typed,
    version: str,
    managers: dict[M, Owned],
    me: M,
    convert: Convert,
    keep: Filter,
    *,
    force: bool,
) -> Comparison:
    """Take from the others, in place, what changed; the comparison in this version, without what is not kept."""
    seen = {version: _filtered(compare(live.value, new.value, live.shape), version, keep)}
    conflicts: dict[M, PathSet] = {}
    removed: dict[M, PathSet] = {}
    for manager, owned in list(managers.items()):
        if manager == me:
            continue
        comparison = seen.get(owned.version)
        if comparison is None:
            try:
                before = _converted("failed to convert old object", convert, live, owned.version)
                after = _converted("failed to convert new object", convert, new, owned.version)
            except NoSuchVersion:
                del managers[manager]
                continue
            comparison = _filtered(compare(before.value, after.value, before.shape), owned.version, keep)
            seen[owned.version] = comparison
        changed = union(comparison.modified or {}, comparison.added or {})
        if changed and (taken := intersection(owned.fields, changed)):
            conflicts[manager] = taken
        if comparison.removed:
            removed[manager] = comparison.removed
    if conflicts and not force:
        raise Conflicts(conflicts)
    for lost in (conflicts, removed):
        for manager, fields in lost.items():
            owned = managers[manager]
            managers[manager] = owned._replace(fields=difference(owned.fields, fields))
    for manager in [manager for manager, owned in managers.items() if not owned.fields]:
        del managers[manager]
    return seen[version]


def _converted(wish: str, convert: Convert, typed: Typed, version: str) -> Typed:
    """An object in another version; what fails says what it was for."""
    try:
        return convert(typed, version)
    except Unconvertible as error:
        raise Unconvertible(f"{wish}: {error}") from None


def _filtered(comparison: Comparison, version: str, keep: Filter) -> Comparison:
    return Comparison(*(part and keep(part, version) for part in comparison))


def _prune(merged: Typed, managers: Mapping[M, Owned], version: str, last: Owned, convert: Convert) -> Typed:
    """The object without what the applier owned, says no more, and nobody owns."""
    try:
        before = _converted("failed to convert merged object to last applied version", convert, merged, last.version)
    except NoSuchVersion:
        return merged
    shape = before.shape
    pruned = Typed(remove(before.value, named(last.fields, shape), shape), shape)
    pruned = _put_back_owned(before, pruned, last.version, managers, convert)
    try:
        wish = "failed add back dangling items: failed to convert pruned object to last applied version"
        pruned = _converted(wish, convert, pruned, last.version)
    except NoSuchVersion:
        return convert(before, version)
    # What was never owned came off with what was; it stays.
    gone = difference(named(leaves(before.value, shape), shape), named(leaves(pruned.value, shape), shape))
    kept = remove(before.value, intersection(gone, named(last.fields, shape)), shape)
    return convert(Typed(kept, shape), version)


def _put_back_owned(merged: Typed, pruned: Typed, version: str, managers: Mapping[M, Owned], convert: Convert) -> Typed:
    """What was removed and is owned by anybody, the applier included."""
    owned: dict[str, PathSet] = {}
    for each in managers.values():
        owned[each.version] = union(owned.get(each.version, {}), each.fields)
    # In the pruned version first: a conversion may need what was pruned.
    for each_version in sorted(owned, key=lambda each: each != version):
        fields = owned[each_version]
        wish = "failed add back owned items: failed to convert {} object at version " + each_version
        try:
            merged = _converted(wish.format("merged"), convert, merged, each_version)
            pruned = _converted(wish.format("pruned"), convert, pruned, each_version)
        except NoSuchVersion:
            continue
        shape = merged.shape
        there = union(named(leaves(pruned.value, shape), shape), named(fields, shape))
        gone = difference(named(leaves(merged.value, shape), shape), there)
        pruned = Typed(remove(merged.value, gone, shape), shape)
    return pruned
