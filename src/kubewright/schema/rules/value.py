"""Values: a piece of CEL text with all that is known of it.

Beside text and kind a value says how tightly its text binds, whether evaluating it can fail, when it may be absent
(`presence` is the test), and which presence tests are settled once it turned out true (`yes`) or false (`no`).

Failing matters because CEL's `&&` and `||` forgive an error on the left when the right side decides; Python does not.
So a left side that may fail is written as a condition, `a ? b : false`, which is Python's `and` to the letter.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from kubewright.schema.rules.kinds import (
    BOOL,
    DOUBLE,
    INT,
    MISSING,
    NONE,
    Kind,
    ListKind,
    MapKind,
    Refusal,
    StructKind,
    base_of,
    holds_model,
    item_of,
    unequal,
)

__all__ = [
    "ADD",
    "AND",
    "CONDITION",
    "FALSE",
    "INT64",
    "LONGEST",
    "MEMBER",
    "MULTIPLY",
    "RELATION",
    "TRUE",
    "UNARY",
    "UNKNOWN",
    "Value",
    "alike",
    "apply",
    "as_double",
    "both",
    "choose",
    "either",
    "infix",
    "method",
    "negate",
    "present",
    "settled",
    "size",
    "spread",
    "untyped",
    "wrap",
]

#: How tightly an operator binds, loosest first.
CONDITION, OR, AND, RELATION, ADD, MULTIPLY, UNARY, MEMBER = range(8)
INT64: Final = (-(2**63), 2**63 - 1)
#: No string or list in a request of at most 3 MiB is longer.
LONGEST: Final = 2**31
#: Not a constant.
UNKNOWN: Final = object()
_NOTHING: Final[frozenset[str]] = frozenset()
_LEVELS: Final = {"+": ADD, "-": ADD, "*": MULTIPLY, "/": MULTIPLY, "%": MULTIPLY}
_OPPOSITES: Final = {"==": "!=", "!=": "=="}


@dataclass(frozen=True, slots=True)
class Value:
    """An expression."""

    text: str
    kind: Kind
    level: int = MEMBER
    fails: bool = False
    presence: "Value | None" = None
    #: Whether it might have been absent, had it not been asked for before.
    asked: bool = False
    constant: Any = UNKNOWN
    yes: frozenset[str] = _NOTHING
    no: frozenset[str] = _NOTHING
    #: Between which numbers an int lies.
    span: tuple[int, int] = INT64
    #: The string in the object that this was parsed from.
    raw: str | None = None
    #: The two sides of a condition between models, lists or dicts, and the test. What is asked of such a value is asked
    #: of each side: a default model has no text of its own, and the server's cost estimate knows the sizes of fields
    #: but not of conditions.
    fork: "tuple[Value, Value, Value] | None" = None
    #: Whether it is a string of whose length the server's cost estimate knows nothing: to append to it costs the earth.
    endless: bool = False
    #: The text that says the opposite, where there is a shorter one than `!(…)`.
    inverse: str | None = None


TRUE: Final = Value("true", BOOL, constant=True)
FALSE: Final = Value("false", BOOL, constant=False)


def wrap(value: Value, level: int) -> str:
    """The text of a value as an operand of something that binds as tightly as `level`."""
    if not value.text:
        raise Refusal(f"a default of {value.kind.label} made in Python has no form in CEL; read its fields instead")
    return f"({value.text})" if value.level < level else value.text


def infix(left: Value, operator: str, right: Value, kind: Kind = BOOL, *, fails: bool = False) -> Value:
    """`left operator right`, both evaluated; a comparison unless a kind says otherwise."""
    level = _LEVELS.get(operator, RELATION)
    one, other = wrap(left, level + (level == RELATION)), wrap(right, level + 1)
    opposite = _OPPOSITES.get(operator)
    inverse = f"{one} {opposite} {other}" if opposite else None
    return Value(f"{one} {operator} {other}", kind, level, fails or left.fails or right.fails, inverse=inverse)


def apply(function: str, *arguments: Value, kind: Kind, fails: bool = False) -> Value:
    """`function(arguments)`."""
    text = ", ".join(wrap(argument, CONDITION) for argument in arguments)
    return Value(f"{function}({text})", kind, fails=fails or any(argument.fails for argument in arguments))


def method(target: Value, name: str, *arguments: Value, kind: Kind, fails: bool = False) -> Value:
    """`target.name(arguments)`."""
    called = apply(f"{wrap(target, MEMBER)}.{name}", *arguments, kind=kind, fails=fails)
    return replace(called, fails=called.fails or target.fails)


def size(value: Value) -> Value:
    """`len(value)`."""
    return spread(value, _size)


def _size(value: Value) -> Value:
    if value.constant is not UNKNOWN:
        length = len(value.constant)
        return Value(str(length), INT, constant=length, span=(length, length))
    return replace(apply("size", value, kind=INT), span=(0, LONGEST))


def present(value: Value) -> Value:
    """The same value, known to be there."""
    return replace(value, presence=None, asked=True)


def settled(presence: Value) -> frozenset[str]:
    """The tests that hold where a value is there."""
    return presence.yes | {presence.text}


def negate(value: Value) -> Value:
    """`not value`, of a bool."""
    if value.constant is not UNKNOWN:
        return FALSE if value.constant else TRUE
    if value.inverse:
        return replace(value, text=value.inverse, inverse=value.text, yes=value.no, no=value.yes)
    if value.level == UNARY:
        return replace(value, text=value.text[1:], level=MEMBER, yes=value.no, no=value.yes)
    return Value(f"!{wrap(value, MEMBER)}", BOOL, UNARY, value.fails, yes=value.no, no=value.yes)


def both(*values: Value) -> Value:
    """`a and b`, of bools; the right side is not looked at when the left is false."""
    result = TRUE
    for value in reversed(values):
        result = _both(value, result)
    return result


def _both(left: Value, right: Value) -> Value:
    if left.constant is not UNKNOWN:
        return right if left.constant else FALSE
    if right.constant is True:
        return left
    if left.fails:
        text, level = f"{wrap(left, OR)} ? {wrap(right, OR)} : false", CONDITION
    else:
        text, level = f"{wrap(left, AND)} && {wrap(right, AND)}", AND
    return Value(text, BOOL, level, left.fails or right.fails, yes=left.yes | right.yes, no=left.no & right.no)


def either(*values: Value) -> Value:
    """`a or b`, of bools; the right side is not looked at when the left is true."""
    result = FALSE
    for value in reversed(values):
        result = _either(value, result)
    return result


def _either(left: Value, right: Value) -> Value:
    if left.constant is not UNKNOWN:
        return TRUE if left.constant else right
    if right.constant is False:
        return left
    if left.fails:
        text, level = f"{wrap(left, OR)} ? true : {wrap(right, CONDITION)}", CONDITION
    else:
        text, level = f"{wrap(left, OR)} || {wrap(right, OR)}", OR
    return Value(text, BOOL, level, left.fails or right.fails, yes=left.yes & right.yes, no=left.no | right.no)


def choose(test: Value, one: Value, other: Value) -> Value:
    """`one if test else other`."""
    if test.constant is not UNKNOWN:
        return one if test.constant else other
    if MISSING in (one.kind, other.kind):
        return _choose_missing(test, one, other)
    if NONE in (one.kind, other.kind) or one.presence or other.presence:
        return _choose_optional(test, one, other)
    one, other, kind = alike(one, other)
    if kind is BOOL and (short := _choose_bool(test, one, other)):
        return short
    fails = test.fails or one.fails or other.fails
    fork = (test, one, other) if isinstance(kind, StructKind | ListKind | MapKind) else None
    if fork and not (one.text and other.text):
        return Value("", kind, fails=fails, fork=fork)
    one, other = untyped(one, other)
    text = f"{wrap(test, OR)} ? {wrap(one, OR)} : {wrap(other, CONDITION)}"
    span = (min(one.span[0], other.span[0]), max(one.span[1], other.span[1]))
    return Value(text, kind, CONDITION, fails, span=span, fork=fork, endless=one.endless or other.endless)


def _choose_bool(test: Value, one: Value, other: Value) -> Value | None:
    if one.constant is True:
        return either(test, other)
    if other.constant is False:
        return both(test, one)
    if one.constant is False and not test.fails:
        return both(negate(test), other)
    if other.constant is True and not test.fails:
        return either(negate(test), one)
    return None


def _choose_missing(test: Value, one: Value, other: Value) -> Value:
    """Where one side is an error: nothing in CEL is just that, so an index out of range stands for it."""
    found = other if one.kind is MISSING else one
    if found.kind is MISSING:
        return found
    if one is found and test.text.startswith("has(") and test.text[4:-1] in found.text:
        return replace(found, fails=True)  # without the field, reading it is that error
    if found.presence:
        raise Refusal("this may be None or fail; say it in two steps")
    index = "0 : 1" if one is found else "1 : 0"
    return Value(f"[{wrap(found, CONDITION)}][{wrap(test, OR)} ? {index}]", found.kind, fails=True)


def _choose_optional(test: Value, one: Value, other: Value) -> Value:
    """Where a side may be absent, so may the result."""
    if one.kind is NONE and other.kind is NONE:
        return one
    sides = [FALSE if side.kind is NONE else side.presence or TRUE for side in (one, other)]
    presence = choose(test, *sides)
    if other.kind is NONE:
        result = present(one)
    elif one.kind is NONE:
        result = present(other)
    else:
        result = choose(test, present(one), present(other))
    return replace(result, presence=presence, fails=result.fails or test.fails)


def untyped(*values: Value) -> list[Value]:
    """Values as CEL lets them meet: to its checker the models of two fields are two types, whatever their class is."""
    empty = [value for value in values if not value.constant or not value.text]
    places = {re.sub(r"\boldSelf\b", "self", value.text) for value in values if value not in empty}
    if len(places) < 2 or not any(holds_model(value.kind) for value in values):
        return list(values)
    return [value if value in empty else apply("dyn", value, kind=value.kind) for value in values]


def spread(value: Value, make: Callable[[Value], Value]) -> Value:
    """What `make` makes of a value, or of each side of a fork."""
    if value.fork is None:
        return make(value)
    test, one, other = value.fork
    return choose(test, spread(one, make), spread(other, make))


def alike(one: Value, other: Value) -> tuple[Value, Value, Kind]:
    """Two values as values of one kind, as the sides of a condition or the items of a list must be."""
    if one.kind == other.kind:
        return one, other, one.kind
    if base_of(one.kind) == base_of(other.kind):
        return one, other, base_of(one.kind)
    if {base_of(one.kind), base_of(other.kind)} == {INT, DOUBLE}:
        if any(base_of(side.kind) is INT and side.constant is UNKNOWN for side in (one, other)):
            raise Refusal("an int and a float stand in one place here; write float(…) around the int")
        return as_double(one), as_double(other), DOUBLE
    if type(one.kind) is type(other.kind) and (kind := _alike_parts(one, other)) is not None:
        return one, other, kind
    raise Refusal(f"{one.kind.label} and {other.kind.label} are not of one type, as CEL wants them here")


def _alike_parts(one: Value, other: Value) -> Kind | None:
    """The kind of two lists or two dicts together; an empty one is of any kind."""
    if not isinstance(one.kind, ListKind | MapKind) or not isinstance(other.kind, ListKind | MapKind):
        return None
    if not one.constant or not other.constant:
        return one.kind if not other.constant else other.kind
    if unequal(one.kind) or unequal(other.kind):
        return None
    left, right = item_of(one.kind), item_of(other.kind)
    return one.kind if left and right and base_of(left) == base_of(right) else None


def as_double(value: Value) -> Value:
    """A number as a CEL double: a literal, or the conversion that Python does by itself."""
    if value.kind is DOUBLE:
        return value
    if value.constant is UNKNOWN:
        return apply("double", value, kind=DOUBLE)
    number = float(value.constant)
    if number != value.constant:
        raise Refusal(f"{value.constant} has no exact float, so CEL would compare another number")
    return Value(repr(number), DOUBLE, UNARY if number < 0 else MEMBER, constant=number)
