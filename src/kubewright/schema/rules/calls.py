"""Calls a rule may make: built-in functions, and methods of strings, dicts and sets.

The list is short on purpose: each entry means the same on both sides, for every string, also beyond ASCII. Anything
else is refused by name, with the way round where there is one.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from kubewright.schema.rules.arithmetic import minus
from kubewright.schema.rules.comparison import contains, disjoint, subset
from kubewright.schema.rules.comprehension import every, made_list
from kubewright.schema.rules.fields import entry
from kubewright.schema.rules.kinds import (
    BOOL,
    DOUBLE,
    INT,
    INT_OR_STRING,
    MATCH,
    MISSING,
    STRING,
    TIMESTAMP,
    Kind,
    ListKind,
    MapKind,
    Refusal,
    SetKind,
    base_of,
    item_of,
    unequal,
)
from kubewright.schema.rules.literal import list_of, literal, quote
from kubewright.schema.rules.regex import Way, to_re2
from kubewright.schema.rules.scope import Scope
from kubewright.schema.rules.strings import string_method
from kubewright.schema.rules.truth import needed, spelled, truth
from kubewright.schema.rules.value import (
    CONDITION,
    RELATION,
    UNKNOWN,
    Value,
    as_double,
    choose,
    infix,
    method,
    size,
    spread,
    wrap,
)

__all__ = ["call"]

_WAYS: Final[dict[Any, Way]] = {re.match: "match", re.search: "search", re.fullmatch: "fullmatch"}
_HINTS: Final = {
    "sorted": "CEL cannot sort; whether a list is sorted is asked with xs == sorted(xs)",
    "int": "int() has no exact form in CEL",
    "round": "round() has no form in CEL",
    "zip": "CEL walks one list at a time",
    "enumerate": "CEL walks a list without its indices",
    "range": "CEL walks lists, not numbers",
    "next": "next() has no form in CEL; ask with any(…)",
    "filter": "write a comprehension instead: [… for … in … if …]",
    "map": "write a comprehension instead: [… for … in …]",
    "hasattr": "a field is asked for with `is not None`",
    "getattr": "write the field's name",
    "type": "the type of a field is known from its class",
    "print": "a rule has no effects",
}


def call(scope: Scope, node: ast.Call) -> Value:
    """The value of a call."""
    if any(isinstance(argument, ast.Starred) for argument in node.args) or any(not k.arg for k in node.keywords):
        raise Refusal("* and ** in a call have no form in CEL")
    function = node.func
    if isinstance(function, ast.Name):
        return _call_name(scope, node, function)
    if not isinstance(function, ast.Attribute):
        raise Refusal("only a named function can be called in a rule")
    called = _static(scope, function)
    if isinstance(called, Callable) and called in _WAYS:  # type: ignore[arg-type]  # a function
        return _matches(scope, node, _WAYS[called], None)
    owner = _static(scope, function.value)
    if isinstance(owner, re.Pattern) and function.attr in _WAYS.values():
        return _matches(scope, node, function.attr, owner)  # type: ignore[arg-type]  # one of the three
    if called is not UNKNOWN and not isinstance(owner, str | dict | set | frozenset):
        raise Refusal(f"{ast.unparse(function)}() is code CEL cannot run; write out what it does")
    spoken = ast.unparse(function.value)
    receiver = needed(scope.value(function.value), spoken)
    return _call_method(scope, node, receiver, function.attr, spoken)


def _static(scope: Scope, node: ast.expr) -> Any:
    """The constant an expression is; a name nobody knows is none."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    return scope.static(node) if isinstance(root, ast.Name | ast.Constant) else UNKNOWN


def _call_name(scope: Scope, node: ast.Call, function: ast.Name) -> Value:
    called = UNKNOWN
    if function.id not in scope.names:
        called = scope.called(function)
    if called in (re.match, re.search, re.fullmatch):
        return _matches(scope, node, _WAYS[called], None)
    for known, handler in _BUILTINS.items():
        if called is known:
            return handler(scope, node)
    hint = _HINTS.get(function.id, "CEL cannot run it; write out what it does")
    raise Refusal(f"{function.id}() cannot be called in a rule: {hint}")


def _arguments(node: ast.Call, least: int, most: int, *named: str) -> dict[str, ast.expr]:
    """The named arguments, after a look at the number of plain ones."""
    name = ast.unparse(node.func)
    if not least <= len(node.args) <= most:
        raise Refusal(f"{name}() takes {least if least == most else f'{least} to {most}'} arguments in a rule")
    for keyword in node.keywords:
        if keyword.arg not in named:
            raise Refusal(f"{name}({keyword.arg}=…) has no form in CEL")
    return {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}


def _one(scope: Scope, node: ast.Call) -> tuple[Value, str]:
    """The only argument of a call, which must be there."""
    _arguments(node, 1, 1)
    spoken = ast.unparse(node.args[0])
    return needed(scope.value(node.args[0]), spoken), spoken


# -- functions


def _len(scope: Scope, node: ast.Call) -> Value:
    value, spoken = _one(scope, node)
    kind = base_of(value.kind)
    if isinstance(kind, SetKind):
        raise Refusal(
            "how many different items there are cannot be counted in CEL, only whether all differ: "
            "len(set(xs)) == len(xs)"
        )
    if not isinstance(kind, ListKind | MapKind) and kind is not STRING:
        raise Refusal(f"{spoken} is {value.kind.label}, which has no length")
    return size(value)


def _all(scope: Scope, node: ast.Call) -> Value:
    _arguments(node, 1, 1)
    return every(scope, "all", node.args[0])


def _any(scope: Scope, node: ast.Call) -> Value:
    _arguments(node, 1, 1)
    return every(scope, "any", node.args[0])


def _items(scope: Scope, node: ast.expr) -> Value:
    """A list, also from a generator or from a dict's values."""
    if isinstance(node, ast.GeneratorExp):
        return made_list(scope, node.elt, node.generators)
    name = ast.Name("item", ast.Load())
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("values", "keys"):
        loop = ast.comprehension(ast.copy_location(name, node), node, [], 0)
        return made_list(scope, ast.copy_location(name, node), [loop])
    return needed(scope.value(node), ast.unparse(node))


def _sum(scope: Scope, node: ast.Call) -> Value:
    _arguments(node, 1, 1)
    items = _items(scope, node.args[0])
    if not isinstance(items.kind, ListKind):
        raise Refusal(f"sum() wants a list, not {items.kind.label}")
    item = items.kind.item if items.kind.shape is None else item_of(items.kind)
    kind = base_of(item) if item else INT
    if kind not in (INT, DOUBLE):
        raise Refusal(f"sum() adds up ints or floats in a rule, not {kind.label}")
    if items.kind.form == "unordered":
        if kind is DOUBLE:
            raise Refusal("the sum of a dict's floats depends on their order, which CEL does not keep")
        scope.note(node, "sum in any order")
    return spread(items, lambda side: method(side, "sum", kind=kind, fails=True) if side.constant else literal(0))


def _extreme(scope: Scope, node: ast.Call) -> Value:
    name = ast.unparse(node.func)
    named = _arguments(node, 1, 1000, "default")
    if len(node.args) > 1:
        if named:
            raise Refusal(f"{name}(…, default=…) goes with one list")
        items = list_of([needed(scope.value(argument), ast.unparse(argument)) for argument in node.args])
    else:
        items = _items(scope, node.args[0])
    kind = items.kind
    item = item_of(kind) if isinstance(kind, ListKind) else None
    if item is None or base_of(item) not in (INT, DOUBLE, STRING, TIMESTAMP) or unequal(item):
        raise Refusal(f"{name}() wants ints, floats, strings or datetimes in a rule")
    found = base_of(item)

    def pick(side: Value) -> Value:
        # Nothing is the least of nothing: an error on both sides.
        return method(side, name, kind=found, fails=len(node.args) == 1) if side.constant else Value("", MISSING)

    if "default" not in named:
        return spread(items, pick)
    default = needed(scope.value(named["default"]), "the default")

    def pick_or_default(side: Value) -> Value:
        return _or_default(truth(side, name), replace(pick(side), fails=side.fails), default)

    return spread(items, pick_or_default)


def _set(scope: Scope, node: ast.Call) -> Value:
    _arguments(node, 1, 1)
    items = _items(scope, node.args[0])
    if not isinstance(items.kind, ListKind | MapKind):
        raise Refusal(f"a set is made from a list or a dict in a rule, not from {items.kind.label}")
    return replace(items, kind=SetKind(items.kind))


def _list(scope: Scope, node: ast.Call) -> Value:
    _arguments(node, 1, 1)
    items = _items(scope, node.args[0])
    if not isinstance(items.kind, ListKind) or items.kind.form == "tuple":
        raise Refusal(f"list() takes a list in a rule, not {items.kind.label}")
    return items


def _str(scope: Scope, node: ast.Call) -> Value:
    _arguments(node, 1, 1)
    return spelled(scope.value(node.args[0]), ast.unparse(node.args[0]), lenient=scope.lenient)


def _float(scope: Scope, node: ast.Call) -> Value:
    value, _ = _one(scope, node)
    if base_of(value.kind) not in (INT, DOUBLE):
        raise Refusal(f"float() takes a number in a rule, not {value.kind.label}")
    return as_double(value)


def _bool(scope: Scope, node: ast.Call) -> Value:
    _arguments(node, 1, 1)
    return truth(scope.value(node.args[0]), ast.unparse(node.args[0]))


def _abs(scope: Scope, node: ast.Call) -> Value:
    value, _ = _one(scope, node)
    zero = literal(0.0) if value.kind is DOUBLE else literal(0)
    return choose(infix(value, "<", zero), minus(value), value)


def _isinstance(scope: Scope, node: ast.Call) -> Value:
    _arguments(node, 2, 2)
    spoken = ast.unparse(node.args[0])
    value = scope.value(node.args[0])
    wanted = scope.static(node.args[1])
    if value.kind is not INT_OR_STRING or wanted not in (int, str):
        raise Refusal(f"isinstance() is only of use on an int-or-string, with int or str; {spoken} is what it is")
    return type_test(needed(value, spoken), "int" if wanted is int else "string")


def type_test(value: Value, name: str) -> Value:
    """Whether an int-or-string is one or the other."""
    tests = {each: f"type({value.text}) == {each}" for each in ("int", "string")}
    other = next(text for each, text in tests.items() if each != name)
    return Value(tests[name], BOOL, RELATION, value.fails, yes=frozenset({tests[name]}), no=frozenset({other}))


_BUILTINS: Final[dict[Any, Callable[[Scope, ast.Call], Value]]] = {
    len: _len,
    all: _all,
    any: _any,
    sum: _sum,
    min: _extreme,
    max: _extreme,
    set: _set,
    frozenset: _set,
    list: _list,
    str: _str,
    float: _float,
    bool: _bool,
    abs: _abs,
    isinstance: _isinstance,
}


# -- methods


def _call_method(scope: Scope, node: ast.Call, receiver: Value, name: str, spoken: str) -> Value:
    kind = base_of(receiver.kind)
    if kind is STRING:
        return string_method(scope, node, receiver, name)
    if isinstance(kind, MapKind) and name == "get":
        return _get(scope, node, receiver)
    if isinstance(kind, SetKind) and name in ("issubset", "issuperset", "isdisjoint"):
        return _set_method(scope, node, receiver, name)
    if isinstance(kind, MapKind) and name in ("keys", "values", "items"):
        if name == "keys":
            return replace(receiver, kind=SetKind(kind))
        raise Refusal(f".{name}() stands behind `for … in`, or inside sum, min or max")
    raise Refusal(f"{spoken}.{name}() cannot be called in a rule: {_code(kind)}")


def _code(kind: Kind) -> str:
    return f"{kind.label} has no such method in CEL; write out what it does"


def _get(scope: Scope, node: ast.Call, receiver: Value) -> Value:
    """`d.get(key)` and `d.get(key, default)`."""
    _arguments(node, 1, 2)
    key = needed(scope.value(node.args[0]), ast.unparse(node.args[0]))
    if base_of(key.kind) is not STRING:
        raise Refusal(f"the keys of a dict are strings, not {key.kind.label}")
    there = contains(receiver, key)
    value = entry(receiver, key)
    if value.raw is None:
        value = replace(value, fails=receiver.fails or key.fails)
    if len(node.args) == 1:
        return replace(value, presence=there)
    return _or_default(there, value, scope.value(node.args[1]))


def _or_default(test: Value, value: Value, default: Value) -> Value:
    """A value or the default, which Python evaluates in any case, so that it fails in any case."""
    chosen = choose(test, value, default)
    if not default.fails or chosen.presence:
        return chosen
    return Value(f"[{wrap(chosen, CONDITION)}, {wrap(default, CONDITION)}][0]", chosen.kind, fails=True)


def _set_method(scope: Scope, node: ast.Call, receiver: Value, name: str) -> Value:
    _arguments(node, 1, 1)
    other = _items(scope, node.args[0])
    if name == "issubset":
        return subset(receiver, other, scope.taken)
    if name == "isdisjoint":
        return disjoint(receiver, other, scope.taken)
    if isinstance(other.kind, ListKind | MapKind):
        other = replace(other, kind=SetKind(other.kind))
    return subset(other, receiver, scope.taken)


def _matches(scope: Scope, node: ast.Call, way: Way, pattern: re.Pattern[Any] | None) -> Value:
    """`re.match(pattern, text)` or `PATTERN.match(text)`."""
    named = _arguments(node, 1, 1) if pattern else _arguments(node, 2, 3, "flags")
    if pattern is None:
        source = scope.static(node.args[0])
        flags = node.args[2] if len(node.args) > 2 else named.get("flags")
        mode = scope.static(flags) if flags else 0
        if isinstance(source, re.Pattern) and not mode:
            source, mode = source.pattern, source.flags
    else:
        source, mode = pattern.pattern, pattern.flags
    if not isinstance(source, str) or not isinstance(mode, int):
        raise Refusal("a pattern is a string that does not depend on the object")
    subject = node.args[0 if pattern else 1]
    text = needed(scope.value(subject), ast.unparse(subject))
    if base_of(text.kind) is not STRING:
        raise Refusal(f"{ast.unparse(subject)} is {text.kind.label}; a pattern matches strings")
    expression = to_re2(source, mode, way)
    raw = "\\" in expression and expression.isprintable() and "'" not in expression
    argument = Value(f"r'{expression}'" if raw else quote(expression), STRING)
    return method(text, "matches", argument, kind=MATCH)
