"""The Python side of a rule: its own source, with CEL's errors.

The function runs as written, but for what CEL does not forgive or forgives: an int beyond 64 bits, a span of time
beyond 292 years and NaN raise; so does a Duration, Quantity or time that the document misspells, where it is read;
and `any` and `all` forget an error in one item if another one decides. Line numbers stay, so that debuggers and
tracebacks point into the user's file.
"""

import ast
import copy
import types
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from kubewright.model.meta import fields_of
from kubewright.model.shape import is_model
from kubewright.schema.rules.scope import Place, place_of
from kubewright.schema.syntax import parse

__all__ = ["checked"]

_LOW: Final = -(2**63)
_HIGH: Final = 2**63 - 1
_LONGEST: Final = timedelta(microseconds=_HIGH // 1000)
#: What reading, calculating or comparing raises.
_ERRORS: Final = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError)


def checked(function: types.FunctionType, syntax: ast.FunctionDef, notes: Mapping[Place, str]) -> Callable[..., Any]:
    """The function with the checks put in; `notes` says what the translator saw at which place."""
    node = copy.deepcopy(syntax)
    node.decorator_list = []
    node.returns = None
    for argument in (*node.args.posonlyargs, *node.args.args):
        argument.annotation = None
    body = _Checks(notes).visit(node)
    # Inside another function, so that the checks and the names of enclosing functions are reached through cells.
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells |= {name: types.CellType(value) for name, value in _CHECKS.items()}
    outer = parse("def outer(): pass")
    assert isinstance(outer.body[0], ast.FunctionDef)
    outer.body[0].args.args = [ast.arg(name) for name in cells]
    outer.body[0].body = [body]
    compiled = compile(ast.fix_missing_locations(outer), function.__code__.co_filename, "exec", dont_inherit=True)
    code = _inner(_inner(compiled))
    closure = tuple(cells[name] for name in code.co_freevars)
    return types.FunctionType(code, function.__globals__, function.__name__, None, closure)


def _inner(code: types.CodeType) -> types.CodeType:
    return next(constant for constant in code.co_consts if isinstance(constant, types.CodeType))


class _Checks(ast.NodeTransformer):
    """Puts the checks around operators and calls."""

    def __init__(self, notes: Mapping[Place, str]) -> None:
        self._notes = notes

    def visit(self, node: ast.AST) -> Any:
        noted = self._notes.get(place_of(node)) if isinstance(node, ast.expr) else None
        made = super().visit(node)
        if noted == "parsed" and isinstance(node.ctx if hasattr(node, "ctx") else None, ast.Load | None):
            return _call("kw parsed", node, made)
        if noted == "model":
            return _call("kw model", node, made)
        if noted == "sum in any order" and isinstance(made, ast.Call):
            return _call("kw sum in any order", node, *made.args)
        return made

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Mod):
            return _call("kw modulo", node, node.left, node.right)
        return _call("kw checked", node, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _call("kw checked", node, node) if isinstance(node.op, ast.USub) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.Assign:
        assert isinstance(node.target, ast.Name)
        name = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        value = ast.copy_location(ast.BinOp(name, node.op, node.value), node)
        return ast.copy_location(ast.Assign([node.target], self.visit(value)), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("any", "all") and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            generator = node.args[0]
            return self._thunks(name, node, generator.elt, generator.generators)
        self.generic_visit(node)
        if name == "sum":
            return _call("kw sum", node, *node.args)
        return _call("kw checked", node, node) if name == "abs" else node

    def _thunks(self, name: str, node: ast.Call, elt: ast.expr, loops: list[ast.comprehension]) -> ast.expr:
        """`any(p for x in xs if c)` with each test as a function, to be called where its error can be kept."""
        loop, *rest = loops
        body = self._thunks(name, node, elt, rest) if rest else self.visit(elt)
        for test in reversed(loop.ifs):
            body = ast.copy_location(ast.IfExp(self.visit(test), body, ast.Constant(name == "all")), node)
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        thunk = ast.copy_location(ast.Lambda(nothing, body), node)
        walked = ast.comprehension(loop.target, self.visit(loop.iter), [], 0)
        return _call(f"kw {name}", node, ast.copy_location(ast.GeneratorExp(thunk, [walked]), node))


def _call(name: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), node), list(arguments), []), node)


# -- the checks


def _check(value: Any) -> Any:
    """What an operator gave, if CEL has such a value."""
    if isinstance(value, int) and not _LOW <= value <= _HIGH:
        raise OverflowError(f"{value} does not fit 64 bits")
    if isinstance(value, timedelta) and not -_LONGEST <= value <= _LONGEST:
        raise OverflowError(f"{value} is longer than CEL's durations")
    if isinstance(value, float) and value != value:
        raise ArithmeticError("not a number, which CEL cannot compare")
    return value


def _modulo(one: Any, other: Any) -> Any:
    if one == _LOW and other == -1:
        raise OverflowError("the quotient does not fit 64 bits")
    return _check(one % other)


def _parsed(value: Any) -> Any:
    """A value whose text was read; a text that is still one was no Duration, Quantity or time."""
    if isinstance(value, str):
        raise TypeError(f"{value!r} cannot be read")
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)  # what the API server takes it for
    return value


class _Model:
    """A model to compare, field by field as the rule in CEL does: a misspelled value fails where it is looked at."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        one, two = self._value, other._value if isinstance(other, _Model) else other
        if one is None or two is None or not is_model(type(one)):
            return bool(one == two)
        return all(
            _Model(_parsed(getattr(one, field.name))) == _Model(_parsed(getattr(two, field.name)))
            for field in fields_of(type(one))
        )

    __hash__ = None  # type: ignore[assignment]  # as a model's


def _sum(items: Iterable[Any]) -> Any:
    """Item by item: the built-in adds floats up more exactly, and never overflows."""
    total: Any = 0
    for item in items:
        total = _check(total + item)
    return total


def _sum_in_any_order(items: Iterable[Any]) -> Any:
    """The sum of a map's values, which the server adds up in an order of its own."""
    values = list(items)
    _sum(value for value in values if value > 0)
    _sum(value for value in values if value < 0)
    return _sum(values)


def _all(tests: Iterable[Callable[[], Any]]) -> bool:
    return _decide(tests, False)


def _any(tests: Iterable[Callable[[], Any]]) -> bool:
    return _decide(tests, True)


def _decide(tests: Iterable[Callable[[], Any]], decisive: bool) -> bool:
    """The decisive answer wherever it stands; else the first error, if there was one."""
    error: Exception | None = None
    for test in tests:
        try:
            if bool(test()) is decisive:
                return decisive
        except _ERRORS as caught:
            error = error or caught
    if error is not None:
        raise error
    return not decisive


#: By names that no source can hold.
_CHECKS: Final[dict[str, Callable[..., Any]]] = {
    "kw checked": _check,
    "kw modulo": _modulo,
    "kw model": _Model,
    "kw parsed": _parsed,
    "kw sum": _sum,
    "kw sum in any order": _sum_in_any_order,
    "kw all": _all,
    "kw any": _any,
}
