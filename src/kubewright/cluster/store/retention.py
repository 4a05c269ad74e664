"""How much of the past is kept: what is older than some minutes goes, and what is more than some changes.

Once a minute the store is told to forget what was there when the minute of `age` seconds ago ended. A burst of writes
does not wait for that: when the log has grown past `size` changes, its older half goes.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from kubewright.cluster.store.record import Record
from kubewright.cluster.store.store import Store

__all__ = ["Retention"]

_EVERY = 60.0


class Retention:
    """Compacts a store by age and by size, from `start` to `stop`."""

    def __init__(self, store: Store, *, age: float = 300.0, size: int = 100_000) -> None:
        self._store = store
        self._size = size
        #: The revisions at the ends of the minutes that are kept, oldest first.
        self._minutes: deque[int] = deque(maxlen=max(1, round(age / _EVERY)))
        self._timer: asyncio.TimerHandle | None = None
        self._soon = False
        self._end: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin."""
        self._end = self._store.listen("/", self._count)
        self._timer = asyncio.get_running_loop().call_later(_EVERY, self._tick)

    def stop(self) -> None:
        """End; the store keeps what it has."""
        self._end()
        if self._timer is not None:
            self._timer.cancel()

    def _tick(self) -> None:
        # First of all: a disk that is full now need not be so in a minute.
        self._timer = asyncio.get_running_loop().call_later(_EVERY, self._tick)
        if len(self._minutes) == self._minutes.maxlen:
            self._store.compact(self._minutes[0])
        self._minutes.append(self._store.revision)

    def _count(self, record: Record) -> None:
        if record.revision - self._store.compacted > self._size and not self._soon:
            # Not here: this is inside the commit, and others are to hear of it yet.
            self._soon = True
            asyncio.get_running_loop().call_soon(self._halve)

    def _halve(self) -> None:
        self._soon = False
        self._store.compact(self._store.revision - self._size // 2)
