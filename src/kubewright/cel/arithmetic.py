"""CEL's operators on numbers, texts, lists and times.

Integers are of 64 bits: what does not fit is an error, never a larger number. Division of integers goes towards zero.
One function per operator takes operands of any types, for expressions whose types are not known; the specialised ones
are for those that are.
"""

from math import copysign, inf, nan
from typing import Final

from kubewright.cel.equality import map_key
from kubewright.cel.times import in_range
from kubewright.cel.values import (
    INT_MAX,
    INT_MIN,
    UINT_MAX,
    Duration,
    EvaluationError,
    MapList,
    Native,
    SetList,
    Timestamp,
    Uint,
    no_such_overload,
)

__all__ = [
    "RECEIVERS",
    "add",
    "add_int",
    "add_lists",
    "divide",
    "divide_int",
    "modulo",
    "multiply",
    "multiply_int",
    "negate",
    "subtract",
    "subtract_int",
]


#: Types with methods of their own on the server, where a call that does not fit ends without a name.
RECEIVERS: Final = frozenset((str, Timestamp, Duration))


def overflow() -> EvaluationError:
    """An integer left its 64 bits."""
    return EvaluationError("integer overflow")


def _uint(value: int) -> Uint:
    if 0 <= value <= UINT_MAX:
        return Uint(value)
    raise EvaluationError("unsigned integer overflow")


def add_int(a: int, b: int) -> int:
    """`a + b` of two ints."""
    total = a + b
    if INT_MIN <= total <= INT_MAX:
        return total
    raise overflow()


def subtract_int(a: int, b: int) -> int:
    """`a - b` of two ints."""
    total = a - b
    if INT_MIN <= total <= INT_MAX:
        return total
    raise overflow()


def multiply_int(a: int, b: int) -> int:
    """`a * b` of two ints."""
    total = a * b
    if INT_MIN <= total <= INT_MAX:
        return total
    raise overflow()


def divide_int(a: int, b: int) -> int:
    """`a / b` of two ints, towards zero."""
    if b == 0:
        raise EvaluationError("division by zero")
    quotient = abs(a) // abs(b)
    if (a < 0) != (b < 0):
        return -quotient
    if quotient > INT_MAX:
        raise overflow()
    return quotient


def _modulo_int(a: int, b: int) -> int:
    if b == 0:
        raise EvaluationError("modulus by zero")
    if a == INT_MIN and b == -1:
        raise overflow()
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


def _divide_double(a: float, b: float) -> float:
    if b:
        return a / b
    return nan if a == 0 or a != a else copysign(inf, a) * copysign(1.0, b)


def _span(nanoseconds: int) -> Duration:
    if INT_MIN <= nanoseconds <= INT_MAX:
        return Duration.of_nanoseconds(nanoseconds)
    raise overflow()


def _instant(nanoseconds: int, offset: int) -> Timestamp:
    if not in_range(nanoseconds):
        raise EvaluationError("timestamp overflow")
    return Timestamp(nanoseconds, offset)


# The types that may stand left of an operator; any other is refused by the operator's name.
_DIVIDED: Final = frozenset((int, Uint))
_MULTIPLIED: Final = _DIVIDED | {float}
_SUBTRACTED: Final = _MULTIPLIED | RECEIVERS
_ADDED: Final = _SUBTRACTED | {bytes, list, SetList, MapList}


def _refused(function: str, left: Native, able: frozenset[type]) -> EvaluationError:
    return no_such_overload() if type(left) in able or type(left) in RECEIVERS else no_such_overload(function)


def add(a: Native, b: Native) -> Native:
    """`a + b`."""
    kind, other = type(a), type(b)
    if kind is other:
        if kind is int:
            return add_int(a, b)
        if kind is str or kind is float or kind is bytes:
            return a + b
        if kind is Uint:
            return _uint(int(a) + int(b))
        if kind is Duration:
            return _span(a.nanoseconds + b.nanoseconds)
    if isinstance(a, list) and isinstance(b, list):
        return add_lists(a, b)
    if kind is Timestamp and other is Duration:
        return _instant(a.nanoseconds + b.nanoseconds, a.offset)
    if kind is Duration and other is Timestamp:
        return _instant(a.nanoseconds + b.nanoseconds, b.offset)
    raise _refused("_+_", a, _ADDED)


def add_lists(a: list[Native], b: list[Native]) -> list[Native]:
    """`a + b` of two lists: by key in a list-map, as a union in a set."""
    if type(a) is MapList:
        places = {map_key(element, a.keys): place for place, element in enumerate(a)}
        merged = list(a)
        for element in b:
            place = places.get(map_key(element, a.keys))
            if place is None:
                merged.append(element)
            else:
                merged[place] = element
        return MapList(merged, a.keys)
    if type(a) is SetList:
        seen = {(type(element), element) for element in a}
        union = list(a)
        for element in b:
            if (type(element), element) not in seen:
                seen.add((type(element), element))
                union.append(element)
        return SetList(union)
    return [*a, *b]


def subtract(a: Native, b: Native) -> Native:
    """`a - b`."""
    kind, other = type(a), type(b)
    if kind is other:
        if kind is int:
            return subtract_int(a, b)
        if kind is float:
            return a - b
        if kind is Uint:
            return _uint(int(a) - int(b))
        if kind is Duration:
            return _span(a.nanoseconds - b.nanoseconds)
        if kind is Timestamp:
            return _span(a.nanoseconds - b.nanoseconds)
    if kind is Timestamp and other is Duration:
        return _instant(a.nanoseconds - b.nanoseconds, a.offset)
    raise _refused("_-_", a, _SUBTRACTED)


def multiply(a: Native, b: Native) -> Native:
    """`a * b`."""
    kind = type(a)
    if kind is type(b):
        if kind is int:
            return multiply_int(a, b)
        if kind is float:
            return a * b
        if kind is Uint:
            return _uint(int(a) * int(b))
    raise _refused("_*_", a, _MULTIPLIED)


def divide(a: Native, b: Native) -> Native:
    """`a / b`."""
    kind = type(a)
    if kind is type(b):
        if kind is int:
            return divide_int(a, b)
        if kind is float:
            return _divide_double(a, b)
        if kind is Uint:
            if b == 0:
                raise EvaluationError("division by zero")
            return Uint(int(a) // int(b))
    raise _refused("_/_", a, _MULTIPLIED)


def modulo(a: Native, b: Native) -> Native:
    """`a % b`, with the sign of `a`."""
    kind = type(a)
    if kind is type(b):
        if kind is int:
            return _modulo_int(a, b)
        if kind is Uint:
            if b == 0:
                raise EvaluationError("modulus by zero")
            return Uint(int(a) % int(b))
    raise _refused("_%_", a, _DIVIDED)


def negate(a: Native) -> Native:
    """`-a`."""
    kind = type(a)
    if kind is int:
        if a == INT_MIN:
            raise overflow()
        return -a
    if kind is float:
        return -a
    if kind is Duration:
        return _span(-a.nanoseconds)
    raise no_such_overload() if kind in RECEIVERS else no_such_overload("-_")
