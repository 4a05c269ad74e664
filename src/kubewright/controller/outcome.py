"""How a reconcile ends, and what follows from it.

| the function                     | the key                                        | counted as      |
|----------------------------------|------------------------------------------------|-----------------|
| returns None                     | waits for the next change                      | `success`       |
| returns `Requeue(after=30)`      | comes again in 30 s                            | `requeue_after` |
| returns `Requeue()`              | comes again after its back-off                 | `requeue`       |
| returns or raises `Retry(after=5)` | comes again in 5 s, and this counts as a failure | `error`     |
| raises `Terminal("why")`         | waits for the next change                      | `error`         |
| raises anything else             | comes again after its back-off                 | `error`         |

A time of 0 is none. `Retry` without a time is the back-off, without the traceback. Status is written in every case.

Anything else is anything, a `SystemExit` or a `CancelledError` of the function's own as well: what one reconciler
raises ends nobody else's work. Only `KeyboardInterrupt`, and that we are cancelled ourselves, is no outcome.

A group of errors, as a TaskGroup raises it, is terminal if all its members are; else it is tried again when the first
of them is.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kubewright.cache.trouble import is_end
from kubewright.errors import KubewrightError, called

__all__ = [
    "MisfitError",
    "NonsenseError",
    "Outcome",
    "Requeue",
    "Retry",
    "Terminal",
    "TimeLimitError",
    "judge",
    "judge_error",
    "leaves",
]


def _seconds(name: str, after: object) -> float:
    try:
        seconds = float(after) if isinstance(after, int | float) and not isinstance(after, bool) else math.nan
    except OverflowError:
        seconds = math.inf
    if not (math.isfinite(seconds) and seconds >= 0):
        raise NonsenseError(f"{name}(after={after!r:.40}): the seconds until the next run are a number, 0 or more.")
    return seconds


class NonsenseError(KubewrightError):
    """A reconciler gave back what means nothing."""


@dataclass(frozen=True)
class Requeue:
    """All is well, and it shall be looked at again in `after` seconds, or after the back-off if none are given.

    The back-off begins with milliseconds and doubles: who says so time after time asks less and less often. So it does
    with 0 seconds, which mean no time of one's own, and neither never nor as often as one can.
    """

    after: float | None = None

    def __post_init__(self) -> None:
        if self.after is not None:
            object.__setattr__(self, "after", _seconds("Requeue", self.after))


class Retry(Exception):
    """Something is not there yet: come again in `after` seconds, or after the back-off if none are given."""

    def __init__(self, message: str = "", *, after: float | None = None) -> None:
        if not isinstance(message, str):
            raise NonsenseError(f"Retry({message!r:.40}): its message is a text; seconds are given as Retry(after=…).")
        super().__init__(message or "it is to be tried again")
        self.after = None if after is None else _seconds("Retry", after)


class Terminal(Exception):
    """It fails, and trying again will not help before the object changes."""


class MisfitError(Terminal):
    """The object does not fit its type, which the cache has told when it was read."""


class TimeLimitError(KubewrightError):
    """A reconcile was past its time limit."""


class Outcome:
    """What becomes of the key: `error` if it failed, `after` if it shall come again at a time of its own.

    `again`: it did not fail, and comes again after its back-off.
    """

    __slots__ = ("after", "again", "error", "terminal")

    def __init__(
        self,
        error: BaseException | None = None,
        after: float | None = None,
        *,
        terminal: bool = False,
        again: bool = False,
    ) -> None:
        self.error = error
        self.after = after
        self.terminal = terminal
        self.again = again

    @property
    def done(self) -> bool:
        """Whether it went well and nothing is left to do."""
        return self.error is None and self.after is None and not self.again


_DONE = Outcome()


def judge(returned: Any, where: str) -> Outcome:
    """What a value means that a reconciler returned."""
    if returned is None:
        return _DONE
    if isinstance(returned, Requeue):
        return Outcome(after=returned.after or None, again=not returned.after)
    if isinstance(returned, Exception):  # returned or raised, it is the same
        return judge_error(returned)
    return Outcome(
        NonsenseError(f"{where} returned {called(returned)}: a reconciler returns None, kw.Requeue(…) or kw.Retry(…).")
    )


def judge_error(error: BaseException) -> Outcome:
    """What it means that a reconciler raised. What is no outcome but our own end is raised again."""
    if isinstance(error, BaseExceptionGroup):
        return _judge_group(error)
    if isinstance(error, Retry):
        return Outcome(error, error.after or None)
    if not isinstance(error, Exception) and is_end(error):
        raise error
    return Outcome(error, terminal=isinstance(error, Terminal))


def leaves(error: BaseException) -> Iterator[BaseException]:
    """What a group is a group of, however deep; an error by itself is the only one."""
    if not isinstance(error, BaseExceptionGroup):
        yield error
        return
    for each in error.exceptions:
        yield from leaves(each)


def _judge_group(group: BaseExceptionGroup[BaseException]) -> Outcome:
    """That of the one that is to be tried again first, as a TaskGroup raises them; of a surprise, the whole group."""
    outcomes = [judge_error(each) for each in leaves(group)]
    if not all(isinstance(each.error, Retry | Terminal | KubewrightError) for each in outcomes):
        return Outcome(group)
    return min(outcomes, key=lambda each: (each.terminal, each.after or 0.0))
