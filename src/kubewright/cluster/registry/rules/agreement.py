"""What two sequences have in common, as `difflib` finds it, in steps.

The longest run that both have is looked for, then the longest before it and behind it, and so on. Each of these
searches goes through one sequence and looks up the places of its items in the other: that takes long, and others may go
first between any two items. All else is as it is in `difflib`.
"""

from collections.abc import Generator, Sequence
from difflib import Match, SequenceMatcher
from typing import Final

__all__ = ["Agreement"]

#: So many places are looked at in one step: that takes a millisecond, more or less.
_PLACES: Final = 15_000


class Agreement(SequenceMatcher[str]):
    """A matcher of lines that has to `find_in_steps` what is the same before it is asked."""

    # What the matcher holds, of which its types do not tell: the sequences, and the places of each item of the second.
    a: Sequence[str]
    b: Sequence[str]
    b2j: dict[str, list[int]]

    def find_in_steps(self, most: int = _PLACES) -> Generator[None, None, None]:
        """Find the runs that both have."""
        self._runs: dict[tuple[int, int | None, int, int | None], Match] = {}
        self._left = most
        waiting = [(0, len(self.a), 0, len(self.b))]
        while waiting:
            within = start, end, begin, stop = waiting.pop()
            run = self._runs[within] = yield from self._longest(*within, most)
            at, place, size = run
            if size:
                waiting += [(start, at, begin, place), (at + size, end, place + size, stop)]

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        """What was found of a part of both."""
        return self._runs[alo, ahi, blo, bhi]

    def _longest(self, start: int, end: int, begin: int, stop: int, most: int) -> Generator[None, None, Match]:
        one, other, places = self.a, self.b, self.b2j
        first, place, size = start, begin, 0
        # How long the run is that ends at each place, with the item before and with this one.
        before: dict[int, int] = {}
        for index in range(start, end):
            found = places.get(one[index], ())
            now: dict[int, int] = {}
            for at in found:
                if at < begin:
                    continue
                if at >= stop:
                    break
                length = now[at] = before.get(at - 1, 0) + 1
                if length > size:
                    first, place, size = index - length + 1, at - length + 1, length
            before = now
            self._left -= 1 + len(found)
            if self._left < 0:
                self._left = most
                yield
        # Items that stand nearly everywhere have no places; they only make a run longer.
        while first > start and place > begin and one[first - 1] == other[place - 1]:
            first, place, size = first - 1, place - 1, size + 1
        while first + size < end and place + size < stop and one[first + size] == other[place + size]:
            size += 1
        return Match(first, place, size)
