"""Idioms: what Python says with a set or with `sorted`, and CEL says in its own way.

`len(set(xs)) == len(xs)` asks whether all items differ, and `xs == sorted(xs)` whether they are in order. Neither a
set nor a sorted copy exists in CEL, but the questions do.
"""

import ast

from kubewright.schema.rules.comprehension import Walk, walks
from kubewright.schema.rules.equality import equal
from kubewright.schema.rules.kinds import (
    BOOL,
    DOUBLE,
    INT,
    STRING,
    TIMESTAMP,
    ListKind,
    MapKind,
    Refusal,
    StructKind,
    base_of,
    item_of,
    unequal,
)
from kubewright.schema.rules.scope import Scope
from kubewright.schema.rules.truth import needed
from kubewright.schema.rules.value import TRUE, Value, method, negate, spread

__all__ = ["idiom"]


def idiom(scope: Scope, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Value | None:
    """The value of a comparison that is such an idiom, else None."""
    for one, other in ((left, right), (right, left)):
        if _called(scope, one, len) and _called(scope, other, len):
            distinct, counted = _argument(one), _argument(other)
            if isinstance(distinct, ast.SetComp) or _called(scope, distinct, set):
                return _distinct(scope, distinct, counted, operator, one is left)
        if _called(scope, one, sorted):
            return _in_order(scope, one, other, operator)
    return None


def _called(scope: Scope, node: ast.expr, function: object) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id not in scope.names
        and scope.static(node.func) is function
        and len(node.args) == 1
        and not node.keywords
    )


def _argument(node: ast.expr) -> ast.expr:
    assert isinstance(node, ast.Call)
    return node.args[0]


def _distinct(scope: Scope, distinct: ast.expr, counted: ast.expr, operator: ast.cmpop, first: bool) -> Value:
    """`len(set(xs)) == len(xs)`: every item is there once."""
    inner = distinct if isinstance(distinct, ast.SetComp) else _argument(distinct)
    target: ast.expr = ast.Name("x", ast.Load())
    elt, source = target, inner
    if isinstance(inner, ast.SetComp | ast.GeneratorExp | ast.ListComp):
        loop = inner.generators[0]
        if len(inner.generators) > 1 or loop.ifs:
            raise Refusal("how many different items there are cannot be counted in CEL, only whether all differ")
        elt, source, target = inner.elt, loop.iter, loop.target
    if not _same(source, counted) and not _same(inner, counted):
        raise Refusal(
            "how many different items there are cannot be counted in CEL, only whether all differ: "
            "len(set(xs)) == len(xs) with the same xs"
        )
    if isinstance(operator, ast.Eq):
        return _all_differ(scope, target, elt, source)
    if isinstance(operator, ast.NotEq | ast.Lt if first else ast.NotEq | ast.Gt):
        return negate(_all_differ(scope, target, elt, source))
    raise Refusal("whether all items differ is asked with == or !=")


def _all_differ(scope: Scope, target: ast.expr, elt: ast.expr, source: ast.expr) -> Value:
    ast.copy_location(target, source)

    def make(outer: Walk) -> Value:
        one = outer.scope.value(elt)
        if isinstance(one.kind, StructKind | ListKind | MapKind):
            raise Refusal(f"{one.kind.label} cannot be in a Python set; compare a field of it")
        if one.fails:
            raise Refusal("making this set can fail, and CEL would not always notice")

        def once(inner: Walk) -> Value:
            return inner.macro("exists_one", equal(inner.scope.value(elt), one), kind=BOOL)

        return outer.macro("all", walks(outer.scope, target, source, TRUE, once), kind=BOOL)

    return walks(scope, target, source, TRUE, make)


def _in_order(scope: Scope, call: ast.expr, other: ast.expr, operator: ast.cmpop) -> Value:
    """`xs == sorted(xs)`."""
    if not _same(_argument(call), other) or not isinstance(operator, ast.Eq | ast.NotEq):
        raise Refusal("CEL cannot sort, only tell whether a list is sorted: xs == sorted(xs) with the same xs")
    source = needed(scope.value(other), ast.unparse(other))
    kind = source.kind
    item = item_of(kind) if isinstance(kind, ListKind) and kind.form not in ("tuple", "unordered") else None
    if item is None or base_of(item) not in (INT, DOUBLE, STRING, BOOL, TIMESTAMP) or unequal(item):
        raise Refusal(f"whether it is sorted cannot be asked in CEL of {kind.label} such as this")
    result = spread(source, lambda side: method(side, "isSorted", kind=BOOL) if side.constant else TRUE)
    return result if isinstance(operator, ast.Eq) else negate(result)


def _same(one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions are the same text, a generator being as good as a list of it."""
    kinds = (ast.GeneratorExp, ast.ListComp)
    if isinstance(one, kinds) and isinstance(other, kinds):
        one, other = (ast.ListComp(each.elt, each.generators) for each in (one, other))
    return ast.dump(one) == ast.dump(other)
