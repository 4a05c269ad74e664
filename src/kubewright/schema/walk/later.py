"""Compile what a large schema says of a property when a value is first met there.

Until then its place in the table of what is compiled is held by a function that compiles, puts what came of it in its
own place, and does it.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import ParamSpec, TypeVar

from kubewright.schema.walk.structure import Node, Unread

__all__ = ["later"]

P = ParamSpec("P")
T = TypeVar("T")


def later(names: Iterable[str], nodes: Unread, compile_: Callable[[Node], Callable[P, T]]) -> dict[str, Callable[P, T]]:
    """The table of what is compiled of some properties."""
    table: dict[str, Callable[P, T]] = {}

    def first(name: str, *args: P.args, **kwargs: P.kwargs) -> T:
        made = table[name] = compile_(nodes[name])
        return made(*args, **kwargs)

    table |= {name: partial(first, name) for name in names}
    return table
