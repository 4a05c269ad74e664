"""Registries to ask: the built-in resources of the catalogue, and those of CRDs; as much of them as discovery reads."""

from functools import partial
from typing import Any, cast

from kubewright.cluster.registry.catalogue import builtin_entries, storage_version_hash
from kubewright.cluster.registry.kinds.plain import plain_strategy
from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.registry.resource import Resource, Subresource
from kubewright.cluster.registry.strategy import Strategy
from kubewright.model.resource import GroupVersionKind
from kubewright.schema.definition import Names, read_crd

CUSTOM_VERBS = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")
SUBRESOURCE_VERBS = ("get", "patch", "update")
SCALE = GroupVersionKind("autoscaling", "v1", "Scale")


def builtin_registry(*crds: dict[str, Any]) -> Registry:
    registry = Registry()
    registry.replace((), [*builtin(), *(resource for crd in crds for resource in custom(crd))])
    return registry


def builtin() -> list[Resource]:
    return [
        _resource(
            group=entry.group,
            version=entry.version,
            names=Names(
                *(entry.plural, entry.singular, entry.kind, f"{entry.kind}List"),
                *(list(entry.short_names), list(entry.categories)),
            ),
            namespaced=entry.namespaced,
            verbs=entry.verbs,
            make_strategy=partial(
                plain_strategy,
                f"{entry.plural}.{entry.group}" if entry.group else entry.plural,
                namespaced=entry.namespaced,
                empty_status=None,
            ),
            subresources=tuple(Subresource(sub.name, sub.kind, sub.verbs) for sub in entry.subresources),
            storage_version_hash=entry.storage_version_hash,
        )
        for entry in builtin_entries()
    ]


def custom(document: dict[str, Any]) -> list[Resource]:
    """What is served of a CRD."""
    crd = read_crd(document)
    stored = next(version.name for version in crd.versions if version.storage)
    resources = []
    for version in crd.versions:
        if not version.served:
            continue
        own = GroupVersionKind(crd.group, version.name, crd.names.kind)
        kinds = {"status": own, "scale": SCALE}
        resources.append(
            _resource(
                group=crd.group,
                version=version.name,
                names=crd.names,
                namespaced=crd.scope == "Namespaced",
                verbs=CUSTOM_VERBS,
                make_strategy=partial(Strategy, namespaced=crd.scope == "Namespaced"),
                subresources=tuple(
                    Subresource(name, kind, SUBRESOURCE_VERBS)
                    for name, kind in kinds.items()
                    if name in version.subresources
                ),
                storage_version_hash=storage_version_hash(crd.group, stored, crd.names.kind),
                custom=True,
                schema=version.schema,
                fields={path.removeprefix("."): lambda _: "" for path in version.selectable_fields},
            )
        )
    return resources


def _resource(**facts: Any) -> Resource:
    unread = cast("Any", None)
    return Resource(
        codec=unread, stored_codec=unread, view=unread, columns=unread, storage="", told_group=facts["group"], **facts
    )
