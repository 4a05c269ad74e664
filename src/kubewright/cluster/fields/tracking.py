"""What a request does to the managed fields of an object, in the server's order.

A write that is no apply takes what it changed (`track`); an apply merges what it says and owns it (`apply`). Around
that stand the rules of the server: an object without entries that is there already is not tracked until somebody
applies to it, and then all that is in it belongs to `before-first-apply`; metadata that the server writes belongs to
nobody; of updaters no more than ten are told apart; `kubectl` may take over what it applied on the client's side.
"""

from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import msgspec

from kubewright.cluster.fields import ownership, sliced
from kubewright.cluster.fields.assembly import Torn
from kubewright.cluster.fields.check import check, look, look_in_steps, spelled_errors
from kubewright.cluster.fields.compare import compare
from kubewright.cluster.fields.entries import (
    APPLY,
    UPDATE,
    BadEntries,
    Managed,
    Manager,
    is_reset,
    read_entries,
    read_entries_in_steps,
    write_entries,
)
from kubewright.cluster.fields.owned import whole
from kubewright.cluster.fields.ownership import Conflicts, Convert, Filter, Owned, Typed, Unconvertible
from kubewright.cluster.fields.pathset import (
    PathSet,
    difference,
    difference_in_steps,
    ordered_in_steps,
    set_of,
    union,
)
from kubewright.cluster.fields.shape import Invalid, Shape
from kubewright.cluster.fields.slices import SLICE, VALUE
from kubewright.model.piecemeal import decode_in_steps
from kubewright.model.steps import finish
from kubewright.schema.walk.golang import marshal, marshal_in_steps

__all__ = ["LAST_APPLIED", "Outcome", "Refused", "Tracking", "spelled_object"]

Document = dict[str, Any]

LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
#: So many updaters are told apart.
MOST_UPDATERS: Final = 10
_ANCIENT: Final = "ancient-changes"
_BEFORE: Final = "before-first-apply"
#: So many configurations are known, and none that is longer than this.
_KNOWN: Final = 128
_LONGEST: Final = 16 * 1024
#: Annotations together may be so long.
_ANNOTATIONS_LIMIT: Final = 256 * 1024

_NOBODYS: Final = set_of(
    ("f:apiVersion",),
    ("f:kind",),
    ("f:metadata",),
    *(
        ("f:metadata", f"f:{name}")
        for name in ("name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation")
    ),
    ("f:metadata", "f:managedFields"),
    ("f:metadata", "f:resourceVersion"),
)
_NOBODYS_META: Final = frozenset(_NOBODYS["f:metadata"])
_SELF: Final = Manager("current-operation", "", "", "")


class Refused(Exception):
    """A configuration that cannot be applied; the text is the server's."""


class Outcome(NamedTuple):
    """What came of an apply."""

    #: Shares what did not change with the object that there was; what it says of managers is not true any more.
    value: Document
    #: The `managedFields` that it has now.
    entries: list[Document]
    #: Whether anything but these did.
    changed: bool


@dataclass(frozen=True)
class Tracking:
    """How the objects of one kind in one version, at one path of the API, are tracked."""

    version: str
    subresource: str
    shape: Shape
    #: Gives an object in another version.
    convert: Convert
    #: What is left of a set without what this path of the API does not change; nobody comes to own that here.
    keep: Filter
    #: What a new object is before anything is in it.
    zero: Callable[[], Document]
    #: Whether sets are to be put in order when they are written.
    sort: bool
    #: Whether a new object has nothing in it before anything is.
    bare: bool = False
    #: What configurations say that were applied of late, by their texts.
    known: dict[bytes, PathSet] = field(default_factory=dict)
    #: Members of an object that nobody judges, since this path of the API drops them; even so they have to fit.
    dropped: tuple[str, ...] = ()
    #: Whether an object may be older than its shape, so that it need not fit any more.
    older: Callable[[Document], bool] = lambda _: False
    #: The shape of objects in another version that differ from these by its name alone; None if they have to be
    #: converted.
    alike: Callable[[str], Shape | None] = lambda _: None
    #: Whether there is no such version any more: who wrote in it is forgotten.
    is_gone: Callable[[str], bool] = lambda _: False
    #: How much of a large object is worked on at once, in bytes.
    slice: int = SLICE

    def track(self, live: Document | None, new: Document, manager: str, now: str) -> None:
        """Say in a new object, in place, who owns what in it. What cannot be told is not said."""
        finish(self._track(live, new, manager, now, at_once=True))

    def track_in_steps(
        self, live: Document | None, new: Document, manager: str, now: str
    ) -> Generator[None, None, None]:
        """The same for a large object; nothing is said in it before the end."""
        return self._track(live, new, manager, now, at_once=False)

    def _track(
        self, live: Document | None, new: Document, manager: str, now: str, *, at_once: bool
    ) -> Generator[None, None, None]:
        meta = new["metadata"]
        given = meta.pop("managedFields", None)
        try:
            managed = yield from self._before(live, given, at_once=at_once)
            if not at_once:
                yield
            if not managed.owned and live is not None:
                return
            if live is not None and self._may_be_unfit(live):
                for error in (yield from self._misfits(live, self.shape, at_once=at_once)):
                    raise error
            before = live if live is not None else self.zero()
            yield from self._check_dropped(before, new, at_once=at_once)
            if self.bare and not managed.owned:
                managed = yield from self._made(new, manager, now, at_once=at_once)
            else:
                managed = yield from self._update(before, new, managed, manager, now, at_once=at_once)
            entries = yield from self._entries(_capped(managed), at_once=at_once)
            if entries:
                meta["managedFields"] = entries
        except (Invalid, Unconvertible, RecursionError):
            # As the server does: what nobody can tell is forgotten.
            meta.pop("managedFields", None)

    def _made(self, new: Document, name: str, now: str, *, at_once: bool) -> Generator[None, None, Managed]:
        """The same as an update of an empty object that nobody owns, in less time: creating is what is done most."""
        if at_once:
            fields = self._whole(new)
        else:
            fields = yield from sliced.made(new, self.shape, self._whole, self.slice)
        own = {key: part for key, part in fields.pop("f:metadata").items() if key not in _NOBODYS_META}
        fields = self.keep({"f:metadata": own} | fields if own else fields, self.version)
        manager = Manager(name or "unknown", UPDATE, self.version, self.subresource)
        return Managed({manager: Owned(fields, self.version, False)} if fields else {}, {manager: now}, {})

    def _whole(self, new: Document) -> PathSet:
        members = self.shape.members
        assert members is not None, "an object is a map"
        return {
            f"f:{key}": whole(value, members.of(key)) for key, value in new.items() if key not in ("apiVersion", "kind")
        }

    def _check_dropped(self, live: Document, new: Document, *, at_once: bool) -> Generator[None, None, None]:
        members = self.shape.members
        assert members is not None, "an object is a map"
        for name in self.dropped:
            if name in new and new[name] != live.get(name):
                for error in (yield from self._misfits(new[name], members.of(name), at_once=at_once)):
                    raise error

    def _may_be_unfit(self, live: Document) -> bool:
        """Whether somebody has to look: of what is owned, and was since the shape is what it is, it is known to fit."""
        return self.older(live) or not live["metadata"].get("managedFields")

    def _misfits(self, value: object, shape: Shape, *, at_once: bool) -> Generator[None, None, list[Invalid]]:
        """What is wrong with a value that was there already, or is not judged."""
        if at_once:
            return check(value, shape, duplicates=True)
        return (yield from look_in_steps(value, shape, duplicates=True, most=self.slice // VALUE))[0]

    def _before(self, live: Document | None, given: object, *, at_once: bool) -> Generator[None, None, Managed]:
        """Who owned what: as the request says, if it says so in a way that can be read, or else the object."""
        stored = live["metadata"].get("managedFields") if live is not None else None
        if not self.subresource and given is not None and given != stored:
            if is_reset(given):
                return Managed({}, {}, {})
            try:
                entries: Any = given
                managed = (
                    read_entries(entries, trusted=False) if at_once else (yield from read_entries_in_steps(entries))
                )
                if managed.owned:
                    return managed
            except (BadEntries, TypeError, AttributeError):  # what stands there may be anything
                pass
        return read_entries(stored, trusted=True) if stored else Managed({}, {}, {})

    def _update(
        self, live: Document, new: Document, managed: Managed, name: str, now: str, *, at_once: bool
    ) -> Generator[None, None, Managed]:
        manager = Manager(name or "unknown", UPDATE, self.version, self.subresource)
        times = managed.times

        def updated(
            before: Document, after: Document, owned: dict[Manager, Owned], convert: Convert
        ) -> dict[Manager, Owned]:
            nonlocal times
            states = Typed(before, self.shape), Typed(after, self.shape)
            owned = ownership.update(*states, self.version, owned, _SELF, convert, self.keep)
            mine = owned.pop(_SELF, None)
            if mine is not None and (fields := difference(mine.fields, _NOBODYS)):
                earlier = owned.get(manager)
                fields = union(fields, earlier.fields) if earlier is not None else fields
                owned[manager] = Owned(fields, self.version, False)
                times = managed.times | {manager: now}
            return owned

        left = self._left(managed.owned)
        versions = self._versions(left) if not at_once else None
        if versions is None:
            owned = updated(live, new, managed.owned, self.convert)
        else:
            owned = yield from sliced.update(live, new, versions, left, updated, self.slice)
        return managed._replace(owned=owned, times=times)

    def _left(self, owned: dict[Manager, Owned]) -> dict[Manager, Owned]:
        """The managers without those that are to be forgotten."""
        return {manager: each for manager, each in owned.items() if not self.is_gone(each.version)}

    def _versions(self, owned: dict[Manager, Owned]) -> sliced.Versions | None:
        """The versions in which these wrote; None if something has to be converted from one to the other."""
        shapes = {self.version: self.shape}
        for version in {each.version: None for each in owned.values()}:
            shape = self.shape if version == self.version else self.alike(version)
            if shape is None:
                return None
            shapes[version] = shape
        return sliced.Versions(self.version, shapes)

    def apply(
        self, live: Document | None, config: Document, name: str, now: str, *, force: bool, text: bytes = b""
    ) -> Outcome:
        """What comes of applying a configuration; `Refused`, or `Conflicts`. Neither document is changed.

        `text` is what the configuration was read from: the same is applied again and again, and looked through once.
        """
        return finish(self._applied(live, config, name, now, force=force, text=text, at_once=True))

    def apply_in_steps(
        self, live: Document | None, config: Document, name: str, now: str, *, force: bool, text: bytes = b""
    ) -> Generator[None, None, Outcome]:
        """The same for a large object."""
        return self._applied(live, config, name, now, force=force, text=text, at_once=False)

    def _applied(
        self, live: Document | None, config: Document, name: str, now: str, *, force: bool, text: bytes, at_once: bool
    ) -> Generator[None, None, Outcome]:
        before = live if live is not None else self.zero()
        stored = before["metadata"].get("managedFields") if "metadata" in before else None
        managed = read_entries(stored, trusted=True) if stored else Managed({}, {}, {})
        manager = Manager(name or "unknown", APPLY, "", self.subresource)
        try:
            if not managed.owned:
                managed = yield from self._found(before, managed, now, at_once=at_once)
            said = self.known.get(text)
            if said is None:
                said = yield from self._said(config, at_once=at_once)
                self._know(text, said)
            if live is not None and self.older(live):
                yield from self._check_live(live, at_once=at_once)
            applied = yield from self._apply(before, config, said, managed, manager, force=force, at_once=at_once)
        except RecursionError:
            raise Refused("the configuration is nested too deeply to be applied") from None
        owned = applied.managers
        fields = difference(owned[manager].fields, _NOBODYS)
        if fields:
            owned[manager] = owned[manager]._replace(fields=fields)
        else:
            del owned[manager]
        changed = applied.value is not before
        times = managed.times | {manager: now} if changed else managed.times
        value: Document = applied.value
        meta = value.get("metadata") or {}
        annotations = (yield from _renewed(meta, config, at_once=at_once)) if name == "kubectl" else None
        if annotations is not None:
            value, changed = value | {"metadata": meta | {"annotations": annotations}}, True
        entries = yield from self._entries(managed._replace(owned=owned, times=times), at_once=at_once)
        return Outcome(value, entries, changed)

    def _said(self, config: Document, *, at_once: bool) -> Generator[None, None, PathSet]:
        """What a configuration says, if it fits."""
        errors, said = yield from self._look(config, at_once=at_once)
        if errors:
            what = f"failed to create typed patch object ({spelled_object(config)})"
            raise Refused(f"{what}: {yield from spelled_errors(errors)}")
        return said

    def _look(self, value: Document, *, at_once: bool) -> Generator[None, None, tuple[list[Invalid], PathSet]]:
        """What is wrong with a value; and if nothing is, its leaves."""
        if at_once:
            return look(value, self.shape)
        return (yield from look_in_steps(value, self.shape, most=self.slice // VALUE))

    def _check_live(self, live: Document, *, at_once: bool) -> Generator[None, None, None]:
        if errors := (yield from self._misfits(live, self.shape, at_once=at_once)):
            what = f"failed to create typed live object ({spelled_object(live)})"
            raise Refused(f"{what}: {yield from spelled_errors(errors)}")

    def _know(self, text: bytes, said: PathSet) -> None:
        if text and len(text) <= _LONGEST:
            if len(self.known) >= _KNOWN:
                self.known.clear()
            self.known[text] = said

    def _found(self, live: Document, managed: Managed, now: str, *, at_once: bool) -> Generator[None, None, Managed]:
        """All that is there belongs to whoever wrote before anybody applied."""
        wish = "failed to create manager for existing fields"
        if errors := (yield from self._misfits(live, self.shape, at_once=at_once)):
            what = f"failed to convert new object ({spelled_object(live)}) to smd typed"
            raise Refused(f"{wish}: {what}: {yield from spelled_errors(errors)}")
        try:
            return (yield from self._update(self.zero(), live, managed, _BEFORE, now, at_once=at_once))
        except (Invalid, Unconvertible) as error:
            raise Refused(f"{wish}: {error}") from None

    def _apply(
        self,
        live: Document,
        config: Document,
        said: PathSet,
        managed: Managed,
        manager: Manager,
        *,
        force: bool,
        at_once: bool,
    ) -> Generator[None, None, ownership.Applied]:
        states = Typed(live, self.shape), Typed(config, self.shape)
        owned, version, keep = managed.owned, self.version, self.keep
        try:
            left = self._left(owned)
            if not at_once and (versions := self._versions(left)) is not None:
                # What does not fit in another version is told by the whole.
                with suppress(Torn, Unconvertible):
                    return (
                        yield from sliced.apply(
                            *states, versions, left, manager, keep, force=force, said=said, size=self.slice
                        )
                    )
            return ownership.apply(*states, version, owned, manager, self.convert, keep, force=force, said=said)
        except (Invalid, Unconvertible) as error:
            raise Refused(str(error)) from None
        except Conflicts as conflicts:
            if force:
                raise
            yield from self._check_taken_over(live, manager, conflicts, at_once=at_once)
        return (yield from self._apply(live, config, said, managed, manager, force=True, at_once=at_once))

    def _check_taken_over(
        self, live: Document, manager: Manager, conflicts: Conflicts, *, at_once: bool
    ) -> Generator[None, None, None]:
        """What `kubectl` applied on the client's side it may take over: that is no conflict with anybody."""
        text = (live["metadata"].get("annotations") or {}).get(LAST_APPLIED) if manager.name == "kubectl" else None
        allowed = (yield from self._last_applied(live, text, at_once=at_once)) if text else None
        if allowed is None:
            raise conflicts
        left: dict[Manager, PathSet] = {}
        for each, fields in conflicts.fields.items():
            rest = difference(fields, allowed) if at_once else (yield from difference_in_steps(fields, allowed))
            if rest:
                left[each] = rest
        if left:
            raise Conflicts(left)

    def _last_applied(self, live: Document, text: str, *, at_once: bool) -> Generator[None, None, PathSet | None]:
        """What was applied on the client's side and is still so."""
        try:
            last = msgspec.json.decode(text) if at_once else (yield from decode_in_steps(text.encode()))
        except msgspec.DecodeError:
            return None
        if not isinstance(last, dict) or last.get("apiVersion") != self.version or not last.get("kind"):
            return None
        errors, fields = yield from self._look(last, at_once=at_once)
        if errors or (yield from self._look(live, at_once=at_once))[0]:
            return None
        if not at_once:
            return (yield from sliced.unchanged(last, live, self.shape, fields, self.slice))
        for changed in compare(last, live, self.shape):
            fields = difference(fields, changed or {})
        return fields

    def _entries(self, managed: Managed, *, at_once: bool) -> Generator[None, None, list[Document]]:
        """The `managedFields` that say who owns what."""
        if at_once or not self.sort:
            return write_entries(managed, sort=self.sort)
        owned = {}
        for manager, each in managed.owned.items():
            if each.fields is managed.read.get(manager, {}).get("fieldsV1"):
                owned[manager] = each  # written here: it is in order
            else:
                owned[manager] = each._replace(fields=(yield from ordered_in_steps(each.fields)))
        return write_entries(managed._replace(owned=owned), sort=False)


def _capped(managed: Managed) -> Managed:
    """No more updaters than are told apart: the oldest of each version become one."""
    owned, times, _ = managed
    updaters = [manager for manager, each in owned.items() if not each.applied]
    length = len(updaters)
    if length <= MOST_UPDATERS:
        return managed
    owned, times = dict(owned), dict(times)
    updaters.sort(key=lambda manager: (times.get(manager, ""), manager.identity))
    first: dict[str, Manager] = {}
    for manager in updaters:
        if length <= MOST_UPDATERS:
            break
        mine = owned[manager]
        if mine.version not in first:
            first[mine.version] = manager
            continue
        bucket = Manager(_ANCIENT, UPDATE, mine.version, "")
        if bucket not in owned:
            owned[bucket] = owned.pop(first[mine.version])
        owned[bucket] = mine._replace(fields=union(mine.fields, owned[bucket].fields))
        del owned[manager]
        length -= 1
        # That of the younger of the two.
        if manager in times:
            times[bucket] = times[manager]
        else:
            times.pop(bucket, None)
    return managed._replace(owned=owned, times=times)


def _renewed(meta: Document, config: Document, *, at_once: bool) -> Generator[None, None, dict[str, str] | None]:
    """The annotations, for who applied on the client's side before: there stands what was applied now."""
    annotations = meta.get("annotations")
    if not annotations or not annotations.get(LAST_APPLIED):
        return None
    told = {**config, "metadata": dict(config.get("metadata") or {})}
    if told["metadata"].get("annotations"):
        rest = {name: text for name, text in told["metadata"]["annotations"].items() if name != LAST_APPLIED}
        told["metadata"]["annotations"] = rest
        if not rest:
            del told["metadata"]["annotations"]
    text = marshal(told) if at_once else (yield from marshal_in_steps(told))
    renewed: dict[str, str] = annotations | {LAST_APPLIED: text + "\n"}
    if sum(len(name.encode()) + len(text.encode()) for name, text in renewed.items()) > _ANNOTATIONS_LIMIT:
        del renewed[LAST_APPLIED]
    return renewed


def spelled_object(config: Document) -> str:
    """A configuration, as errors call it: `namespace/name; group/version, Kind=kind`."""
    meta = config.get("metadata")
    names = meta if isinstance(meta, dict) else {}
    namespace, name = (text if isinstance(text := names.get(key), str) else "" for key in ("namespace", "name"))
    group, _, version = config["apiVersion"].rpartition("/")
    return f"{namespace}/{name}; {group}/{version}, Kind={config['kind']}"
