"""Sets of indexes as Jobs write them: `1,3-5,7`, in order, each below the number of completions."""

import re
from collections.abc import Iterator
from typing import Final

from kubewright.schema.walk.golang import quote

__all__ = ["BadIndexes", "count_indexes", "find_overlap"]

_INTEGER: Final = re.compile("[+-]?[0-9]{1,18}")


class BadIndexes(Exception):
    """A text that is no set of indexes, in the server's words."""


def count_indexes(text: str, completions: int) -> int:
    """How many indexes a text means."""
    total, last = 0, None
    for part in text.split(",") if text else ():
        first, end = _interval(part, completions)
        if last is not None and last >= first:
            raise BadIndexes(f"non-increasing order, previous: {last}, current: {first}")
        total += end - first + 1
        last = end
    return total


def find_overlap(one: str, other: str, completions: int) -> int | None:
    """The first index that two sets share; parts that cannot be read are left out."""
    mine, others = (_intervals(text, completions) for text in (one, other))
    left, right = next(mine, None), next(others, None)
    while left is not None and right is not None:
        if left[0] <= right[1] and right[0] <= left[1]:
            return max(left[0], right[0])
        if left[0] <= right[0]:
            left = next(mine, None)
        else:
            right = next(others, None)
    return None


def _intervals(text: str, completions: int) -> Iterator[tuple[int, int]]:
    for part in text.split(",") if text else ():
        try:
            yield _interval(part, completions)
        except BadIndexes:
            continue


def _interval(text: str, completions: int) -> tuple[int, int]:
    parts = text.split("-")
    if len(parts) > 2:
        why = "violates the requirement that an index interval can have at most two parts separated by '-'"
        raise BadIndexes(f"the fragment {quote(text)} {why}")
    first, *rest = (_index(part, completions) for part in parts)
    if not rest:
        return first, first
    if first >= rest[0]:
        raise BadIndexes(f"non-increasing order, previous: {first}, current: {rest[0]}")
    return first, rest[0]


def _index(text: str, completions: int) -> int:
    if _INTEGER.fullmatch(text) is None:
        raise BadIndexes(f"cannot convert string to integer for index: {quote(text)}")
    if (number := int(text)) >= completions:
        raise BadIndexes(f"too large index: {quote(text)}")
    return number
