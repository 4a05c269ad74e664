"""The time that work on a key may take, and what goes on past it.

A coroutine is cancelled at its limit. It may tidy up for a while; but it may as well take that for something else and
go on. A thread cannot be stopped at all. Until such work ends by itself nobody else may work on its key: that is said
in the log, and `problem` tells it as long as it lasts.
"""

import asyncio
import logging
import traceback
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, Final, TypeVar

from kubewright.cache import Key
from kubewright.controller.bridge import Ended
from kubewright.controller.outcome import TimeLimitError
from kubewright.http import TimeLimit, TimeLimits

__all__ = ["Limit"]

T = TypeVar("T")

_log = logging.getLogger(__name__)

#: Seconds that work which was cancelled has for tidying up before it is said that it does not end.
_TIDYING: Final = 10.0


class Limit:
    """So many seconds for each key; None is no limit. `where` is whose work it is, for the reader."""

    def __init__(self, where: str, seconds: float | None) -> None:
        self._where = where
        self._seconds = seconds
        self._limits: TimeLimits = TimeLimits(seconds, self._expired)
        #: The keys that are worked on past the limit.
        self._overdue: dict[Key, None] = {}

    async def awaited(self, key: Key, work: Awaitable[T]) -> T:
        """What comes of work in the loop; `TimeLimitError` if that takes too long."""
        timer = self._limits.start(key)
        try:
            with timer:
                made = await work
        except TimeoutError as error:
            if not timer.expired:
                raise
            raise self._too_long(_place(error.__cause__)) from error
        finally:
            if timer.expired:
                self._overdue.pop(key, None)
        if timer.expired:  # it took its cancellation for something else, and ended as it would have
            raise self._too_long()
        return made

    async def threaded(self, key: Key, work: "asyncio.Future[Ended]") -> Any:
        """The same for what `bridge.call` has begun."""
        try:
            return await self._threaded(key, work)
        except asyncio.CancelledError:
            work.cancel()  # nobody waits for it now, and it is told so
            raise

    async def _threaded(self, key: Key, work: "asyncio.Future[Ended]") -> Any:
        done, _ = await asyncio.wait({work}, timeout=self._seconds)
        if done:
            returned, raised = work.result()
            if raised is not None:
                raise raised
            return returned
        self._show(key, " in a thread, which cannot be stopped")
        try:
            await asyncio.wait({work})
        finally:
            del self._overdue[key]
        raise self._too_long()

    def problem(self) -> str | None:
        """What is past the limit and goes on, in a sentence."""
        if not self._overdue:
            return None
        keys = ", ".join(map(str, list(self._overdue)[:3]))
        more = f" and {len(self._overdue) - 3} more" if len(self._overdue) > 3 else ""
        return f"{self._where}: past the limit of {self._seconds:g} s and not ended: {keys}{more}"

    def _expired(self, limit: TimeLimit) -> None:
        asyncio.get_running_loop().call_later(_TIDYING, self._look_after, limit)

    def _look_after(self, limit: TimeLimit) -> None:
        if limit.running:
            key = limit.about
            assert isinstance(key, Key)
            hint = " Whoever catches CancelledError, or everything, has to raise it again."
            self._show(key, ", and goes on though it was cancelled", hint)

    def _show(self, key: Key, how: str, hint: str = "") -> None:
        self._overdue[key] = None
        _log.error(
            "%s is past its limit of %s s%s; %s stays locked until it ends.%s",
            self._where,
            self._seconds,
            how,
            key,
            hint,
        )

    def _too_long(self, place: str = "") -> TimeLimitError:
        return TimeLimitError(
            f"{self._where} took longer than its limit of {self._seconds:g} s{place}; "
            "wait for less at once, and return kw.Requeue(after=…)."
        )


def _place(cancelled: BaseException | None) -> str:
    """Where the work waited when it was cancelled: the innermost line that is the user's own."""
    trace = cancelled.__traceback__ if cancelled is not None else None
    calls = traceback.extract_tb(trace)[1:]  # the first is ours, which awaited it
    if not calls:
        return ""
    home = Path(calls[0].filename).parent
    call = next((each for each in reversed(calls) if _is_below(Path(each.filename), home)), calls[0])
    return f", waiting at {call.filename}:{call.lineno} in {call.name}"


def _is_below(path: Path, home: Path) -> bool:
    """Whether a file belongs to a program: it lies below its folder, and not in an environment there."""
    if not path.is_relative_to(home):
        return False
    return not any(part == "site-packages" or part.startswith("python3") for part in path.relative_to(home).parts)
