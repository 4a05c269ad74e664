"""The watchdog: says in the log when and where the event loop is blocked, and afterwards for how long.

A reconciler that computes for seconds, or calls something synchronous, stops everything: watches, renewals of the
lease, health. The loop cannot say so itself, so this is one of the two kinds of thread there are (the other runs
synchronous user code). The thread looks, twice within the limit, at what the loop's thread is doing:

    RESTS ──at work──► ASKED ──answered──► RESTS or ASKED anew; told if that took longer than the limit
      ▲                  └──not answered within the limit──► told, once, with the place
      └── waits for something to happen: a loop that has nothing to do is not woken for our sake

    with Watchdog(limit=0.5, metrics=metrics.loop):
        ...

Whatever blocks for longer than the limit is told; for how long, to within the time between two looks, and never as
less. If the whole process stood still (it was stopped, or C code did not let other threads run) that is said instead.
Under virtual time (a loop with a `wall` method) there is nothing to find and no thread.
"""

import asyncio
import contextlib
import logging
import selectors
import sys
import threading
import traceback
from types import CodeType, FrameType, TracebackType
from typing import Final, Self

from kubewright import clock
from kubewright.observe.metrics import LoopMetrics

__all__ = ["Watchdog"]

_log = logging.getLogger("kubewright.watchdog")

#: Frames of the stack that are said: what blocks is the innermost, and whose code called it is near.
_FRAMES: Final = 12
#: How often the thread looks within the limit; to wake up for it costs more than the look.
_LOOKS: Final = 2
_BLOCKED: Final = "The event loop is blocked for %.1f seconds already, here:\n%s"
_STILL: Final = (
    "Nothing in this process ran for %.1f seconds: it was stopped, had no CPU time, or kept the interpreter to itself, "
    "here:\n%s"
)
_OVER: Final = "The event loop was blocked for %.1f seconds; what takes long belongs into a thread"
#: Where a loop of Python's own waits, and from where it calls what is to be done.
_SELECTS: Final = frozenset(
    getattr(selectors, name).select.__code__
    for name in ("SelectSelector", "PollSelector", "EpollSelector", "DevpollSelector", "KqueueSelector")
    if hasattr(selectors, name)
)
_CALLS: Final = asyncio.Handle._run.__code__


class Watchdog:
    """Watches the running loop, from `start` to `stop`."""

    def __init__(self, limit: float = 0.5, metrics: LoopMetrics | None = None) -> None:
        self._limit = limit
        self._metrics = metrics
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        #: When the loop last answered, and from where it was called to.
        self._turned = 0.0
        self._caller: CodeType | None = None

    def start(self) -> None:
        """Begin to watch the loop that runs here."""
        loop = asyncio.get_running_loop()
        if self._thread is not None or hasattr(loop, "wall"):
            return
        self._stopped.clear()
        watched, now = threading.get_ident(), clock.monotonic()
        self._thread = threading.Thread(target=self._watch, args=(loop, watched, now), name="watchdog", daemon=True)
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
        self._caller = sys._getframe(1).f_code

    def _watch(self, loop: asyncio.AbstractEventLoop, watched: int, since: float) -> None:
        """See, in the thread, whether the loop turns; `since` is when it last did for certain."""
        pause = self._limit / _LOOKS
        asked: float | None = None
        told = False
        while True:
            began = clock.monotonic()
            if self._stopped.wait(pause) or loop.is_closed():
                return
            now, frame = clock.monotonic(), sys._current_frames().get(watched)
            if now - began - pause > self._limit:
                # We too woke up late. The thread that held the interpreter, if one did, has just let go of it, so that
                # it still is where it was.
                _log.warning(_STILL, now - since, _stack(frame))
                self._count(now - since)
                since = now
            if asked is not None:
                if self._turned >= asked:
                    if self._turned - since > self._limit:
                        _log.warning(_OVER, self._turned - since)
                        self._count(self._turned - since)
                    since, asked, told = max(since, self._turned), None, False
                elif now - since > self._limit and not told:
                    _log.warning(_BLOCKED, now - since, _stack(frame))
                    told = True
            if asked is None:
                if self._rests(frame):
                    since = now
                else:
                    asked = now
                    with contextlib.suppress(RuntimeError):  # it is closed, which is seen next time
                        loop.call_soon_threadsafe(self._turn)

    def _rests(self, frame: FrameType | None) -> bool:
        """Whether a loop whose thread is there has nothing to do: uvloop then is where it is called from."""
        if frame is None:
            return False
        return frame.f_code in _SELECTS or (frame.f_code is self._caller and self._caller is not _CALLS)

    def _count(self, seconds: float) -> None:
        if self._metrics is not None:
            self._metrics.stalled(seconds)


def _stack(frame: FrameType | None) -> str:
    """What a thread does that is there, the innermost call last."""
    return "".join(traceback.format_stack(frame)[-_FRAMES:]).rstrip() if frame is not None else "(it has ended)"
