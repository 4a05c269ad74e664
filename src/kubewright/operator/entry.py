"""An operator as a program: what belongs to the whole process, and only here.

Signals: the first SIGTERM or SIGINT stops it in good order, a second one at once, and so does the first while there
is nothing to bring to an end yet; a third one ends the process without asking it, even if its loop is blocked. What
takes its cancellation for something else and goes on keeps no program from ending. The loop is uvloop's where there is
one. The garbage collector is told, once the caches are complete, that what is there now stays: it would otherwise go
through every object again and again.
"""

import asyncio
import gc
import inspect
import logging
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from types import FrameType
from typing import Final

from kubewright.client.api import Api
from kubewright.controller.declaration import WiringError
from kubewright.model.codec import prepare
from kubewright.model.model import Model
from kubewright.operator.operator import Operator
from kubewright.operator.running import Running

__all__ = ["run_operator"]

_log = logging.getLogger(__name__)

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
#: Seconds for what is cancelled at the very end.
_TIDYING: Final = 1.0


def run_operator(
    app: Operator,
    connect: Callable[[], AbstractAsyncContextManager[Api]] = Api.connect,
    begun: Callable[[], None] = lambda: None,
) -> None:
    """Run an operator until a signal comes, on what `connect` leads to; raises what it fails with.

    `begun` is called once it runs: it listens where it shall, and its caches have begun to fill.
    `KeyboardInterrupt` is raised where a signal did not leave it the time to end in good order.
    """
    if asyncio._get_running_loop() is not None:
        raise WiringError("a loop runs here already: run the operator in it, by `async with app.running(api)`.")
    work = _serve(app, connect, begun)
    handlers = {each: signal.getsignal(each) for each in _SIGNALS}
    runner = asyncio.Runner(loop_factory=_loop_factory())
    try:
        runner.run(work)
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
            work.close()  # a signal may come before it has begun, and Python would complain of it
        if _end_all(runner.get_loop()):
            runner.close()
        for each, handler in handlers.items():
            if handler is not None and threading.current_thread() is threading.main_thread():
                signal.signal(each, handler)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # not on every platform
        return None
    return uvloop.new_event_loop


def _end_all(loop: asyncio.AbstractEventLoop) -> bool:
    """End what is left to run; False if something does not, which a runner would wait for without end."""
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        _, tasks = loop.run_until_complete(asyncio.wait(tasks, timeout=_TIDYING))
    if tasks:
        names = ", ".join(sorted(task.get_name() for task in tasks))
        _log.error("What was cancelled goes on, and is left behind: %s", names)
    return not tasks


async def _serve(
    app: Operator, connect: Callable[[], AbstractAsyncContextManager[Api]], begun: Callable[[], None]
) -> None:
    over = asyncio.Event()
    runs: Running | None = None
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    heard = 0

    def hear(number: int, frame: FrameType | None) -> None:
        """Wherever the program is; in a loop that is blocked nothing else has a turn."""
        nonlocal heard
        heard += 1
        if heard > 2:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        elif not loop.is_closed():
            loop.call_soon_threadsafe(stop, signal.Signals(number))

    def stop(number: signal.Signals) -> None:
        if runs is None or over.is_set():
            for each in _SIGNALS:
                signal.signal(each, signal.SIG_DFL)
            _log.warning("%s: stopping at once.", number.name)
            if runs is not None:
                runs.grace = 0.0  # it may not have come so far yet as to wait for what is under way
            task.cancel()
        else:
            _log.info("%s: stopping; once more stops at once.", number.name)
            over.set()

    # They stay until the loop is closed: Python's own would raise in the midst of whatever the loop does at its end.
    for number in _SIGNALS:
        loop.add_signal_handler(number, _nothing)  # it wakes the loop, whichever thread the signal comes to
        signal.signal(number, hear)
    async with connect() as api, app.running(api) as running:
        runs = running
        begun()
        tuned = asyncio.create_task(_tune(running))
        ended = asyncio.create_task(running.wait())
        signalled = asyncio.create_task(over.wait())
        try:
            await asyncio.wait({ended, signalled}, return_when=asyncio.FIRST_COMPLETED)
            if ended.done():
                ended.result()
        finally:
            for each in (tuned, ended, signalled):
                each.cancel()
            await asyncio.gather(tuned, ended, signalled, return_exceptions=True)


def _nothing() -> None:
    """All is done where the signal is heard."""


async def _tune(running: Running) -> None:
    """Have the collector leave alone what is read of types and what the caches hold, once they are complete."""
    for informer in running.informers:
        model = informer.endpoint.model
        if isinstance(model, type) and issubclass(model, Model):
            prepare(model)  # while the server is busy, and not when the first object waits
            await asyncio.sleep(0)
    for informer in running.informers:
        await informer.synced.wait()
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 1_000)  # the young are gone through in a few milliseconds, the old hardly ever
