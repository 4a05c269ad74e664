"""Work that comes in steps: a generator that yields between them, and returns what came of it.

Who has time does it at one go (`finish`); who serves others meanwhile lets them go first wherever it yields.

Other work pauses: it yields None after every ten microseconds or so, among the things that it finds, if it finds any.
Of so many pauses a step is made (`gathered`, `thinned`).
"""

from collections.abc import Generator, Iterable
from typing import Final, TypeVar

__all__ = ["RULE", "counted", "finish", "gathered", "thinned"]

T = TypeVar("T")

#: What to compile a rule in CEL amounts to.
RULE: Final = (None,) * 40
#: So many pauses are a step of a millisecond, more or less.
_STEP: Final = 50


def finish(steps: Generator[None, None, T]) -> T:
    """Do it at one go; what came of it."""
    return counted(steps)[0]


def gathered(found: Iterable[T | None]) -> Generator[None, None, list[T]]:
    """All that work finds which pauses, in steps."""
    things: list[T] = []
    pauses = 0
    for thing in found:
        if thing is not None:
            things.append(thing)
            continue
        pauses += 1
        if pauses == _STEP:
            yield
            pauses = 0
    return things


def thinned(work: Generator[None, None, T]) -> Generator[None, None, T]:
    """Work that pauses, in steps."""
    pauses = 0
    while True:
        try:
            next(work)
        except StopIteration as ended:
            result: T = ended.value
            return result
        pauses += 1
        if pauses == _STEP:
            yield
            pauses = 0


def counted(steps: Generator[None, None, T]) -> tuple[T, int]:
    """The same, and how often it yielded."""
    count = 0
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            return ended.value, count
        count += 1
