"""A CRD becomes modules, one a version: a class for the kind, a class for every object in its schema.

What the classes say gives the same CRD back (`crd_of`), with these exceptions: descriptions of `apiVersion`, `kind`
and `metadata` themselves, which say what everybody knows; `conversion`, which is the operator's matter; and what the
server writes (`status`, `uid`, the last applied configuration …).
"""

from collections.abc import Mapping
from typing import Any

from kubewright.model.markers import Fragment
from kubewright.model.resource import Column, Definition, Scale
from kubewright.schema.typegen.names import unique
from kubewright.schema.typegen.outline import Module, Outline, TypegenError
from kubewright.schema.typegen.read import Reader
from kubewright.schema.typegen.write import write
from kubewright.schema.types import Schema

__all__ = ["types_from_crd"]

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
    found = _versions(crd)
    if version is not None and version not in found:
        raise TypegenError(f"{_name(crd)} has no version {version}; it has {', '.join(found)}.")
    wanted = found if version is None else {version: found[version]}
    return {name: write(_module(crd, each, source or _name(crd), command)) for name, each in wanted.items()}


def _versions(crd: Mapping[str, Any]) -> dict[str, Any]:
    if crd.get("kind") != "CustomResourceDefinition" or crd.get("apiVersion") != "apiextensions.k8s.io/v1":
        said = f"{crd.get('apiVersion', '?')} {crd.get('kind', '?')}"
        raise TypegenError(f"this is {said}, and types are made from apiextensions.k8s.io/v1 CustomResourceDefinition.")
    try:
        versions = {each["name"]: each for each in crd["spec"]["versions"]}
        names = crd["spec"]["group"], crd["spec"]["names"]["kind"], crd["spec"]["names"]["plural"]
    except (KeyError, TypeError, AttributeError) as error:
        raise TypegenError(f"{_name(crd)} lacks {error}: a CRD has a group, names and versions in its spec.") from None
    if not versions or not all(isinstance(name, str) for name in names):
        raise TypegenError(f"{_name(crd)} lacks a version, or its group and names are no strings.")
    return versions


def _name(crd: Mapping[str, Any]) -> str:
    metadata = crd.get("metadata")
    return str(metadata.get("name", "the CRD")) if isinstance(metadata, dict) else "the CRD"


def _module(crd: Mapping[str, Any], version: Mapping[str, Any], source: str, command: str) -> Module:
    kind = crd["spec"]["names"]["kind"]
    schema: Schema = (version.get("schema") or {}).get("openAPIV3Schema") or {"type": "object"}
    reader = Reader()
    taken = set(_IMPORTED)
    resource = Outline(name=unique(kind, taken), parent="Resource", definition=_definition(crd, version, schema))
    taken.add(resource.name)
    body, unusual = _split_envelope(schema)
    reader.fill(resource, body, (kind,))
    if unusual:
        resource.markers += (Fragment({"properties": unusual}),)
    reader.finish(taken)
    api_version = f"{crd['spec']['group']}/{version['name']}"
    description = f"{kind} of {api_version}.\n\nMade from {source} by `{command}`; make it again rather than edit it."
    return Module(description=description, outlines=[*reader.outlines, resource])


def _split_envelope(schema: Schema) -> tuple[Schema, Schema]:
    """The schema of a kind without what every kind has, and what it says of that beyond the usual."""
    properties = dict(schema.get("properties") or {})
    unusual: Schema = {}
    for wire, usual in _ENVELOPE.items():
        said = {**properties.pop(wire, {}), "description": None}
        if more := {key: value for key, value in said.items() if value is not None and usual.get(key) != value}:
            unusual[wire] = more
    return {**schema, "properties": properties}, unusual


def _definition(crd: Mapping[str, Any], version: Mapping[str, Any], schema: Schema) -> Definition:
    """What the class line says."""
    spec = crd["spec"]
    names, metadata = spec["names"], crd.get("metadata") or {}
    subresources = version.get("subresources") or {}
    several = len(spec["versions"]) > 1
    has_status = "status" in (schema.get("properties") or {})
    annotations = {key: value for key, value in (metadata.get("annotations") or {}).items() if key != _LAST_APPLIED}
    return Definition(
        group=spec["group"],
        version=version["name"],
        kind=names["kind"],
        plural=names["plural"],
        singular=names.get("singular") or names["kind"].lower(),
        list_kind=names.get("listKind") or f"{names['kind']}List",
        scope=spec.get("scope", "Namespaced"),
        short_names=tuple(names.get("shortNames") or ()),
        categories=tuple(names.get("categories") or ()),
        columns=tuple(_column(column) for column in version.get("additionalPrinterColumns") or ()),
        scale=_scale(subresources["scale"]) if subresources.get("scale") else None,
        status_subresource=subresources.get("status") is not None or not has_status,
        storage=True if several and version.get("storage") else None,
        served=version.get("served", True),
        deprecated=version.get("deprecationWarning") or bool(version.get("deprecated")),
        selectable_fields=tuple(field["jsonPath"] for field in version.get("selectableFields") or ()),
        labels=metadata.get("labels") or {},
        annotations=annotations,
    )


def _column(column: Mapping[str, Any]) -> Column:
    return Column(
        column["name"],
        column["jsonPath"],
        type=column["type"],
        description=column.get("description", ""),
        format=column.get("format", ""),
        priority=column.get("priority", 0),
    )


def _scale(scale: Mapping[str, Any]) -> Scale:
    return Scale(
        scale["specReplicasPath"], scale["statusReplicasPath"], label_selector=scale.get("labelSelectorPath", "")
    )
