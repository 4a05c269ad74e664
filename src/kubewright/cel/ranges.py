"""Arithmetic with bounds: a range is the least and the most that a size or a cost can be.

Numbers are those of 64 bits without sign: what would be larger is the largest of them, which also stands for unknown.
"""

from math import ceil
from typing import TypeAlias

__all__ = ["LARGEST", "UNKNOWN", "Range", "add", "exactly", "multiply", "scale", "union"]

Range: TypeAlias = tuple[int, int]

LARGEST = (1 << 64) - 1
UNKNOWN: Range = (0, LARGEST)


def exactly(number: int) -> Range:
    """No doubt about it."""
    return number, number


def add(one: Range, other: Range) -> Range:
    """The sum."""
    return min(one[0] + other[0], LARGEST), min(one[1] + other[1], LARGEST)


def multiply(one: Range, other: Range) -> Range:
    """The product."""
    return min(one[0] * other[0], LARGEST), min(one[1] * other[1], LARGEST)


def scale(one: Range, factor: float) -> Range:
    """Times a factor, rounded up."""
    return _scaled(one[0], factor), _scaled(one[1], factor)


def union(one: Range, other: Range) -> Range:
    """What holds both."""
    return min(one[0], other[0]), max(one[1], other[1])


def _scaled(number: int, factor: float) -> int:
    return min(ceil(float(number) * factor), LARGEST)
