"""Shapes from OpenAPI: of built-in kinds, by the names of their types, and of CRDs, by their own schemas.

The marks that count are `x-kubernetes-list-type` with `-list-map-keys`, or the older `x-kubernetes-patch-strategy` with
`-patch-merge-key`, and `x-kubernetes-map-type`, which may stand beside a reference too. Lists without a mark are
atomic, maps granular. An object that declares nothing, or that keeps what it does not know, is what its value is.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from kubewright.cluster.fields.shape import (
    ATOMIC,
    BOOLEAN,
    DEDUCED,
    NUMERIC,
    STRING,
    UNTYPED,
    ListShape,
    MapShape,
    Shape,
    Unfilled,
)

__all__ = ["Shapes", "custom_shape"]

Schema = dict[str, Any]

_META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
#: Types that are not what their schemas say.
_SPECIAL: Final = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": Shape().set(scalar=UNTYPED),
    "io.k8s.apimachinery.pkg.runtime.RawExtension": ATOMIC,
}
_SCALARS: Final = {"integer": NUMERIC, "number": NUMERIC, "boolean": BOOLEAN}
#: `byte` is a text too, whatever it means.
_PLAIN_FORMATS: Final = (None, "", "byte")

_decode: Final = msgspec.json.Decoder(dict[str, Any]).decode


class Shapes:
    """The shapes of named types; `piece` gives the schema of one as JSON. Each is read when it is first looked at."""

    def __init__(self, piece: Callable[[str], bytes]) -> None:
        self._piece = piece
        self._made: dict[str, Shape] = dict(_SPECIAL)

    def named(self, name: str) -> Shape:
        """The shape of a type."""
        shape = self._made.get(name)
        if shape is None:

            def fill(shape: Shape) -> None:
                self.fill(shape, _decode(self._piece(name)), keep=False)

            shape = self._made[name] = Unfilled(fill)
        return shape

    def of(self, schema: Schema, *, keep: bool) -> Shape:
        """The shape that a schema tells; `keep` says that unknown fields are kept where it stands."""
        name = _reference(schema)
        if name is None:
            return Unfilled(lambda shape: self.fill(shape, schema, keep=keep))
        mark = schema.get("x-kubernetes-map-type")
        return self.named(name) if mark is None else _marked(self.named(name), atomic=mark == "atomic")

    def fill(self, shape: Shape, schema: Schema, *, keep: bool) -> None:
        """Make a shape what a schema tells."""
        keep = keep or schema.get("x-kubernetes-preserve-unknown-fields") is True
        kind = schema.get("type") or ""
        if kind == "object":
            shape.set(members=self._map(schema, keep))
        elif kind == "array":
            shape.set(items=self._list(schema, keep))
        elif kind == "string":
            shape.set(scalar=STRING if schema.get("format") in _PLAIN_FORMATS else UNTYPED)
        elif kind:
            shape.set(scalar=_SCALARS.get(kind, UNTYPED))
        else:
            shape.set(scalar=UNTYPED, items=self._list(schema, keep), members=self._map(schema, keep))

    def _map(self, schema: Schema, keep: bool) -> MapShape:
        declared: Schema = schema.get("properties") or {}
        given = schema.get("additionalProperties")
        rest: Shape | None
        if given is None:
            rest = DEDUCED if keep or not declared else None
        elif isinstance(given, dict):
            rest = self.of(given, keep=keep)
        else:
            rest = DEDUCED if given else None
        fields = {name: self.of(each, keep=keep) for name, each in declared.items()}
        if schema.get("x-kubernetes-embedded-resource") is True:
            fields |= self.object_fields()
        defaults = {name: each["default"] for name, each in declared.items() if each.get("default") is not None}
        return MapShape(fields, rest, atomic=schema.get("x-kubernetes-map-type") == "atomic", defaults=defaults)

    def object_fields(self) -> dict[str, Shape]:
        """The fields that every object has."""
        text = Shape().set(scalar=STRING)
        return {"apiVersion": text, "kind": text, "metadata": self.named(_META)}

    def _list(self, schema: Schema, keep: bool) -> ListShape:
        items = schema.get("items")
        inner = self.of(items, keep=keep) if items is not None else ATOMIC
        mark = schema.get("x-kubernetes-list-type")
        if mark is not None:
            keys = tuple(schema.get("x-kubernetes-list-map-keys") or ()) if mark == "map" else ()
            return ListShape(inner, atomic=mark not in ("map", "set"), keys=keys)
        if "merge" in (schema.get("x-kubernetes-patch-strategy") or "").split(","):
            key = schema.get("x-kubernetes-patch-merge-key")
            return ListShape(inner, atomic=False, keys=(key,) if key else ())
        return ListShape(inner)


def _reference(schema: Schema) -> str | None:
    target = schema.get("$ref")
    if target is None:
        parts = schema.get("allOf")
        if not parts or len(parts) != 1 or (target := parts[0].get("$ref")) is None:
            return None
    name: str = target.rpartition("/")[2]
    return name


def _marked(shape: Shape, *, atomic: bool) -> Shape:
    """A shape whose parts are owned together, or one by one, as whoever refers to it says."""

    def fill(made: Shape) -> None:
        members, items = shape.members, shape.items
        if members is not None:
            other = MapShape({}, members.item, atomic=atomic, defaults=members.defaults)
            other.fields = members.fields
            members = other
        elif items is not None:
            items = ListShape(items.item, atomic=atomic, keys=items.keys)
        made.set(scalar=shape.scalar, items=items, members=members)

    return Unfilled(fill)


def custom_shape(schema: Schema, shapes: Shapes) -> Shape:
    """The shape of the objects of a version of a CRD."""

    def fill(shape: Shape) -> None:
        shapes.fill(shape, {"type": "object", **schema}, keep=False)
        assert shape.members is not None, "an object is a map"
        shape.members.fields |= {name: (f"f:{name}", each) for name, each in shapes.object_fields().items()}

    return Unfilled(fill) if schema else DEDUCED
