"""Completion indexes as a Job's status has them: `0,2-4,7`. Pure.

A Job may have a hundred thousand of them, so a set is kept as the intervals that it is made of.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Indexes"]


@dataclass(frozen=True)
class Indexes:
    """A set of numbers from 0 up; `intervals` are first and last, in order, with a gap between any two."""

    intervals: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, numbers: Iterable[int]) -> "Indexes":
        """These numbers."""
        return cls._joined((number, number) for number in numbers)

    @classmethod
    def parse(cls, text: str | None, below: int) -> "Indexes":
        """What is written, without what is not below that number; what cannot be read is left out."""
        found = []
        for part in (text or "").split(","):
            first, _, last = part.partition("-")
            if first.isdigit() and (last or first).isdigit() and int(first) < below:
                found.append((int(first), min(int(last or first), below - 1)))
        return cls._joined(found)

    @classmethod
    def _joined(cls, intervals: Iterable[tuple[int, int]]) -> "Indexes":
        joined: list[tuple[int, int]] = []
        for first, last in sorted(intervals):
            if joined and first <= joined[-1][1] + 1:
                joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
            else:
                joined.append((first, last))
        return cls(tuple(joined))

    def __or__(self, other: "Indexes") -> "Indexes":
        return self._joined((*self.intervals, *other.intervals))

    def __contains__(self, number: int) -> bool:
        place = bisect_right(self.intervals, (number, float("inf")))
        return place > 0 and number <= self.intervals[place - 1][1]

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.intervals)

    def common(self, other: "Indexes") -> int:
        """How many numbers are in both."""
        return len(self) + len(other) - len(self | other)

    def missing(self, count: int, below: int) -> list[int]:
        """The first so many numbers below a limit that are not here."""
        found: list[int] = []
        candidate = 0
        for first, last in (*self.intervals, (below, below)):
            found.extend(range(candidate, min(first, below, candidate + count - len(found))))
            candidate = max(candidate, last + 1)
        return found

    def __str__(self) -> str:
        """As the status has it: two neighbours are written as two, more as a range."""
        return ",".join(
            str(first) if first == last else f"{first}{',' if last == first + 1 else '-'}{last}"
            for first, last in self.intervals
        )
