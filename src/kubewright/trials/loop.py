"""An event loop with a clock of its own: an hour of waiting takes no time, and every run is the same.

Nothing here waits. When there is something to run, it runs, in the order in which it was scheduled; when there is not,
the clock jumps to the next timer. When there is no timer either, nothing will ever happen again, and the run ends with
`Deadlock` instead of hanging.

    run(main())                       # starts at 2000-01-01T00:00:00Z
    run(main(), start=1_700_000_000)

There are no sockets and no threads in such a run: `run_in_executor` calls the function on the spot.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from kubewright.errors import KubewrightError

__all__ = ["Deadlock", "SimulatedLoop", "run"]

T = TypeVar("T")

#: 2000-01-01T00:00:00Z.
_START = 946_684_800.0


class Deadlock(KubewrightError):
    """Every task waits for another, and no timer will wake one."""


class _Clock(selectors.BaseSelector):
    """What the loop asks for events: there never are any, but asking lets time pass."""

    def __init__(self) -> None:
        self.elapsed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Deadlock("nothing is left to run and no timer is set: every task waits for another one.")
        if timeout > 0:
            self.elapsed += timeout
        return []

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        # The loop's own wake-up pipe comes here; nobody outside this thread wakes a simulated loop.
        return selectors.SelectorKey(fileobj, -1, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return selectors.SelectorKey(fileobj, -1, 0, None)

    def get_map(self) -> dict[Any, selectors.SelectorKey]:
        return {}

    def close(self) -> None:
        pass


class SimulatedLoop(asyncio.SelectorEventLoop):
    """A loop in simulated time, which begins at `start` (seconds since 1970)."""

    def __init__(self, start: float = _START) -> None:
        self._simulated = _Clock()
        self._start = start
        super().__init__(self._simulated)

    def time(self) -> float:
        """Seconds since the run began."""
        return self._simulated.elapsed

    def wall(self) -> float:
        """The time of day, as seconds since 1970; `kubewright.clock` asks for it."""
        return self._start + self._simulated.elapsed

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> "asyncio.Future[T]":  # type: ignore[override]
        """Call the function here and now: threads would make the order of things a matter of luck."""
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001  (whatever the function raises belongs to whoever awaits it)
            future.set_exception(error)
        return future


def run(main: Coroutine[Any, Any, T], *, start: float = _START) -> T:
    """Run a coroutine to its end in simulated time; what is still running then is cancelled."""
    with asyncio.Runner(loop_factory=lambda: SimulatedLoop(start)) as runner:
        return runner.run(main)
