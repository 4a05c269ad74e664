"""`==` as Python means it.

None equals None alone; a model equals another of its class if every field reads the same, defaults included; a
Quantity is its amount, not its spelling. CEL's `==` is used where it says the same, and spelled out or refused
elsewhere. Values of different types never meet: such a test is a mistake more often than a meaning, and CEL's checker
would refuse it.
"""

from dataclasses import replace
from typing import Any

from kubewright.model.meta import fields_of
from kubewright.schema.rules.fields import attribute
from kubewright.schema.rules.kinds import (
    BOOL,
    DOUBLE,
    DURATION,
    INT,
    INT_OR_STRING,
    NONE,
    QUANTITY,
    SPAN,
    STRING,
    ChoiceKind,
    ListKind,
    MapKind,
    Refusal,
    StructKind,
    base_of,
    unequal,
)
from kubewright.schema.rules.literal import literal
from kubewright.schema.rules.truth import is_none
from kubewright.schema.rules.value import (
    CONDITION,
    TRUE,
    UNKNOWN,
    Value,
    alike,
    apply,
    as_double,
    both,
    choose,
    infix,
    method,
    negate,
    present,
    settled,
    untyped,
    wrap,
)

__all__ = ["as_quantity", "check_choice", "equal", "forced", "same_kind"]


def equal(one: Value, other: Value, spoken: str = "this") -> Value:
    """`one == other`."""
    if one.kind is NONE or other.kind is NONE:
        return is_none(other if one.kind is NONE else one, spoken)
    if one.presence and other.presence:
        same = both(other.presence, _equal(present(one), present(other)))
        return forced(choose(one.presence, same, negate(other.presence)), one, other)
    presence = one.presence or other.presence
    if presence is None:
        return _equal(one, other)
    same = both(presence, _equal(present(one), present(other)))
    return replace(forced(same, other if one.presence else one), yes=same.yes | settled(presence))


def forced(test: Value, *operands: Value) -> Value:
    """A test that fails where reading one of its operands does, also if it would not have looked at it."""
    looks = []
    for operand in operands:
        if operand.fails:
            look = infix(present(operand), "==", present(operand))
            looks.append(choose(operand.presence, look, TRUE) if operand.presence else look)
    if not looks:
        return test
    listed = ", ".join(wrap(each, CONDITION) for each in (test, *looks))
    return Value(f"[{listed}][0]", BOOL, fails=True)


def _equal(one: Value, other: Value) -> Value:
    check_choice(one, other)
    one, other = same_kind(one, other)
    if one.kind is QUANTITY:
        return infix(method(one, "compareTo", other, kind=INT), "==", literal(0))
    if isinstance(one.kind, StructKind) and (not one.text or not other.text or unequal(one.kind)):
        return _equal_fields(one, other)
    for side in (one, other):
        # A Duration by itself is parsed by now; inside lists and models it is still its spelling.
        if side.kind is not DURATION and (why := unequal(side.kind)):
            raise Refusal(f"CEL's == would not mean Python's: {why}")
    one, other = untyped(one, other)
    return infix(one, "==", other)


def _equal_fields(one: Value, other: Value) -> Value:
    assert isinstance(one.kind, StructKind)
    if one.kind.role != "plain":
        raise Refusal("a whole resource cannot be compared, its metadata is not seen there; compare spec or status")
    tests = []
    for field in fields_of(one.kind.annotation):
        try:
            tests.append(equal(attribute(one, field.name), attribute(other, field.name)))
        except Refusal as refusal:
            raise Refusal(
                f"two {one.kind.label} objects cannot be compared as a whole, because of {field.name}: "
                f"{refusal.reason}; compare the fields that matter"
            ) from refusal
    return both(*tests)


def same_kind(one: Value, other: Value) -> tuple[Value, Value]:
    """Both as CEL can compare them, or why not."""
    kinds = (base_of(one.kind), base_of(other.kind))
    if INT_OR_STRING in kinds and set(kinds) <= {INT, STRING, INT_OR_STRING}:
        return replace(one, kind=INT_OR_STRING), replace(other, kind=INT_OR_STRING)
    if set(kinds) == {INT, QUANTITY}:
        return as_quantity(one), as_quantity(other)
    if set(kinds) == {SPAN, DURATION}:
        return replace(one, kind=DURATION), replace(other, kind=DURATION)
    if set(kinds) == {INT, DOUBLE}:
        return _numbers(one, other)
    try:
        left, right, kind = alike(one, other)
    except Refusal:
        if type(one.kind) is type(other.kind) and (why := unequal(one.kind) or unequal(other.kind)):
            raise Refusal(f"CEL's == would not mean Python's: {why}") from None
        raise Refusal(f"{one.kind.label} and {other.kind.label} are not compared with each other") from None
    if isinstance(kind, ListKind | MapKind):
        return left, right
    return replace(left, kind=kind), replace(right, kind=kind)


def check_choice(one: Value, other: Value) -> None:
    """Refuse a constant that a Literal or an Enum never is."""
    if isinstance(other.kind, ChoiceKind):
        one, other = other, one
    kind, constant = one.kind, other.constant
    if not isinstance(kind, ChoiceKind) or constant is UNKNOWN:
        return
    if kind.enum and not issubclass(kind.enum, str | int) and not isinstance(constant, kind.enum):
        raise Refusal(f"a member of {kind.enum.__name__} never equals {constant!r}; compare with the member itself")
    value: Any = getattr(constant, "value", constant)
    if isinstance(value, str | int) and not isinstance(value, bool) and value not in kind.values:
        raise Refusal(f"{value!r} is none of {', '.join(map(repr, kind.values))}")


def _numbers(one: Value, other: Value) -> tuple[Value, Value]:
    """An int and a float: only a literal can be made the other's kind without changing the outcome."""
    whole, real = (one, other) if base_of(one.kind) is INT else (other, one)
    if whole.constant is not UNKNOWN:
        return as_double(one), as_double(other)
    if real.constant is UNKNOWN:
        raise Refusal("CEL rounds an int when it compares it with a float; write float(…) around the int")
    if real.constant != int(real.constant):
        raise Refusal(f"an int is compared with a whole number, not with {real.constant}")
    real = literal(int(real.constant))
    return (whole, real) if base_of(one.kind) is INT else (real, whole)


def as_quantity(value: Value) -> Value:
    """A Quantity, or an int as one."""
    if value.kind is QUANTITY:
        return value
    if value.constant is not UNKNOWN:
        return Value(f"quantity('{value.constant}')", QUANTITY)
    return apply("quantity", apply("string", value, kind=STRING), kind=QUANTITY)
