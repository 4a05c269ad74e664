"""Optionals: values that may be absent, and the lists that yield them.

`or` and `orValue` evaluate their argument only when it is needed, so the compiler writes them itself.
"""

from collections.abc import Callable
from typing import Final

from kubewright.cel.library.overload import Overload
from kubewright.cel.values import (
    ABSENT,
    NONE,
    Duration,
    EvaluationError,
    Native,
    ObjectView,
    Optional,
    Timestamp,
    TypeValue,
    no_such_overload,
)

__all__ = ["OVERLOADS", "value_of"]

# 0001-01-01T00:00:00Z, which is Go's zero instant.
_ZERO_INSTANT: Final = -62135596800 * 10**9


def of_non_zero(value: Native) -> Optional:
    """The value, or nothing where it is zero or empty."""
    return NONE if _is_zero(value) else Optional(value)


def _is_zero(value: Native) -> bool:
    if isinstance(value, Timestamp):
        return value.nanoseconds == _ZERO_INSTANT
    if isinstance(value, Optional):
        return value.value is ABSENT
    if isinstance(value, TypeValue | ObjectView):
        return False
    if isinstance(value, Duration):
        return not value.nanoseconds
    return value is None or (isinstance(value, bool | int | float | str | bytes | list | dict) and not value)


def value_of(optional: Optional) -> Native:
    """What an optional holds."""
    if optional.value is ABSENT:
        raise EvaluationError("optional.none() dereference")
    return optional.value


def has_value(optional: Optional) -> bool:
    """Whether it holds something."""
    return optional.value is not ABSENT


def first(elements: list[Native]) -> Optional:
    """The first element, if there is one."""
    return Optional(elements[0]) if elements else NONE


def last(elements: list[Native]) -> Optional:
    """The last element, if there is one."""
    return Optional(elements[-1]) if elements else NONE


def _unwrapping(function: str) -> Callable[[list[Native]], list[Native]]:
    """What gives the values that a list of optionals holds; that it is none is told by its first element."""

    def unwrap(elements: list[Native]) -> list[Native]:
        for place, element in enumerate(elements):
            if type(element) is not Optional:
                raise EvaluationError(f"value {element} is not optional") if place else no_such_overload(function)
        return [element.value for element in elements if element.value is not ABSENT]

    return unwrap


OVERLOADS: Final = {
    "optional_of": Overload("optional.of", Optional, ("any",)),
    "optional_ofNonZeroValue": Overload("optional.ofNonZeroValue", of_non_zero, ("any",)),
    "optional_none": Overload("optional.none", lambda: NONE, ()),
    "optional_value": Overload("value", value_of, ("optional",)),
    "optional_hasValue": Overload("hasValue", has_value, ("optional",)),
    "list_first": Overload("first", first, ("list",)),
    "list_last": Overload("last", last, ("list",)),
    "optional_unwrap": Overload("optional.unwrap", _unwrapping("optional.unwrap(list)"), ("list",)),
    "optional_unwrapOpt": Overload("unwrapOpt", _unwrapping("unwrapOpt(list)"), ("list",)),
}
