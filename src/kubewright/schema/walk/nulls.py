"""Drop nulls that mean nothing.

A null for a property that is neither nullable nor defaulted reads as absent: the server removes it while decoding, and
only then defaults and validates. Nulls in lists stay (an index would move), as do those the schema does not describe.
"""

from collections.abc import Callable, Iterable

from kubewright.schema.walk.later import later
from kubewright.schema.walk.structure import Node, Unread

__all__ = ["DropNulls", "compile_drop_nulls"]

DropNulls = Callable[[object], None]


def compile_drop_nulls(node: Node) -> DropNulls | None:
    """Return the function that removes such nulls in place, or None if the schema leaves none to remove."""
    if node.hollow:
        return None
    known = frozenset(node.properties)
    below: Iterable[tuple[str, DropNulls]]
    if isinstance(node.properties, Unread):
        raw = node.properties.raw
        droppable = frozenset(
            name for name in raw if not raw[name].get("nullable") and raw[name].get("default") is None
        )
        names = node.properties.containers()
        below = later(names, node.properties, lambda child: compile_drop_nulls(child) or _leave).items()
    else:
        droppable = frozenset(name for name, child in node.properties.items() if _droppable(child))
        below = [(name, inner) for name, child in node.properties.items() if (inner := compile_drop_nulls(child))]
    additional = node.additional if isinstance(node.additional, Node) else None
    others = compile_drop_nulls(additional) if additional is not None else None
    any_other = additional is not None and _droppable(additional)
    item = compile_drop_nulls(node.items) if node.items is not None else None
    if not (droppable or below or others or any_other or item):
        return None

    def drop(value: object) -> None:
        if type(value) is dict:
            if None in value.values():
                for name in [name for name, member in value.items() if member is None]:
                    if name in droppable or (any_other and name not in known):
                        del value[name]
            for name, inner in below:
                if name in value:
                    inner(value[name])
            if others is not None:
                for name, member in value.items():
                    if name not in known:
                        others(member)
        elif type(value) is list and item is not None:
            for member in value:
                item(member)

    return drop


def _leave(_: object) -> None:
    """There are none."""


def _droppable(node: Node) -> bool:
    return not node.nullable and node.default is None
