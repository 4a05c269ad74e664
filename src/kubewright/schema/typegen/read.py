"""A schema is read: every node becomes a `Shape`, every object with properties the outline of a class.

Reading spends the keywords of a node one by one. What the Python type implies goes first, what a marker can say goes
next, and whatever is left is kept as it stands in a `Fragment`, so that types made from a schema give the same schema
back. A node that no type can be said to have is `Any` with its schema verbatim.

Objects that are the same, wherever they stand, are one class; it is named after the shortest path that leads to it.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET

from kubewright.model.markers import (
    Atomic,
    Description,
    Format,
    ListMap,
    ListSet,
    Marker,
    PreserveUnknown,
    Schemaless,
    SchemaType,
)
from kubewright.model.meta import fields_of
from kubewright.model.metadata import ObjectMeta
from kubewright.model.model import Model
from kubewright.model.quantity import Quantity
from kubewright.model.shape import Choice, IntOrString, ListOf, MapOf, Scalar, Shape, StructOf
from kubewright.model.status import Condition, Status
from kubewright.schema.typegen.layout import is_prose
from kubewright.schema.typegen.mark import leftover, markers_of
from kubewright.schema.typegen.names import can_be_field, class_name, member_names, singular, unique
from kubewright.schema.typegen.outline import Member, Outline
from kubewright.schema.typegen.settle import settle, settle_partial
from kubewright.schema.types import QUANTITY_PATTERN, Schema, schema_of

__all__ = ["Path", "Reader"]

#: The names that lead to a node: the kind, then properties.
Path = tuple[str, ...]

#: What belongs to the place where a type is used, not to the type.
_OF_PLACE = frozenset({"description", "title", "default", "nullable", "example", "externalDocs"})
_PRESERVE = "x-kubernetes-preserve-unknown-fields"
_ANY = Scalar(python=Any)


class _Template(Model):
    """To ask what metadata inside an embedded object looks like."""

    metadata: ObjectMeta


#: What the schema of a class of ours looks like, to know it again.
_OURS: list[tuple[Schema, type[Model]]] = [
    (schema_of(_Template)["properties"]["metadata"], ObjectMeta),
    (schema_of(Condition), Condition),
]
_STATUS: Schema = schema_of(Status)["properties"]


class Reader:
    """Reads the schemas of one module: `fill` the classes that have names, then `finish`.

    `outlines` are the classes found on the way, each after those it needs. `resolve` says what a `$ref` means. With
    `partial`, every field may be left out when an object is made, and defaults are the server's alone.
    """

    def __init__(
        self, resolve: Callable[[str], Shape] | None = None, *, module: str = "", partial: bool = False
    ) -> None:
        self.outlines: list[Outline] = []
        self._resolve = resolve
        self._module = module
        self._partial = partial
        self._structs: dict[bytes, tuple[Outline, list[Path]]] = {}
        self._unsettled: list[tuple[Member, Any, Outline]] = []

    def declare(self, outline: Outline, schema: Schema, path: Path) -> None:
        """Give the members of a class their names: enough for others to refer to them."""
        properties, required = schema.get("properties") or {}, schema.get("required") or ()
        taken = {"api_version", "kind", "metadata"} if outline.parent == "Resource" else set()
        if path[1:] == ("status",) and _is_status(properties, required):
            outline.parent = "Status"
            taken = {name for name in dir(Status) if not name.startswith("_")}
            properties = {wire: node for wire, node in properties.items() if wire not in _STATUS}
        names = member_names(filter(can_be_field, properties), taken)
        outline.members = [
            Member(name=name, wire=wire, shape=_ANY, required=wire in required) for wire, name in names.items()
        ]

    def fill(self, outline: Outline, schema: Schema, path: Path) -> None:
        """Read the members, markers and description of a class."""
        if not outline.members:
            self.declare(outline, schema, path)
        rest = dict(schema)
        rest.pop("type", None)
        properties = rest.pop("properties", None) or {}
        if unspeakable := {wire: node for wire, node in properties.items() if not can_be_field(wire)}:
            rest["properties"] = unspeakable
        if undeclared := [
            wire for wire in rest.pop("required", None) or () if wire not in properties.keys() - unspeakable
        ]:
            rest["required"] = undeclared
        if is_prose(rest.get("description", "")):
            outline.description = rest.pop("description", "")
        for member in outline.members:
            self._member(outline, member, properties[member.wire], (*path, member.wire))
        outline.markers = (*markers_of(rest, "struct"), *self._leftover(rest))

    def finish(self, taken: set[str]) -> None:
        """Settle what needed all classes to be known, and name those that have no name.

        Those nearest to the root are named first, each after the shortest of the paths that lead to it.
        """
        for member, default, owner in self._unsettled:
            (settle_partial if self._partial else settle)(member, default, owner)
        found = [(min(paths, key=len), outline) for outline, paths in self._structs.values()]
        for path, outline in sorted(found, key=lambda each: len(each[0])):
            outline.name = unique(class_name(*path), taken)
            taken.add(outline.name)

    def shape(self, schema: Schema, path: Path, *, described: bool = False) -> Shape:
        """The type of a node; `described` if a description stands beside it and was taken already."""
        rest = dict(schema)
        if self._partial:
            rest.pop("default", None)  # of items and values: Go's zero value, which says nothing
        shape = self._typed(rest, path, described) or Scalar(python=Any, markers=(Schemaless(),))
        return _marked(shape, (*markers_of(rest, shape.sort), *self._leftover(rest)))

    def _member(self, owner: Outline, member: Member, schema: Schema, path: Path) -> None:
        rest = dict(schema)
        description = rest.pop("description", "")
        default = rest.pop("default", UNSET)
        if member.wire == "metadata" and {key: rest[key] for key in rest.keys() - _OF_PLACE} == {"type": "object"}:
            # An embedded object, all of whose metadata the server keeps; controller-gen writes it so.
            del rest["type"]
            known = StructOf(annotation=ObjectMeta, markers=(Schemaless(), SchemaType("object")))
            shape = _marked(known, (*markers_of(rest, "struct"), *self._leftover(rest)))
        else:
            shape = self.shape(rest, path, described=bool(description))
        if is_prose(description):
            member.description = description
        else:
            shape = _marked(shape, (Description(description),))
        member.shape = shape
        self._unsettled.append((member, default, owner))

    def _leftover(self, rest: Schema) -> tuple[Marker, ...]:
        if self._resolve is not None:  # references lead nowhere outside of their document
            rest = {key: value for key, value in rest.items() if b'"$ref":' not in msgspec.json.encode(value)}
        return leftover(rest)

    def _typed(self, rest: Schema, path: Path, described: bool) -> Shape | None:
        """The bare type, its keywords spent; None if no type of ours says what the node says."""
        if (shape := self._referred(rest)) or (shape := _recognised(rest, described)):
            return shape
        if rest.get("x-kubernetes-int-or-string") is True:
            return _int_or_string(rest)
        sort = rest.get("type")
        if sort == "array":
            return self._list(rest, path) if isinstance(rest.get("items"), dict) else None
        if sort == "object":
            return self._object(rest, path)
        if sort is None and (rest.get(_PRESERVE) is True or not rest.keys() - _OF_PLACE):
            rest.pop(_PRESERVE, None)
            return _ANY
        return _scalar(rest)

    def _referred(self, rest: Schema) -> Shape | None:
        ref, several = rest.get("$ref"), rest.get("allOf")
        if ref is None and isinstance(several, list) and len(several) == 1 and several[0].keys() == {"$ref"}:
            ref = several[0]["$ref"]
        if ref is None or self._resolve is None:
            return None
        rest.pop("$ref", None)
        rest.pop("allOf", None)
        return self._resolve(ref)

    def _list(self, rest: Schema, path: Path) -> Shape:
        del rest["type"]
        item = self.shape(rest.pop("items"), (*path[:-1], singular(path[-1])))
        kind, keys = rest.get("x-kubernetes-list-type"), rest.get("x-kubernetes-list-map-keys")
        marker: Marker | None = None
        if kind == "map" and keys:
            names = _members_of(item)
            marker = ListMap(*(names[key] for key in keys)) if names.keys() >= {*keys} else None
        elif keys is None:
            marker = {"set": ListSet(), "atomic": Atomic()}.get(str(kind))
        if marker is None:
            return ListOf(item=item)
        rest.pop("x-kubernetes-list-type")
        rest.pop("x-kubernetes-list-map-keys", None)
        return ListOf(item=item, markers=(marker,))

    def _object(self, rest: Schema, path: Path) -> Shape:
        values = rest.get("additionalProperties")
        if not rest.get("properties"):
            if isinstance(values, dict):
                del rest["type"], rest["additionalProperties"]
                value = self.shape(values, (*path[:-1], singular(path[-1])))
                # dict[str, Any] alone is an object of which nothing is known.
                return MapOf(value=_marked(value, (PreserveUnknown(),)) if value == _ANY else value)
            if values is not None:
                return MapOf(value=_ANY, markers=(Schemaless(),))
            if rest.get(_PRESERVE) is True:
                del rest["type"], rest[_PRESERVE]
                return MapOf(value=_ANY)
        own = {key: rest.pop(key) for key in list(rest) if key not in _OF_PLACE or key == "description"}
        return StructOf(annotation=self._struct(own, path))

    def _struct(self, schema: Schema, path: Path) -> Outline:
        """The class of an object, read before or new."""
        key = msgspec.json.encode([schema, path[1:] == ("status",)], order="deterministic")
        if key in self._structs:
            outline, paths = self._structs[key]
            paths.append(path)
            return outline
        outline = Outline(name="", module=self._module)
        self._structs[key] = outline, [path]
        self.fill(outline, schema, path)
        self.outlines.append(outline)
        return outline


def _recognised(rest: Schema, described: bool) -> Shape | None:
    """A class of ours, where the node is what that class's own schema would be in this place."""
    for schema, model in _OURS:
        own = {key: value for key, value in schema.items() if not (described and key == "description")}
        if {key: value for key, value in rest.items() if key in own or key not in _OF_PLACE} == own:
            for key in own:
                del rest[key]
            return StructOf(annotation=model)
    return None


def _members_of(shape: Shape) -> dict[str, str]:
    """Wire name → Python name of the fields of a class, to come or existing; empty if the shape is none."""
    if not isinstance(shape, StructOf):
        return {}
    if isinstance(shape.annotation, Outline):
        return {member.wire: member.name for member in shape.annotation.members}
    return {field.wire: field.name for field in fields_of(shape.annotation)}


def _marked(shape: Shape, markers: tuple[Marker, ...]) -> Shape:
    return msgspec.structs.replace(shape, markers=shape.markers + markers) if markers else shape


def _int_or_string(rest: Schema) -> Shape:
    if rest.get("anyOf") != [{"type": "integer"}, {"type": "string"}] or "type" in rest:
        return Scalar(python=IntOrString, markers=(Schemaless(),))
    del rest["anyOf"], rest["x-kubernetes-int-or-string"]
    if rest.get("pattern") != QUANTITY_PATTERN:
        return Scalar(python=IntOrString)
    del rest["pattern"]
    return Scalar(python=Quantity)


def _scalar(rest: Schema) -> Shape | None:
    sort, enum, form = rest.get("type"), rest.get("enum"), rest.get("format")
    if sort not in ("string", "integer", "number", "boolean"):
        return None
    del rest["type"]
    python: Any = {"string": str, "integer": int, "number": float, "boolean": bool}[sort]
    if python in (str, int) and isinstance(enum, list) and enum and all(type(value) is python for value in enum):
        del rest["enum"]
        return Choice(values=tuple(enum))
    if sort == "string" and form in ("date-time", "byte"):
        del rest["format"]
        return Scalar(python=datetime if form == "date-time" else bytes)
    if sort == "integer":
        rest.pop("format", None)
        return Scalar(python=int, markers=() if form == "int64" else (Format(form or ""),))
    return Scalar(python=python)


def _is_status(properties: Schema, required: Sequence[str]) -> bool:
    return all(properties.get(wire) == ours and wire not in required for wire, ours in _STATUS.items())
