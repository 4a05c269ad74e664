"""When two CEL values are equal, and which of two comes first.

Numbers compare across their types: an int or uint meets a double as a double. A bool is no number. NaN equals nothing
and cannot be ordered. Values of different kinds are unequal, but not ordered; only an object with declared properties,
a set and a list-map cannot be compared to what is no container, if they stand on the left.
"""

from typing import Final

from kubewright.cel.schema_values import field, field_names
from kubewright.cel.values import (
    ABSENT,
    Duration,
    EvaluationError,
    MapList,
    Native,
    ObjectView,
    Opaque,
    Optional,
    SetList,
    Timestamp,
    TypeValue,
    Uint,
    no_such_overload,
)

__all__ = ["compare", "contains", "equal", "lookup", "map_key"]

_EXACT: Final = frozenset((bool, int, Uint, str, bytes, type(None), Timestamp, Duration, TypeValue))
_INTEGERS: Final = frozenset((int, Uint))
_NUMBERS: Final = frozenset((int, Uint, float))
_LISTS: Final = frozenset((list, SetList, MapList))
_MAPS: Final = frozenset((dict, ObjectView))
_ORDERED: Final = frozenset((bool, int, Uint, str, bytes))
_COMPARED: Final = _ORDERED | {float, Timestamp, Duration}


def equal(a: Native, b: Native) -> bool:
    """`a == b`."""
    kind, other = type(a), type(b)
    if kind is other and kind in _EXACT:
        return bool(a == b)
    if kind in _NUMBERS:
        return other in _NUMBERS and _numbers_equal(a, b)
    if a is None or b is None:
        return a is b
    if kind in _LISTS:
        return _lists_equal(a, b) if other in _LISTS else _no_match(a)
    if kind in _MAPS:
        return _maps_equal(a, b) if other in _MAPS else _no_match(a)
    if kind is Optional:
        if other is not Optional or (a.value is ABSENT) is not (b.value is ABSENT):
            return False
        return a.value is ABSENT or equal(a.value, b.value)
    if isinstance(a, Opaque):
        return a.equals(b)
    return False


def _no_match(container: Native) -> bool:
    """A list or map met what is neither: what a schema describes takes that for an error."""
    if type(container) is list or type(container) is dict:
        return False
    raise no_such_overload()


def _numbers_equal(a: int | float, b: int | float) -> bool:
    if type(a) in _INTEGERS and type(b) in _INTEGERS:
        return a == b
    # An integer meets a double as a double, so the last bits of a large one do not count.
    return float(a) == float(b)


def _lists_equal(a: list[Native], b: list[Native]) -> bool:
    if len(a) != len(b):
        return False
    if type(a) is SetList:
        return all(any(equal(mine, theirs) for mine in a) for theirs in b)
    if type(a) is MapList:
        mine = {map_key(element, a.keys): element for element in a}
        return all((key := map_key(element, a.keys)) in mine and equal(mine[key], element) for element in b)
    return all(map(equal, a, b))


def map_key(element: Native, keys: tuple[str, ...]) -> tuple[Native, ...]:
    """What an element of a list-map is known by."""
    raw = element.raw if type(element) is ObjectView else element
    if type(raw) is not dict:
        return ()
    return tuple([(type(value := raw.get(key)), value) for key in keys])


def _maps_equal(a: Native, b: Native) -> bool:
    if type(a) is ObjectView or type(b) is ObjectView:
        return _views_equal(a, b)
    if len(a) != len(b):
        return False
    return all((found := lookup(b, key)) is not ABSENT and equal(value, found) for key, value in a.items())


def _views_equal(a: Native, b: Native) -> bool:
    """Only what `a` declares is looked at: the other side of the same type can declare nothing else."""
    if type(a) is not ObjectView:
        a, b = b, a
    raw, other = a.raw, b.raw if type(b) is ObjectView else b
    if len(raw) != len(other):
        return False
    names = field_names(a.type)
    for key, value in raw.items():
        name = names.get(key)
        if name is None:
            # Not declared: compared as it lies there, and only if the other has it.
            if key in other and other[key] != value:
                return False
            continue
        mine = field(a, name)
        theirs = field(b, name) if type(b) is ObjectView else b.get(name, ABSENT)
        if mine is ABSENT or theirs is ABSENT:
            if mine is not theirs:
                return False
        elif not equal(mine, theirs):
            return False
    return True


def lookup(mapping: dict[Native, Native], key: Native) -> Native:
    """The value at `key`, found across number types but never a bool for a number; `ABSENT` if there is none."""
    kind = type(key)
    if kind is str or key is None:
        return mapping.get(key, ABSENT)
    if kind is not bool and kind not in _NUMBERS:
        return ABSENT
    found = mapping.get(key, ABSENT)
    if found is not ABSENT:
        # Python found 1 for True, or the other way round, if the key it holds is of the other kind.
        for held in mapping:
            if held == key:
                return found if (type(held) is bool) is (kind is bool) else ABSENT
    return found


def contains(elements: list[Native], value: Native) -> bool:
    """`value in elements`."""
    # A comparison that fails only matters when no element is equal.
    error: EvaluationError | None = None
    for element in elements:
        try:
            if equal(element, value):
                return True
        except EvaluationError as failure:
            error = error or failure
    if error is not None:
        raise error
    return False


def compare(a: Native, b: Native, function: str = "") -> int:
    """Negative, zero or positive as `a` comes before, beside or after `b`; `function` is what asks for it."""
    kind, other = type(a), type(b)
    if kind is other and kind in _ORDERED:
        return int(a > b) - int(a < b)
    if kind in _NUMBERS and other in _NUMBERS:
        if kind in _INTEGERS and other in _INTEGERS:
            return int(a > b) - int(a < b)
        a, b = float(a), float(b)
        if a != a or b != b:
            raise EvaluationError("NaN values cannot be ordered")
        return int(a > b) - int(a < b)
    if kind is other is Timestamp:
        return int(a.nanoseconds > b.nanoseconds) - int(a.nanoseconds < b.nanoseconds)
    if kind is other is Duration:
        return int(a > b) - int(a < b)
    raise no_such_overload(*([function] if function and kind not in _COMPARED else []))
