"""A Model becomes a structural schema.

The result is a plain dictionary in the order a person would write it: description and type first, properties in the
order of the class, `x-kubernetes-*` after. It depends on the class alone, so it is the same in every run.
"""

import re
from typing import Any

from kubewright.model.codec import plain
from kubewright.model.duration import Duration
from kubewright.model.fields import Field
from kubewright.model.markers import (
    AtLeastOneOf,
    AtMostOneOf,
    Atomic,
    Default,
    EmbeddedResource,
    FieldGroup,
    ListMap,
    Marker,
    PreserveUnknown,
    Schemaless,
)
from kubewright.model.meta import fields_of, info_of, own_members
from kubewright.model.metadata import ObjectMeta
from kubewright.model.quantity import Quantity
from kubewright.model.resource import Resource
from kubewright.model.shape import (
    Choice,
    DefinitionError,
    ListOf,
    MapOf,
    Scalar,
    Shape,
    StructOf,
    UnionOf,
)
from kubewright.schema.docstrings import class_description, field_descriptions, trim
from kubewright.schema.rules import compile_rules, property_name

__all__ = ["QUANTITY_PATTERN", "Schema", "schema_of"]

Schema = dict[str, Any]

#: What the server accepts as a quantity, as RE2.
QUANTITY_PATTERN = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
_SCALARS: dict[str, Schema] = {
    "str": {"type": "string"},
    "int": {"type": "integer", "format": "int64"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "datetime": {"type": "string", "format": "date-time"},
    "bytes": {"type": "string", "format": "byte"},
}
#: Of the metadata inside an embedded template the server keeps what the schema names, so these are named.
_TEMPLATE_METADATA = ("name", "namespace", "labels", "annotations", "finalizers")

_ORDER = ("description", "title", "type", "format", "nullable", "default", "enum")
_LAST = ("properties", "required", "items", "additionalProperties")


def schema_of(model: Any, *, max_description: int | None = None) -> Schema:
    """The structural schema of a Model class; descriptions cut to `max_description` characters, 0 for none."""
    return _Writer(max_description).struct(StructOf(annotation=model), ())


class _Writer:
    """One pass over a tree of types."""

    def __init__(self, max_description: int | None) -> None:
        self._limit = max_description

    def shape(self, shape: Shape, path: tuple[Any, ...]) -> Schema:
        """The schema of a shape with its markers; `path` is the classes above, to see a type that holds itself."""
        if shape.marker(Schemaless):
            return _ordered(self._marked({}, shape))
        return _ordered(self._marked(self._bare(shape, path), shape))

    def _bare(self, shape: Shape, path: tuple[Any, ...]) -> Schema:
        if isinstance(shape, StructOf):
            return self.struct(shape, path)
        if isinstance(shape, UnionOf):
            return self._union(shape, path)
        if isinstance(shape, ListOf):
            return {"type": "array", "items": self.shape(shape.item, path)}
        if isinstance(shape, MapOf):
            if isinstance(shape.value, Scalar) and shape.value.sort == "any" and not shape.value.markers:
                return {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
            return {"type": "object", "additionalProperties": self.shape(shape.value, path)}
        if isinstance(shape, Choice):
            return {"type": shape.sort, "enum": list(shape.values)}
        assert isinstance(shape, Scalar)
        return _scalar(shape)

    def struct(self, shape: StructOf, path: tuple[Any, ...]) -> Schema:
        """The schema of a class: its fields, its markers, its rules."""
        model = shape.model
        if shape.annotation in path:
            chain = [getattr(each, "__name__", str(each)) for each in (*path, shape.annotation)]
            raise DefinitionError(
                f"{' → '.join(chain)}: the type holds itself, and a CRD's schema cannot; cut the circle with "
                "Annotated[Any, kw.PreserveUnknown()] on one of these fields."
            )
        if model is ObjectMeta:
            return self._template_metadata()
        path = (*path, shape.annotation)
        fields = fields_of(shape.annotation)
        out: Schema = {"type": "object"}
        self._describe(out, class_description(model))
        properties = {}
        if issubclass(model, Resource):
            properties = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}
        properties |= {field.wire: self._field(field, path) for field in fields}
        if path == (shape.annotation,) and issubclass(model, Resource):
            properties["metadata"] = {"type": "object"}
        if properties:
            out["properties"] = properties
        if required := [field.wire for field in fields if field.required]:
            out["required"] = required
        for marker in info_of(model).markers:
            _add(out, _class_fragment(marker, fields))
        for rule in compile_rules(shape.annotation):
            _add(out, {"x-kubernetes-validations": [rule]})
        return out

    def _field(self, field: Field, path: tuple[Any, ...]) -> Schema:
        out = self.shape(field.shape, path)
        text = field_descriptions(field.owner).get(field.name, "")
        if text and not any("description" in marker.fragment() for marker in field.shape.markers):
            out.pop("description", None)
            self._describe(out, text)
        default = field.declaration.default
        if field.declaration.has_default and field.declaration.default_factory is None and default is not None:
            if field.shape.marker(Default):
                where = f"{field.owner.__name__}.{field.name}"
                raise DefinitionError(f"{where} has two defaults, kw.Default and the one of the class; take one away.")
            out["default"] = plain(default)
        return _ordered(out)

    def _marked(self, out: Schema, shape: Shape) -> Schema:
        for marker in shape.markers:
            if isinstance(marker, ListMap) and isinstance(shape, ListOf):
                wires = {field.name: field.wire for field in fields_of(shape.item.annotation)}  # type: ignore[attr-defined]
                keys = [wires[name] for name in marker.names]
                _add(out, {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys})
            elif isinstance(marker, Atomic):
                kind = "list" if isinstance(shape, ListOf) else "map"
                _add(out, {f"x-kubernetes-{kind}-type": "atomic"})
            else:
                _add(out, marker.fragment())
        self._describe(out, out.pop("description", ""))
        embedded = out.get("x-kubernetes-embedded-resource") and "properties" not in out
        if embedded and shape.marker(EmbeddedResource):
            # Without properties of its own an embedded object is kept whole, or nothing of it would be left.
            out.pop("additionalProperties", None)
            _add(out, {"type": "object", **PreserveUnknown().fragment()})
        return out

    def _union(self, shape: UnionOf, path: tuple[Any, ...]) -> Schema:
        """The fields of all members in one object, and exactly one member's own fields present."""
        out: Schema = {"type": "object", "properties": {}}
        choices = []
        for member in shape.members:
            schema = self.struct(member, path)
            for wire, of in schema.get("properties", {}).items():
                if out["properties"].setdefault(wire, of) != of:
                    names = ", ".join(each.model.__name__ for each in shape.members)
                    raise DefinitionError(
                        f"the members {names} of a union have different fields {wire!r}; in one schema it is one field."
                    )
            own = own_members(shape, member)
            choices.append({"required": own})
            rules = [_for_member(rule, own[0], member) for rule in schema.get("x-kubernetes-validations", ())]
            _add(out, {"x-kubernetes-validations": rules} if rules else {})
        out["oneOf"] = choices
        return out

    def _template_metadata(self) -> Schema:
        fields = {field.name: field for field in fields_of(ObjectMeta)}
        return {
            "type": "object",
            "properties": {fields[name].wire: self._bare(fields[name].shape, ()) for name in _TEMPLATE_METADATA},
        }

    def _describe(self, out: Schema, text: str) -> None:
        if text := trim(text, self._limit):
            out["description"] = text


def _for_member(rule: Schema, wire: str, member: StructOf) -> Schema:
    """A rule of one member of a union, which holds for that member alone: the one that has the field `wire`."""
    if rule.get("optionalOldSelf"):
        raise DefinitionError(f"{member.model.__name__}: a rule with optional_old has no form in a member of a union.")
    guard = f"!has(self.{property_name(wire)})"
    if re.search(r"\boldSelf\b", rule["rule"]):
        guard += f" || !has(oldSelf.{property_name(wire)})"
    return {**rule, "rule": f"{guard} || ({rule['rule']})"}


def _scalar(shape: Scalar) -> Schema:
    if shape.sort == "int-or-string":
        either: Schema = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}
        return either | {"pattern": QUANTITY_PATTERN} if shape.python is Quantity else either
    if shape.python is Duration:
        return {"type": "string"}
    if shape.sort == "any":
        return {"x-kubernetes-preserve-unknown-fields": True}
    return dict(_SCALARS[shape.python.__name__])


def _class_fragment(marker: Marker, fields: tuple[Field, ...]) -> Schema:
    if isinstance(marker, Atomic):
        return {"x-kubernetes-map-type": "atomic"}
    if isinstance(marker, FieldGroup):
        return _group(marker, {field.name: field.wire for field in fields})
    return marker.fragment()


def _group(marker: FieldGroup, wires: dict[str, str]) -> Schema:
    """How many of some fields are set, as a rule that costs next to nothing to check."""
    present = [f"has(self.{property_name(wires[name])})" for name in marker.names]
    names = ", ".join(wires[name] for name in marker.names)
    if isinstance(marker, AtLeastOneOf):
        rule, how = " || ".join(present), "at least one"
    else:
        count = " + ".join(f"({has} ? 1 : 0)" for has in present)
        rule, how = (
            (f"{count} <= 1", "at most one") if isinstance(marker, AtMostOneOf) else (f"{count} == 1", "exactly one")
        )
    return {"x-kubernetes-validations": [{"rule": rule, "message": f"{how} of {names} must be set"}]}


def _add(out: Schema, fragment: Schema) -> None:
    """Lay a fragment onto a schema: rules and required names add up, properties merge, anything else is replaced."""
    for keyword, value in fragment.items():
        if keyword in ("x-kubernetes-validations", "required"):
            out[keyword] = [*out.get(keyword, ()), *value]
        elif keyword == "properties":
            for name, schema in value.items():
                _add(out.setdefault(keyword, {}).setdefault(name, {}), schema)
        elif keyword == "format" and not value:
            out.pop(keyword, None)
        else:
            out[keyword] = value


def _ordered(out: Schema) -> Schema:
    def rank(keyword: str) -> int:
        if keyword in _ORDER:
            return _ORDER.index(keyword)
        return 100 + _LAST.index(keyword) if keyword in _LAST else 50

    return dict(sorted(out.items(), key=lambda item: rank(item[0])))
