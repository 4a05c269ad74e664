"""The watchdog: says in the log when and where the event loop is blocked, and afterwards for how long.

A reconciler that computes for seconds, or calls something synchronous, stops everything: watches, renewals of the
lease, health. The loop cannot say so itself, so this is one of the two kinds of thread there are (the other runs
synchronous user code). The loop notes the time, many times within the limit; the thread sees when it does not, and
looks at what the loop's thread is doing. For how long is told by the loop's own notes, to within the time between two.

    with Watchdog(limit=0.5, metrics=metrics.loop):
        ...

Whatever blocks for longer than the limit is told, and where it does if it lasts for half of that again. If the whole
process stood still (it was stopped, or C code did not let other threads run) that is said instead. Under virtual time
(a loop with a `wall` method) there is nothing to find and no thread.
"""

import asyncio
import logging
import sys
import threading
import traceback
from collections import deque
from types import TracebackType
from typing import Final, Self

import msgspec

from kubewright import clock
from kubewright.observe.metrics import LoopMetrics

__all__ = ["Watchdog"]

_log = logging.getLogger("kubewright.watchdog")

#: Frames of the stack that are said: what blocks is the innermost, and whose code called it is near.
_FRAMES: Final = 12
#: How often the loop notes the time within the limit.
_BEATS: Final = 5
_BLOCKED: Final = "The event loop is blocked for %.1f seconds already, here:\n%s"
_STILL: Final = (
    "Nothing in this process ran for %.1f seconds: it was stopped, had no CPU time, or kept the interpreter to itself, "
    "here:\n%s"
)
_OVER: Final = "The event loop was blocked for %.1f seconds; what takes long belongs into a thread"


class _Gap(msgspec.Struct, frozen=True, gc=False):
    """A time in which the loop did not turn: when it last had before, and for how many seconds."""

    since: float
    seconds: float


class Watchdog:
    """Watches the running loop, from `start` to `stop`."""

    def __init__(self, limit: float = 0.5, metrics: LoopMetrics | None = None) -> None:
        self._limit = limit
        self._metrics = metrics
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._timer: asyncio.TimerHandle | None = None
        #: When the loop last turned, as far as it was noted; and how often it did not for too long, not told yet.
        self._turned = 0.0
        self._gaps: deque[_Gap] = deque()

    def start(self) -> None:
        """Begin to watch the loop that runs here."""
        loop = asyncio.get_running_loop()
        if self._thread is not None or hasattr(loop, "wall"):
            return
        self._stopped.clear()
        self._turned = clock.monotonic()
        self._beat(loop)
        watched = threading.get_ident()
        self._thread = threading.Thread(target=self._watch, args=(loop, watched), name="watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch no more; the thread ends by itself, at once."""
        self._stopped.set()
        self._thread = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.stop()

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        """Note in the loop that it turns."""
        now, before = clock.monotonic(), self._turned
        if now - before > self._limit:
            self._gaps.append(_Gap(before, now - before))
        self._turned = now
        self._timer = loop.call_later(self._limit / _BEATS, self._beat, loop)

    def _watch(self, loop: asyncio.AbstractEventLoop, watched: int) -> None:
        """See, in the thread, whether it does."""
        pause, told, still = self._limit / 2, 0.0, False
        while True:
            began = clock.monotonic()
            if self._stopped.wait(pause) or loop.is_closed():
                return
            now, turned = clock.monotonic(), self._turned
            over = bool(self._gaps)
            gap = self._gaps[0] if over else _Gap(turned, now - turned)
            if gap.seconds > self._limit and gap.since != told:
                still = now - began - pause > self._limit
                if still:
                    # We too woke up late. The thread that held the interpreter, if one did, has just let go of it, so
                    # that it still is where it was.
                    _log.warning(_STILL, gap.seconds, _stack(watched))
                elif not over:
                    _log.warning(_BLOCKED, gap.seconds, _stack(watched))
                told = gap.since
            while self._gaps:
                gap = self._gaps.popleft()
                if not still or gap.since != told:
                    _log.warning(_OVER, gap.seconds)
                if self._metrics is not None:
                    self._metrics.stalled(gap.seconds)


def _stack(thread: int) -> str:
    """What a thread does now, the innermost call last."""
    frame = sys._current_frames().get(thread)
    return "".join(traceback.format_stack(frame)[-_FRAMES:]).rstrip() if frame is not None else "(it has ended)"
