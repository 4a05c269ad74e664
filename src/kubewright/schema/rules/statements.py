"""Statements: a function becomes one expression.

`if` is a condition, `return` its outcome, a local variable the value it stands for. A local whose value can fail is
bound with `[value].all(name, …)`, so that it fails where Python would have, also if nobody looks at it afterwards.
"""

import ast
from dataclasses import replace
from typing import Final

from kubewright.schema.rules.comprehension import Walk
from kubewright.schema.rules.expression import truth_of
from kubewright.schema.rules.kinds import (
    BOOL,
    DOUBLE,
    DURATION,
    INT,
    QUANTITY,
    SPAN,
    TIMESTAMP,
    Refusal,
    base_of,
)
from kubewright.schema.rules.names import variable_name
from kubewright.schema.rules.scope import Scope
from kubewright.schema.rules.truth import needed
from kubewright.schema.rules.value import CONDITION, Value, choose, wrap

__all__ = ["LONGEST_TEXT", "verdict"]

#: What CEL's parser takes at most, in code points.
LONGEST_TEXT: Final = 100_000
#: A rule with more ways through it has a text nobody can pay for.
_MOST_WAYS: Final = 500
_REFUSED: Final[dict[type[ast.stmt], str]] = {
    ast.For: "a loop has no form in CEL; use any(…) or all(…)",
    ast.While: "a loop has no form in CEL; use any(…) or all(…)",
    ast.Try: "CEL cannot catch an error; test before reading",
    ast.With: "`with` has no form in CEL",
    ast.Raise: "a rule returns False instead of raising",
    ast.Assert: "a rule returns the test instead of asserting it",
    ast.Match: "`match` has no form in CEL; use if",
    ast.FunctionDef: "a function inside a rule has no form in CEL",
    ast.ClassDef: "a class inside a rule has no form in CEL",
    ast.Import: "import at the top of the module",
    ast.ImportFrom: "import at the top of the module",
    ast.Global: "a rule changes nothing",
    ast.Nonlocal: "a rule changes nothing",
    ast.Delete: "a rule changes nothing",
}
_SIZELESS: Final = (BOOL, INT, DOUBLE, TIMESTAMP, DURATION, SPAN, QUANTITY)


def verdict(statements: list[ast.stmt], scope: Scope, line: int) -> Value:
    """What a function of these statements returns, as a bool; `line` is where it stands."""
    scope.ways.append(line)
    if len(scope.ways) > _MOST_WAYS:
        raise Refusal("there are too many ways through this rule; split it, or return where the answer is known", line)
    if not statements:
        raise Refusal("the rule can end without a return, which is None and not an answer", line)
    first, *rest = statements
    if isinstance(first, ast.Return):
        if first.value is None:
            raise Refusal("a rule returns whether the object is right, not nothing", first.lineno)
        return truth_of(scope, first.value)
    if isinstance(first, ast.If):
        test = truth_of(scope, first.test)
        one = verdict([*first.body, *rest], scope.given(test.yes), first.body[-1].lineno)
        other = verdict([*first.orelse, *rest], scope.given(test.no), line)
        return choose(test, one, other)
    if isinstance(first, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return _assign(first, rest, scope, line)
    if isinstance(first, ast.Pass) or (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)):
        return verdict(rest, scope, line)
    if isinstance(first, ast.Expr):
        raise Refusal("this line has no effect on the answer; a rule changes nothing", first.lineno)
    raise Refusal(_REFUSED.get(type(first), f"{type(first).__name__} has no form in CEL"), first.lineno)


def _assign(node: ast.Assign | ast.AnnAssign | ast.AugAssign, rest: list[ast.stmt], scope: Scope, line: int) -> Value:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    if len(names) < len(targets):
        raise Refusal("only a plain local name can be assigned to in a rule", node.lineno)
    if node.value is None:
        return verdict(rest, scope, line)
    value = node.value
    if isinstance(node, ast.AugAssign):
        target = ast.copy_location(ast.Name(names[0], ast.Load()), node.target)
        value = ast.copy_location(ast.BinOp(target, node.op, node.value), node)
    found = scope.value(value)
    if len(found.text) > LONGEST_TEXT:
        raise Refusal(f"{names[0]} is {len(found.text)} characters of CEL here; split the rule", node.lineno)
    owner = scope.value(value.value) if isinstance(value, ast.Attribute) and found.raw else None
    if found.raw and (isinstance(value, ast.Name) or (owner and not owner.fails)):
        # Reading a text is safe; whether it is a Duration or a Quantity shows where it is used.
        scope.forget(value)
    elif found.fails:
        return _bind_failing(names, found, rest, scope, line)
    for name in names:
        scope = scope.bind(name, found)
    return verdict(rest, scope, line)


def _bind_failing(names: list[str], found: Value, rest: list[ast.stmt], scope: Scope, line: int) -> Value:
    needed(found, f"what is assigned to {names[0]}")
    variable = variable_name(names[0], scope.taken)
    inner = scope.enter(variable)
    # The server's cost estimate knows the size of a field, not that of a variable, so what has a size is written again.
    again = replace(found, fails=False)
    local = Value(variable, found.kind, span=found.span) if base_of(found.kind) in _SIZELESS else again
    for name in names:
        inner = inner.bind(name, local)
    bound = Value(f"[{wrap(found, CONDITION)}]", found.kind, fails=True)
    return Walk(bound, variable, inner).macro("all", verdict(rest, inner, line), kind=BOOL)
