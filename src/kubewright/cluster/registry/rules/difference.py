"""What changed in a part of an object that may not change: a unified diff of what the inner types print.

The search for what two texts have in common takes time that grows with the square of their length. Beyond some
thousand lines it is not made: all between the first and the last change is then told as one change, which is true, and
longer than it need be.
"""

import json
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import islice, takewhile
from operator import eq
from typing import Any, Final

from kubewright.cluster.registry.rules.inner import inner_text

__all__ = ["inner_difference"]

#: encoding/json keeps its output safe inside HTML and JavaScript.
_UNSAFE = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})
#: Of so many lines, both texts together, it is found out what they have in common: some tens of milliseconds at worst.
_COMPARED: Final = 2_000
_AROUND: Final = 3


def inner_difference(old: Any, new: Any, kind: str) -> str:
    """What is between two values of type `kind`, with three lines around each change."""
    before, after = [*_lines(old, kind)], [*_lines(new, kind)]
    if len(before) + len(after) > _COMPARED:
        return "".join(_one_change(before, after))
    return "".join(islice(unified_diff(before, after), 2, None))  # without the names of files


def _lines(value: Any, kind: str) -> Iterator[str]:
    text = json.dumps(json.loads(inner_text(value, kind)), indent=1, ensure_ascii=False)
    return (f"{line}\n" for line in text.translate(_UNSAFE).split("\n"))


def _one_change(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """A unified diff with one hunk."""
    if before == after:
        return
    first = _agreeing(before, after)
    last = _agreeing(before[first:][::-1], after[first:][::-1])
    start = max(first - _AROUND, 0)
    yield f"@@ -{start + 1},{_end(before, last) - start} +{start + 1},{_end(after, last) - start} @@\n"
    yield from (f" {line}" for line in before[start:first])
    yield from (f"-{line}" for line in before[first : len(before) - last])
    yield from (f"+{line}" for line in after[first : len(after) - last])
    yield from (f" {line}" for line in before[len(before) - last : _end(before, last)])


def _agreeing(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same at the start."""
    return sum(1 for _ in takewhile(bool, map(eq, one, other)))


def _end(lines: Sequence[str], last: int) -> int:
    return min(len(lines) - last + _AROUND, len(lines))
