"""Macros: calls that stand for a longer expression, written out while parsing.

`list.all(x, p)` is no function: its second argument is evaluated once an element. It becomes a fold, and messages,
prices and evaluation speak of that fold. Which calls are macros is told by name, number of arguments and whether there
is a target; any other call by such a name is an ordinary call, and the checker will say that no such function exists.

Every node a macro adds stands, in messages, at the opening parenthesis of its call.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from kubewright.cel.ast import (
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    Macro,
    MapLiteral,
    Select,
    StructLiteral,
    Value,
)

__all__ = ["ACCUMULATOR", "MACROS", "Expansion", "Misuse"]

# The variable that a fold adds up in: no text can spell it.
ACCUMULATOR = "@result"
# What it was called once; still refused as a name for a variable.
_OLD_ACCUMULATOR = "__result__"
_UNUSED = "#unused"
_SORT_INPUT = "@__sortBy_input__"


class Misuse(Exception):
    """A macro's arguments are not of the form it needs; `id` is the node at fault."""

    def __init__(self, node: Expr, message: str) -> None:
        super().__init__(message)
        self.id = node.id
        self.message = message


class Expansion:
    """One macro call being written out: makes nodes that stand where the call stands.

    `number` gives a new id to a node at a place.
    """

    __slots__ = ("_number", "_offset", "_offsets", "macro")

    def __init__(self, number: Callable[[int], int], offsets: Mapping[int, int], offset: int, macro: Macro) -> None:
        self._number = number
        self._offsets = offsets
        self._offset = offset
        self.macro = macro

    def next_id(self) -> int:
        return self._number(self._offset)

    def literal(self, value: Value) -> Literal:
        return Literal(self._number(self._offset), value)

    def ident(self, name: str) -> Ident:
        return Ident(self._number(self._offset), name)

    def accumulator(self) -> Ident:
        return Ident(self._number(self._offset), ACCUMULATOR)

    def list_of(self, *elements: Expr) -> ListLiteral:
        return ListLiteral(self._number(self._offset), elements)

    def call(self, function: str, *args: Expr) -> Call:
        return Call(self._number(self._offset), function, None, args)

    def member(self, target: Expr, function: str, *args: Expr) -> Call:
        return Call(self._number(self._offset), function, target, args)

    def fold(
        self,
        variables: tuple[str, str | None],
        over: Expr,
        init: Expr,
        condition: Expr,
        step: Expr,
        result: Expr,
    ) -> Comprehension:
        first, second = variables
        return Comprehension(
            self.next_id(), first, second, over, ACCUMULATOR, init, condition, step, result, self.macro
        )

    def bind(self, name: str, value: Expr, step: Ident, result: Expr) -> Comprehension:
        """`result` where `name` stands for `value`: a fold over nothing."""
        nothing, never = self.list_of(), self.literal(False)
        return Comprehension(self.next_id(), _UNUSED, None, nothing, name, value, never, step, result, self.macro)

    def copy(self, node: Expr) -> Expr:
        """`node` and all below it under new ids, at the same places."""
        new = self._number(self._offsets[node.id])
        copy = self.copy
        match node:
            case Literal():
                return Literal(new, node.value)
            case Ident():
                return Ident(new, node.name)
            case Select():
                return Select(new, copy(node.operand), node.field, node.test_only)
            case Call():
                target = None if node.target is None else copy(node.target)
                return Call(new, node.function, target, tuple([copy(arg) for arg in node.args]))
            case ListLiteral():
                return ListLiteral(new, tuple([copy(one) for one in node.elements]), node.optional_indices)
            case MapLiteral():
                entries = [
                    type(one)(self.next_id(), copy(one.key), copy(one.value), one.optional) for one in node.entries
                ]
                return MapLiteral(new, tuple(entries))
            case StructLiteral():
                fields = [type(one)(self.next_id(), one.name, copy(one.value), one.optional) for one in node.fields]
                return StructLiteral(new, node.name, tuple(fields))
            case Comprehension():
                # The macro keeps its original nodes: they say how it was written, and no id of theirs is looked up.
                return Comprehension(
                    new,
                    node.iter_var,
                    node.iter_var2,
                    copy(node.iter_range),
                    node.accu_var,
                    copy(node.accu_init),
                    copy(node.loop_condition),
                    copy(node.loop_step),
                    copy(node.result),
                    node.macro,
                )


_Expander: TypeAlias = Callable[[Expansion, Expr, Sequence[Expr]], Expr]


def _variable(node: Expr, message: str) -> str:
    if not isinstance(node, Ident):
        raise Misuse(node, message)
    if node.name in (ACCUMULATOR, _OLD_ACCUMULATOR):
        raise Misuse(node, "iteration variable overwrites accumulator variable")
    return node.name


def _one(args: Sequence[Expr]) -> tuple[tuple[str, None], Sequence[Expr]]:
    return (_variable(args[0], "argument must be a simple name"), None), args[1:]


def _two(args: Sequence[Expr]) -> tuple[tuple[str, str], Sequence[Expr]]:
    for name in args[:2]:
        if not isinstance(name, Ident):
            raise Misuse(name, "argument must be a simple name")
    first, second = args[:2]
    assert isinstance(first, Ident)
    assert isinstance(second, Ident)
    if first.name == second.name:
        raise Misuse(second, f"duplicate variable name: {first.name}")
    return (_variable(first, ""), _variable(second, "")), args[2:]


_Variables: TypeAlias = Callable[[Sequence[Expr]], tuple[tuple[str, str | None], Sequence[Expr]]]


def _all(split: _Variables) -> _Expander:
    def expand(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
        variables, (predicate,) = split(args)
        init = new.literal(True)
        condition = new.call("@not_strictly_false", new.accumulator())
        step = new.call("_&&_", new.accumulator(), predicate)
        return new.fold(variables, target, init, condition, step, new.accumulator())

    return expand


def _exists(split: _Variables) -> _Expander:
    def expand(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
        variables, (predicate,) = split(args)
        init = new.literal(False)
        condition = new.call("@not_strictly_false", new.call("!_", new.accumulator()))
        step = new.call("_||_", new.accumulator(), predicate)
        return new.fold(variables, target, init, condition, step, new.accumulator())

    return expand


def _exists_one(split: _Variables) -> _Expander:
    def expand(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
        variables, (predicate,) = split(args)
        init = new.literal(0)
        more = new.call("_+_", new.accumulator(), new.literal(1))
        step = new.call("_?_:_", predicate, more, new.accumulator())
        result = new.call("_==_", new.accumulator(), new.literal(1))
        return new.fold(variables, target, init, new.literal(True), step, result)

    return expand


def _kept(new: Expansion, conditions: Sequence[Expr], step: Expr) -> Expr:
    """`step` only where the condition (there is at most one) holds."""
    for condition in conditions:
        step = new.call("_?_:_", condition, step, new.accumulator())
    return step


def _map(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
    name = _variable(args[0], "argument is not an identifier")
    *conditions, transform = args[1:]
    step = _kept(new, conditions, new.call("_+_", new.accumulator(), new.list_of(transform)))
    return new.fold((name, None), target, new.list_of(), new.literal(True), step, new.accumulator())


def _filter(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
    name = _variable(args[0], "argument is not an identifier")
    step = _kept(new, args[1:], new.call("_+_", new.accumulator(), new.list_of(args[0])))
    return new.fold((name, None), target, new.list_of(), new.literal(True), step, new.accumulator())


def _transform_list(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
    variables, (*conditions, transform) = _two(args)
    step = _kept(new, conditions, new.call("_+_", new.accumulator(), new.list_of(transform)))
    return new.fold(variables, target, new.list_of(), new.literal(True), step, new.accumulator())


def _transform_map(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
    variables, (*conditions, transform) = _two(args)
    insert = new.call("cel.@mapInsert", new.accumulator(), new.ident(variables[0]), transform)
    init = MapLiteral(new.next_id(), ())
    return new.fold(variables, target, init, new.literal(True), _kept(new, conditions, insert), new.accumulator())


def _transform_map_entry(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
    variables, (*conditions, transform) = _two(args)
    insert = new.call("cel.@mapInsert", new.accumulator(), transform)
    init = MapLiteral(new.next_id(), ())
    return new.fold(variables, target, init, new.literal(True), _kept(new, conditions, insert), new.accumulator())


def _has(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
    (argument,) = args
    if not isinstance(argument, Select):
        raise Misuse(argument, "invalid argument to has() macro")
    return Select(new.next_id(), argument.operand, argument.field, test_only=True)


def _opt_map(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
    return _optional(new, target, args, lambda bound: new.call("optional.of", bound))


def _opt_flat_map(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
    return _optional(new, target, args, lambda bound: bound)


def _optional(new: Expansion, target: Expr, args: Sequence[Expr], wrapped: Callable[[Expr], Expr]) -> Expr:
    variable, body = args
    if not isinstance(variable, Ident):
        raise Misuse(variable, f"{new.macro.name}() variable name must be a simple identifier")
    value = new.member(new.copy(target), "value")
    bound = new.bind(variable.name, value, new.ident(variable.name), body)
    return new.call("_?_:_", new.member(target, "hasValue"), wrapped(bound), new.call("optional.none"))


def _sort_by(new: Expansion, target: Expr, args: Sequence[Expr]) -> Expr:
    if not isinstance(target, ListLiteral | Select | Ident | Comprehension | Call):
        raise Misuse(
            target, "sortBy can only be applied to a list, identifier, comprehension, call or select expression"
        )
    keys = _map(new, new.ident(_SORT_INPUT), args)
    ordered = new.member(new.ident(_SORT_INPUT), "@sortByAssociatedKeys", keys)
    return new.bind(_SORT_INPUT, target, new.ident(_SORT_INPUT), ordered)


# By name, number of arguments, and whether there is a target.
MACROS: dict[tuple[str, int, bool], _Expander] = {
    ("has", 1, False): _has,
    ("all", 2, True): _all(_one),
    ("all", 3, True): _all(_two),
    ("exists", 2, True): _exists(_one),
    ("exists", 3, True): _exists(_two),
    ("exists_one", 2, True): _exists_one(_one),
    ("exists_one", 3, True): _exists_one(_two),
    ("existsOne", 3, True): _exists_one(_two),
    ("map", 2, True): _map,
    ("map", 3, True): _map,
    ("filter", 2, True): _filter,
    ("transformList", 3, True): _transform_list,
    ("transformList", 4, True): _transform_list,
    ("transformMap", 3, True): _transform_map,
    ("transformMap", 4, True): _transform_map,
    ("transformMapEntry", 3, True): _transform_map_entry,
    ("transformMapEntry", 4, True): _transform_map_entry,
    ("optMap", 2, True): _opt_map,
    ("optFlatMap", 2, True): _opt_flat_map,
    ("sortBy", 2, True): _sort_by,
}
