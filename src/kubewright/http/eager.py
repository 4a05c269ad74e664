"""Run a coroutine at once, and make a task of it only if it has to wait.

Most requests are answered from memory: their handler never waits, and a task for it would cost as much as the rest of
the server does. So the first step runs right here; if the coroutine ends in it, that was all, and otherwise what is
left of it becomes a task. (Python 3.12 has eager tasks, which spare the turn of the loop but not the task.)

While the first step runs there is no task yet, but code may ask for it: `asyncio.timeout` and `TaskGroup` remember the
current task in order to cancel it. They get a `Standin`, which passes everything on to the task once there is one.
"""

import asyncio
from asyncio import tasks
from collections.abc import Coroutine, Generator
from contextvars import Context, copy_context
from typing import Any, cast

__all__ = ["begin"]

_enter = tasks._enter_task  # documented for those who drive coroutines themselves
_leave = tasks._leave_task


def begin(coroutine: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop) -> asyncio.Task[None] | None:
    """Run `coroutine` until it ends or waits; the task of the rest, if there is one."""
    standin = Standin()
    try:
        _enter(loop, cast("asyncio.Task[Any]", standin))
    except RuntimeError:  # called from inside a task, and one does not run inside another
        return loop.create_task(coroutine)
    context = copy_context()
    try:
        waits_for = context.run(coroutine.send, None)
    except (StopIteration, asyncio.CancelledError):  # ended, as a task ends that is cancelled: without a noise
        return None
    finally:
        _leave(loop, cast("asyncio.Task[Any]", standin))
    return standin.become(Rest(coroutine, waits_for), loop, context)


class Standin:
    """What the first step takes for its task."""

    __slots__ = ("_cancelled", "_task")

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._cancelled = 0

    def become(
        self, rest: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop, context: Context
    ) -> asyncio.Task[None]:
        """Make the task."""
        task = self._task = loop.create_task(rest, context=context)
        for _ in range(self._cancelled):
            task.cancel()
        return task

    def cancel(self, msg: object = None) -> bool:
        """Cancel what runs: the task, or as soon as there is one."""
        if self._task is not None:
            return self._task.cancel(msg)
        self._cancelled += 1
        return True

    def cancelling(self) -> int:
        """How often it was cancelled, less what was taken back."""
        return self._task.cancelling() if self._task is not None else self._cancelled

    def uncancel(self) -> int:
        """Take a cancellation back."""
        if self._task is not None:
            return self._task.uncancel()
        self._cancelled = max(0, self._cancelled - 1)
        return self._cancelled

    def done(self) -> bool:
        """Whether it has ended: not in its first step."""
        return self._task is not None and self._task.done()

    def __getattr__(self, name: str) -> Any:
        if self._task is None:
            raise AttributeError(f"a request's first step has no {name}: it is no task yet")
        return getattr(self._task, name)


class Rest(Coroutine[Any, Any, None]):
    """A coroutine that has begun: it first says once more what it waits for, to the task that drives it now."""

    __slots__ = ("_coroutine", "_told", "_waits_for")

    def __init__(self, coroutine: Coroutine[Any, Any, None], waits_for: object) -> None:
        self._coroutine = coroutine
        self._waits_for = waits_for
        self._told = False

    def send(self, value: Any) -> Any:
        """Go on."""
        if not self._told:
            self._told = True
            return self._waits_for
        return self._coroutine.send(value)

    def throw(self, *error: Any) -> Any:
        """Go on with an error: a task that is cancelled before its first step begins here."""
        if not self._told:
            self._told = True
            if isinstance(self._waits_for, asyncio.Future):
                self._waits_for._asyncio_future_blocking = False
                self._waits_for.cancel()
        return self._coroutine.throw(*error)

    def close(self) -> None:
        """End it."""
        self._coroutine.close()

    def __await__(self) -> Generator[Any, None, None]:
        raise TypeError("this is run by a task, not awaited")
