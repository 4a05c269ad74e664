"""A CRD as it is read: the parts others look at, each known to have the right shape.

`read_crd` takes the dictionary of an `apiextensions.k8s.io/v1` CustomResourceDefinition and gives its names, versions
and schemas, with the values filled in that the server would fill in. What is not of the right shape is refused in one
sentence with the place; whether it is *good* is for the linter and the server to say.
"""

from dataclasses import dataclass
from typing import Any

from kubewright.errors import KubewrightError
from kubewright.schema.raw import misshapen

__all__ = ["CRD", "Names", "NotACRD", "Version", "read_crd"]


class NotACRD(KubewrightError):
    """What was given is no CustomResourceDefinition."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a kind is called."""

    plural: str
    singular: str
    kind: str
    list_kind: str
    short_names: list[str]
    categories: list[str]


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a kind. `schema` is empty where none is given; `raw` is all that was written."""

    name: str
    served: bool
    storage: bool
    schema: dict[str, Any]
    subresources: dict[str, Any]
    columns: list[dict[str, Any]]
    selectable_fields: list[str]
    raw: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CRD:
    """All of it. `stored_versions` is what its status tells, empty for one that was never on a server."""

    name: str
    group: str
    scope: str
    names: Names
    versions: list[Version]
    conversion: dict[str, Any]
    stored_versions: list[str]
    raw: dict[str, Any]


def read_crd(crd: object, *, judged: bool = False) -> CRD:
    """Read a CRD; `NotACRD` says what is out of shape and where. `judged`: its schemas are not, as is known."""
    raw = _mapping(crd, "the document")
    if raw.get("kind") != "CustomResourceDefinition":
        raise NotACRD(f"this is no CustomResourceDefinition: its kind is {raw.get('kind')!r}")
    if raw.get("apiVersion") != "apiextensions.k8s.io/v1":
        raise NotACRD(
            f"CustomResourceDefinitions are read in apiextensions.k8s.io/v1: convert this {raw.get('apiVersion')!r} one"
        )
    spec = _mapping(raw.get("spec"), "spec")
    names = _mapping(spec.get("names"), "spec.names")
    kind = _text(names, "kind", "spec.names")
    versions = [
        _version(_mapping(version, f"spec.versions[{index}]"), f"spec.versions[{index}]", judged=judged)
        for index, version in enumerate(_sequence(spec, "versions", "spec"))
    ]
    return CRD(
        name=_text(_mapping(raw.get("metadata"), "metadata"), "name", "metadata"),
        group=_text(spec, "group", "spec"),
        scope=_text(spec, "scope", "spec"),
        names=Names(
            plural=_text(names, "plural", "spec.names"),
            singular=_text(names, "singular", "spec.names") or kind.lower(),
            kind=kind,
            list_kind=_text(names, "listKind", "spec.names") or f"{kind}List",
            short_names=_texts(names, "shortNames", "spec.names"),
            categories=_texts(names, "categories", "spec.names"),
        ),
        versions=versions,
        conversion=_mapping(spec.get("conversion"), "spec.conversion") or {"strategy": "None"},
        stored_versions=_texts(_mapping(raw.get("status"), "status"), "storedVersions", "status"),
        raw=raw,
    )


def _version(raw: dict[str, Any], path: str, *, judged: bool) -> Version:
    schema = _mapping(raw.get("schema"), f"{path}.schema")
    place = f"{path}.schema.openAPIV3Schema"
    openapi = _mapping(schema.get("openAPIV3Schema"), place)
    if not judged and (problems := misshapen(openapi, place)):
        raise NotACRD(str(problems[0]))
    subresources = _mapping(raw.get("subresources"), f"{path}.subresources")
    if (scale := subresources.get("scale")) is not None:
        for name in ("specReplicasPath", "statusReplicasPath", "labelSelectorPath"):
            _text(_mapping(scale, f"{path}.subresources.scale"), name, f"{path}.subresources.scale")
    columns = [
        _mapping(column, f"{path}.additionalPrinterColumns[{index}]")
        for index, column in enumerate(_sequence(raw, "additionalPrinterColumns", path))
    ]
    for index, column in enumerate(columns):
        for name in ("name", "type", "jsonPath"):
            _text(column, name, f"{path}.additionalPrinterColumns[{index}]")
    selectable = [
        _text(_mapping(field, f"{path}.selectableFields[{index}]"), "jsonPath", f"{path}.selectableFields[{index}]")
        for index, field in enumerate(_sequence(raw, "selectableFields", path))
    ]
    return Version(
        name=_text(raw, "name", path),
        served=_flag(raw, "served", path),
        storage=_flag(raw, "storage", path),
        schema=openapi,
        subresources=subresources,
        columns=columns,
        selectable_fields=selectable,
        raw=raw,
    )


def _mapping(value: object, path: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise NotACRD(f"{path} must be an object, not {type(value).__name__}")
    return value


def _sequence(parent: dict[str, Any], name: str, path: str) -> list[Any]:
    value = parent.get(name)
    if not isinstance(value, list | None):
        raise NotACRD(f"{path}.{name} must be a list, not {type(value).__name__}")
    return value or []


def _text(parent: dict[str, Any], name: str, path: str) -> str:
    value = parent.get(name)
    if not isinstance(value, str | None):
        raise NotACRD(f"{path}.{name} must be a string, not {type(value).__name__}")
    return value or ""


def _texts(parent: dict[str, Any], name: str, path: str) -> list[str]:
    values = _sequence(parent, name, path)
    if not all(isinstance(value, str) for value in values):
        raise NotACRD(f"{path}.{name} must be a list of strings")
    return values


def _flag(parent: dict[str, Any], name: str, path: str) -> bool:
    value = parent.get(name)
    if not isinstance(value, bool | None):
        raise NotACRD(f"{path}.{name} must be true or false, not {type(value).__name__}")
    return bool(value)
