"""Order, membership and sets.

Python's `in` asks three things of CEL: an item of a list, a key of a map, a part of a string. A set is no CEL type;
it is the list it was made from, of which only what a set can tell is asked.
"""

from collections.abc import Container
from dataclasses import replace

from kubewright.schema.rules.equality import check_choice, forced, same_kind
from kubewright.schema.rules.kinds import (
    BOOL,
    DOUBLE,
    DURATION,
    INT,
    INT_OR_STRING,
    QUANTITY,
    SPAN,
    STRING,
    TIMESTAMP,
    Kind,
    ListKind,
    MapKind,
    Refusal,
    SetKind,
    base_of,
    holds_model,
    item_of,
    unequal,
)
from kubewright.schema.rules.literal import literal
from kubewright.schema.rules.names import variable_name
from kubewright.schema.rules.value import (
    FALSE,
    MEMBER,
    TRUE,
    UNKNOWN,
    Value,
    apply,
    as_double,
    both,
    infix,
    method,
    negate,
    spread,
    wrap,
)

__all__ = ["compare_sets", "contains", "disjoint", "ordered", "subset"]


def ordered(one: Value, operator: str, other: Value) -> Value:
    """`one < other` and its like; both are there."""
    one, other = same_kind(one, other)
    kind = base_of(one.kind)
    if kind is QUANTITY:
        return infix(method(one, "compareTo", other, kind=INT), operator, literal(0))
    if kind is INT_OR_STRING:
        raise Refusal("an int-or-string has no order; ask first, as in `isinstance(…, int) and …`")
    if kind not in (INT, DOUBLE, STRING, TIMESTAMP, DURATION, SPAN):
        raise Refusal(f"{kind.label} has no order")
    return infix(one, operator, other)


def contains(container: Value, item: Value) -> Value:
    """`item in container`; both are there."""
    kind = base_of(container.kind)
    if isinstance(kind, SetKind):
        kind = kind.of
    if kind is STRING or isinstance(kind, MapKind):
        if base_of(item.kind) is not STRING:
            raise Refusal(f"{item.kind.label} is never in {kind.label}: only a string can be")
        if kind is STRING:
            return method(container, "contains", item, kind=BOOL)
        return spread(container, lambda side: _has_key(side, item))
    if not isinstance(kind, ListKind):
        raise Refusal(f"`in` wants a list, a dict or a string on its right, not {kind.label}")
    why = unequal(replace(kind, form="list")) or (unequal(item.kind) if not _parsed(item.kind) else None)
    if why:
        raise Refusal(f"CEL's `in` would not mean Python's: {why}; write any(… == … for … in …)")
    if (of := item_of(kind)) is not None:
        container, item = _same_items(container, of, item)
    return spread(container, lambda side: _has_item(side, item))


def _has_key(container: Value, key: Value) -> Value:
    found = _has_item(container, key)
    return replace(found, yes=frozenset({found.text})) if container.constant else found


def _has_item(container: Value, item: Value) -> Value:
    if not container.constant:
        return forced(FALSE, item)  # the server does not even look at an item that is to be found in nothing
    if holds_model(item.kind):
        item = apply("dyn", item, kind=item.kind)
    return infix(item, "in", container)


def _parsed(kind: Kind) -> bool:
    return kind in (QUANTITY, DURATION, SPAN)


def _same_items(container: Value, of: Kind, item: Value) -> tuple[Value, Value]:
    """A list and what may be in it, of one kind."""
    listed = container.constant
    if {base_of(of), base_of(item.kind)} == {INT, DOUBLE}:
        if listed is not UNKNOWN and item.kind is DOUBLE:
            return literal([as_double(literal(each)).constant for each in listed]), item
        if item.constant is UNKNOWN or base_of(of) is INT:
            raise Refusal("ints and floats are not looked up among each other in CEL")
        return container, as_double(item)
    for each in [Value("_", of)] if listed is UNKNOWN else map(literal, listed):
        check_choice(each, item)
        same_kind(each, item)
    return container, item


# -- sets


def compare_sets(one: Value, operator: str, other: Value, taken: Container[str]) -> Value:
    """A comparison of two sets."""
    if operator == "==":
        return both(subset(one, other, taken), subset(other, one, taken))
    if operator == "!=":
        return negate(both(subset(one, other, taken), subset(other, one, taken)))
    if operator == "<=":
        return subset(one, other, taken)
    if operator == ">=":
        return subset(other, one, taken)
    raise Refusal(f"sets are compared with <=, >=, == and !=; {operator} has no form in CEL")


def subset(one: Value, other: Value, taken: Container[str]) -> Value:
    """Whether all of one set is in another set, list or dict."""
    return _each(one, "all", other, taken)


def disjoint(one: Value, other: Value, taken: Container[str]) -> Value:
    """Whether nothing of one set is in another set, list or dict."""
    return negate(_each(one, "exists", other, taken))


def _each(one: Value, macro: str, other: Value, taken: Container[str]) -> Value:
    if one.fails or other.fails:
        raise Refusal("making this set can fail, and CEL would not always notice; use any or all over the list")
    assert isinstance(one.kind, SetKind)
    of = one.kind.of
    kind = STRING if isinstance(of, MapKind) else item_of(of)
    if kind is None:
        return TRUE if macro == "all" else FALSE
    name = variable_name("x", taken)
    inside = contains(other, Value(name, kind))
    nothing = TRUE if macro == "all" else FALSE

    def make(side: Value) -> Value:
        return Value(f"{wrap(side, MEMBER)}.{macro}({name}, {inside.text})", BOOL) if side.constant else nothing

    return spread(one, make)
