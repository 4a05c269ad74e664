"""Work that comes in steps, done at one go."""

from collections.abc import Generator
from typing import TypeVar

__all__ = ["done"]

T = TypeVar("T")


def done(steps: Generator[None, None, T]) -> T:
    """What it gives in the end."""
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            result: T = ended.value
            return result
