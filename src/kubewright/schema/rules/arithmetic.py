"""Arithmetic with Python's outcome.

CEL's integers have 64 bits and overflow is an error, which the Python side raises too. `//` and `%` round down in
Python and towards zero in CEL, so they are written with the correction. `/` is refused: of ints it means two things,
and by zero it raises here and is infinite there.
"""

import ast
from dataclasses import replace
from typing import Final

from kubewright.schema.rules.equality import as_quantity
from kubewright.schema.rules.kinds import (
    BOOL,
    DOUBLE,
    DURATION,
    INT,
    QUANTITY,
    SPAN,
    STRING,
    TIMESTAMP,
    Kind,
    ListKind,
    Refusal,
    base_of,
)
from kubewright.schema.rules.literal import literal
from kubewright.schema.rules.strings import put_together
from kubewright.schema.rules.value import (
    ADD,
    AND,
    CONDITION,
    INT64,
    MEMBER,
    UNARY,
    Value,
    alike,
    as_double,
    infix,
    method,
    untyped,
    wrap,
)

__all__ = ["arithmetic", "minus"]

_SYMBOLS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
}
_SPANS: Final = (SPAN, DURATION)


def arithmetic(one: Value, operator: ast.operator, other: Value) -> Value:
    """`one operator other`; both are there."""
    symbol = _SYMBOLS[type(operator)]
    kinds = (base_of(one.kind), base_of(other.kind))
    if kinds == (INT, INT):
        return _integers(one, symbol, other)
    if set(kinds) <= {INT, DOUBLE}:
        return _floats(as_double(one), symbol, as_double(other))
    if symbol == "+" and kinds == (STRING, STRING):
        return put_together([one, other])
    if symbol == "+" and isinstance(one.kind, ListKind) and isinstance(other.kind, ListKind):
        return _lists(one, other)
    if symbol in "+-":
        if made := _times(kinds, symbol):
            return infix(one, symbol, other, made, fails=True)
        if QUANTITY in kinds and set(kinds) <= {QUANTITY, INT}:
            name = "add" if symbol == "+" else "sub"
            return method(as_quantity(one), name, as_quantity(other), kind=QUANTITY)
    raise Refusal(f"{one.kind.label} {symbol} {other.kind.label} has no form in CEL")


def minus(value: Value) -> Value:
    """`-value`, of a value that is there."""
    kind = base_of(value.kind)
    if kind not in (INT, DOUBLE):
        raise Refusal(f"- before {value.kind.label} has no form in CEL")
    made = Value(f"-{wrap(value, MEMBER)}", kind, UNARY, value.fails)
    return _bounded(made, (-value.span[1], -value.span[0])) if kind is INT else made


def _integers(one: Value, symbol: str, other: Value) -> Value:
    (low, high), (least, most) = one.span, other.span
    if symbol == "+":
        return _bounded(infix(one, symbol, other, INT), (low + least, high + most))
    if symbol == "-":
        return _bounded(infix(one, symbol, other, INT), (low - most, high - least))
    if symbol == "*":
        corners = [a * b for a in one.span for b in other.span]
        return _bounded(infix(one, symbol, other, INT), (min(corners), max(corners)))
    if symbol in ("//", "%"):
        return _floored(one, symbol, other)
    if symbol == "/":
        raise Refusal("/ makes a float of two ints in Python and an int in CEL; use //, or multiply the other side")
    raise Refusal(f"{symbol} of ints has no form in CEL")


def _bounded(value: Value, span: tuple[int, int]) -> Value:
    """A sum or product that may fail unless it always lies within 64 bits."""
    fits = INT64[0] <= span[0] and span[1] <= INT64[1]
    return replace(value, fails=value.fails or not fits, span=span if fits else INT64)


def _floored(one: Value, symbol: str, other: Value) -> Value:
    """`//` and `%`: where the remainder has not the divisor's sign, Python goes one step further down than CEL."""
    divisor = other.constant if isinstance(other.constant, int) else None
    if divisor == 0:
        raise Refusal(f"{symbol} 0 always fails")
    remainder = infix(one, "%", other, INT)
    cut = infix(one, "/", other, INT) if symbol == "//" else remainder
    cut = replace(cut, fails=one.fails or other.fails or divisor in (None, -1))
    if divisor is not None and divisor > 0:
        span = (0, divisor - 1) if symbol == "%" else (min(one.span[0], 0), max(one.span[1], 0))
        if one.span[0] >= 0:
            return replace(cut, span=span)
        test = infix(remainder, "<", literal(0))
    else:
        span = INT64
        signs = f"({wrap(remainder, ADD)} < 0) != ({wrap(other, ADD)} < 0)"
        test = Value(f"{wrap(remainder, ADD)} != 0 && {signs}", BOOL, AND)
    step = infix(cut, "-", literal(1), INT) if symbol == "//" else infix(cut, "+", other, INT)
    return replace(cut, text=f"{test.text} ? {step.text} : {cut.text}", level=CONDITION, span=span)


def _floats(one: Value, symbol: str, other: Value) -> Value:
    if symbol in "+-":
        return infix(one, symbol, other, DOUBLE)
    if symbol == "*":
        return infix(one, symbol, other, DOUBLE)
    if symbol == "/":
        raise Refusal("/ by zero raises in Python and is infinity in CEL; multiply the other side instead")
    raise Refusal(f"{symbol} of floats has no form in CEL")


def _lists(one: Value, other: Value) -> Value:
    for side in (one.kind, other.kind):
        assert isinstance(side, ListKind)
        if side.form in ("set", "map", "tuple"):
            raise Refusal(f"+ with a {side.form} list does not put one behind the other in CEL; test each by itself")
    _, _, kind = alike(one, other)
    one, other = untyped(one, other)
    return infix(one, "+", other, kind)


def _times(kinds: tuple[Kind, Kind], symbol: str) -> Kind | None:
    """What a sum or difference of times is."""
    one, other = kinds
    if one is TIMESTAMP and other is TIMESTAMP and symbol == "-":
        return SPAN
    if (one is TIMESTAMP and other is SPAN) or (one is SPAN and other is TIMESTAMP and symbol == "+"):
        return TIMESTAMP
    if one in _SPANS and other in _SPANS:
        return SPAN if one is SPAN and other is SPAN else DURATION
    return None
