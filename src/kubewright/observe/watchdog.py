"""The watchdog: says in the log when and where the event loop is blocked, and afterwards for how long.

A reconciler that computes for seconds, or calls something synchronous, stops everything: watches, renewals of the
lease, health. The loop cannot say so itself, so this is one of the two kinds of thread there are (the other runs
synchronous user code). Twice within the limit the thread asks the loop for a sign of life:

    ASKED ──answered──► ASKED anew; told if that took longer than the limit
      └──not answered within the limit──► told, once, with the place

    with Watchdog(limit=0.5, metrics=metrics.loop):
        ...

What blocks begins somewhere between an answer and the next question, and half way between them is where it is counted
from: so for how long is told to within a quarter of the limit, and what is told is longer than the limit to within as
much. If the whole process stood still (it was stopped, or C code did not let other threads run) that is said instead.
Under virtual time (a loop with a `wall` method) there is nothing to find and no thread.
"""

import asyncio
import contextlib
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
#: How often the loop is asked within the limit. A process that rests is woken by it, which costs more than the answer.
_TIMES: Final = 2
_BLOCKED: Final = "The event loop is blocked for %.1f seconds already, here:\n%s"
_STILL: Final = (
    "Hardly anything in this process ran for %.1f seconds: it was stopped, had no CPU time, or kept the interpreter to "
    "itself, here:\n%s"
)
_OVER: Final = "The event loop was blocked for %.1f seconds; what takes long belongs into a thread"


class Watchdog:
    """Watches the running loop, from `start` to `stop`."""

    def __init__(self, limit: float = 0.5, metrics: LoopMetrics | None = None) -> None:
        self._limit = limit
        self._metrics = metrics
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        #: When the loop last answered.
        self._turned = 0.0

    def start(self) -> None:
        """Begin to watch the loop that runs here."""
        loop = asyncio.get_running_loop()
        if self._thread is not None or hasattr(loop, "wall"):
            return
        self._stopped.clear()
        self._turned = clock.monotonic()
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

    def _turn(self) -> None:
        """Answer, in the loop."""
        self._turned = clock.monotonic()

    def _watch(self, loop: asyncio.AbstractEventLoop, watched: int) -> None:
        """Ask, in the thread, and see what is answered."""
        pause, limit = self._limit / _TIMES, self._limit
        answered = asked = self._turned
        told = False
        while True:
            began = clock.monotonic()
            if self._stopped.wait(pause) or loop.is_closed():
                return
            now = clock.monotonic()
            if now - began - pause > limit:
                # We too woke up late. The thread that held the interpreter, if one did, has just let go of it, so that
                # it still is where it was.
                self._tell(_STILL, now - began - pause / 2, _stack(watched))
                answered = asked = now
            elif self._turned < asked:
                seconds = now - (answered + asked) / 2
                if seconds > limit and not told:
                    _log.warning(_BLOCKED, seconds, _stack(watched))
                    told = True
                continue
            else:
                seconds = self._turned - (answered + asked) / 2
                if seconds > limit:
                    self._tell(_OVER, seconds)
                answered, asked = self._turned, now
            told = False
            with contextlib.suppress(RuntimeError):  # it is closed, which is seen next time
                loop.call_soon_threadsafe(self._turn)

    def _tell(self, text: str, seconds: float, *more: str) -> None:
        _log.warning(text, seconds, *more)
        if self._metrics is not None:
            self._metrics.stalled(seconds)


def _stack(thread: int) -> str:
    """What a thread does now, the innermost call last."""
    frame = sys._current_frames().get(thread)
    return "".join(traceback.format_stack(frame)[-_FRAMES:]).rstrip() if frame is not None else "(it has ended)"
