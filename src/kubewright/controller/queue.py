"""The work queue: keys go in, workers wait for them, a key that failed comes back later.

    key = await queue.get()
    try:
        await work(key)
    except Exception:
        queue.failed(key)          # comes back after its back-off; no worker sleeps meanwhile
    else:
        queue.forget(key)
    finally:
        queue.done(key)

Which key comes next, and what is promised about it, is `schedule`'s; here is only the waiting, on the loop that runs
when the queue is made. Each ready key wakes one worker, and there is one timer, for the earliest deadline.
"""

import asyncio
import math
from collections import deque
from collections.abc import Collection, Hashable
from typing import Generic, TypeVar

from kubewright.controller.backoff import Backoff
from kubewright.controller.schedule import PATIENCE, Meter, Schedule

__all__ = ["Queue", "ShutDown"]

Key = TypeVar("Key", bound=Hashable)


class ShutDown(Exception):
    """The queue was shut down and has nothing left: the worker may go home."""


class Queue(Generic[Key]):
    """A queue of hashable keys for any number of workers on one loop.

    `patience` is the time after which no priority is high enough to go before a key for ever (see `schedule`). `meter`
    is told what the metrics of work queues count; `depths`, `unfinished` and `longest` are asked when they are read.
    """

    def __init__(
        self, *, backoff: Backoff[Key] | None = None, patience: float = PATIENCE, meter: Meter | None = None
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._schedule: Schedule[Key] = Schedule(patience, meter)
        #: The keys that are ready.
        self.ready: Collection[Key] = self._schedule.ready
        self._backoff: Backoff[Key] = Backoff() if backoff is None else backoff
        self._meter = meter
        self._getters: deque[asyncio.Future[None]] = deque()
        self._joiners: list[asyncio.Future[None]] = []
        self._timer: asyncio.Handle | None = None
        #: What the timer is set for. uvloop's own handle does not know: what is due now it calls without a timer.
        self._alarm = 0.0
        self._shut = False
        #: Whether keys are to be worked on, and not only kept until then.
        self.begun = True

    def __len__(self) -> int:
        """How many keys are ready."""
        return len(self._schedule)

    def stand_by(self) -> None:
        """Keep keys for whoever works on them after `begin`; until then they are no backlog, and no meter is told."""
        self.begun = False
        self._schedule.measure(None, self._loop.time())

    def begin(self) -> None:
        """Keys are to be worked on from now on, as they are where nobody has said `stand_by`."""
        if not self.begun:
            self.begun = True
            self._schedule.measure(self._meter, self._loop.time())

    def add(self, key: Key, priority: int = 0, after: float = 0.0) -> None:
        """Have the key worked on, in `after` seconds; adds of one key collapse into one. Ignored after `shut_down`."""
        if self._schedule.add(key, self._loop.time(), priority, after):
            self._wake()
        elif after > 0:
            self._delayed()

    async def get(self) -> Key:
        """The next key, as soon as there is one; `done` must follow. `ShutDown` when there will be none."""
        schedule = self._schedule
        while True:
            now = self._loop.time()
            self._advance(now)
            if len(schedule):
                return schedule.take(now)
            if self._shut:
                raise ShutDown
            getter = self._loop.create_future()
            self._getters.append(getter)
            try:
                await getter
            except BaseException:
                # Woken and cancelled in one turn of the loop: the key it was woken for needs another worker.
                if getter.done() and not getter.cancelled():
                    self._wake()
                elif getter in self._getters:
                    self._getters.remove(getter)
                raise

    def done(self, key: Key) -> None:
        """The worker has finished with the key, whatever came of it."""
        if self._schedule.done(key, self._loop.time()):
            self._wake()
        self._settle()

    def failed(self, key: Key, most: float = math.inf) -> float:
        """The work failed, or is not over: the key comes back after its back-off, with its priority.

        The seconds, which are `most` at most.
        """
        delay = self._backoff.failed(key, most)
        self._again(key, delay)
        return delay

    def requeue(self, key: Key, after: float) -> None:
        """The work went well, and wants to be done again in `after` seconds, with its priority."""
        self._backoff.forget(key)
        self._again(key, after)

    def forget(self, key: Key) -> None:
        """The work went well: its next failure is the first again."""
        self._backoff.forget(key)

    def discard(self, key: Key) -> bool:
        """There is nothing to work on under this key: forget it; False if a worker has it, and what came in with it."""
        self._backoff.forget(key)
        return self._schedule.discard(key)

    def failures(self, key: Key) -> int:
        """How often the key failed in a row."""
        return self._backoff.failures(key)

    def shut_down(self, drain: bool = True) -> None:
        """Take no more keys; those that are ready are still handed out if `drain`, those that wait are not."""
        self._shut = True
        self._schedule.shut(drain)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._getters:
            self._wake()
        self._settle()

    async def join(self) -> None:
        """Wait until the queue is shut down, nothing is ready, and no worker holds a key."""
        while not (self._shut and self._schedule.idle):
            joiner = self._loop.create_future()
            self._joiners.append(joiner)
            await joiner

    def depths(self) -> dict[int, int]:
        """How many keys are ready, by priority: `workqueue_depth`."""
        return self._schedule.depths()

    @property
    def waiting(self) -> int:
        """How many keys wait for a deadline: retries, and what was asked for later."""
        return self._schedule.waiting

    def next_retry(self) -> float | None:
        """Seconds until the first key that waits is due; None if none does."""
        due = self._schedule.due
        return None if due is None else max(0.0, due - self._loop.time())

    def waited(self) -> float:
        """How long the oldest ready key has been so, in seconds."""
        return self._schedule.waited(self._loop.time())

    def unfinished(self) -> float:
        """The seconds of all work under way, together: `workqueue_unfinished_work_seconds`."""
        return self._schedule.unfinished(self._loop.time())

    def longest(self) -> float:
        """The seconds of the longest work under way: `workqueue_longest_running_processor_seconds`."""
        return self._schedule.longest(self._loop.time())

    def _again(self, key: Key, after: float) -> None:
        self._schedule.again(key, self._loop.time(), after)
        if after > 0:
            self._delayed()

    def _delayed(self) -> None:
        if self._meter is not None and self.begun:
            self._meter.retried()
        self._arm()

    def _wake(self) -> None:
        while self._getters:
            getter = self._getters.popleft()
            if not getter.done():
                getter.set_result(None)
                return

    def _settle(self) -> None:
        if self._joiners and self._shut and self._schedule.idle:
            for joiner in self._joiners:
                if not joiner.done():
                    joiner.set_result(None)
            self._joiners.clear()

    def _arm(self) -> None:
        due = self._schedule.due
        if due is not None and (self._timer is None or due < self._alarm):
            if self._timer is not None:
                self._timer.cancel()
            self._alarm = due
            self._timer = self._loop.call_at(due, self._fire, due)

    def _fire(self, due: float) -> None:
        self._timer = None
        # A loop may run a timer a rounding error early: what the timer was set for is due all the same.
        self._advance(max(due, self._loop.time()))
        self._arm()

    def _advance(self, now: float) -> None:
        # Whoever comes first sees to what is due, a worker that asks or the timer: the other finds nothing to wake for.
        for _ in range(self._schedule.advance(now)):
            self._wake()
