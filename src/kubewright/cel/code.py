"""A compiled piece of an expression: a closure over the frame, and what the compiler knows of its value.

The frame is a list: place 0 belongs to whoever counts costs, then come the variables, then those of folds. A closure
takes the frame and returns a value, or raises.

`raw` says that the closure returns JSON of that declared type, as it lies in the object, rather than a value. Only
containers are handed on so; whoever cannot deal with JSON asks for `value()`. `path` is set where the closure follows
declared fields from a place in the frame, so that a longer chain can be read in one go: the place, the keys, and how
the expression spells them.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from kubewright.cel.schema_values import reader
from kubewright.cel.types import Type
from kubewright.cel.values import Native

__all__ = ["CONTAINERS", "Code", "Frame", "Run", "constant"]

Frame: TypeAlias = list[Any]
Run: TypeAlias = Callable[[Frame], Native]

CONTAINERS = frozenset(("list", "map", "struct"))


class Code:
    """A compiled expression."""

    __slots__ = ("constant", "kind", "known", "literal", "path", "raw", "run")

    def __init__(
        self,
        run: Run,
        type_: Type,
        *,
        raw: Type | None = None,
        path: tuple[int, tuple[str, ...], tuple[str, ...]] | None = None,
        constant: bool = False,
        known: Native = None,
        literal: bool = False,
    ) -> None:
        self.run = run
        # What the value can be relied on to be; a type that allows null allows anything.
        self.kind: str = "dyn" if type_.nullable or type_.kind == "any" else type_.kind
        self.raw = raw
        self.path = path
        self.constant = constant
        self.known = known
        # The server computes fewer constants than we do: only what is written as one. Where such a one is wrong, no
        # program can be made; what we find out early besides fails when it is evaluated.
        self.literal = literal

    def value(self) -> Run:
        """The closure that gives a value, whatever this one gives."""
        return self._read(None if self.raw is None else reader(self.raw))

    def loose(self) -> Run:
        """The same for who minds the elements of a list, but not how it compares as a whole."""
        raw = self.raw
        if raw is not None and raw.kind == "list" and reader(raw.params[0]) is None:
            return self.run
        return self.value()

    def _read(self, convert: Callable[[Any], Native] | None) -> Run:
        run = self.run
        if convert is None:
            return run

        def read(frame: Frame) -> Native:
            raw = run(frame)
            return None if raw is None else convert(raw)

        return read


def constant(value: Native, type_: Type, *, literal: bool = True) -> Code:
    """An expression that is always the same value."""
    return Code(lambda frame: value, type_, constant=True, known=value, literal=literal)
