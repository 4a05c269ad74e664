"""Own writes, laid over what the watch has told until it has told them too: no reader sees a state older than them.

A watch may be late or stand still; the answer to a write is at hand at once. For each key that was written there is an
entry of one of these sorts, and it goes when the watch has caught up:

| after                                    | a reader sees         | until                                    |
|------------------------------------------|-----------------------|------------------------------------------|
| a write, answered with the object        | that object           | the watch has passed its resourceVersion |
| one that takes it out of the selection   | nothing               | the same                                 |
| a delete, answered with success          | nothing of that uid   | that uid's DELETED, or a list without it |
| an unknown outcome                       | `Unsettled` is raised | the server was asked, and that laid over |

An answer that the watch has passed already is not laid over: what the watch tells is then newer. Pure: what the watch
has told so far is asked of the caller, as the revision that holds for the key.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kubewright.cache.cached import Cached, Key
from kubewright.errors import KubewrightError

__all__ = ["Entry", "Overlay", "Unsettled"]


class Unsettled(KubewrightError):
    """A key was read though the outcome of a write to it is unknown; `await informer.settle()` comes first."""


class Entry(NamedTuple):
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
        self._entries: dict[Key, Entry] = {}
        #: Keys whose state is unknown, each with a number that changes when it becomes unknown again.
        self._unsure: dict[Key, int] = {}
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._entries or self._unsure)

    # Writes.

    def wrote(self, new: Cached, selected: bool | None, stored: Cached | None, passed: int) -> None:
        """A write was answered with `new`. `selected`: whether the selection holds it; None: only the server knows."""
        key = new.key
        if selected is None:
            if new.revision > passed:
                self.unsure(key)
            return
        self._unsure.pop(key, None)
        entry = self._entries.get(key)
        if new.revision <= passed or (entry is not None and _outlives(entry, new)):
            return
        if selected:
            self._entries[key] = Entry(new, new.uid, new.revision)
        elif stored is not None or entry is not None or not passed:  # not yet listed: it may come in that, as it was
            self._entries[key] = Entry(None, new.uid, new.revision)

    def deleted(self, key: Key, uid: str, stored: Cached | None, passed: int) -> None:
        """The object was deleted, and is gone."""
        entry = self._entries.get(key)
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
            self._entries[key] = Entry(None, uid, None, floor)
            self._unsure.pop(key, None)
        else:
            # The watch has told its end already, or not yet told of it, or never will: nothing here says which.
            self.unsure(key)

    def unsure(self, key: Key) -> None:
        """Nobody knows what became of a write."""
        self._count += 1
        self._unsure[key] = self._count

    @property
    def unsettled(self) -> bool:
        """Whether any key is `pending`."""
        return bool(self._unsure)

    def pending(self) -> list[tuple[Key, int]]:
        """The keys to ask the server about, each with the number to give back to `settled`."""
        return list(self._unsure.items())

    def doubt(self, key: Key) -> int | None:
        """The number of a key whose state is unknown."""
        return self._unsure.get(key)

    def settled(
        self, key: Key, number: int | None, found: Cached | None, at: int, stored: Cached | None, passed: int
    ) -> None:
        """The server was asked: at revision `at` the selection had `found` under this key."""
        if self._unsure.get(key) != number:
            return  # another write has been answered, or lost, meanwhile
        self._unsure.pop(key, None)
        if found is not None:
            self.wrote(found, True, stored, passed)
        elif at > passed:
            entry = self._entries.get(key)
            if entry is None or entry.revision is None or entry.revision < at:
                self._entries[key] = Entry(None, "", at)

    # What the watch tells.

    def told(self, key: Key, revision: int) -> None:
        """The watch has come so far, for this key."""
        entry = self._entries.get(key)
        if entry is not None and entry.revision is not None and entry.revision <= revision:
            del self._entries[key]

    def ended(self, key: Key, uid: str) -> None:
        """The watch has told the end of an object."""
        entry = self._entries.get(key)
        if entry is not None and entry.revision is None and entry.uid == uid:
            del self._entries[key]

    def listed(self, key: Key, stored: Cached | None, revision: int) -> None:
        """A list of that revision was told, and has `stored` under this key."""
        self.told(key, revision)
        entry = self._entries.get(key)
        there = stored is not None and entry is not None and stored.uid == entry.uid
        if entry is not None and entry.revision is None and revision >= entry.floor and not there:
            del self._entries[key]  # it was there, and is no more: its end was missed

    def forget(self, keys: Iterable[Key]) -> None:
        """The server has gone back to an older state: what was written is no more."""
        for key in keys:
            self._entries.pop(key, None)

    # Reading.

    def check(self, key: Key) -> None:
        """Raise `Unsettled` if the state of a key is unknown."""
        if key in self._unsure:
            raise Unsettled(
                f"the outcome of a write to {key} is unknown. A reconciler returns kw.Retry(), since it is asked for "
                "before the next run, or reads it with ctx.live; all others `await informer.settle()` first."
            )

    def check_all(self, namespace: str | None) -> None:
        """Raise `Unsettled` if the state of any key in a namespace (None: in all) is unknown."""
        for key in self._unsure:
            if namespace is None or key.namespace == namespace:
                self.check(key)

    def see(self, key: Key, stored: Cached | None, passed: int) -> Cached | None:
        """What is seen of a key of which the store has `stored`."""
        entry = self._entries.get(key)
        if entry is None:
            return stored
        if entry.revision is None:
            hidden = stored is not None and (stored.uid == entry.uid or stored.revision <= entry.floor)
            return None if hidden else stored
        return entry.cached if entry.revision > passed else stored

    def __iter__(self) -> Iterator[Key]:
        return iter(tuple(self._entries))


def _outlives(entry: Entry, new: Cached) -> bool:
    """Whether an entry is newer than the answer to another write of ours."""
    if entry.revision is None:
        return entry.uid == new.uid or entry.floor >= new.revision
    return entry.revision >= new.revision
