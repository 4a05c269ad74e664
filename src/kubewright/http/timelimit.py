"""Time limits of one length: many at once, hardly ever reached, and one timer for all of them.

A timer that is made, set and cancelled for every request costs as much as parsing its answer. But limits of the same
length end in the order in which they began: so they stand in a row, the timer is set for the first, and if that is over
when it rings, for the next.

    limits = TimeLimits(60)
    with limits.start():        # raises TimeoutError, as `asyncio.timeout` does
        await something()
"""

import asyncio
import math
import threading
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Self

import msgspec

__all__ = ["TimeLimit", "TimeLimits"]


class TimeLimit(msgspec.Struct, eq=False):
    """One limit, for the task that enters it."""

    _limits: "TimeLimits"
    #: Whatever it is for.
    about: object = None
    _task: "asyncio.Task[object] | None" = None
    _cancelling: int = 0
    #: When it ends, on the loop's clock.
    at: float = math.inf
    #: Whether it was reached.
    expired: bool = False

    def __enter__(self) -> Self:
        limits = self._limits
        loop, task = limits.loop, None
        # To ask which loop runs takes a system call. In this thread one that does not run has no task.
        if loop is not None and limits._thread == threading.get_ident():
            task = asyncio.current_task(loop)
        if loop is None or task is None:
            loop = limits._begin()
            task = asyncio.current_task(loop)
        if task is None:
            raise RuntimeError("a time limit is for a task, and there is none")
        self._task = task
        self._cancelling = task.cancelling()
        if limits._seconds is not None:
            self.at = loop.time() + limits._seconds
            limits._running[self] = None
            if limits._timer is None:
                limits._timer = loop.call_at(self.at, limits._ring)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._limits._running.pop(self, None)
        task, self._task = self._task, None
        if not self.expired or task is None:
            return
        # Whoever else has cancelled the task meanwhile is not to be told that it was only the time.
        if task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    @property
    def running(self) -> bool:
        """Whether what it is for has not ended, be it in time or not."""
        return self._task is not None

    def _expire(self) -> None:
        self.expired = True
        assert self._task is not None
        self._task.cancel()


class TimeLimits:
    """Limits of so many seconds each; None is no limit. `expired` is called with each that is reached."""

    __slots__ = ("_expired", "_running", "_seconds", "_thread", "_timer", "loop", "start")

    def __init__(self, seconds: float | None, expired: Callable[[TimeLimit], None] | None = None) -> None:
        self._seconds = seconds
        self._expired = expired
        #: In which loop a limit was last entered.
        self.loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0
        #: Those that run there, and the timer for the first of them.
        self._running: dict[TimeLimit, None] = {}
        self._timer: asyncio.Handle | None = None
        #: A limit, to be entered at once; it may be told what it is about.
        self.start: Callable[..., TimeLimit] = partial(TimeLimit, self)

    def _begin(self) -> asyncio.AbstractEventLoop:
        """The loop that runs now. What ran in another one, and its timer, ended with that."""
        loop = asyncio.get_running_loop()
        if loop is not self.loop:
            self.loop, self._thread, self._timer = loop, threading.get_ident(), None
            self._running.clear()
        return loop

    def _ring(self) -> None:
        """The time of the first one is over, unless that has ended."""
        loop = self.loop
        assert loop is not None
        self._timer = None
        now = loop.time()
        for limit in tuple(self._running):
            if limit.at > now:
                self._timer = loop.call_at(limit.at, self._ring)
                return
            del self._running[limit]
            limit._expire()
            if self._expired is not None:
                self._expired(limit)
