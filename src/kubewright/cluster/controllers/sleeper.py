"""Work that sleeps until there is something to do.

Loading the framework takes as long as starting everything else, so nothing of it happens before it is wanted: the first
object of a kind that concerns somebody wakes him. He then loads what he needs in steps (`preload`), and others go first
between them. A cluster with nothing but custom resources never pays for Deployments.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final, NamedTuple

from kubewright.cluster.store import Record, Store

__all__ = ["Sleeper", "Waker", "is_there"]

logger = logging.getLogger(__name__)

#: Seconds before work that failed is begun anew: the first pause, and the longest.
_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 60.0


def is_there(record: Record) -> bool:
    """Whether a record is of an object, and not of its end."""
    return record.value is not None


class Waker(NamedTuple):
    """What wakes: a record under a prefix of the store of which `wakes` holds; by default any object.

    It is asked of what is there at the start and of every change after that, in the middle of the commit: be quick.
    """

    prefix: str
    wakes: Callable[[Record], bool] = is_there


class Sleeper:
    """Calls `work` once one of `wakers` holds, from `start` to `stop`; again, if it fails."""

    def __init__(
        self, name: str, store: Store, wakers: Iterable[Waker], work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        self._name = name
        self._store = store
        self._wakers = tuple(dict.fromkeys(wakers))
        self._work = work
        self._ends: list[Callable[[], None]] = []
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Sleep, unless there is something already."""
        if any(waker.wakes(record) for waker in self._wakers for record in self._store.list(waker.prefix).records):
            self._wake()
            return
        for prefix, wakes in self._wakers:

            def note(record: Record, wakes: Callable[[Record], bool] = wakes) -> None:
                if self._task is None and wakes(record):
                    self._wake()

            self._ends.append(self._store.listen(prefix, note))

    async def stop(self) -> None:
        """End; what is under way is cancelled, for the cluster ends with it."""
        self._listen_no_more()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _wake(self) -> None:
        self._listen_no_more()
        self._task = asyncio.create_task(self._run(), name=self._name)

    def _listen_no_more(self) -> None:
        for end in self._ends:
            end()
        self._ends.clear()

    async def _run(self) -> None:
        pause = _PAUSE
        while True:
            try:
                await self._work()
            except Exception:
                logger.exception("%s has failed, which it should not; it begins anew in %g s.", self._name, pause)
            else:
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
