"""Fill in the defaults of a schema.

A default is put where a property is absent, or null without being nullable; where items of a list or additional
properties are null without being nullable, theirs is put. Every object gets its own copy, in which the defaults below
are filled in as in any value. A default is itself pruned by the schema, once, when the schema is compiled.
"""

from collections.abc import Callable, Iterable

from kubewright.schema.walk.embedded import compile_coerce
from kubewright.schema.walk.later import later
from kubewright.schema.walk.prune import compile_prune
from kubewright.schema.walk.structure import Node, Unread
from kubewright.schema.walk.values import copier, copy

__all__ = ["Default", "compile_default"]

Default = Callable[[object], None]
_Make = Callable[[], object]


def compile_default(node: Node, *, keep: bool = False) -> Default | None:
    """Return the function that fills in defaults in place, or None if the schema has none.

    `keep` is that of `compile_prune`: the list around preserves unknown fields.
    """
    if node.hollow:
        return None
    absent: list[tuple[str, bool, _Make]] = []
    below: Iterable[tuple[str, Default]]
    if isinstance(node.properties, Unread):
        with_default = [name for name, raw in node.properties.raw.items() if raw.get("default") is not None]
        names = node.properties.containers()
        below = later(names, node.properties, lambda child: compile_default(child) or _leave).items()
    else:
        with_default = [name for name, child in node.properties.items() if child.default is not None]
        below = [(name, inner) for name, child in node.properties.items() if (inner := compile_default(child))]
    for name in with_default:
        child = node.properties[name]
        absent.append((name, child.nullable, _compile_value(child, keep=False)))
    known = frozenset(node.properties)
    others, other_value = _compile_members(node.additional if isinstance(node.additional, Node) else None, keep=False)
    items, item_value = _compile_members(node.items, keep=keep or node.preserve)
    if not (absent or below or others or other_value or items or item_value):
        return None

    def default(value: object) -> None:
        if type(value) is dict:
            get = value.get
            for name, nullable, make in absent:
                if get(name) is None and (not nullable or name not in value):
                    value[name] = make()
            for name, inner in below:
                member = get(name)
                if member is not None:
                    inner(member)
            if others is not None or other_value is not None:
                for name in value.keys() - known:
                    if value[name] is None and other_value is not None:
                        value[name] = other_value()
                    if others is not None:
                        others(value[name])
        elif type(value) is list:
            if item_value is not None and None in value:
                value[:] = [item_value() if member is None else member for member in value]
            if items is not None:
                for member in value:
                    items(member)

    return default


def _leave(_: object) -> None:
    """There are none."""


def _compile_members(node: Node | None, *, keep: bool) -> tuple[Default | None, _Make | None]:
    """How members that share one schema are defaulted inside, and what stands for a null among them."""
    if node is None:
        return None, None
    inner = compile_default(node, keep=keep)
    if node.nullable or node.default is None:
        return inner, None
    return inner, _compile_value(node, keep=keep)


def _compile_value(node: Node, *, keep: bool) -> _Make:
    value = copy(node.default)
    if (coerce := compile_coerce(node, lenient=True)) is not None:
        coerce(value, "")
    if (prune := compile_prune(node, keep=keep)) is not None:
        prune(value)
    return copier(value)
