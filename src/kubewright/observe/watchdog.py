"""The watchdog: says in the log when and where the event loop is blocked, and afterwards for how long.

A reconciler that computes for seconds, or calls something synchronous, stops everything: watches, renewals of the
lease, health. The loop cannot say so itself, so this is one of the two kinds of thread there are (the other runs
synchronous user code). It asks the loop to answer and, when no answer comes within the limit, looks at what the loop's
thread is doing.

    with Watchdog(limit=0.5, metrics=metrics.loop):
        ...

Whatever blocks for longer than the limit and half of it again is found. If the whole process stood still (it was
stopped, or C code did not let other threads run) that is said instead. Under virtual time (a loop with a `wall` method)
there is nothing to find and no thread.
"""

import asyncio
import logging
import sys
import threading
import traceback
from types import TracebackType
from typing import Final, Self

from kubewright import clock
from kubewright.observe.metrics import LoopMetrics

__all__ = ["Watchdog"]

_log = logging.getLogger("kubewright.watchdog")

#: Frames of the stack that are said: what blocks is the innermost, and whose code called it is near.
_FRAMES: Final = 12
_BLOCKED: Final = "The event loop is blocked for %.1f seconds already, here:\n%s"
_STILL: Final = (
    "Nothing in this process ran for %.1f seconds: it was stopped, had no CPU time, or kept the interpreter to itself, "
    "here:\n%s"
)


class Watchdog:
    """Watches the running loop, from `start` to `stop`."""

    def __init__(self, limit: float = 0.5, metrics: LoopMetrics | None = None) -> None:
        self._limit = limit
        self._metrics = metrics
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to watch the loop that runs here."""
        loop = asyncio.get_running_loop()
        if self._thread is not None or hasattr(loop, "wall"):
            return
        self._stopped.clear()
        watched = threading.get_ident()
        self._thread = threading.Thread(target=self._watch, args=(loop, watched), name="watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch no more; the thread ends by itself, at once."""
        self._stopped.set()
        self._thread = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.stop()

    def _watch(self, loop: asyncio.AbstractEventLoop, watched: int) -> None:
        stopped, pause = self._stopped, self._limit / 2
        while True:
            began = clock.monotonic()
            if stopped.wait(pause):
                return
            asked = clock.monotonic()
            missed = asked - began - pause
            if missed > self._limit:
                # We too woke up late. The thread that held the interpreter, if one did, has just let go of it, so that
                # it still is where it was.
                _log.warning(_STILL, missed, _stack(watched))
                self._count(missed)
            turned = threading.Event()
            try:
                loop.call_soon_threadsafe(turned.set)
            except RuntimeError:  # the loop is closed
                return
            if turned.wait(self._limit):
                continue
            _log.warning(_BLOCKED, clock.monotonic() - asked, _stack(watched))
            while not turned.wait(self._limit):
                if stopped.is_set() or loop.is_closed():
                    return
            seconds = clock.monotonic() - asked
            _log.warning("The event loop was blocked for %.1f seconds; what takes long belongs into a thread", seconds)
            self._count(seconds)

    def _count(self, seconds: float) -> None:
        if self._metrics is not None:
            self._metrics.stalled(seconds)


def _stack(thread: int) -> str:
    """What a thread does now, the innermost call last."""
    frame = sys._current_frames().get(thread)
    return "".join(traceback.format_stack(frame)[-_FRAMES:]).rstrip() if frame is not None else "(it has ended)"
