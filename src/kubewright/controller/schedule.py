"""Which key is worked on next: the queue without waiting, on time that is handed in.

A key is in one of four states, and its record in one place:

    absent ──add──▶ ready ──take──▶ working ──done──▶ absent
      │               ▲               │  ▲
      │ add(at later) │ due           │  │ add: it is remembered, and `done` makes it ready again
      └────▶ waiting ─┘               └──┘ (it may also wait meanwhile, and become due)

What is promised:

- **One worker.** A key that is worked on is not taken a second time before `done`.
- **Nothing is lost.** After an add, the key is taken at a later moment than the add; an add while it is worked on
  included.
- **Adds collapse.** A key has one entry: of several adds the earliest deadline and the highest priority hold. An add
  for now is the earliest there is, so it replaces one that waits.
- **Priority, then order of arrival.** A key whose priority is raised goes to the end of those that have it already.
- **No starvation.** Once a key has been ready for `patience` seconds it counts as old, and while there are old keys
  every second one taken is the oldest. So a key that became ready behind n others is taken, when it is old, with the
  2·(n+1)-th take at the latest, whatever comes in with whatever priority; and the other half are still taken by
  priority, so that a backlog which has grown old does not hold up what is urgent.

All is O(log n) or better.
"""

import heapq
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, Protocol, TypeVar

import msgspec

from kubewright.errors import KubewrightError

__all__ = ["PATIENCE", "Meter", "QueueError", "Schedule"]

Key = TypeVar("Key", bound=Hashable)

#: Seconds after which a ready key is old: longer than a burst takes, shorter than anybody waits before asking.
PATIENCE: Final = 10.0
#: Stale entries are swept out of the heap when they outnumber the live ones and are at least so many.
_SWEEP: Final = 64


class QueueError(KubewrightError):
    """A worker gave back a key that it did not have."""


class Meter(Protocol):
    """What a queue tells while it works; what it knows at any time (depth, ages) is asked of it."""

    def added(self) -> None:
        """A key became ready, or will when its worker is done: `workqueue_adds_total`."""

    def retried(self) -> None:
        """A key was added for later, for whatever reason: `workqueue_retries_total`."""

    def queued(self, seconds: float) -> None:
        """How long a key was ready before it was taken: `workqueue_queue_duration_seconds`."""

    def worked(self, seconds: float) -> None:
        """How long it was worked on: `workqueue_work_duration_seconds`."""


class _Entry(msgspec.Struct, Generic[Key], gc=False, eq=False):
    """A key that is ready or waits."""

    key: Key
    priority: int
    #: Its deadline; when it was due; when it could be taken.
    at: float
    added: float
    since: float


class _Work(msgspec.Struct, Generic[Key], gc=False, eq=False):
    """A key that is worked on, and what came in for it meanwhile."""

    priority: int
    started: float
    again: _Entry[Key] | None = None


class Schedule(Generic[Key]):
    """The states of all keys. Times are seconds on one clock that does not go back."""

    def __init__(self, patience: float = PATIENCE, meter: Meter | None = None) -> None:
        self._patience = patience
        self._meter = meter
        #: The keys that can be taken, by age, the oldest first.
        self.ready: OrderedDict[Key, _Entry[Key]] = OrderedDict()
        self._lanes: dict[int, OrderedDict[Key, None]] = {}  # the same keys by priority
        self._priorities: list[int] = []  # a heap of the negated keys of _lanes: each once
        self._waiting: dict[Key, _Entry[Key]] = {}
        self._deadlines: list[tuple[float, int, _Entry[Key]]] = []  # a heap; a deadline that its entry left is stale
        self._count = 0
        self._working: dict[Key, _Work[Key]] = {}
        self._old_was_taken = False
        self._shut = False

    def __len__(self) -> int:
        """How many keys can be taken."""
        return len(self.ready)

    @property
    def idle(self) -> bool:
        """Nothing to take and nobody works; keys may wait."""
        return not self.ready and not self._working

    def measure(self, meter: Meter | None, now: float) -> None:
        """Tell this meter from now on, or none; to it all that is ready has become so now."""
        self._meter = meter
        if meter is not None:
            for entry in self.ready.values():
                entry.added = entry.since = now
                meter.added()

    def add(self, key: Key, now: float, priority: int = 0, after: float = 0.0) -> bool:
        """Have the key worked on, `after` so many seconds; whether it can be taken now and could not before."""
        if self._shut:
            return False
        work = self._working.get(key)
        entry = self.ready.get(key) if work is None else work.again
        if entry is not None:  # it is ready, which is the earliest there is
            self._raise(entry, priority)
            return False
        waiting = self._waiting.get(key) if self._waiting else None
        if waiting is not None and waiting.priority > priority:
            priority = waiting.priority
        if after > 0:
            at = now + after
            if waiting is None:
                waiting = self._waiting[key] = _Entry(key, priority, at, at, at)
            else:
                waiting.priority = priority
                if waiting.at <= at:
                    return False
                waiting.at = at
            self._count += 1
            heapq.heappush(self._deadlines, (at, self._count, waiting))
            self._sweep()
            return False
        if waiting is not None:
            del self._waiting[key]
            self._sweep()
        return self._due(_Entry(key, priority, now, now, now), work, now)

    def advance(self, now: float) -> int:
        """Make ready what is due; how many of them can be taken."""
        promoted = 0
        deadlines = self._deadlines
        while deadlines and deadlines[0][0] <= now:
            item = heapq.heappop(deadlines)
            if self._holds(item):
                at, _, entry = item
                del self._waiting[entry.key]
                entry.added = at
                promoted += self._due(entry, self._working.get(entry.key), now)
        return promoted

    @property
    def due(self) -> float | None:
        """When the first key that waits is due: when to `advance` next. None if none waits."""
        deadlines = self._deadlines
        while deadlines and not self._holds(deadlines[0]):
            heapq.heappop(deadlines)
        return deadlines[0][0] if deadlines else None

    def take(self, now: float) -> Key:
        """The key to work on now, of those that are ready: there must be one."""
        key = next(iter(self.ready))
        if self._old_was_taken or now - self.ready[key].since < self._patience:
            self._old_was_taken = False
            self._tidy()
            key = next(iter(self._lanes[-self._priorities[0]]))
        else:
            self._old_was_taken = True
        entry = self.ready.pop(key)
        del self._lanes[entry.priority][key]
        self._tidy()
        self._working[key] = _Work(entry.priority, now)
        if self._meter is not None:
            self._meter.queued(now - entry.added)
        return key

    def done(self, key: Key, now: float) -> bool:
        """The worker has finished; whether the key can be taken again at once, for what came in meanwhile."""
        work = self._held(key)
        del self._working[key]
        if self._meter is not None:
            self._meter.worked(now - work.started)
        if work.again is None:
            return False
        self._push(work.again, now)
        return True

    def again(self, key: Key, now: float, after: float) -> bool:
        """Add a key that is worked on with the priority it was taken with."""
        return self.add(key, now, self._held(key).priority, after)

    def discard(self, key: Key) -> bool:
        """Have a key not worked on that is ready or waits; False if a worker has it, which is left as it is."""
        if key in self._working:
            return False
        entry = self.ready.pop(key, None)
        if entry is not None:
            del self._lanes[entry.priority][key]
            self._tidy()
        elif self._waiting.pop(key, None) is not None:
            self._sweep()
        return True

    def shut(self, drain: bool) -> None:
        """Take no more adds and forget what waits; without `drain`, what is ready too."""
        self._shut = True
        self._waiting.clear()
        self._deadlines.clear()
        if not drain:
            self.ready.clear()
            self._lanes.clear()
            self._priorities.clear()
            for work in self._working.values():
                work.again = None

    def depths(self) -> dict[int, int]:
        """How many keys are ready, by priority: `workqueue_depth`."""
        return {priority: len(lane) for priority, lane in self._lanes.items() if lane}

    @property
    def waiting(self) -> int:
        """How many keys wait for a deadline."""
        return len(self._waiting)

    def waited(self, now: float) -> float:
        """How long the oldest ready key has been so, in seconds."""
        return now - next(iter(self.ready.values())).since if self.ready else 0.0

    def unfinished(self, now: float) -> float:
        """The seconds of all work under way, together: `workqueue_unfinished_work_seconds`."""
        return sum(now - work.started for work in self._working.values())

    def longest(self, now: float) -> float:
        """The seconds of the longest work under way: `workqueue_longest_running_processor_seconds`."""
        return max((now - work.started for work in self._working.values()), default=0.0)

    def _held(self, key: Key) -> _Work[Key]:
        work = self._working.get(key)
        if work is None:
            raise QueueError(f"nobody works on {key!r}: give back each key that was taken, and once.")
        return work

    def _due(self, entry: _Entry[Key], work: _Work[Key] | None, now: float) -> bool:
        if self._meter is not None:
            self._meter.added()
        if work is not None:
            work.again = entry
            return False
        self._push(entry, now)
        return True

    def _push(self, entry: _Entry[Key], now: float) -> None:
        entry.since = now
        self.ready[entry.key] = entry
        self._enter(entry)

    def _enter(self, entry: _Entry[Key]) -> None:
        lane = self._lanes.get(entry.priority)
        if lane is None:
            lane = self._lanes[entry.priority] = OrderedDict()
            heapq.heappush(self._priorities, -entry.priority)
        lane[entry.key] = None

    def _tidy(self) -> None:
        """Drop lanes that are empty and hide others. One may stay empty: most queues have one, and it comes back."""
        while len(self._priorities) > 1 and not self._lanes[-self._priorities[0]]:
            del self._lanes[-heapq.heappop(self._priorities)]

    def _raise(self, entry: _Entry[Key], priority: int) -> None:
        if priority > entry.priority:
            if self.ready.get(entry.key) is entry:
                del self._lanes[entry.priority][entry.key]
                entry.priority = priority
                self._enter(entry)
            else:
                entry.priority = priority

    def _holds(self, item: tuple[float, int, _Entry[Key]]) -> bool:
        """Whether a deadline is still that of its key: one brought forward, or forgotten, has left it behind."""
        return item[2].at == item[0] and self._waiting.get(item[2].key) is item[2]

    def _sweep(self) -> None:
        """Keep the heap in proportion to what waits: each deadline brought forward, or forgotten, left one behind."""
        if len(self._deadlines) > 2 * len(self._waiting) + _SWEEP:
            self._deadlines = [item for item in self._deadlines if self._holds(item)]
            heapq.heapify(self._deadlines)
