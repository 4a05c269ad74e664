"""Attributes: a name, or any value, and what is selected from it, each step paid for.

On the server a name with the fields and indices that follow it is one thing. As a whole it costs a unit, each field and
index one more; a branch of a conditional, or an index, is followed without the first of these.
"""

from collections.abc import Callable
from typing import TypeAlias

from kubewright.cel.access import index, optional_index
from kubewright.cel.code import Frame, Run
from kubewright.cel.values import ABSENT, NONE, Native, Optional

__all__ = ["Attribute", "Qualifier", "qualifier_at"]

Qualifier: TypeAlias = Callable[[Frame, Native], Native]


class Attribute:
    """A name, or any value, and what is selected from it."""

    __slots__ = ("base", "branches", "free", "qualifiers")

    def __init__(self, base: Run, *, branches: "tuple[Run, Attribute, Attribute] | None" = None) -> None:
        self.base = base
        self.qualifiers: list[tuple[Qualifier, bool]] = []
        self.branches = branches
        # The units that evaluating it as a whole costs: none for a conditional.
        self.free = branches is not None

    def add(self, qualifier: Qualifier, *, optional: bool = False) -> None:
        if self.branches is not None:
            for branch in self.branches[1:]:
                branch.add(qualifier, optional=optional)
            return
        self.qualifiers.append((qualifier, optional))

    def resolve(self) -> Run:
        """The closure that follows the attribute, paying for each field and index."""
        if self.branches is not None:
            condition, yes, no = self.branches
            on_true, on_false = yes.resolve(), no.resolve()
            return lambda frame: on_true(frame) if condition(frame) else on_false(frame)
        base, qualifiers = self.base, self.qualifiers

        def resolve(frame: Frame) -> Native:
            value = base(frame)
            maybe = type(value) is Optional and bool(qualifiers)
            if maybe:
                if value.value is ABSENT:
                    return value
                value = value.value
            for qualifier, optional in qualifiers:
                maybe = maybe or optional
                if maybe:
                    value = qualifier(frame, Optional(value))
                    if value is NONE:
                        return NONE
                    value = value.value
                else:
                    value = qualifier(frame, value)
            return Optional(value) if maybe else value

        return resolve

    def evaluate(self) -> Run:
        resolve = self.resolve()
        if self.free:
            return resolve

        def evaluate(frame: Frame) -> Native:
            frame[0].cost += 1
            return resolve(frame)

        return evaluate


def qualifier_at(at: Run) -> Qualifier:
    """`value[at]`: a unit if it is there, or if it had to be."""

    def qualify(frame: Frame, value: Native) -> Native:
        if type(value) is Optional:
            found = optional_index(value, at(frame))
            if found is not NONE:
                frame[0].cost += 1
            return found
        frame[0].cost += 1
        return index(value, at(frame))

    return qualify
