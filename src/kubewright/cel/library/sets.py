"""Lists as sets: containment and overlap, by CEL's equality."""

from typing import Final

from kubewright.cel.equality import contains
from kubewright.cel.library.overload import Overload
from kubewright.cel.values import EvaluationError, Native

__all__ = ["OVERLOADS"]

# Strings and numbers of one type hash as they compare, so a set finds what a scan would.
_HASHED: Final = ({str}, {int})


def _hashed(a: list[Native], b: list[Native]) -> bool:
    return {*map(type, a), *map(type, b)} in _HASHED


def sets_contains(whole: list[Native], part: list[Native]) -> bool:
    """Whether every element of `part` is in `whole`."""
    if _hashed(whole, part):
        return set(whole).issuperset(part)
    return all(contains(whole, element) for element in part)


def sets_equivalent(a: list[Native], b: list[Native]) -> bool:
    """Whether each list contains the other."""
    return sets_contains(a, b) and sets_contains(b, a)


def sets_intersects(a: list[Native], b: list[Native]) -> bool:
    """Whether some element is in both."""
    if _hashed(a, b):
        return not set(a).isdisjoint(b)
    return any(_found(b, element) for element in a)


def _found(elements: list[Native], value: Native) -> bool:
    # A comparison that fails counts as unequal here.
    try:
        return contains(elements, value)
    except EvaluationError:
        return False


OVERLOADS: Final = {
    "list_sets_contains_list": Overload("sets.contains", sets_contains, ("list", "list")),
    "list_sets_equivalent_list": Overload("sets.equivalent", sets_equivalent, ("list", "list")),
    "list_sets_intersects_list": Overload("sets.intersects", sets_intersects, ("list", "list")),
}
