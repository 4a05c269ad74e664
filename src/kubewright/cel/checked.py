"""What checking found out about an expression: a type for every node, and what each name and call refers to."""

import msgspec

from kubewright.cel.ast import Ast
from kubewright.cel.types import Type

__all__ = ["Checked", "Reference"]


class Reference(msgspec.Struct, frozen=True, gc=False):
    """What a node refers to.

    For an `Ident`, or a `Select` that spells a variable's or type's dotted name (`a.b`): `name` is that full name and
    there are no overloads. For a `Call`: `name` is the function and `overloads` the ids of those that may be meant, one
    unless an argument is dyn. When `name` is not the call's own `function`, the call's target was no operand but the
    namespace of the function (`sets.contains(…)`, `ip.isCanonical(…)`).
    """

    name: str
    overloads: tuple[str, ...] = ()


class Checked(msgspec.Struct, frozen=True):
    """An expression that type-checks: `types` and `references` are by node id.

    Literals have no reference. Operands that only spell a dotted name have neither type nor reference.
    """

    ast: Ast
    types: dict[int, Type]
    references: dict[int, Reference]

    @property
    def type(self) -> Type:
        """The type of the whole expression."""
        return self.types[self.ast.expr.id]
