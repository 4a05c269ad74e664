"""The abstract syntax of an expression, as the parser makes it and everything after reads it.

Nodes are immutable. Each has an `id`, unique in its expression and counted from 1 in the order in which the parser
meets it; what later stages learn of a node (its place in the text, its type, the overloads of a call) lies in tables by
that id, so no stage writes into another's work.

Operators are calls by the names that messages and cost tables know them by: `_&&_`, `_==_`, `_[_]`, `_?_:_`, `@in` ….
Macros are already expanded: a fold over a range is a `Comprehension`. It keeps the `Macro` it came from, so that a
compiler may write the loop that was meant, while prices are computed on the expansion.
"""

from typing import TypeAlias

import msgspec

__all__ = [
    "Ast",
    "Call",
    "Comprehension",
    "Expr",
    "Ident",
    "ListLiteral",
    "Literal",
    "Macro",
    "MapEntry",
    "MapLiteral",
    "Select",
    "StructField",
    "StructLiteral",
    "Uint",
    "Value",
]


class Uint(int):
    """An unsigned literal (`1u`): an int that knows it is not one."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{int(self)}u"


Value: TypeAlias = bool | int | Uint | float | str | bytes | None


class Literal(msgspec.Struct, frozen=True, gc=False):
    """A constant; the Python type of `value` is the CEL type."""

    id: int
    value: Value


class Ident(msgspec.Struct, frozen=True, gc=False):
    """A name as it was written. A leading dot (`.name`) changes nothing: the checker's reference is without it."""

    id: int
    name: str


class Select(msgspec.Struct, frozen=True):
    """`operand.field`, or `has(operand.field)` when `test_only`."""

    id: int
    operand: "Expr"
    field: str
    test_only: bool = False


class Call(msgspec.Struct, frozen=True):
    """`function(args)` or `target.function(args)`; an operator is a call without a target."""

    id: int
    function: str
    target: "Expr | None"
    args: "tuple[Expr, ...]"


class ListLiteral(msgspec.Struct, frozen=True):
    """`[a, ?b]`; `optional_indices` are the places marked by `?`."""

    id: int
    elements: "tuple[Expr, ...]"
    optional_indices: tuple[int, ...] = ()


class MapEntry(msgspec.Struct, frozen=True):
    """`key: value`, or `?key: value` when `optional`."""

    id: int
    key: "Expr"
    value: "Expr"
    optional: bool = False


class MapLiteral(msgspec.Struct, frozen=True):
    """`{key: value, …}`."""

    id: int
    entries: tuple[MapEntry, ...]


class StructField(msgspec.Struct, frozen=True):
    """`name: value`, or `?name: value` when `optional`."""

    id: int
    name: str
    value: "Expr"
    optional: bool = False


class StructLiteral(msgspec.Struct, frozen=True):
    """`a.b.Name{field: value, …}`."""

    id: int
    name: str
    fields: tuple[StructField, ...]


class Macro(msgspec.Struct, frozen=True):
    """A macro as it was written, before its expansion; the nodes are those that the expansion holds."""

    name: str
    target: "Expr | None"
    args: "tuple[Expr, ...]"


class Comprehension(msgspec.Struct, frozen=True):
    """A fold: `accu_var` starts as `accu_init`; for each element, while `loop_condition`, it becomes `loop_step`.

    With one variable `iter_var` is the element (of a list) or the key (of a map); with two, `iter_var` is the index or
    key and `iter_var2` the value. `optMap` and `optFlatMap` hold a fold over nothing, which only names a value: there
    `accu_var` is the macro's variable and `result` its body.
    """

    id: int
    iter_var: str
    iter_var2: str | None
    iter_range: "Expr"
    accu_var: str
    accu_init: "Expr"
    loop_condition: "Expr"
    loop_step: "Expr"
    result: "Expr"
    macro: Macro | None = None


Expr: TypeAlias = Literal | Ident | Select | Call | ListLiteral | MapLiteral | StructLiteral | Comprehension


class Ast(msgspec.Struct, frozen=True):
    """An expression and where its nodes stand: `offsets` counts code points from the start of `text`, by node id."""

    expr: Expr
    text: str
    offsets: dict[int, int]
