"""What may be a mistake in one level of a schema.

`lint_nodes` walks a structural schema and asks each rule of the table `NODE_RULES` about each level. A rule sees the
level, its path in an object (`spec.containers[].image`) and what stands around it, and yields findings. Rules are small
and know nothing of one another.
"""

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from kubewright.schema.lint.finding import Finding
from kubewright.schema.raw import Schema, items_of, properties, values_of
from kubewright.schema.walk import SchemaError, compile_schema

__all__ = ["NODE_RULES", "lint_nodes"]


@dataclass(frozen=True, slots=True)
class _Node:
    """One level: its schema, its path, and its name where it is a field."""

    schema: Schema
    path: str
    name: str = ""


def lint_nodes(schema: Schema, path: str) -> Iterator[Finding]:
    """The findings of every rule about every level."""
    for node in _nodes(schema, path):
        for rule in NODE_RULES:
            yield from rule(node)


def _nodes(schema: Schema, path: str) -> Iterator[_Node]:
    """Every level, top down, left to right; no recursion."""
    pending = [_Node(schema, path)]
    while pending:
        node = pending.pop()
        yield node
        below: list[_Node] = []
        for name, child in properties(node.schema):
            if node.path == path and name in ("apiVersion", "kind", "metadata"):
                continue  # the server's own
            below.append(_Node(child, f"{node.path}.{name}", name))
        if (items := items_of(node.schema)) is not None:
            below.append(_Node(items, f"{node.path}[]"))
        if (values := values_of(node.schema)) is not None:
            below.append(_Node(values, f"{node.path}[*]"))
        pending += reversed(below)


# -- names and words

_CAMEL_CASE: Final = re.compile(r"[a-z][a-zA-Z0-9]*")


def _description(node: _Node) -> Iterator[Finding]:
    if node.name and not node.schema.get("description"):
        remedy = "say what the field means, for kubectl explain"
        yield Finding("missing-description", "warning", node.path, "the description is missing", remedy)


def _field_name(node: _Node) -> Iterator[Finding]:
    if node.name and not _CAMEL_CASE.fullmatch(node.name):
        words = re.split(r"[^a-zA-Z0-9]+", node.name)
        camel = "".join(word[:1].upper() + word[1:] for word in words)
        remedy = f"call it {camel[:1].lower() + camel[1:]}" if camel else "use letters and digits"
        yield Finding("field-name", "warning", node.path, f"{node.name!r} is not in camelCase", remedy)


# -- types


def _number(node: _Node) -> Iterator[Finding]:
    if node.schema.get("type") == "number":
        remedy = "use an integer of a smaller unit or a quantity, which every language reads alike"
        yield Finding("float", "warning", node.path, "a floating-point number changes on the way", remedy)


def _integer_format(node: _Node) -> Iterator[Finding]:
    if node.schema.get("type") == "integer" and node.schema.get("format") not in ("int32", "int64"):
        remedy = "add format int32 or int64"
        yield Finding("integer-format", "info", node.path, "the size of the integer is not said", remedy)


_BOOLEAN_WORDS: Final = ({"true", "false"}, {"yes", "no"}, {"on", "off"}, {"enabled", "disabled"})


def _boolean_enum(node: _Node) -> Iterator[Finding]:
    words = node.schema.get("enum") or []
    if all(isinstance(word, str) for word in words) and {word.lower() for word in words} in _BOOLEAN_WORDS:
        remedy = "use a boolean, or name what each choice does so that a third can come"
        yield Finding("boolean-enum", "info", node.path, "the enumeration only says yes and no", remedy)


def _empty_object(node: _Node) -> Iterator[Finding]:
    schema = node.schema
    open_ended = schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("additionalProperties") is not None
    if schema.get("type") == "object" and not schema.get("properties") and not open_ended:
        remedy = "name its fields, or set additionalProperties or x-kubernetes-preserve-unknown-fields"
        yield Finding("empty-object", "warning", node.path, "every field of this object is pruned", remedy)


def _list_type(node: _Node) -> Iterator[Finding]:
    if node.schema.get("type") != "array" or node.schema.get("x-kubernetes-list-type"):
        return
    if (items_of(node.schema) or {}).get("type") == "object":
        remedy = "make it a map by the field that identifies an item, or say atomic"
        problem = "the list has no list type, so whoever applies it replaces what others wrote"
        yield Finding("list-type", "warning", node.path, problem, remedy)
    else:
        remedy = "say set or atomic"
        yield Finding("list-type", "info", node.path, "the list has no list type and counts as atomic", remedy)


# -- values

_PAIRS: Final = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def _bounds(node: _Node) -> Iterator[Finding]:
    for low, high in _PAIRS:
        least, most = node.schema.get(low), node.schema.get(high)
        if least is not None and most is not None and least > most:
            problem = f"no value is both at least {least} ({low}) and at most {most} ({high})"
            yield Finding("impossible-bounds", "error", node.path, problem, "turn the bounds around")


def _required(node: _Node) -> Iterator[Finding]:
    fields = dict(properties(node.schema))
    for name in node.schema.get("required") or ():
        if name not in fields:
            if not node.schema.get("x-kubernetes-preserve-unknown-fields"):
                problem = f"{name!r} is required but not among the properties, so it is pruned and then missed"
                yield Finding(
                    "required-unknown", "error", node.path, problem, "add the property or drop the requirement"
                )
        elif fields[name].get("default") is not None:
            problem = f"{name!r} is required and has a default, so it is never missing"
            yield Finding("required-default", "info", f"{node.path}.{name}", problem, "drop one of both")


def _default(node: _Node) -> Iterator[Finding]:
    default = node.schema.get("default")
    if default is None:
        return
    try:
        walk = compile_schema(node.schema, root=False)
    except SchemaError:
        return  # the schema itself is at fault, which is told as such
    value = copy.deepcopy(default)
    remedy = "change the default or the schema; the server refuses the definition as it is"
    if unknown := walk.prune(value):
        problem = f"the default has fields the schema does not know: {', '.join(unknown)}"
        yield Finding("default-invalid", "error", node.path, problem, remedy)
    for error in walk.validate(value):
        place = "" if error.field == "<nil>" else f"{error.field}: "
        yield Finding(
            "default-invalid", "error", node.path, f"the default does not fit: {place}{error.message}", remedy
        )


# -- conditions and rules


def _conditions(node: _Node) -> Iterator[Finding]:
    items = items_of(node.schema)
    if node.name != "conditions" or items is None or "status" not in (items.get("properties") or {}):
        return
    keyed = node.schema.get("x-kubernetes-list-map-keys") == ["type"]
    if node.schema.get("x-kubernetes-list-type") != "map" or not keyed:
        remedy = "set x-kubernetes-list-type: map and x-kubernetes-list-map-keys: [type]"
        problem = "conditions are not a map keyed by type, so two controllers overwrite each other's"
        yield Finding("conditions-map", "warning", node.path, problem, remedy)


#: What is asked about each level.
NODE_RULES: Final[tuple[Callable[[_Node], Iterator[Finding]], ...]] = (
    _description,
    _field_name,
    _number,
    _integer_format,
    _boolean_enum,
    _empty_object,
    _list_type,
    _bounds,
    _required,
    _default,
    _conditions,
)
