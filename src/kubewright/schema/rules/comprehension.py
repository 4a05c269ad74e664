"""Comprehensions: `any`, `all`, lists made from lists.

CEL's macros are Python's generators with one variable: `all(p for x in xs if c)` is `xs.all(x, !c || p)`, a second
`for` a macro inside the first. A map is walked by its keys, so a value stands there as `m[k]`. Whatever order a map
has in Python, it has none in CEL: a list made from one may be counted and searched, not compared.
"""

import ast
from dataclasses import replace
from typing import Literal

from kubewright.schema.rules.fields import entry, part
from kubewright.schema.rules.kinds import BOOL, STRING, Kind, ListKind, MapKind, Refusal, SetKind
from kubewright.schema.rules.names import variable_name
from kubewright.schema.rules.scope import Scope
from kubewright.schema.rules.truth import needed, truth
from kubewright.schema.rules.value import MEMBER, TRUE, Value, both, choose, wrap

__all__ = ["Walk", "every", "made_list", "walk"]


class Walk:
    """One `for`: what is walked, by which variable, and the scope inside."""

    def __init__(self, source: Value, variable: str, scope: Scope) -> None:
        self.source = source
        self.variable = variable
        self.scope = scope

    def macro(self, name: str, *bodies: Value, kind: Kind) -> Value:
        """`source.name(variable, bodies)`."""
        texts = ", ".join(wrap(body, 0) for body in bodies)
        fails = self.source.fails or any(body.fails for body in bodies)
        return Value(f"{wrap(self.source, MEMBER)}.{name}({self.variable}, {texts})", kind, fails=fails)


def walk(scope: Scope, target: ast.expr, iterable: ast.expr) -> Walk:
    """`for target in iterable`."""
    source, what = _walked(scope, iterable)
    kind = source.kind
    names = [target] if isinstance(target, ast.Name) else target.elts if isinstance(target, ast.Tuple) else []
    if len(names) != (2 if what == "items" else 1) or not all(isinstance(name, ast.Name) for name in names):
        wanted = "two names, `for key, value in`" if what == "items" else "one name"
        raise Refusal(f"this `for` takes {wanted}", target.lineno)
    spoken = [name.id for name in names if isinstance(name, ast.Name)]
    variable = variable_name("key" if what == "values" else spoken[0], scope.taken)
    inner = scope.enter(variable)
    if isinstance(kind, ListKind):
        return Walk(source, variable, inner.bind(spoken[0], _item(kind, variable)))
    key = Value(variable, STRING)
    if what != "keys":
        # The key comes from the map itself, so that reading it cannot fail.
        found = replace(entry(source, key), fails=source.fails)
        inner = inner.bind(spoken[-1], found)
    return Walk(source, variable, inner if what == "values" else inner.bind(spoken[0], key))


def _walked(scope: Scope, node: ast.expr) -> tuple[Value, Literal["items", "keys", "values"]]:
    """What is walked: a list, or a map by keys, values or both."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args and not node.keywords:
        for what in ("items", "keys", "values"):
            if node.func.attr == what:
                owner = needed(scope.value(node.func.value), ast.unparse(node.func.value))
                if not isinstance(owner.kind, MapKind):
                    raise Refusal(f".{what}() goes on a dict, not on {owner.kind.label}")
                return owner, what
    source = needed(scope.value(node), ast.unparse(node))
    if not isinstance(source.kind, ListKind | MapKind):
        hint = "; walk the list it was made from" if isinstance(source.kind, SetKind) else ""
        raise Refusal(f"`for` walks a list or a dict in CEL, not {source.kind.label}{hint}")
    return source, "keys"


def _item(kind: ListKind, variable: str) -> Value:
    if kind.shape is None:
        if kind.item is None:
            raise Refusal("there is nothing in an empty list to walk")
        return Value(variable, kind.item)
    if kind.shape.optional:
        raise Refusal("an item may be None, and CEL has no test for that")
    return part(variable, kind.shape)


def every(scope: Scope, name: Literal["all", "any"], node: ast.expr) -> Value:
    """`all(…)` or `any(…)` over a generator, a comprehension or a list of bools."""
    if isinstance(node, ast.GeneratorExp):
        return _every(scope, name, node.elt, node.generators)
    source = needed(scope.value(node), ast.unparse(node))
    if not isinstance(source.kind, ListKind):
        raise Refusal(f"{name}() wants `… for … in …` or a list, not {source.kind.label}")
    variable = variable_name("x", scope.taken)
    inner = Walk(source, variable, scope.enter(variable))
    return inner.macro(_MACROS[name], truth(_item(source.kind, variable), "the item"), kind=BOOL)


_MACROS = {"all": "all", "any": "exists"}


def _every(scope: Scope, name: Literal["all", "any"], elt: ast.expr, loops: list[ast.comprehension]) -> Value:
    loop, *rest = loops
    this = walk(scope, loop.target, loop.iter)
    condition, inner = _condition(this.scope, loop.ifs)
    body = _every(inner, name, elt, rest) if rest else truth(inner.value(elt), ast.unparse(elt))
    body = both(condition, body) if name == "any" else choose(condition, body, TRUE)
    return this.macro(_MACROS[name], body, kind=BOOL)


def _condition(scope: Scope, tests: list[ast.expr]) -> tuple[Value, Scope]:
    """The `if`s of a loop, and the scope behind them."""
    result = TRUE
    for test in tests:
        found = truth(scope.value(test), ast.unparse(test))
        result = both(result, found)
        scope = scope.given(found.yes)
    return result, scope


def made_list(scope: Scope, elt: ast.expr, loops: list[ast.comprehension]) -> Value:
    """`[elt for … in … if …]`."""
    if len(loops) > 1:
        raise Refusal("a list from two loops has no form in CEL; ask with any or all instead")
    loop = loops[0]
    this = walk(scope, loop.target, loop.iter)
    condition, inner = _condition(this.scope, loop.ifs)
    item = needed(inner.value(elt), ast.unparse(elt))
    form: Literal["list", "unordered"] = "list"
    if isinstance(this.source.kind, MapKind) or (
        isinstance(this.source.kind, ListKind) and this.source.kind.form == "unordered"
    ):
        form = "unordered"
    filters = () if condition is TRUE else (condition,)
    if item.text == this.variable:
        kind: Kind = (
            replace(this.source.kind, form=form)
            if isinstance(this.source.kind, ListKind)
            else ListKind(STRING, form=form)
        )
        if not filters and isinstance(this.source.kind, ListKind) and this.source.kind.form == form:
            return this.source
        return this.macro("filter", *(filters or (TRUE,)), kind=kind)
    return this.macro("map", *filters, item, kind=ListKind(item.kind, form=form))
