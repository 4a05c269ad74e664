"""The closures of operators, chosen by what is known of the operands.

Where both operands are known to be of one simple type, Python's operator does the work; otherwise the functions that
take anything do. An operand that is a constant is put into the closure itself.
"""

from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any, Final

from kubewright.cel import arithmetic
from kubewright.cel.code import CONTAINERS, Code, Frame, Run
from kubewright.cel.equality import compare, contains, equal
from kubewright.cel.schema_equality import raw_equality
from kubewright.cel.values import (
    INT_MAX,
    INT_MIN,
    EvaluationError,
    Native,
    no_such_overload,
)

__all__ = [
    "BINARY",
    "COMPARISONS",
    "all_of",
    "any_of",
    "as_bool",
    "binary",
    "choose",
    "comparison",
    "equality",
    "membership",
    "negation",
    "negative",
]

# Types whose Python values compare as CEL's do, as long as both sides are of the same one.
_EXACT: Final = frozenset(("bool", "bytes", "double", "duration", "int", "string", "timestamp", "type", "uint"))
_ORDERED: Final = frozenset(("bool", "bytes", "duration", "int", "string", "uint"))

COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {"_<_": lt, "_<=_": le, "_>_": gt, "_>=_": ge}
BINARY: Final[dict[str, Callable[[Native, Native], Native]]] = {
    "_+_": arithmetic.add,
    "_-_": arithmetic.subtract,
    "_*_": arithmetic.multiply,
    "_/_": arithmetic.divide,
    "_%_": arithmetic.modulo,
}


def as_bool(code: Code) -> Run:
    """The closure of a condition: what is not known to be a bool is looked at."""
    run = code.run
    if code.kind == "bool":
        return run

    def checked(frame: Frame) -> Native:
        value = run(frame)
        if value is True:
            return True
        if value is False:
            return False
        raise no_such_overload()

    return checked


def _settle(terms: tuple[Run, ...], error: EvaluationError, frame: Frame, decisive: bool) -> bool:
    """After an error the other terms may still decide; if none does, the first error stands."""
    for term in terms:
        try:
            if bool(term(frame)) is decisive:
                return decisive
        except EvaluationError:
            continue
    raise error


def all_of(terms: tuple[Run, ...]) -> Run:
    """`a && b && …`: false as soon as one is, even after an error."""
    if len(terms) == 2:
        first, second = terms

        def both(frame: Frame) -> bool:
            try:
                if not first(frame):
                    return False
            except EvaluationError as error:
                return _settle((second,), error, frame, False)
            return bool(second(frame))

        return both

    def every(frame: Frame) -> bool:
        place = 0
        try:
            for term in terms:
                place += 1
                if not term(frame):
                    return False
        except EvaluationError as error:
            return _settle(terms[place:], error, frame, False)
        return True

    return every


def any_of(terms: tuple[Run, ...]) -> Run:
    """`a || b || …`: true as soon as one is, even after an error."""
    if len(terms) == 2:
        first, second = terms

        def either(frame: Frame) -> bool:
            try:
                if first(frame):
                    return True
            except EvaluationError as error:
                return _settle((second,), error, frame, True)
            return bool(second(frame))

        return either

    def some(frame: Frame) -> bool:
        place = 0
        try:
            for term in terms:
                place += 1
                if term(frame):
                    return True
        except EvaluationError as error:
            return _settle(terms[place:], error, frame, True)
        return False

    return some


def choose(condition: Run, yes: Run, no: Run) -> Run:
    """`condition ? yes : no`."""
    return lambda frame: yes(frame) if condition(frame) else no(frame)


def negation(code: Code) -> Run:
    """`!a`."""
    condition = as_bool(code)
    return lambda frame: not condition(frame)


def negative(code: Code) -> Run:
    """`-a`."""
    run = code.run
    return lambda frame: arithmetic.negate(run(frame))


def equality(a: Code, b: Code, *, wanted: bool) -> Run:
    """`a == b`, or `a != b` unless `wanted`."""
    if a.raw is not None and a.raw is b.raw and a.raw.kind in CONTAINERS:
        same, left, right = raw_equality(a.raw), a.run, b.run
        if wanted:
            return lambda frame: same(left(frame), right(frame))
        return lambda frame: not same(left(frame), right(frame))
    left, right = a.value(), b.value()
    if a.kind == b.kind and a.kind in _EXACT:
        if b.constant:
            known = b.known
            if wanted:
                return lambda frame: left(frame) == known
            return lambda frame: left(frame) != known
        if a.constant:
            return equality(b, a, wanted=wanted)
        if wanted:
            return lambda frame: left(frame) == right(frame)
        return lambda frame: left(frame) != right(frame)
    if wanted:
        return lambda frame: equal(left(frame), right(frame))
    return lambda frame: not equal(left(frame), right(frame))


def comparison(function: str, a: Code, b: Code) -> Run:
    """`a < b` and its like."""
    holds = COMPARISONS[function]
    left, right = a.value(), b.value()
    if a.kind != b.kind or a.kind not in _ORDERED:
        return lambda frame: holds(compare(left(frame), right(frame), function), 0)
    if b.constant:
        known = b.known
        # Spelled out, because a call of `operator.lt` costs as much again as the comparison.
        match function:
            case "_<_":
                return lambda frame: left(frame) < known
            case "_<=_":
                return lambda frame: left(frame) <= known
            case "_>_":
                return lambda frame: left(frame) > known
            case _:
                return lambda frame: left(frame) >= known
    match function:
        case "_<_":
            return lambda frame: left(frame) < right(frame)
        case "_<=_":
            return lambda frame: left(frame) <= right(frame)
        case "_>_":
            return lambda frame: left(frame) > right(frame)
        case _:
            return lambda frame: left(frame) >= right(frame)


def binary(function: str, a: Code, b: Code) -> Run:
    """`a + b` and its like."""
    left, right = a.value(), b.value()
    if a.kind == b.kind == "int" and function in ("_+_", "_-_", "_*_"):
        return _integers(function, left, right)
    if a.kind == b.kind == "string" and function == "_+_":
        return lambda frame: left(frame) + right(frame)
    call = BINARY[function]
    return lambda frame: call(left(frame), right(frame))


def _integers(function: str, left: Run, right: Run) -> Run:
    match function:
        case "_+_":

            def add(frame: Frame) -> int:
                total: int = left(frame) + right(frame)
                if INT_MIN <= total <= INT_MAX:
                    return total
                raise arithmetic.overflow()

            return add
        case "_-_":

            def subtract(frame: Frame) -> int:
                total: int = left(frame) - right(frame)
                if INT_MIN <= total <= INT_MAX:
                    return total
                raise arithmetic.overflow()

            return subtract

    def multiply(frame: Frame) -> int:
        total: int = left(frame) * right(frame)
        if INT_MIN <= total <= INT_MAX:
            return total
        raise arithmetic.overflow()

    return multiply


_HASHED: Final = {"string": str, "int": int}


def membership(a: Code, b: Code) -> Run | None:
    """`a in b`, b known to be a list; None if it is a map."""
    if b.kind != "list":
        return None
    left = a.value()
    wanted = _HASHED.get(a.kind)
    if b.constant and wanted is not None and all(type(element) is wanted for element in b.known):
        elements = frozenset(b.known)
        return lambda frame: left(frame) in elements
    right = b.loose()
    if wanted is not None and b.raw is not None and b.raw.params[0].kind == a.kind:
        return lambda frame: left(frame) in right(frame)
    return lambda frame: contains(right(frame), left(frame))
