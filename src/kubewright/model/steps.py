"""Work that comes in steps: a generator that yields between them, and returns what came of it.

Who has time does it at one go (`finish`); who serves others meanwhile lets them go first wherever it yields.
"""

from collections.abc import Generator
from typing import TypeVar

__all__ = ["counted", "finish"]

T = TypeVar("T")


def finish(steps: Generator[None, None, T]) -> T:
    """Do it at one go; what came of it."""
    return counted(steps)[0]


def counted(steps: Generator[None, None, T]) -> tuple[T, int]:
    """The same, and how often it yielded."""
    count = 0
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            return ended.value, count
        count += 1
