"""Synchronous functions beside the loop: how they are called, and how they wait for what only the loop can do.

A synchronous reconciler runs in a thread, so that it may block without holding up anybody. What it asks of its context
is a coroutine, which runs in the loop meanwhile. Nobody can stop a thread, so none keeps the program from ending: each
call has one of its own, and it is not waited for when Python ends (the threads of a pool are). One that nobody waits
for any more, because its future was cancelled, is refused whatever it asks of the loop: that is how it is told.

In simulated time (a loop with a `wall` method) threads would make the order of things a matter of luck. There the
function has a thread as well, for a stack of its own, but it and the loop take turns: the loop stands still while the
function runs, and no time passes; while the function waits, the loop goes on, and time with it. So every run is the
same, and what an asynchronous reconciler can be tried with, a synchronous one can. Only what waits by itself, as
`time.sleep` does, or asks a socket, waits in the time of the day.
"""

import asyncio
import concurrent.futures
import contextlib
import contextvars
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

__all__ = ["Bridge", "Ended", "call"]

T = TypeVar("T")
#: What a function returned, and what it raised if it did.
Ended = tuple[Any, BaseException | None]

_REFUSED = "nobody waits for this reconcile any more, so nothing more is done for it"
#: Names of threads: of those that run beside the loop, and of those that take turns with it.
_BESIDE, _IN_TURNS = "kubewright-beside", "kubewright-in-turns"


class Bridge(Protocol):
    """The way from a synchronous function to the loop."""

    def wait(self, coming: Coroutine[Any, Any, T]) -> T:
        """Have the loop run it; what came of it."""


def call(function: Callable[[Bridge], Any]) -> "asyncio.Future[Ended]":
    """Call a synchronous function beside the running loop; the future is done when it has ended."""
    loop = asyncio.get_running_loop()
    run = contextvars.copy_context().run
    if hasattr(loop, "wall"):
        return loop.create_task(_alternate(lambda bridge: run(_ended, function, bridge)))
    return _beside(loop, lambda bridge: run(_ended, function, bridge))


def _ended(function: Callable[[Bridge], Any], bridge: Bridge) -> Ended:
    try:
        return function(bridge), None
    except BaseException as error:  # noqa: BLE001 - whoever waits for it decides
        return None, error


def _beside(loop: asyncio.AbstractEventLoop, function: "Callable[[_Threads], Ended]") -> "asyncio.Future[Ended]":
    future: asyncio.Future[Ended] = loop.create_future()

    def settle(ended: Ended) -> None:
        if not future.done():
            future.set_result(ended)

    threads = _Threads(loop)
    future.add_done_callback(lambda done: threads.give_up() if done.cancelled() else None)

    def work() -> None:
        ended = function(threads)
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, ended)

    threading.Thread(target=work, name=_BESIDE, daemon=True).start()
    return future


class _Threads:
    """To a loop that goes on meanwhile."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._over = False
        self._under_way: set[concurrent.futures.Future[Any]] = set()

    def wait(self, coming: Coroutine[Any, Any, T]) -> T:
        if self._over:
            coming.close()
            raise asyncio.CancelledError(_REFUSED)
        future = asyncio.run_coroutine_threadsafe(coming, self._loop)
        self._under_way.add(future)
        if self._over:  # since it was looked at
            future.cancel()
        try:
            return future.result()
        except concurrent.futures.CancelledError as error:
            raise asyncio.CancelledError(_REFUSED if self._over else "") from error
        finally:
            self._under_way.discard(future)

    def give_up(self) -> None:
        """In the loop: do nothing more for the function."""
        self._over = True
        for future in tuple(self._under_way):
            future.cancel()


async def _alternate(function: "Callable[[_Turns], Ended]") -> Ended:
    turns = _Turns(function)
    cancelled = False
    asked = turns.take(None, None)
    while asked is not None:
        try:
            if cancelled:
                asked.close()
                raise asyncio.CancelledError(_REFUSED)
            answer: Ended = await asked, None
        except BaseException as error:  # noqa: BLE001 - it is the function's to handle
            answer = None, error
            cancelled = cancelled or isinstance(error, asyncio.CancelledError)
        asked = turns.take(*answer)
    if cancelled:
        raise asyncio.CancelledError
    return turns.ended


class _Turns:
    """To a loop that stands still unless the function waits: of the two threads one runs."""

    def __init__(self, function: "Callable[[_Turns], Ended]") -> None:
        self._function = function
        self._loop = asyncio.get_running_loop()
        self._ours, self._theirs = threading.Semaphore(0), threading.Semaphore(0)
        self._asked: Coroutine[Any, Any, Any] | None = None
        self._answer: Ended = None, None
        self.ended: Ended = None, None
        self._thread = threading.Thread(target=self._run, name=_IN_TURNS, daemon=True)

    def take(self, value: Any, error: BaseException | None) -> Coroutine[Any, Any, Any] | None:
        """In the loop: let the function run until it asks for something; None: it has ended."""
        self._answer, self._asked = (value, error), None
        if self._thread.ident is None:
            self._thread.start()
        else:
            self._theirs.release()
        self._ours.acquire()
        if self._asked is None:
            self._thread.join()
        return self._asked

    def wait(self, coming: Coroutine[Any, Any, T]) -> T:
        self._asked = coming
        self._ours.release()
        self._theirs.acquire()
        value, error = self._answer
        if error is not None:
            raise error
        return value  # type: ignore[no-any-return]

    def _run(self) -> None:
        # So that the time that the function reads is the simulated one.
        asyncio._set_running_loop(self._loop)
        self.ended = self._function(self)
        self._ours.release()
