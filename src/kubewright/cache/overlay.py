"""Own writes, laid over what the watch has told until it has told them too: no reader sees a state older than them.

A watch may be late or stand still; the answer to a write is at hand at once. For each key that was written there is an
entry of one of these sorts, and it goes when the watch has caught up:

| after                                    | a reader sees         | until                                    |
|------------------------------------------|-----------------------|------------------------------------------|
| a write, answered with the object        | that object           | the watch has passed its resourceVersion |
| one that takes it out of the selection   | nothing               | the same                                 |
| a delete, answered with success          | nothing of that uid   | that uid's DELETED, or a list without it |
| an unknown outcome                       | `Unsettled` is raised | the server was asked, and that laid over |

Of a write that names no object (a create with `generateName`, a delete of a collection) the outcome is unknown of every
key in its namespace: that is a place, a `Key` without a name; one with neither name nor namespace is everything.

An answer that the watch has passed already is not laid over: what the watch tells is then newer. Pure: what the watch
has told so far is asked of the caller, as the revision that holds for the key.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from kubewright.cache.cached import Cached, Key
from kubewright.errors import KubewrightError

__all__ = ["Entry", "Overlay", "Unsettled"]


#: Everything there is.
_ALL = Key("", "")


class Unsettled(KubewrightError):
    """A key was read though the outcome of a write to it is unknown; `await informer.settle()` comes first."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """What is laid over a key."""

    #: What is seen; None: nothing is.
    cached: Cached | None
    #: With no revision: whose end is waited for.
    uid: str
    #: Up to which revision of the watch it holds; None: until the end of `uid` is told.
    revision: int | None
    #: With no revision: at which one `uid` was there for certain; what is older came before it, and is not seen either.
    floor: int = 0


class Overlay:
    """The own writes that the watch has not told yet."""

    def __init__(self) -> None:
        #: What is laid over, by key.
        self.entries: dict[Key, Entry] = {}
        #: Keys and places whose state is unknown, to ask the server about: each with the number to give back to
        #: `settled`, which changes when it becomes unknown again.
        self.doubts: dict[Key, int] = {}
        self._count = 0
        #: Places that were looked at: at which revision, and which keys were there. What the watch then tells of
        #: others had ended by that time.
        self.surveys: dict[Key, tuple[int, Collection[Key]]] = {}

    def __bool__(self) -> bool:
        return bool(self.entries or self.doubts or self.surveys)

    # Writes.

    def wrote(self, new: Cached, selected: bool | None, passed: int) -> None:
        """A write was answered with `new`. `selected`: whether the selection holds it; None: only the server knows."""
        key = new.key
        if selected is None:
            if new.revision > passed:
                self.unsure(key)
            return
        self.doubts.pop(key, None)
        entry = self.entries.get(key)
        if new.revision <= passed or (entry is not None and _outlives(entry, new)):
            return
        if self.surveys and self._hide(key, new.revision):
            return
        # Also if it is not selected and was not: somebody may have had it selected meanwhile, and that be told yet.
        self.entries[key] = Entry(new if selected else None, new.uid, new.revision)

    def deleted(self, key: Key, uid: str, stored: Cached | None, passed: int) -> None:
        """The object was deleted, and is gone; that its end was told already is not known."""
        entry = self.entries.get(key)
        if entry is not None and entry.uid != uid and entry.cached is not None:
            # Ours was made since, or it was another's in its place that was deleted: nothing here says which.
            self.unsure(key)
            return
        floor = stored.revision if stored is not None and stored.uid == uid else 0
        if entry is not None and entry.uid == uid:
            if entry.revision is None:
                floor = max(floor, entry.floor)
            elif entry.cached is None:
                floor = 0  # out of the selection as far as we know: the watch may have no end to tell
            elif entry.revision > passed:
                floor = entry.revision
        if floor:
            self.entries[key] = Entry(None, uid, None, floor)
            self.doubts.pop(key, None)
        else:
            # The watch has told its end already, or not yet told of it, or never will: nothing here says which.
            self.unsure(key)

    def unsure(self, place: Key) -> None:
        """Nobody knows what became of a write."""
        self._count += 1
        self.doubts[place] = self._count

    def settled(
        self,
        place: Key,
        number: int | None,
        found: Mapping[Key, Cached],
        at: int,
        stored: Iterable[Key],
        passed: int,
    ) -> None:
        """The server was asked: at revision `at` the selection had `found` there, and nothing else.

        `stored`: what the watch had told of the place.
        """
        if self.doubts.get(place) != number:
            return  # another write has been answered, or lost, meanwhile
        self.doubts.pop(place, None)
        if place.name:
            self._lay(place, found.get(place), at, passed)
            return
        for key in dict.fromkeys((*stored, *found, *self.entries)):
            # Of a key that is itself unsure a write may have been lost since: it is asked about by itself.
            if _is_in(key, place) and key not in self.doubts:
                self._lay(key, found.get(key), at, passed)
        # Of two that are under way at once the older one may be answered later.
        if at > max(passed, self.surveys[place][0] if place in self.surveys else 0):
            self.surveys[place] = at, found.keys()

    def _lay(self, key: Key, found: Cached | None, at: int, passed: int) -> None:
        if found is not None:
            self.wrote(found, True, passed)
        elif at > passed:
            entry = self.entries.get(key)
            if entry is None or (entry.floor if entry.revision is None else entry.revision) < at:
                self.entries[key] = Entry(None, "", at)

    def _hide(self, key: Key, revision: int) -> bool:
        """Whether a key of that revision had ended when its place was looked at; then nothing of it is seen."""
        later = [
            at
            for place, (at, there) in self.surveys.items()
            if at > revision and _is_in(key, place) and key not in there
        ]
        if not later or not key.name:
            return False
        self.entries[key] = Entry(None, "", max(later))
        return True

    # What the watch tells.

    def told(self, key: Key, revision: int) -> None:
        """The watch has come so far, for this key or place."""
        entry = self.entries.get(key)
        if entry is not None and entry.revision is not None and entry.revision <= revision:
            del self.entries[key]
        if self.surveys:
            for place, (at, _) in tuple(self.surveys.items()):
                if at <= revision and _is_in(key, place):
                    del self.surveys[place]
            if entry is None:
                self._hide(key, revision)

    def ended(self, key: Key, uid: str) -> None:
        """The watch has told the end of an object."""
        entry = self.entries.get(key)
        if entry is not None and entry.revision is None and entry.uid == uid:
            del self.entries[key]

    def listed(self, key: Key, stored: Cached | None, revision: int) -> None:
        """A list of that revision was told, and has `stored` under this key."""
        self.told(key, revision)
        entry = self.entries.get(key)
        there = stored is not None and entry is not None and stored.uid == entry.uid
        if entry is not None and entry.revision is None and revision >= entry.floor and not there:
            del self.entries[key]  # it was there, and is no more: its end was missed

    def forget(self, keys: Iterable[Key]) -> None:
        """The server has gone back to an older state: what was written is no more."""
        for key in keys:
            self.entries.pop(key, None)
            self.surveys.pop(key, None)

    # Reading.

    def check(self, key: Key) -> None:
        """Raise `Unsettled` if the state of a key is unknown."""
        if self.doubts:
            for place in (key, Key(key.namespace, ""), _ALL):
                if place in self.doubts:
                    raise _unsettled(place)

    def check_all(self, namespace: str | None) -> None:
        """Raise `Unsettled` if the state of any key in a namespace (None: in all) is unknown."""
        for place in self.doubts:
            if namespace is None or place.namespace == namespace or place == _ALL:
                raise _unsettled(place)

    def see(self, key: Key, stored: Cached | None, passed: int) -> Cached | None:
        """What is seen of a key of which the store has `stored`."""
        entry = self.entries.get(key)
        if entry is None:
            return stored
        if entry.revision is None:
            hidden = stored is not None and (stored.uid == entry.uid or stored.revision <= entry.floor)
            return None if hidden else stored
        return entry.cached if entry.revision > passed else stored

    def __iter__(self) -> Iterator[Key]:
        """The keys and places that something is known of."""
        return iter((*self.entries, *self.surveys))


def _is_in(key: Key, place: Key) -> bool:
    if place.name:
        return key == place
    return not place.namespace or key.namespace == place.namespace


def _unsettled(place: Key) -> Unsettled:
    where = str(place) if place.name else f"something in {place.namespace or 'the cluster'}"
    return Unsettled(
        f"the outcome of a write to {where} is unknown. A reconciler returns kw.Retry(), since it is asked for before "
        "the next run, or reads it with ctx.live; all others `await informer.settle()` first."
    )


def _outlives(entry: Entry, new: Cached) -> bool:
    """Whether an entry is newer than the answer to another write of ours."""
    if entry.revision is None:
        return entry.uid == new.uid or entry.floor >= new.revision
    return entry.revision >= new.revision
