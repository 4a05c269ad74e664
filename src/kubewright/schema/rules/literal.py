"""Python values as CEL literals.

Constants a rule names are written into it as they are when the class is defined, and so are the defaults that only
Python knows. CEL's literals are those of JSON, with 64-bit integers and without NaN; times, durations and quantities
are calls around a string.
"""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Literal

from kubewright.model.duration import Duration
from kubewright.model.quantity import Quantity
from kubewright.model.shape import Choice, ListOf, MapOf, Scalar, Shape, StructOf, is_model
from kubewright.schema.rules.kinds import (
    DOUBLE,
    DURATION,
    INT,
    NONE,
    PATTERN,
    QUANTITY,
    SPAN,
    STRING,
    TIMESTAMP,
    ListKind,
    MapKind,
    Refusal,
    SetKind,
    StructKind,
    choice_of,
    kind_of,
)
from kubewright.schema.rules.value import (
    CONDITION,
    FALSE,
    INT64,
    MEMBER,
    TRUE,
    UNARY,
    Value,
    alike,
    as_double,
    untyped,
    wrap,
)

__all__ = ["default_literal", "list_of", "literal", "quote"]

_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quote(text: str) -> str:
    """A CEL string literal."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise Refusal(f"{text!r} has half a surrogate pair, which no JSON string carries")
    return "'" + "".join(map(_quoted, text)) + "'"


def _quoted(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def literal(value: Any) -> Value:
    """The CEL literal of a Python value."""
    if isinstance(value, Enum):
        return Value(_scalar(value.value).text, choice_of(type(value)), constant=value)
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
        form: Literal["list", "tuple"] = "tuple" if isinstance(value, tuple) else "list"
        made = list_of([literal(item) for item in items], form)
        if isinstance(value, set | frozenset):
            return replace(made, kind=SetKind(made.kind), constant=value)  # type: ignore[arg-type]  # a list's
        return replace(made, constant=value)
    if isinstance(value, dict):
        return _map(value)
    if is_model(type(value)):
        return Value("", StructKind(type(value)), constant=value)
    if isinstance(value, re.Pattern):
        return Value("", PATTERN, constant=value)
    return _scalar(value)


def _scalar(value: Any) -> Value:
    if value is None:
        return Value("null", NONE, constant=None)
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, int):
        if not INT64[0] <= value <= INT64[1]:
            raise Refusal(f"{value} does not fit the 64 bits of CEL's integers")
        level = UNARY if value < 0 else MEMBER
        return Value(str(int(value)), INT, level, constant=value, span=(value, value))
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise Refusal(f"CEL has no literal for {value}")
        return Value(repr(value), DOUBLE, UNARY if value < 0 else MEMBER, constant=value)
    if isinstance(value, str):
        return Value(quote(str(value)), STRING, constant=value)
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise Refusal(f"{value} says no time zone; give it one, as in datetime(…, tzinfo=UTC)")
        text = value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        return Value(f"timestamp({quote(text)})", TIMESTAMP, constant=value)
    if isinstance(value, timedelta):
        return Value(f"duration({quote(str(Duration(value)))})", SPAN, constant=value)
    if isinstance(value, Duration):
        return Value(f"duration({quote(str(value))})", DURATION, constant=value)
    if isinstance(value, Quantity):
        return Value(f"quantity({quote(str(value))})", QUANTITY, constant=value)
    raise Refusal(f"{value!r:.60} is no constant CEL could hold")


def list_of(items: list[Value], form: Literal["list", "tuple"] = "list") -> Value:
    """`[items]`; CEL wants them of one kind."""
    if not items:
        return Value("[]", ListKind(form=form), constant=[])
    first = items[0]
    for item in items:
        if item.presence or item.kind is NONE:
            raise Refusal("a list in CEL cannot hold None")
        first = replace(alike(first, item)[0], kind=alike(first, item)[2])
    kind = first.kind
    text = ", ".join(wrap(as_double(item) if kind is DOUBLE else item, CONDITION) for item in untyped(*items))
    return Value(f"[{text}]", ListKind(item=kind, form=form), fails=any(item.fails for item in items))


def _map(value: dict[Any, Any]) -> Value:
    if not all(isinstance(key, str) for key in value):
        raise Refusal("a dict in a rule has strings for keys, as JSON has")
    items = {key: literal(item) for key, item in value.items()}
    whole = list_of(list(items.values()))
    text = ", ".join(f"{quote(key)}: {item.text}" for key, item in items.items())
    return Value(f"{{{text}}}", MapKind(item=whole.kind.item), constant=value)  # type: ignore[attr-defined]


def default_literal(value: Any, shape: Shape) -> Value:
    """What an absent field reads as, given what Python reads it as."""
    if value is None:
        return literal(None)
    kind = kind_of(shape)
    if isinstance(shape, StructOf):
        return Value("", kind, constant=value)
    if isinstance(shape, Choice) and shape.enum:
        return literal(shape.enum(value))
    if isinstance(shape, Scalar) and shape.python in (Quantity, Duration) and isinstance(value, str | int):
        return literal(shape.python(value))
    if isinstance(shape, Scalar) and shape.python is float:
        return literal(float(value))
    if isinstance(shape, ListOf | MapOf):
        made = literal(value)
        return Value(made.text, made.kind if value else kind, constant=value)
    return literal(value)
