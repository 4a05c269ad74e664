"""A time limit that moves often and is rarely reached.

Setting and cancelling a timer for every request would cost more than parsing it. So moving the limit only writes down a
number; the timer stays where it is, and when it fires too early it is set again for the rest.
"""

import asyncio
from collections.abc import Callable

__all__ = ["Deadline"]


class Deadline:
    """Calls `expired` when the time given last is over."""

    __slots__ = ("_alarm", "_at", "_expired", "_loop", "_timer")

    def __init__(self, loop: asyncio.AbstractEventLoop, expired: Callable[[], None]) -> None:
        self._loop = loop
        self._expired = expired
        self._at = 0.0
        self._timer: asyncio.Handle | None = None
        #: What the timer is set for. uvloop's own handle does not know: what is due now it calls without a timer.
        self._alarm = 0.0

    def after(self, seconds: float) -> None:
        """The limit is so many seconds from now, whatever it was."""
        self._at = at = self._loop.time() + seconds
        timer = self._timer
        if timer is not None:
            if self._alarm <= at:
                return
            timer.cancel()
        self._set()

    def stop(self) -> None:
        """There is no limit."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _fire(self) -> None:
        self._timer = None
        if self._loop.time() < self._at:
            self._set()
        else:
            self._expired()

    def _set(self) -> None:
        self._alarm = self._at
        self._timer = self._loop.call_at(self._at, self._fire)
