"""Expressions: from the syntax tree of Python to CEL, one node at a time.

`expression` says what a node's value is, `truth_of` whether Python takes it for true. Both are asked of a scope, which
knows the names in reach and what has been tested on the way here.
"""

import ast
from dataclasses import replace

from kubewright.schema.rules.arithmetic import arithmetic, minus
from kubewright.schema.rules.calls import call
from kubewright.schema.rules.comparison import compare_sets, contains, ordered
from kubewright.schema.rules.comprehension import made_list
from kubewright.schema.rules.equality import equal, forced
from kubewright.schema.rules.fields import attribute, entry
from kubewright.schema.rules.idioms import idiom
from kubewright.schema.rules.kinds import (
    BOOL,
    DURATION,
    INT,
    INT_OR_STRING,
    NONE,
    QUANTITY,
    STRING,
    TIMESTAMP,
    ListKind,
    MapKind,
    Refusal,
    SetKind,
    StructKind,
    base_of,
    unequal,
)
from kubewright.schema.rules.literal import list_of, literal
from kubewright.schema.rules.scope import Scope
from kubewright.schema.rules.strings import character, put_together, slice_of
from kubewright.schema.rules.truth import is_none, needed, spelled, truth
from kubewright.schema.rules.value import (
    UNKNOWN,
    Value,
    apply,
    both,
    choose,
    either,
    infix,
    negate,
    present,
    settled,
    size,
    spread,
)

__all__ = ["expression", "truth_of"]

_ORDERS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_COMPARED = _ORDERS | {ast.Eq: "==", ast.NotEq: "!="}
_REFUSED = {
    ast.NamedExpr: "`:=` has no form in CEL; assign on a line of its own",
    ast.Lambda: "a lambda has no form in CEL",
    ast.Await: "a rule cannot wait",
    ast.Yield: "a rule returns once",
    ast.YieldFrom: "a rule returns once",
    ast.Dict: "a dict with values from the object has no form in CEL",
    ast.DictComp: "a dict made by a loop has no form in CEL; ask with any or all",
    ast.SetComp: "a set made by a loop is compared, or counted as in len({… for …}) == len(…)",
    ast.GeneratorExp: "a generator stands inside any, all, sum, min or max",
    ast.Starred: "* has no form in CEL",
}
#: Kinds that a document may spell wrongly: the Python side checks them where they are read.
_PARSED = (DURATION, QUANTITY, TIMESTAMP)
_CONSTANTS = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.BinOp,
    ast.UnaryOp,
    ast.Tuple,
    ast.List,
    ast.Set,
    ast.Dict,
    ast.Call,
)


def truth_of(scope: Scope, node: ast.expr) -> Value:
    """Whether an expression is true; `and`, `or` and `not` keep to tests."""
    if isinstance(node, ast.BoolOp):
        tests = []
        for each in node.values:
            tests.append(truth_of(scope, each))
            scope = scope.given(tests[-1].yes if isinstance(node.op, ast.And) else tests[-1].no)
        return both(*tests) if isinstance(node.op, ast.And) else either(*tests)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return negate(truth_of(scope, node.operand))
    value = scope.value(node)
    try:
        return truth(value, ast.unparse(node))
    except Refusal as refusal:
        refusal.line = refusal.line or node.lineno
        raise


def expression(node: ast.expr, scope: Scope) -> Value:
    """The value of an expression."""
    if isinstance(node, ast.Name) and node.id in scope.names:
        return _noted(node, scope, _narrowed(scope.names[node.id], scope))
    if isinstance(node, _CONSTANTS):
        constant = scope.static(node) if _independent(node, scope) else UNKNOWN
        if constant is not UNKNOWN:
            return _constant(node, constant)
    match node:
        case ast.Attribute():
            owner = needed(scope.value(node.value), ast.unparse(node.value))
            return _noted(node, scope, _narrowed(scope.known(attribute(owner, node.attr)), scope))
        case ast.Subscript():
            return _noted(node, scope, _subscript(node, scope))
        case ast.BoolOp():
            return _bool_op(node, scope)
        case ast.UnaryOp(op=ast.Not()):
            return truth_of(scope, node)
        case ast.UnaryOp(op=ast.USub()):
            return minus(needed(scope.value(node.operand), ast.unparse(node.operand)))
        case ast.UnaryOp(op=ast.UAdd()):
            return scope.value(node.operand)
        case ast.BinOp():
            one, other = (needed(scope.value(side), ast.unparse(side)) for side in (node.left, node.right))
            return arithmetic(one, node.op, other)
        case ast.Compare():
            return _compare(node, scope)
        case ast.IfExp():
            test = truth_of(scope, node.test)
            return choose(test, scope.given(test.yes).value(node.body), scope.given(test.no).value(node.orelse))
        case ast.Call():
            return _noted(node, scope, call(scope, node))
        case ast.JoinedStr():
            return _joined(node, scope)
        case ast.List() if any(isinstance(item, ast.Starred) for item in node.elts):
            return _unpacked(node, scope)
        case ast.Tuple() | ast.List() | ast.Set():
            made = list_of(
                [scope.value(item) for item in node.elts], "tuple" if isinstance(node, ast.Tuple) else "list"
            )
            return replace(made, kind=SetKind(made.kind)) if isinstance(node, ast.Set) else made  # type: ignore[arg-type]
        case ast.ListComp():
            return made_list(scope, node.elt, node.generators)
        case ast.SetComp():
            made = made_list(scope, node.elt, node.generators)
            return replace(made, kind=SetKind(made.kind))  # type: ignore[arg-type]  # a list's
    raise Refusal(_REFUSED.get(type(node), f"{type(node).__name__} has no form in CEL"))


def _unpacked(node: ast.List, scope: Scope) -> Value:
    """`[*xs, y]`: lists, one behind the other."""
    result: Value | None = None
    for each in node.elts:
        part = scope.value(each.value) if isinstance(each, ast.Starred) else list_of([scope.value(each)])
        part = needed(part, ast.unparse(each))
        if not isinstance(part.kind, ListKind):
            raise Refusal(f"* unpacks a list here, not {part.kind.label}")
        result = part if result is None else arithmetic(result, ast.Add(), part)
    assert result is not None
    return result


def _independent(node: ast.expr, scope: Scope) -> bool:
    """Whether no name of the rule's own stands in an expression."""
    return not any(isinstance(each, ast.Name) and each.id in scope.names for each in ast.walk(node)) and not any(
        isinstance(each, ast.Call) and _calls_code(each, scope) for each in ast.walk(node)
    )


def _calls_code(node: ast.Call, scope: Scope) -> bool:
    return isinstance(node.func, ast.Name) and scope.called(node.func) is UNKNOWN


def _constant(node: ast.expr, constant: object) -> Value:
    try:
        return literal(constant)
    except Refusal as refusal:
        if isinstance(node, ast.Constant):
            raise
        raise Refusal(f"{ast.unparse(node)}: {refusal.reason}") from refusal


def _noted(node: ast.expr, scope: Scope, value: Value) -> Value:
    """Tell the Python side what is parsed here, so that it fails on a wrong spelling as CEL does."""
    if value.kind in _PARSED and value.constant is UNKNOWN:
        scope.note(node, "parsed")
    return value


def _narrowed(value: Value, scope: Scope) -> Value:
    """An int-or-string of which is known what it is."""
    if value.kind is INT_OR_STRING and not value.presence:
        for name, kind in (("int", INT), ("string", STRING)):
            if f"type({value.text}) == {name}" in scope.facts:
                return apply(name, value, kind=kind)
    return value


def _subscript(node: ast.Subscript, scope: Scope) -> Value:
    spoken = ast.unparse(node.value)
    owner = needed(scope.value(node.value), spoken)
    kind = base_of(owner.kind)
    if isinstance(node.slice, ast.Slice):
        bounds = [None if each is None else scope.static(each) for each in (node.slice.lower, node.slice.upper)]
        if kind is not STRING or node.slice.step is not None:
            raise Refusal(f"a slice of {kind.label} has no form in CEL" + " like this" * (kind is STRING))
        return slice_of(owner, *bounds)
    index = scope.static(node.slice) if _independent(node.slice, scope) else UNKNOWN
    if kind is STRING:
        return character(owner, index)
    if isinstance(kind, MapKind):
        key = needed(scope.value(node.slice), ast.unparse(node.slice))
        if base_of(key.kind) is not STRING:
            raise Refusal(f"the keys of a dict are strings, not {key.kind.label}")
        found = entry(owner, key)
        known = not owner.fork and f"{key.text} in {owner.text}" in scope.facts
        return replace(found, fails=found.fails or not known)
    if not isinstance(kind, ListKind) or kind.form == "unordered":
        raise Refusal(f"[…] goes on a list, a dict or a string, not on {kind.label}")

    def item(side: Value) -> Value:
        return replace(entry(side, _index(side, node.slice, index, scope)), fails=True)

    return spread(owner, item)


def _index(owner: Value, node: ast.expr, index: object, scope: Scope) -> Value:
    if isinstance(index, int) and index < 0:
        return infix(size(owner), "-", literal(-index), INT)
    key = needed(scope.value(node), ast.unparse(node))
    if base_of(key.kind) is not INT:
        raise Refusal(f"the index of a list is an int, not {key.kind.label}")
    if key.span[0] < 0:
        raise Refusal(f"{ast.unparse(node)} may be negative, which counts from the end in Python and fails in CEL")
    return key


def _bool_op(node: ast.BoolOp, scope: Scope) -> Value:
    """`a or b` and `a and b` as values: the first that decides, else the last."""
    first, *rest = node.values
    value = scope.value(first)
    if value.kind is BOOL and not value.presence:
        return truth_of(scope, node)
    try:
        test = truth(value, ast.unparse(first))
    except Refusal as refusal:
        refusal.line = refusal.line or first.lineno
        raise
    others = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), rest[0])
    if isinstance(node.op, ast.Or):
        return choose(test, scope.given(test.yes).known(value), scope.given(test.no).value(others))
    return choose(test, scope.given(test.yes).value(others), value)


def _compare(node: ast.Compare, scope: Scope) -> Value:
    """Comparisons, chained ones too: `a < b < c` is `a < b and b < c`."""
    tests = []
    left = node.left
    for operator, right in zip(node.ops, node.comparators, strict=True):
        tests.append(_comparison(scope, left, operator, right))
        scope = scope.given(tests[-1].yes)
        left = right
    return both(*tests)


def _comparison(scope: Scope, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Value:
    if (found := idiom(scope, left, operator, right)) is not None:
        return found
    one, other = scope.value(left), scope.value(right)
    spoken = ast.unparse(left) if other.kind is NONE else ast.unparse(right)
    if NONE in (one.kind, other.kind):
        scope.forget(left)
        scope.forget(right)
    if isinstance(operator, ast.Is | ast.IsNot):
        if NONE not in (one.kind, other.kind):
            raise Refusal("`is` compares with None only; use ==")
        test = is_none(other if one.kind is NONE else one, spoken)
        return test if isinstance(operator, ast.Is) else negate(test)
    if isinstance(operator, ast.In | ast.NotIn):
        test = _membership(one, other, ast.unparse(right), left)
        return test if isinstance(operator, ast.In) else negate(test)
    symbol = _COMPARED[type(operator)]
    if isinstance(one.kind, SetKind) and isinstance(other.kind, SetKind):
        return compare_sets(one, symbol, other, scope.taken)
    if type(operator) in _ORDERS:
        return ordered(needed(one, ast.unparse(left)), symbol, needed(other, ast.unparse(right)))
    if isinstance(one.kind, StructKind) and unequal(one.kind) and NONE is not other.kind:
        scope.note(left, "model")
        scope.note(right, "model")
    test = equal(one, other, spoken)
    return test if symbol == "==" else negate(test)


def _membership(item: Value, container: Value, spoken: str, node: ast.expr) -> Value:
    container = needed(container, spoken)
    if item.presence is None or item.kind is NONE:
        return contains(container, needed(item, ast.unparse(node)))
    if not isinstance(container.kind, ListKind | SetKind):
        needed(item, ast.unparse(node))  # None in a string raises
    there = both(item.presence, contains(container, present(item)))
    return replace(forced(there, container), yes=there.yes | settled(item.presence))


def _joined(node: ast.JoinedStr, scope: Scope) -> Value:
    """An f-string: its parts, put together."""
    parts: list[Value] = []
    for each in node.values:
        if isinstance(each, ast.Constant):
            parts.append(literal(each.value))
            continue
        assert isinstance(each, ast.FormattedValue)
        if each.format_spec is not None or each.conversion not in (-1, ord("s")):
            raise Refusal("a format in an f-string has no form in CEL; write {…} alone")
        parts.append(spelled(scope.value(each.value), ast.unparse(each.value), lenient=scope.lenient))
    return put_together(parts) if parts else literal("")
