"""The store: a sorted map of keys to bytes in which every change has a number.

    revision   1     2     3     4     5          one counter for all keys
    log        a₁ ── b₂ ── a₃ ── b₄† ── a₅        what watchers are told, in this order
    chains     a₅ → a₃ → a₁      b₄† → b₂         what a key held before

A commit is one step of the event loop, with no await in it: it compares the key's revision with the one the writer
read, and either takes place whole, log, index and watchers alike, or raises `Conflict`. Writers may interleave at
every await between their read and their commit; nothing is lost, because a commit on an old reading is refused.

Reading at an old revision walks the chains, so lists at a fixed revision and pages of them stay consistent while
writers go on. Compaction forgets what lay before a revision; who asks for it is told `Compacted`.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

from sortedcontainers import SortedDict, SortedSet

from kubewright.cluster.store.record import Record
from kubewright.errors import KubewrightError

__all__ = ["Compacted", "Conflict", "Future", "Journal", "Kept", "Page", "Store", "Unkept"]

Listener = Callable[[Record], None]

#: Sorts behind every character that a key may have.
LAST = "\U0010ffff"
#: So many keys that hold nothing are passed by in one step of a list with a limit.
PASSED = 1000


class Conflict(KubewrightError):
    """A commit was based on a reading that is no longer the newest."""

    def __init__(self, key: str, expected: int, found: int) -> None:
        super().__init__(f"{key} is at revision {found}, not at {expected}; read it again and repeat the change.")
        self.found = found


class Compacted(KubewrightError):
    """A revision was asked for that is forgotten."""

    def __init__(self, revision: int, compacted: int) -> None:
        super().__init__(f"revision {revision} is forgotten, the oldest one kept is {compacted}; read the newest.")
        self.revision = revision
        self.compacted = compacted


class Future(KubewrightError):
    """A revision was asked for that does not exist yet."""

    def __init__(self, revision: int, current: int) -> None:
        super().__init__(f"revision {revision} does not exist yet, the newest one is {current}.")
        self.revision = revision
        self.current = current


class Unkept(KubewrightError):
    """A change could not be kept where it would outlive the process; so nothing has changed."""


class Page(NamedTuple):
    """Some records of a range, all as of one revision."""

    records: list[Record]
    revision: int
    #: The key to go on at; None when the range is at its end.
    next: str | None


class Kept(NamedTuple):
    """What a journal gives back: rows of key, value, revision and creation, by revision."""

    revision: int
    compacted: int
    rows: Iterable[tuple[str, bytes | None, int, int]]


class Journal(Protocol):
    """Where the log is kept besides memory. Every call returns only once the change would survive the process."""

    def load(self) -> "Kept":
        """What was kept before."""
        ...

    def append(self, record: Record) -> None:
        """Keep a change."""

    def compact(self, revision: int) -> None:
        """Forget what lay before a revision."""


class Store:
    """Keys, bytes and revisions, in memory; with a journal, also on disk."""

    def __init__(self, journal: Journal | None = None) -> None:
        self._journal = journal
        self._newest: SortedDict[str, Record] = SortedDict()
        #: Keys whose newest record is a deletion.
        self._deleted: SortedSet[str] = SortedSet()
        self._log: list[Record] = []
        self._listeners: dict[str, dict[object, Listener]] = {}
        self._revision = 0
        self._compacted = 0
        if journal is not None:
            self._replay(journal.load())

    def _replay(self, kept: "Kept") -> None:
        """Take over what a journal kept: rows below the compacted revision are the state, the others the log."""
        for key, value, revision, created in kept.rows:
            record = Record(key, value, revision, created, self._newest.get(key))
            self._put(record)
            if revision > kept.compacted:
                self._log.append(record)
        self._compacted = kept.compacted
        self._revision = kept.revision

    @property
    def revision(self) -> int:
        """The number of the newest change."""
        return self._revision

    @property
    def compacted(self) -> int:
        """The oldest revision that can still be read."""
        return self._compacted

    # -- reading

    def get(self, key: str, revision: int | None = None) -> Record | None:
        """What a key holds, now or at a revision."""
        newest: Record | None = self._newest.get(key)
        if newest is None:
            return None
        return newest.at(self._checked(revision))

    def list(
        self, prefix: str, *, revision: int | None = None, start: str | None = None, limit: int | None = None
    ) -> Page:
        """The records whose keys start with a prefix, by key; at most `limit`, beginning at the key `start`.

        With a limit there may be fewer even before the end of the range, for what is deleted is passed by, and nobody
        should have to wait while much of that is.
        """
        at = self._checked(revision)
        found: list[Record] = []
        passed = 0
        for newest in self._range(prefix, start):
            record = newest.at(at)
            if limit is not None and (len(found) == limit or passed == PASSED):
                return Page(found, at, newest.key)
            if record is None:
                passed += 1
            else:
                found.append(record)
        return Page(found, at, None)

    def count(self, prefix: str, *, revision: int | None = None, start: str | None = None) -> int:
        """How many records `list` would give, without going through them: through what changed since, at most."""
        at = self._checked(revision)
        first, last = max(prefix, start or ""), prefix + LAST
        found: int = self._newest.bisect_right(last) - self._newest.bisect_left(first)
        found -= self._deleted.bisect_right(last) - self._deleted.bisect_left(first)
        for key in {record.key for record in self._log[at - self._compacted :]}:
            if first <= key <= last:
                newest: Record = self._newest[key]
                found += (newest.at(at) is not None) - (newest.value is not None)
        return found

    def changes(self, prefix: str, after: int, until: int | None = None) -> Iterator[Record]:
        """The changes under a prefix since a revision, up to and with another or the newest, oldest first."""
        if after < self._compacted:
            raise Compacted(after, self._compacted)
        # Revisions count one by one, so the place in the log follows from the number.
        log = self._log[after - self._compacted : None if until is None else until - self._compacted]
        return (record for record in log if record.key.startswith(prefix))

    def _range(self, prefix: str, start: str | None) -> Iterator[Record]:
        # A key that is a prefix of another sorts before it.
        for key in self._newest.irange(max(prefix, start or ""), prefix + LAST):
            yield self._newest[key]

    def _checked(self, revision: int | None) -> int:
        if revision is None:
            return self._revision
        if revision < self._compacted:
            raise Compacted(revision, self._compacted)
        if revision > self._revision:
            raise Future(revision, self._revision)
        return revision

    # -- writing

    def commit(self, key: str, expected: int, value: Callable[[int], bytes] | None) -> Record:
        """Make a change if the key is still at the revision `expected` (0: it must not exist).

        `value` is given the revision the change will have, for it may stand in the bytes; None deletes.
        """
        newest: Record | None = self._newest.get(key)
        alive = newest if newest is not None and newest.value is not None else None
        found = alive.revision if alive is not None else 0
        if found != expected or (value is None and alive is None):
            raise Conflict(key, expected, found)
        revision = self._revision + 1
        data = value(revision) if value is not None else None
        record = Record(key, data, revision, alive.created if alive is not None else revision, newest)
        if self._journal is not None:
            self._journal.append(record)
        self._revision = revision
        self._put(record)
        self._log.append(record)
        self._tell(record)
        return record

    def _put(self, record: Record) -> None:
        previous = record.previous
        self._newest[record.key] = record
        if record.value is None:
            self._deleted.add(record.key)
        elif previous is not None and previous.value is None:
            self._deleted.discard(record.key)

    # -- watching

    def listen(self, prefix: str, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every change from now on to keys under a prefix; returns what ends it.

        A prefix is a whole key, or ends with a slash. Listeners are called inside the commit, in the order in which
        they came, and must not write.
        """
        listeners = self._listeners.setdefault(prefix, {})
        place = object()
        listeners[place] = listener

        def end() -> None:
            listeners.pop(place, None)
            if not listeners and self._listeners.get(prefix) is listeners:
                del self._listeners[prefix]

        return end

    def _tell(self, record: Record) -> None:
        key = record.key
        slash = -1
        while (slash := key.find("/", slash + 1)) >= 0:
            if (listeners := self._listeners.get(key[: slash + 1])) is not None:
                for listener in tuple(listeners.values()):
                    listener(record)
        if (listeners := self._listeners.get(key)) is not None:
            for listener in tuple(listeners.values()):
                listener(record)

    # -- forgetting

    def compact(self, revision: int) -> None:
        """Forget what lay before a revision. What is there now, and what changed since, stays."""
        revision = min(revision, self._revision)
        if revision <= self._compacted:
            return
        if self._journal is not None:
            self._journal.compact(revision)
        forgotten = revision - self._compacted
        for record in self._log[:forgotten]:
            record.previous = None
            if record.value is None and self._newest.get(record.key) is record:
                del self._newest[record.key]
                self._deleted.discard(record.key)
        del self._log[:forgotten]
        self._compacted = revision
