"""What is to be worked on: keys in the order in which they came, each at most once, by one task.

    waiting ──► worked on ──► done
       ▲             │ failed
       └── later ◄───┘ twice as late each time

A key that is added while it is worked on is worked on once more. Work goes on until a slice of time is used up; then
others run.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from kubewright import clock
from kubewright.cluster.wire.status import Failure

__all__ = ["Queue", "Slice"]

logger = logging.getLogger(__name__)

#: So long, in seconds, one slice may hold the loop.
_SLICE = 0.002
#: After so many seconds what failed once is tried again; twice as many after the next failure.
_SHORTEST = 0.005
#: The most seconds between two tries.
_LONGEST = 1000.0


class Slice:
    """Lets others run when time is up."""

    def __init__(self) -> None:
        self._started = clock.monotonic()

    async def turn(self) -> None:
        """Call between two steps."""
        if clock.monotonic() - self._started > _SLICE:
            await asyncio.sleep(0)
            self._started = clock.monotonic()


class Queue:
    """Keys for a worker. `name` is for the log."""

    def __init__(self, name: str, work: Callable[[str], Awaitable[None]]) -> None:
        self._name = name
        self._work = work
        self._waiting: dict[str, None] = {}
        self._failures: dict[str, int] = {}
        #: When each is due, and what wakes it: not every loop's handle knows its time.
        self._timers: dict[str, tuple[float, asyncio.TimerHandle]] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to work."""
        self._task = asyncio.create_task(self._run(), name=self._name)

    async def stop(self) -> None:
        """End, in the middle of work if need be: whoever starts anew finds what is left to do."""
        for _, timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    def add(self, key: str) -> None:
        """Work on a key as soon as possible."""
        if (waiting := self._timers.pop(key, None)) is not None:
            waiting[1].cancel()
        self._waiting[key] = None
        self._wake.set()

    def add_after(self, key: str, seconds: float) -> None:
        """Work on a key after some time, unless its time comes before."""
        if key in self._waiting:
            return
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        if (waiting := self._timers.get(key)) is not None:
            if waiting[0] <= due:
                return
            waiting[1].cancel()
        self._timers[key] = due, loop.call_at(due, self.add, key)

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            part = Slice()
            while self._waiting:
                key = next(iter(self._waiting))
                del self._waiting[key]
                await self._try(key)
                await part.turn()

    async def _try(self, key: str) -> None:
        try:
            await self._work(key)
        except Failure as failure:
            logger.debug("%s: %s: %s", self._name, key, failure)
            self.fail(key)
        except Exception:
            # A mistake of ours must not end the task: the other keys are not to blame.
            logger.exception("%s failed at %s", self._name, key)
            self.fail(key)
        else:
            if key not in self._timers:
                self._failures.pop(key, None)

    def fail(self, key: str) -> None:
        """Work on a key again, the later the more often it failed."""
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        self.add_after(key, min(_SHORTEST * 2 ** min(failures, 30), _LONGEST))
