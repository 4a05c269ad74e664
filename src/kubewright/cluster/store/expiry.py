"""Some objects are told for a while: what nobody has written for so many seconds is deleted.

    expiry = Expiry(store, "/events/", 3600.0)
    expiry.start()

All have the same time, so that those who go next stand first, and one timer waits for the first of them. What was there
at the start has its whole time once more: nobody kept when it was written.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from kubewright.cluster.store.record import Record
from kubewright.cluster.store.store import Store, Unkept

__all__ = ["Expiry"]

_log = logging.getLogger(__name__)

#: So many are deleted before others run.
_STRIDE: Final = 100
#: So many seconds after one could not be deleted it is tried again.
_AGAIN: Final = 60.0


class _Due(NamedTuple):
    at: float
    key: str
    revision: int


class Expiry:
    """Deletes what lies under a prefix and grew old, from `start` to `stop`."""

    def __init__(self, store: Store, prefix: str, seconds: float) -> None:
        self._store = store
        self._prefix = prefix
        self._seconds = seconds
        self._waiting: deque[_Due] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._end: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin."""
        self._end = self._store.listen(self._prefix, self._note)
        for record in self._store.list(self._prefix).records:
            self._note(record)

    def stop(self) -> None:
        """End; what is there stays."""
        self._end()
        if self._timer is not None:
            self._timer.cancel()

    def _note(self, record: Record) -> None:
        if record.value is None:
            return
        due = _Due(asyncio.get_running_loop().time() + self._seconds, record.key, record.revision)
        self._waiting.append(due)
        if self._timer is None:
            self._wait(due.at)

    def _wait(self, at: float) -> None:
        self._timer = asyncio.get_running_loop().call_at(at, self._tick)

    def _tick(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        for _ in range(_STRIDE):
            if not self._waiting or self._waiting[0].at > now:
                break
            _, key, revision = self._waiting[0]
            record = self._store.get(key)
            if record is not None and record.revision == revision:  # else it was written again, and waits again
                try:
                    self._store.commit(key, revision, None)
                except Unkept as error:  # a disk that is full now need not be so in a while
                    _log.warning("%s has expired, but stays for %g s more: %s", key, _AGAIN, error)
                    self._wait(now + _AGAIN)
                    return
            self._waiting.popleft()
        if self._waiting:
            self._wait(self._waiting[0].at)
