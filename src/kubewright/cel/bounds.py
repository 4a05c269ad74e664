"""The most that evaluating an expression can cost on inputs of a given size.

Counting every step makes an evaluation several times slower, and hardly any needs it: the objects are small, and no
value that fits into them could drive the cost anywhere near the limit. `most` proves that, or does not, from the
length of the inputs in JSON alone.

It is not the estimate by which rules are accepted (`cost`): that one has to agree with the server's to the unit and
knows nothing of the object at hand. This one only has to be on the safe side.

A value's `size` bounds everything in it: characters, elements and entries, at all depths. Its `length` bounds its
own elements, where the schema knows better.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from kubewright.cel.ast import Call, Comprehension, Expr, Ident, ListLiteral, Literal, MapLiteral, Select, StructLiteral
from kubewright.cel.checked import Checked
from kubewright.cel.types import DYN, Type

__all__ = ["most"]

_LIMITLESS: Final = 2**62
_SCALARS: Final = frozenset(("bool", "double", "duration", "int", "null", "timestamp", "type", "uint"))
# The longest that `%f` writes a double, and what a text grows by when each of its characters is escaped.
_LONGEST_NUMBER: Final = 1500
_LONGEST_COMPLAINT: Final = 2000
# A quarter of the longest pattern behind a format.
_FORMAT_PATTERN: Final = 280


class _Bound(NamedTuple):
    cost: int
    size: int
    length: int
    text: bool = False
    new: bool = False

    @property
    def across(self) -> int:
        """Going along it once: characters are ten for a unit."""
        return self.length // 10 + 2 if self.text else self.length + 1


def most(checked: Checked, variables: Mapping[str, Type], size: int) -> int:
    """The most units that evaluating costs when all inputs together are of that size."""
    scope = {name: _Bound(1, size, size) for name in variables}
    return min(_Walk(checked).bound(checked.ast.expr, scope).cost, _LIMITLESS)


_Scope: TypeAlias = Mapping[str, _Bound]


class _Walk:
    def __init__(self, checked: Checked) -> None:
        self._types = checked.types
        self._references = checked.references

    def bound(self, node: Expr, scope: _Scope) -> _Bound:
        cost, size = _VISIT[type(node)](self, node, scope)
        type_ = self._types.get(node.id, DYN)
        size = 1 if type_.kind in _SCALARS else min(size, _LIMITLESS)
        length = min(size, type_.max_elements) if type_.max_elements and _is_new(node, scope) else size
        text = type_.kind in ("string", "bytes")
        return _Bound(min(cost, _LIMITLESS), length if text else size, length, text)

    def _literal(self, node: Literal, scope: _Scope) -> tuple[int, int]:
        return 0, len(node.value) + 1 if isinstance(node.value, str | bytes) else 1

    def _ident(self, node: Ident, scope: _Scope) -> tuple[int, int]:
        found = scope.get(node.name.removeprefix("."))
        return (0, 1) if found is None else (1, found.size)

    def _select(self, node: Select, scope: _Scope) -> tuple[int, int]:
        if node.id in self._references and not node.test_only:
            found = scope.get(self._references[node.id].name)
            return (0, 1) if found is None else (1, found.size)
        operand = self.bound(node.operand, scope)
        # A unit for the field, and one where the operand is no name.
        return operand.cost + 2, operand.size

    def _list(self, node: ListLiteral, scope: _Scope) -> tuple[int, int]:
        return _made(10, [self.bound(element, scope) for element in node.elements])

    def _map(self, node: MapLiteral, scope: _Scope) -> tuple[int, int]:
        return _made(30, [self.bound(part, scope) for entry in node.entries for part in (entry.key, entry.value)])

    def _struct(self, node: StructLiteral, scope: _Scope) -> tuple[int, int]:
        return _made(40, [self.bound(field.value, scope) for field in node.fields])

    def _call(self, node: Call, scope: _Scope) -> tuple[int, int]:
        reference = self._references.get(node.id)
        function = node.function if reference is None else reference.name
        namespace = node.target is None or function != node.function
        args = [self.bound(arg, scope) for arg in (node.args if namespace else (node.target, *node.args))]  # type: ignore[arg-type]  # a member has a target
        paid = sum(arg.cost for arg in args)
        if function in ("_&&_", "_||_"):
            return paid, 1
        if function == "_?_:_":
            return paid, max(arg.size for arg in args[1:])
        if function in ("_[_]", "_[?_]", "_?._", "or", "orValue", "value", "first", "last"):
            return paid + 3 + sum(arg.across for arg in args), max(arg.size for arg in args)
        if function == "_+_":
            return paid + _along(args), args[0].size + args[1].size
        if function in ("lists.range", "flatten"):
            return self._stretched(node, function, args, paid)
        charge, made = _CALLS.get(function, (_along, _kept))
        return paid + charge(args), made(args)

    def _stretched(self, node: Call, function: str, args: list[_Bound], paid: int) -> tuple[int, int]:
        """Calls whose cost is a number in an argument: without that number there is no bound."""
        last = node.args[-1] if node.args else Literal(0, 1)
        if not isinstance(last, Literal) or not isinstance(last.value, int):
            return _LIMITLESS, _LIMITLESS
        number = max(last.value, 1)
        if function == "lists.range":
            return paid + number + 12, number
        return paid + number * args[0].size + 12, args[0].size

    def _comprehension(self, node: Comprehension, scope: _Scope) -> tuple[int, int]:
        over, init = self.bound(node.iter_range, scope), self.bound(node.accu_init, scope)
        if node.iter_var == "#unused":
            result = self.bound(node.result, {**scope, node.accu_var: init})
            return over.cost + init.cost + result.cost, result.size
        element = _Bound(1, over.size, over.size, new=_is_new(node.iter_range, scope))
        inner = {**scope, node.iter_var: element, node.accu_var: init}
        if node.iter_var2 is not None:
            inner[node.iter_var2] = element
        step, condition = self.bound(node.loop_step, inner), self.bound(node.loop_condition, inner)
        # Every round adds to the accumulator at most what the first adds to an empty one.
        grown = over.length * (step.size + 1)
        result = self.bound(node.result, {**inner, node.accu_var: _Bound(1, grown, grown)})
        return over.cost + init.cost + over.length * (step.cost + condition.cost) + result.cost, grown


def _is_new(node: Expr, scope: _Scope) -> bool:
    """Whether a value is part of `self`, which the schema was checked on; what was stored before may be larger."""
    while isinstance(node, Select | Call):
        if isinstance(node, Call):
            if node.function != "_[_]":
                return False
            node = node.args[0]
        else:
            node = node.operand
    return isinstance(node, Ident) and (node.name == "self" or (node.name in scope and scope[node.name].new))


def _made(base: int, parts: list[_Bound]) -> tuple[int, int]:
    return base + sum(part.cost for part in parts), 1 + sum(part.size + 1 for part in parts)


def _along(args: list[_Bound]) -> int:
    return 2 + 2 * sum(arg.across for arg in args)


def _through(args: list[_Bound]) -> int:
    """Along everything at all depths; a character may have four bytes."""
    return 2 + sum(arg.size + 1 for arg in args)


def _crossed(args: list[_Bound]) -> int:
    """Along one for each part of the other; a pattern's characters are four for a unit."""
    return (args[0].across + 1) * (args[1].length // 4 + 2)


def _squared(args: list[_Bound]) -> int:
    return 3 * args[-1].length * args[-1].length + 12


def _sets(args: list[_Bound]) -> int:
    return 2 * (args[0].length + 1) * (args[1].length + 1) + 1


def _kept(args: list[_Bound]) -> int:
    return 64 + 2 * sum(arg.size for arg in args)


def _replaced(args: list[_Bound]) -> int:
    return (args[0].size + 1) * (args[2].size + 1) + args[0].size


_Charge: TypeAlias = Callable[[list[_Bound]], int]

_CALLS: Final[dict[str, tuple[_Charge, _Charge]]] = {
    **dict.fromkeys(("matches", "find", "findAll", "contains"), (_crossed, _kept)),
    **dict.fromkeys(("sort", "distinct"), (_squared, lambda args: args[0].size)),
    "@sortByAssociatedKeys": (_squared, lambda args: args[0].size),
    **dict.fromkeys(("sets.contains", "sets.equivalent", "sets.intersects"), (_sets, _kept)),
    **dict.fromkeys(
        ("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "_==_", "_!=_", "@in"), (_through, _kept)
    ),
    "size": (lambda args: 1, lambda args: 1),
    "validate": (lambda args: (args[1].across + 2) * _FORMAT_PATTERN, lambda args: _LONGEST_COMPLAINT),
    "replace": (_along, _replaced),
    # What joins costs as much as the text it makes.
    "join": (
        lambda args: 2 + args[0].size * (args[-1].size + 1),
        lambda args: args[0].size * (args[-1].size + 1),
    ),
    "format": (_through, lambda args: args[0].size + (args[1].size + 1) * _LONGEST_NUMBER),
}

_VISIT: Final[dict[type, Callable[[_Walk, Any, _Scope], tuple[int, int]]]] = {
    Literal: _Walk._literal,
    Ident: _Walk._ident,
    Select: _Walk._select,
    Call: _Walk._call,
    ListLiteral: _Walk._list,
    MapLiteral: _Walk._map,
    StructLiteral: _Walk._struct,
    Comprehension: _Walk._comprehension,
}
