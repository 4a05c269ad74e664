"""How the fields of a type are patched: what strategic merge must know, and where it comes from.

A `PatchType` is a Go type seen from the outside: its kind, its name if it is a struct, and for each of its fields the
patch strategies and the merge key. Types are looked at one field at a time and only where a patch goes, for some of
them contain themselves.

`lookup_from_openapi` makes one of an OpenAPI v3 document. Such a document does not know which Go types are pointers, so
two errors may read otherwise: a pointer to a struct is a struct, and `$setElementOrder` of a field that is no list is
refused for that at once.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

from kubewright.errors import KubewrightError

__all__ = ["PatchField", "PatchType", "UnknownSchema", "lookup_from_openapi"]


class PatchType(Protocol):
    """A type, as far as patches need to know it."""

    @property
    def kind(self) -> str:
        """Go's word for it: struct, ptr, map, slice, string, int32 …"""

    @property
    def struct(self) -> str | None:
        """The name of the struct that it is, or points to; None if it has no fields to look up."""

    def field(self, name: str) -> "PatchField | None":
        """The field of a struct with that JSON name, if there is one."""


class PatchField(NamedTuple):
    """A field of a struct."""

    type: PatchType
    item: PatchType | None
    """The type of the items, if the field is a list; Go takes what a pointer points to for such, too."""
    strategies: tuple[str, ...]
    """Of `merge`, `replace` and `retainKeys`; with none, objects merge and lists are replaced."""
    merge_key: str
    """The member by which the items of a merged list are known; empty if there is none."""


class UnknownSchema(KubewrightError):
    """The document has no such schema, or refers to one it does not have."""


_STRATEGY: Final = "x-kubernetes-patch-strategy"
_MERGE_KEY: Final = "x-kubernetes-patch-merge-key"
_REFERENCE: Final = "#/components/schemas/"
_KINDS: Final = {"array": "slice", "boolean": "bool", "integer": "int", "number": "float64", "string": "string"}
_FORMATS: Final = ("int32", "int64")


def lookup_from_openapi(document: Mapping[str, Any], schema_name: str) -> PatchType:
    """The type that an OpenAPI v3 document describes under a name such as `io.k8s.api.core.v1.Pod`."""
    return _Schema(document.get("components", {}).get("schemas", {}), {"$ref": _REFERENCE + schema_name})


class _Schema:
    """One schema of a document; its fields are read when asked for, and kept."""

    def __init__(self, schemas: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
        self._schemas = schemas
        name = ""
        # A property that refers and says more wraps its reference: the first of `allOf` is the type.
        while "$ref" in schema or "allOf" in schema:
            reference = schema.get("$ref")
            if reference is None:
                schema = schema["allOf"][0]
                continue
            name = reference.removeprefix(_REFERENCE)
            if name not in schemas:
                raise UnknownSchema(f"the OpenAPI document has no schema {name}")
            schema = schemas[name]
        self._properties: Mapping[str, Any] = schema.get("properties", {})
        self._fields: dict[str, PatchField | None] = {}
        self.items: Mapping[str, Any] | None = schema.get("items")
        kind = schema.get("type", "object")
        self.struct: str | None = None
        if kind == "object" and "additionalProperties" in schema:
            self.kind = "map"
        elif kind == "object":
            self.kind = "struct"
            self.struct = name.rpartition(".")[2]
        else:
            self.kind = schema["format"] if schema.get("format") in _FORMATS else _KINDS.get(kind, kind)

    def field(self, name: str) -> PatchField | None:
        if name not in self._fields:
            self._fields[name] = self._read(name)
        return self._fields[name]

    def _read(self, name: str) -> PatchField | None:
        schema = self._properties.get(name)
        if schema is None:
            # As Go's decoder does, failing the name itself any spelling of it will do.
            similar = (value for key, value in self._properties.items() if key.lower() == name.lower())
            if (schema := next(similar, None)) is None:
                return None
        kind = _Schema(self._schemas, schema)
        item = None if kind.items is None else _Schema(self._schemas, kind.items)
        strategies = tuple(schema.get(_STRATEGY, "").split(","))
        return PatchField(kind, item, strategies, schema.get(_MERGE_KEY, ""))
