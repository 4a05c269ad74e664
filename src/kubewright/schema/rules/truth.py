"""What Python takes for true, for None, and for text.

A rule in CEL is made of bools alone, so `if self.items` becomes a test of the size, and `self.tls` one of presence.
Kinds that CEL spells or weighs differently are refused.
"""

from dataclasses import replace
from enum import IntEnum, StrEnum
from typing import Any

from kubewright.schema.rules.kinds import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    INT_OR_STRING,
    MATCH,
    NONE,
    SPAN,
    STRING,
    TIMESTAMP,
    UNION,
    ChoiceKind,
    Kind,
    ListKind,
    MapKind,
    Refusal,
    StructKind,
    base_of,
)
from kubewright.schema.rules.literal import literal
from kubewright.schema.rules.value import (
    FALSE,
    TRUE,
    UNKNOWN,
    Value,
    apply,
    both,
    choose,
    infix,
    negate,
    present,
    settled,
    size,
    spread,
)

__all__ = ["is_none", "needed", "spelled", "truth"]


def needed(value: Value, spoken: str) -> Value:
    """A value that must be there; `spoken` is how it stands in Python."""
    if value.kind is NONE:
        raise Refusal(f"{spoken} is None here")
    if value.kind is BYTES:
        raise Refusal(
            f"{spoken} is bytes, and in a rule the API server takes base64 for its URL-safe variant, failing on + and "
            "/; only ask whether it is None"
        )
    if value.presence:
        raise Refusal(f"{spoken} may be None; ask first, as in `{spoken} is not None and …` or `{spoken} is None or …`")
    return value


def is_none(value: Value, spoken: str) -> Value:
    """`value is None`."""
    if value.kind is NONE:
        return TRUE
    if value.kind is MATCH:
        return negate(replace(value, kind=BOOL))
    if value.asked:
        return FALSE
    if value.presence is None:
        raise Refusal(f"{spoken} is never None here; leave the test out")
    absent = negate(value.presence)
    return replace(absent, no=absent.no | settled(value.presence))


def truth(value: Value, spoken: str) -> Value:
    """Whether Python takes a value for true."""
    if value.kind is NONE:
        return FALSE
    if value.presence:
        there = both(value.presence, TRUE if _always(value.kind) else truth(present(value), spoken))
        return replace(there, yes=there.yes | settled(value.presence))
    if _always(value.kind):
        raise Refusal(f"{spoken} is {value.kind.label} and always true; compare it with something")
    kind = base_of(value.kind)
    if kind in (BOOL, MATCH):
        return replace(value, kind=BOOL)
    if isinstance(kind, ListKind | MapKind):
        return spread(value, _not_empty)
    zero: dict[Kind, Any] = {INT: 0, DOUBLE: 0.0, STRING: ""}
    if kind in zero:
        return infix(value, "!=", literal(zero[kind]))
    raise Refusal(f"whether {kind.label} is true or false cannot be said in CEL; compare {spoken} with something")


def _not_empty(value: Value) -> Value:
    counted = size(value)
    if counted.constant is not UNKNOWN:
        return TRUE if counted.constant else FALSE
    return replace(infix(counted, ">", literal(0)), inverse=f"{counted.text} == 0")


def _always(kind: Kind) -> bool:
    """Whether every value of a kind is true."""
    if isinstance(kind, StructKind):
        if any(hasattr(kind.annotation, name) for name in ("__bool__", "__len__")):
            raise Refusal(f"{kind.label} decides in Python whether it is true; compare one of its fields")
        return True
    return kind in (TIMESTAMP, UNION) or isinstance(base_of(kind), ChoiceKind)


def spelled(value: Value, spoken: str, *, lenient: bool) -> Value:
    """`str(value)`, which is what an f-string puts in; a lenient one may be spelled otherwise."""
    if value.kind is NONE:
        return literal("None")
    if value.presence:
        return choose(value.presence, spelled(present(value), spoken, lenient=lenient), literal("None"))
    if isinstance(value.constant, str | int | float):
        return literal(f"{value.constant}")
    kind = base_of(value.kind)
    if isinstance(value.kind, ChoiceKind) and value.kind.enum and not issubclass(value.kind.enum, StrEnum | IntEnum):
        raise Refusal(f"{spoken} is a member of {value.kind.enum.__name__}; write {spoken}.value")
    if kind is STRING:
        return replace(value, kind=STRING)
    if kind in (INT, INT_OR_STRING):
        return replace(apply("string", value, kind=STRING), endless=True)
    if kind is BOOL:
        return choose(value, literal("True"), literal("False"))
    if lenient and value.raw:
        return Value(value.raw, STRING, endless=True)
    if lenient and value.constant is UNKNOWN and kind in (DOUBLE, TIMESTAMP, SPAN, DURATION):
        return replace(apply("string", value, kind=STRING), endless=True)
    raise Refusal(f"{value.kind.label} is spelled differently in Python and in CEL; {spoken} cannot be made a string")
