"""The functions of lists: order, sums, cutting and reshaping.

Kubernetes' own (`isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`) and CEL's extension. None changes a list.
"""

from collections.abc import Callable
from functools import cmp_to_key
from itertools import islice
from operator import le
from typing import Final

from kubewright.cel.arithmetic import add
from kubewright.cel.equality import compare, equal
from kubewright.cel.library.overload import Overload
from kubewright.cel.values import Duration, EvaluationError, Native, Timestamp, Uint, no_such_overload

__all__ = ["OVERLOADS", "RANGE_LIMIT"]

#: The longest list that `lists.range` makes. The run-time budget, where a list of n costs n, allows no longer one.
RANGE_LIMIT: Final = 1_000_000

_NATURAL: Final = frozenset((bool, int, Uint, str, bytes))
_COMPARABLE: Final = _NATURAL | {float, Timestamp, Duration}


def _natural(elements: list[Native]) -> bool:
    """Whether all elements are of one type that Python orders and hashes as CEL does."""
    kinds = set(map(type, elements))
    return len(kinds) == 1 and kinds <= _NATURAL


_by_cel_order: Final = cmp_to_key(compare)


def is_sorted(elements: list[Native]) -> bool:
    """Whether no element is larger than the next."""
    if _natural(elements):
        return all(map(le, elements, islice(elements, 1, None)))
    for place, element in enumerate(elements):
        _check_order(element)
        if place and _order(elements[place - 1], element) > 0:
            return False
    return True


def _check_order(element: Native) -> None:
    """A null, a list or a map comes neither before nor after anything."""
    if type(element) not in _COMPARABLE:
        raise no_such_overload()


def _order(a: Native, b: Native) -> int:
    # What cannot be compared is taken for equal: only a clear "larger" decides.
    try:
        return compare(a, b)
    except EvaluationError:
        return 0


def _sum(zero: Native) -> Callable[[list[Native]], Native]:
    def total(elements: list[Native]) -> Native:
        if not elements:
            return zero
        result = elements[0]
        if result is None:
            raise no_such_overload()
        for element in elements[1:]:
            result = add(result, element)
        return result

    return total


def smallest(elements: list[Native]) -> Native:
    """The first of the smallest elements."""
    if not elements:
        raise EvaluationError("min called on empty list")
    if _natural(elements):
        return min(elements)
    result = elements[0]
    for element in elements:
        _check_order(element)
        if _order(result, element) > 0:
            result = element
    return result


def largest(elements: list[Native]) -> Native:
    """The first of the largest elements."""
    if not elements:
        raise EvaluationError("max called on empty list")
    if _natural(elements):
        return max(elements)
    result = elements[0]
    for element in elements:
        _check_order(element)
        if _order(result, element) < 0:
            result = element
    return result


def index_of(elements: list[Native], value: Native) -> int:
    """The first place of a value, or -1."""
    for place, element in enumerate(elements):
        if _same(element, value):
            return place
    return -1


def last_index_of(elements: list[Native], value: Native) -> int:
    """The last place of a value, or -1."""
    for place in range(len(elements) - 1, -1, -1):
        if _same(elements[place], value):
            return place
    return -1


def _same(a: Native, b: Native) -> bool:
    try:
        return equal(a, b)
    except EvaluationError:
        return False


def cut(elements: list[Native], start: int, end: int) -> list[Native]:
    """The elements from `start` up to `end`."""
    if start < 0 or end < 0:
        raise EvaluationError(f"cannot slice({start}, {end}), negative indexes not supported")
    if start > end:
        raise EvaluationError(f"cannot slice({start}, {end}), start index must be less than or equal to end index")
    if len(elements) < end:
        raise EvaluationError(f"cannot slice({start}, {end}), list is length {len(elements)}")
    return list(elements[start:end])


def flatten(elements: list[Native], depth: int = 1) -> list[Native]:
    """Lists within the list laid out in their place, down to a depth."""
    if depth < 0:
        raise EvaluationError("level must be non-negative")
    # Not by recursion: lists may be nested deeper than Python's stack.
    result: list[Native] = []
    pending = [(iter(elements), depth)]
    while pending:
        rest, levels = pending[-1]
        for element in rest:
            if isinstance(element, list) and levels:
                pending.append((iter(element), levels - 1))
                break
            result.append(element)
        else:
            pending.pop()
    return result


def sort_by_keys(elements: list[Native], keys: list[Native]) -> list[Native]:
    """The elements in the order of their keys."""
    if len(elements) != len(keys):
        raise EvaluationError(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got "
            f"{len(elements)} and {len(keys)} elements respectively"
        )
    if not keys:
        return elements
    kinds = {type(key) for key in keys}
    if not kinds & _COMPARABLE:
        raise EvaluationError("list elements must be comparable")
    if len(kinds) > 1:
        raise EvaluationError("list elements must have the same type")
    order = sorted(range(len(keys)), key=(lambda i: keys[i]) if kinds <= _NATURAL else lambda i: _by_cel_order(keys[i]))
    return [elements[i] for i in order]


def sort(elements: list[Native]) -> list[Native]:
    """The elements in order."""
    return sort_by_keys(elements, elements)


def distinct(elements: list[Native]) -> list[Native]:
    """The elements without those that equal an earlier one."""
    if _natural(elements):
        return list(dict.fromkeys(elements))
    result: list[Native] = []
    for element in elements:
        if not any(_same(element, other) for other in result):
            result.append(element)
    return result


def reverse(elements: list[Native]) -> list[Native]:
    """The elements from last to first."""
    return elements[::-1]


def numbers(count: int) -> list[Native]:
    """The ints from 0 up to `count`."""
    if count > RANGE_LIMIT:
        raise EvaluationError(f"lists.range({count}) is longer than {RANGE_LIMIT}")
    return list(range(count))


_COMPARED: Final = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_SUMMED: Final = {"int": 0, "uint": Uint(0), "double": 0.0, "duration": Duration.of_nanoseconds(0)}


def _type_names(kind: str) -> str:
    return {"duration": "google.protobuf.Duration", "timestamp": "google.protobuf.Timestamp"}.get(kind, kind)


OVERLOADS: Final = {
    **{f"list_{kind}_is_sorted_bool": Overload("isSorted", is_sorted, ("list",)) for kind in _COMPARED},
    **{f"list_{kind}_sum_{kind}": Overload("sum", _sum(zero), ("list",)) for kind, zero in _SUMMED.items()},
    **{f"list_{kind}_max_{kind}": Overload("max", largest, ("list",)) for kind in _COMPARED},
    **{f"list_{kind}_min_{kind}": Overload("min", smallest, ("list",)) for kind in _COMPARED},
    "list_a_index_of_int": Overload("indexOf", index_of, ("list", "any")),
    "list_a_last_index_of_int": Overload("lastIndexOf", last_index_of, ("list", "any")),
    "list_slice": Overload("slice", cut, ("list", "int", "int")),
    "list_flatten": Overload("flatten", flatten, ("list",)),
    "list_flatten_int": Overload("flatten", flatten, ("list", "int")),
    **{f"list_{_type_names(kind)}_sort": Overload("sort", sort, ("list",)) for kind in _COMPARED},
    **{
        f"list_{_type_names(kind)}_sortByAssociatedKeys": Overload(
            "@sortByAssociatedKeys", sort_by_keys, ("list", "list")
        )
        for kind in _COMPARED
    },
    "lists_range": Overload("lists.range", numbers, ("int",)),
    "list_reverse": Overload("reverse", reverse, ("list",)),
    "list_distinct": Overload("distinct", distinct, ("list",)),
}
