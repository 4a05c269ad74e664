"""From a CRD to what is served: one resource for each version that is."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from kubewright.cluster.registry.catalogue import storage_version_hash
from kubewright.cluster.registry.columns import custom_columns
from kubewright.cluster.registry.custom.definition import Definition
from kubewright.cluster.registry.custom.scale import PathScale
from kubewright.cluster.registry.custom.strategy import CustomStatus, CustomStrategy
from kubewright.cluster.registry.custom.view import CustomView
from kubewright.cluster.registry.resource import Resource, Subresource
from kubewright.cluster.registry.versions import version_order
from kubewright.cluster.wire.jsonpath import compile_path
from kubewright.model.kind import GroupVersionKind
from kubewright.schema.definition import CRD, Version
from kubewright.schema.walk.golang import sprint

__all__ = ["custom_resources", "deprecation_warning", "stored_resource"]

Document = dict[str, Any]

_VERBS: Final = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")
_PARTS: Final = ("get", "patch", "update")
_SCALE: Final = GroupVersionKind("autoscaling", "v1", "Scale")


def custom_resources(definition: Definition) -> list[Resource]:
    """The resources of a CRD, in the order of its versions."""
    return [_resource(definition, version) for version in definition.crd.versions if version.served]


def stored_resource(definition: Definition) -> Resource:
    """The version in which objects are stored, though it may not be served."""
    return next(_resource(definition, version) for version in definition.crd.versions if version.storage)


def _resource(definition: Definition, version: Version) -> Resource:
    crd, names = definition.crd, definition.names
    codec = definition.codecs[definition.api_version(version.name)]
    scale = PathScale(version.subresources["scale"]) if version.subresources.get("scale") is not None else None
    has_status = version.subresources.get("status") is not None

    def make(strategy: type[CustomStrategy]) -> CustomStrategy:
        return strategy(definition, names.kind, codec, has_status=has_status, scale=scale)

    kind = GroupVersionKind(crd.group, version.name, names.kind)
    subresources = [
        *([Subresource("status", kind, _PARTS, make_strategy=partial(make, CustomStatus))] if has_status else []),
        *([Subresource("scale", _SCALE, _PARTS, scale=scale)] if scale is not None else []),
    ]
    return Resource(
        group=crd.group,
        version=version.name,
        names=names,
        namespaced=crd.scope == "Namespaced",
        verbs=_VERBS,
        codec=codec,
        make_strategy=partial(make, CustomStrategy),
        view=CustomView(definition, version.name),
        columns=custom_columns(version.columns),
        storage=f"{names.plural}.{crd.group}",
        stored_codec=codec,
        told_group=crd.group,
        fields={path.removeprefix("."): _field(path) for path in version.selectable_fields},
        subresources=tuple(subresources),
        storage_version_hash=storage_version_hash(crd.group, definition.storage, crd.names.kind),
        custom=True,
        schema=version.schema,
        warnings=(deprecation_warning(crd, version),) if version.raw.get("deprecated") else (),
    )


def _field(path: str) -> Callable[[Document], str]:
    find = compile_path(path)

    def read(obj: Document) -> str:
        found = find(obj)
        return sprint(found[0]) if found and found[0] is not None else ""

    return read


def deprecation_warning(crd: CRD, version: Version) -> str:
    """What whoever uses a deprecated version is told."""
    given: str | None = version.raw.get("deprecationWarning")
    if given is not None:
        return given
    text = f"{crd.group}/{version.name} {crd.names.kind} is deprecated"
    newer = [
        each.name
        for each in crd.versions
        if each.served and not each.raw.get("deprecated") and version_order(each.name) < version_order(version.name)
    ]
    return f"{text}; use {crd.group}/{min(newer, key=version_order)} {crd.names.kind}" if newer else text
