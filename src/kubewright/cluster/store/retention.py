"""How much of the past is kept: what is older than some minutes goes, and what is more than some changes.

Once a minute the store is told to forget what was there when the minute of `age` seconds ago ended. A burst of writes
does not wait for that: when the log has grown past `size` changes, its older half goes. That is done in strides, with
others between them: to forget fifty thousand changes at once took some tens of milliseconds, in which nobody else ran.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from kubewright.cluster.store.record import Record
from kubewright.cluster.store.store import Store

__all__ = ["Retention"]

_EVERY = 60.0
#: So many changes are forgotten before others run.
_STRIDE = 500


class Retention:
    """Compacts a store by age and by size, from `start` to `stop`."""

    def __init__(self, store: Store, *, age: float = 300.0, size: int = 100_000) -> None:
        self._store = store
        self._size = size
        #: The revisions at the ends of the minutes that are kept, oldest first.
        self._minutes: deque[int] = deque(maxlen=max(1, round(age / _EVERY)))
        self._timer: asyncio.TimerHandle | None = None
        #: What is to be forgotten, and the next stride on the way there.
        self._until = 0
        self._next: asyncio.Handle | None = None
        self._end: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin."""
        self._end = self._store.listen("/", self._count)
        self._timer = asyncio.get_running_loop().call_later(_EVERY, self._tick)

    def stop(self) -> None:
        """End; the store keeps what it has."""
        self._end()
        for handle in (self._timer, self._next):
            if handle is not None:
                handle.cancel()

    def _tick(self) -> None:
        # First of all: a disk that is full now need not be so in a minute.
        self._timer = asyncio.get_running_loop().call_later(_EVERY, self._tick)
        if len(self._minutes) == self._minutes.maxlen:
            self._forget(self._minutes[0])
        self._minutes.append(self._store.revision)

    def _count(self, record: Record) -> None:
        if record.revision - self._store.compacted > self._size and self._next is None:
            self._forget(record.revision - self._size // 2)

    def _forget(self, revision: int) -> None:
        """Forget what lay before a revision, by and by: not here, for this may be inside a commit."""
        self._until = max(self._until, revision)
        if self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._stride)

    def _stride(self) -> None:
        self._next = None
        store = self._store
        store.compact(min(self._until, store.compacted + _STRIDE))
        if store.compacted < min(self._until, store.revision):
            self._forget(self._until)
        else:
            self._until = 0
