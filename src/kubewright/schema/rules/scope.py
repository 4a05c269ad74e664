"""Scope: what a name means at one place of a rule, and what is known there.

Names are the rule's parameters, its local variables and loop variables; beyond them, those of the enclosing functions
and of the module, which must be constants. What is known are the presence tests that hold at this place: behind
`self.tls is not None and`, the field is there and may be read.
"""

import ast
import builtins
import operator
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

from kubewright.model.duration import Duration
from kubewright.model.quantity import Quantity
from kubewright.model.shape import is_model
from kubewright.schema.rules.kinds import Refusal
from kubewright.schema.rules.value import UNKNOWN, Value, present

__all__ = ["NotYetError", "Place", "Scope"]

#: Where a node stands: what it is, and from which line and column to which.
Place = tuple[str, int, int, int | None, int | None]


class NotYetError(Exception):
    """A name that does not exist, perhaps not yet: the module is still being read."""

    def __init__(self, name: str, line: int) -> None:
        super().__init__(name)
        self.name = name
        self.line = line


_OPERATORS: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitOr: operator.or_,
}
#: What may be called to make a constant.
_MAKERS: Final = (Quantity, Duration, timedelta, datetime, set, frozenset, float, int, str)


@dataclass(frozen=True)
class Scope:
    """One place of a rule. Scopes are values: entering a branch or a loop makes another."""

    model: Any
    function: types.FunctionType
    translate: Callable[[ast.expr, "Scope"], Value]
    names: Mapping[str, Value] = field(default_factory=dict)
    facts: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    #: The names the function assigns to somewhere.
    assigned: frozenset[str] = frozenset()
    #: In a message a value may be spelled otherwise than in Python.
    lenient: bool = False
    #: The lines where a way through the function goes on, as many times as they are passed.
    ways: list[int] = field(default_factory=list)
    #: What the Python side must do at a place, as found by the way.
    notes: dict[Place, str] = field(default_factory=dict)

    def given(self, facts: frozenset[str]) -> "Scope":
        """Where these tests hold too."""
        return replace(self, facts=self.facts | facts)

    def bind(self, name: str, value: Value) -> "Scope":
        """Where a name of Python's stands for a value."""
        return replace(self, names={**self.names, name: value})

    def enter(self, variable: str) -> "Scope":
        """Where a variable of CEL's exists."""
        return replace(self, taken=self.taken | {variable})

    def value(self, node: ast.expr) -> Value:
        """The value of an expression here."""
        try:
            return self.known(self.translate(node, self))
        except Refusal as refusal:
            refusal.line = refusal.line or node.lineno
            raise

    def known(self, value: Value) -> Value:
        """The value as it is here: one whose presence was tested is there."""
        if value.presence and value.presence.text in self.facts:
            return self.known(present(value))
        if value.fork and value.fork[0].text in self.facts:
            return self.known(value.fork[1])
        return value

    def note(self, node: ast.AST, what: str) -> None:
        """Tell the Python side of a place."""
        self.notes[place_of(node)] = what

    def forget(self, node: ast.AST) -> None:
        """Tell the Python side that nothing is to be done at a place after all."""
        self.notes.pop(place_of(node), None)

    # -- constants

    def static(self, node: ast.AST) -> Any:
        """The Python value of an expression that does not depend on the object, or `UNKNOWN`."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return UNKNOWN if node.id in self.names else self._outer(node)
        if isinstance(node, ast.Attribute):
            return self._static_attribute(node)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return self._compute(_OPERATORS[type(node.op)], node.left, node.right)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self._compute(operator.neg, node.operand)
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            items = [self.static(item) for item in node.elts]
            makers: dict[type[ast.AST], Any] = {ast.Tuple: tuple, ast.List: list, ast.Set: set}
            return UNKNOWN if any(item is UNKNOWN for item in items) else makers[type(node)](items)
        if isinstance(node, ast.Dict):
            pairs = [(UNKNOWN if key is None else self.static(key), self.static(item))
                     for key, item in zip(node.keys, node.values, strict=True)]  # fmt: skip
            return UNKNOWN if any(UNKNOWN in pair for pair in pairs) else dict(pairs)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            return self._static_call(node)
        return UNKNOWN

    def called(self, name: ast.Name) -> Any:
        """The function a name stands for; `UNKNOWN` for one nobody knows, which cannot be called in any case."""
        try:
            return self.static(name)
        except NotYetError:
            return UNKNOWN

    def _static_attribute(self, node: ast.Attribute) -> Any:
        owner = self.static(node.value)
        if isinstance(owner, Enum) and node.attr in ("value", "name"):
            return getattr(owner, node.attr)
        if isinstance(owner, types.ModuleType | type) and hasattr(owner, node.attr):
            return getattr(owner, node.attr)
        return UNKNOWN

    def _static_call(self, node: ast.Call) -> Any:
        maker = self.static(node.func)
        if not any(maker is each for each in _MAKERS) or any(isinstance(a, ast.Starred) for a in node.args):
            return UNKNOWN
        named = {keyword.arg: self.static(keyword.value) for keyword in node.keywords if keyword.arg}
        plain = [self.static(argument) for argument in node.args]
        if any(value is UNKNOWN for value in (*plain, *named.values())) or len(named) < len(node.keywords):
            return UNKNOWN
        return self._attempt(node, lambda: maker(*plain, **named))

    def _compute(self, how: Callable[..., Any], *operands: ast.expr) -> Any:
        values = [self.static(operand) for operand in operands]
        if any(value is UNKNOWN or isinstance(value, bool) for value in values):
            return UNKNOWN
        return self._attempt(operands[0], lambda: how(*values))

    def _attempt(self, node: ast.expr, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except (ArithmeticError, TypeError, ValueError) as error:
            raise Refusal(f"this constant cannot be computed: {error}", node.lineno) from error

    def _outer(self, node: ast.Name) -> Any:
        """What a name means outside the rule."""
        if node.id in self.assigned:
            raise Refusal(f"{node.id} is not assigned on every way to here", node.lineno)
        code = self.function.__code__
        if node.id in code.co_freevars:
            cell = (self.function.__closure__ or ())[code.co_freevars.index(node.id)]
            try:
                return cell.cell_contents
            except ValueError:
                raise NotYetError(node.id, node.lineno) from None
        if node.id in self.function.__globals__:
            return self.function.__globals__[node.id]
        if is_model(self.model) and node.id == self.model.__name__:
            return self.model
        if hasattr(builtins, node.id):
            return getattr(builtins, node.id)
        raise NotYetError(node.id, node.lineno)


def place_of(node: ast.AST) -> Place:
    """Where a node stands; the same for a copy of it."""
    assert isinstance(node, ast.expr)
    return type(node).__name__, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
