"""Comprehensions: `any`, `all`, lists made from lists.

CEL's macros are Python's generators with one variable: `all(p for x in xs if c)` is `xs.all(x, !c || p)`, a second
`for` a macro inside the first. A map is walked by its keys, so a value stands there as `m[k]`. Whatever order a map
has in Python, it has none in CEL: a list made from one may be counted and searched, not compared.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from kubewright.schema.rules.fields import entry, part
from kubewright.schema.rules.kinds import BOOL, STRING, Kind, ListKind, MapKind, Refusal, SetKind
from kubewright.schema.rules.names import variable_name
from kubewright.schema.rules.scope import Scope
from kubewright.schema.rules.truth import needed, truth
from kubewright.schema.rules.value import CONDITION, FALSE, MEMBER, TRUE, Value, both, choose, wrap

__all__ = ["Walk", "every", "made_list", "walks"]


@dataclass(frozen=True)
class Walk:
    """One `for`: what is walked, by which variable, and the scope inside."""

    source: Value
    variable: str
    scope: Scope

    def macro(self, name: str, *bodies: Value, kind: Kind) -> Value:
        """`source.name(variable, bodies)`."""
        texts = ", ".join(wrap(body, CONDITION) for body in bodies)
        fails = self.source.fails or any(body.fails for body in bodies)
        return Value(f"{wrap(self.source, MEMBER)}.{name}({self.variable}, {texts})", kind, fails=fails)


def walks(scope: Scope, target: ast.expr, iterable: ast.expr, empty: Value, make: Callable[[Walk], Value]) -> Value:
    """What `make` makes of `for target in iterable`, for each thing this may be; `empty` is the outcome of nothing."""
    source, what = _walked(scope, iterable)
    names = [target] if isinstance(target, ast.Name) else target.elts if isinstance(target, ast.Tuple) else []
    spoken = [name.id for name in names if isinstance(name, ast.Name)]
    if len(spoken) != (2 if what == "items" else 1) or len(spoken) < len(names):
        wanted = "two names, `for key, value in`" if what == "items" else "one name"
        raise Refusal(f"this `for` takes {wanted}", target.lineno)

    def each(side: Value, scope: Scope) -> Value:
        if side.fork:
            test, one, other = side.fork
            return choose(test, each(one, scope.given(test.yes)), each(other, scope.given(test.no)))
        if not side.constant:
            return empty
        return make(_walk(scope, side, what, spoken))

    return each(source, scope)


def _walk(scope: Scope, source: Value, what: str, names: list[str]) -> Walk:
    variable = variable_name("key" if what == "values" else names[0], scope.taken)
    inner = scope.enter(variable)
    if isinstance(source.kind, ListKind):
        return Walk(source, variable, inner.bind(names[0], _item(source.kind, variable)))
    key = Value(variable, STRING)
    if what != "keys":
        found = entry(source, key)
        # The key comes from the map itself: reading it does not fail, though parsing what stands there may.
        inner = inner.bind(names[-1], found if found.raw else replace(found, fails=source.fails))
    return Walk(source, variable, inner if what == "values" else inner.bind(names[0], key))


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
        assert kind.item is not None  # only an empty literal has none, and that is never walked
        return Value(variable, kind.item)
    if kind.shape.optional:
        raise Refusal("an item may be None, and CEL has no test for that")
    return part(variable, kind.shape)


_MACROS: Final = {"all": "all", "any": "exists"}
_NOTHING: Final = {"all": TRUE, "any": FALSE}


def every(scope: Scope, name: Literal["all", "any"], node: ast.expr) -> Value:
    """`all(…)` or `any(…)` over a generator, a comprehension or a list of bools."""
    if isinstance(node, ast.GeneratorExp):
        return _every(scope, name, node.elt, node.generators)
    target = ast.copy_location(ast.Name("x", ast.Load()), node)
    return _every(scope, name, target, [ast.comprehension(target, node, [], 0)])


def _every(scope: Scope, name: Literal["all", "any"], elt: ast.expr, loops: list[ast.comprehension]) -> Value:
    loop, *rest = loops

    def make(this: Walk) -> Value:
        condition, inner = _condition(this.scope, loop.ifs)
        body = _every(inner, name, elt, rest) if rest else truth(inner.value(elt), ast.unparse(elt))
        body = both(condition, body) if name == "any" else choose(condition, body, TRUE)
        return this.macro(_MACROS[name], body, kind=BOOL)

    return walks(scope, loop.target, loop.iter, _NOTHING[name], make)


def _condition(scope: Scope, tests: list[ast.expr]) -> tuple[Value, Scope]:
    """The `if`s of a loop, and the scope behind them."""
    found = []
    for test in tests:
        found.append(truth(scope.value(test), ast.unparse(test)))
        scope = scope.given(found[-1].yes)
    return both(*found), scope


def made_list(scope: Scope, elt: ast.expr, loops: list[ast.comprehension]) -> Value:
    """`[elt for … in … if …]`."""
    if len(loops) > 1:
        raise Refusal("a list from two loops has no form in CEL; ask with any or all instead")
    loop = loops[0]

    def make(this: Walk) -> Value:
        condition, inner = _condition(this.scope, loop.ifs)
        item = needed(inner.value(elt), ast.unparse(elt))
        return _made(this, condition, item)

    return walks(scope, loop.target, loop.iter, Value("[]", ListKind(), constant=[]), make)


def _made(this: Walk, condition: Value, item: Value) -> Value:
    source = this.source.kind
    walked = source if isinstance(source, ListKind) else ListKind(STRING, form="unordered")
    form: Literal["list", "unordered"] = "unordered" if walked.form == "unordered" else "list"
    if item.text != this.variable:
        filters = () if condition is TRUE else (condition,)
        return this.macro("map", *filters, item, kind=ListKind(item.kind, form=form))
    if condition is TRUE and walked is source and walked.form == form:
        return this.source
    return this.macro("filter", condition, kind=replace(walked, form=form))
