"""Drop the fields a schema does not know.

What is specified stays: properties, and values under `additionalProperties`. `x-kubernetes-preserve-unknown-fields`
keeps what is unknown at its own level (for lists: at the level of the items), while specified parts below are pruned
again. A resource, at the root or embedded, keeps `apiVersion`, `kind` and `metadata`, which are no business of pruning.

A pruner returns the paths it dropped, relative to its value, or None, so that nothing is spent on paths while nothing
is unknown. Where a schema ends, whatever an object holds below is dropped without recursion, however deep it is.
"""

from collections.abc import Callable, Mapping

from kubewright.schema.walk.later import later
from kubewright.schema.walk.structure import Node, Unread

__all__ = ["META_FIELDS", "Pruner", "compile_prune", "strip"]

Pruner = Callable[[object], list[str] | None]

META_FIELDS = frozenset(("apiVersion", "kind", "metadata"))


def compile_prune(node: Node, *, keep: bool = False, resource: bool = False) -> Pruner | None:
    """Return the pruner of a schema, or None if there is never anything to drop.

    `keep`: unknown fields are preserved by the list around; `resource`: the node is a resource though it is not marked.
    """
    keep = keep or node.preserve
    exempt = META_FIELDS if resource or node.embedded else frozenset[str]()
    pruners: Mapping[str, Pruner | None]
    if isinstance(node.properties, Unread):
        names = [name for name in node.properties if name not in exempt]
        pruners = later(names, node.properties, lambda child: compile_prune(child) or _keep)
    else:
        pruners = {name: compile_prune(child) for name, child in node.properties.items() if name not in exempt}
    additional: Pruner | None = None
    if node.additional is not None:
        additional = compile_prune(node.additional) if isinstance(node.additional, Node) else strip
    beyond = None if keep else strip
    item = compile_prune(node.items, keep=keep) if node.items is not None else beyond
    open_ended = keep or node.additional is not None
    known = frozenset(node.properties) | exempt
    if not pruners and not exempt and not open_ended and item is strip:
        return strip
    if open_ended and additional is None and item is None and not any(pruners.values()):
        return None

    def prune(value: object) -> list[str] | None:
        dropped: list[str] | None = None
        if type(value) is dict:
            if not open_ended and not value.keys() <= known:
                unknown = [name for name in value if name not in known]
                for name in unknown:
                    del value[name]
                dropped = [f".{name}" for name in unknown]
            for name, member in value.items():
                kind = type(member)
                if kind is dict or kind is list:
                    pruner = pruners.get(name) if name in known else additional
                    if pruner is not None and (below := pruner(member)):
                        dropped = (dropped or []) + [f".{name}{path}" for path in below]
        elif type(value) is list and item is not None:
            for index, member in enumerate(value):
                kind = type(member)
                if (kind is dict or kind is list) and (below := item(member)):
                    dropped = (dropped or []) + [f"[{index}]{path}" for path in below]
        return dropped

    return prune


def _keep(_: object) -> None:
    """There is nothing to drop."""


# The way down to a value inside nested lists: the way to the list around it, and the index there.
_Way = tuple["_Way", int] | None


def strip(value: object) -> list[str] | None:
    """Prune by no schema at all: objects lose all their fields, lists keep their items."""
    dropped: list[str] = []
    todo: list[tuple[object, _Way]] = [(value, None)]
    while todo:
        current, way = todo.pop()
        if type(current) is dict:
            if current:
                prefix = _path(way)
                dropped.extend(f"{prefix}.{name}" for name in current)
                current.clear()
        elif type(current) is list:
            todo.extend((member, (way, index)) for index, member in enumerate(current))
    return dropped or None


def _path(way: _Way) -> str:
    indexes = []
    while way is not None:
        way, index = way
        indexes.append(f"[{index}]")
    return "".join(reversed(indexes))
