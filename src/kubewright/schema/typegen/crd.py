"""A CRD becomes modules, one a version: a class for the kind, a class for every object in its schema.

What the classes say gives the same CRD back (`crd_of`), with these exceptions: descriptions of `apiVersion`, `kind`
and `metadata` themselves, which say what everybody knows; `conversion`, which is the operator's matter; and what the
server writes (`status`, `uid`, the last applied configuration …).
"""

from collections.abc import Mapping
from typing import Any

from kubewright.model.markers import Fragment
from kubewright.model.resource import Column, Definition, Scale
from kubewright.schema.definition import CRD, Version, read_crd
from kubewright.schema.typegen.names import unique
from kubewright.schema.typegen.outline import Module, Outline, TypegenError
from kubewright.schema.typegen.read import Reader
from kubewright.schema.typegen.write import write
from kubewright.schema.types import Schema

__all__ = ["present", "types_from_crd"]

#: Names of `typing` that a generated module may import.
_IMPORTED = ("Annotated", "Any", "Literal")
_ENVELOPE: Schema = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def types_from_crd(
    crd: Mapping[str, Any], version: str | None = None, *, source: str = "", command: str = "kubewright types"
) -> dict[str, str]:
    """Version → the source of a module with its types, for each version of a CRD or the one named.

    `source` and `command` say in the module's first lines where it came from.
    """
    read = read_crd(crd)
    found = {each.name: each for each in read.versions}
    if not (found and read.group and read.names.kind and read.names.plural and "" not in found):
        raise TypegenError(f"{read.name or 'the CRD'} lacks a group, a kind, a plural or a version: give it all four.")
    if version is not None and version not in found:
        raise TypegenError(f"{read.name} has no version {version}; it has {', '.join(found)}.")
    wanted = found.values() if version is None else [found[version]]
    return {each.name: write(_module(read, each, source or read.name, command)) for each in wanted}


def _module(crd: CRD, version: Version, source: str, command: str) -> Module:
    kind = crd.names.kind
    reader = Reader()
    taken = set(_IMPORTED)
    resource = Outline(name=unique(kind, taken), parent="Resource", definition=_definition(crd, version))
    taken.add(resource.name)
    body, unusual = _split_envelope(present(version.schema))
    reader.fill(resource, body, (kind,))
    if unusual:
        resource.markers += (Fragment({"properties": unusual}),)
    reader.finish(taken)
    description = (
        f"{kind} of {crd.group}/{version.name}.\n\n"
        f"Made from {source} by `{command}`; make it again rather than edit it."
    )
    return Module(description=description, outlines=[*reader.outlines, resource])


def present(schema: Any) -> Schema:
    """A schema without what is null, which the server takes for absent; a property that is null is an empty schema."""
    if not isinstance(schema, dict):
        return {}
    kept: Schema = {}
    for keyword, value in schema.items():
        if keyword == "properties" and isinstance(value, dict):
            kept[keyword] = {name: present(node) for name, node in value.items()}
        elif keyword in ("items", "additionalProperties", "not") and isinstance(value, dict):
            kept[keyword] = present(value)
        elif value is not None or keyword in ("default", "example"):
            kept[keyword] = value
    return kept


def _split_envelope(schema: Schema) -> tuple[Schema, Schema]:
    """The schema of a kind without what every kind has, and what it says of that beyond the usual."""
    properties = dict(schema.get("properties") or {})
    unusual: Schema = {}
    for wire, usual in _ENVELOPE.items():
        said = properties.pop(wire, {})
        if more := {key: value for key, value in said.items() if key != "description" and usual.get(key) != value}:
            unusual[wire] = more
    return {**schema, "properties": properties}, unusual


def _definition(crd: CRD, version: Version) -> Definition:
    """What the class line says."""
    metadata, scale = crd.raw.get("metadata") or {}, version.subresources.get("scale")
    has_status = "status" in (version.schema.get("properties") or {})
    return Definition(
        group=crd.group,
        version=version.name,
        kind=crd.names.kind,
        plural=crd.names.plural,
        singular=crd.names.singular,
        list_kind=crd.names.list_kind,
        scope="Cluster" if crd.scope == "Cluster" else "Namespaced",
        short_names=tuple(crd.names.short_names),
        categories=tuple(crd.names.categories),
        columns=tuple(map(_column, version.columns)),
        scale=_scale(scale) if scale else None,
        status_subresource=version.subresources.get("status") is not None or not has_status,
        storage=True if len(crd.versions) > 1 and version.storage else None,
        served=version.served,
        deprecated=_text(version.raw, "deprecationWarning") or bool(version.raw.get("deprecated")),
        selectable_fields=tuple(version.selectable_fields),
        labels=_texts(metadata, "labels"),
        annotations={key: text for key, text in _texts(metadata, "annotations").items() if key != _LAST_APPLIED},
    )


def _column(column: Mapping[str, Any]) -> Column:
    priority = column.get("priority")
    return Column(
        _text(column, "name"),
        _text(column, "jsonPath"),
        type=column.get("type"),
        description=_text(column, "description"),
        format=_text(column, "format"),
        priority=priority if isinstance(priority, int) else 0,
    )


def _scale(scale: Mapping[str, Any]) -> Scale:
    return Scale(
        _text(scale, "specReplicasPath"),
        _text(scale, "statusReplicasPath"),
        label_selector=_text(scale, "labelSelectorPath"),
    )


def _text(parent: Mapping[str, Any], name: str) -> str:
    value = parent.get(name)
    return value if isinstance(value, str) else ""


def _texts(parent: Mapping[str, Any], name: str) -> dict[str, str]:
    values = parent.get(name)
    return {key: text for key, text in values.items() if isinstance(text, str)} if isinstance(values, dict) else {}
