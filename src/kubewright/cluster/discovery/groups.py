"""Discovery: what is served, told to clients. Functions of a registry alone.

This is the old form, a tree of documents: the groups, the versions of each, the resources of each version. The one
that tells all of it at once is in `aggregated.py`.

Built-in groups come in the order in which they were registered, which is that of their priority; groups of CRDs follow
by name, their versions by Kubernetes' order of versions.
"""

from typing import Any

from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.registry.resource import Resource, Subresource
from kubewright.cluster.registry.versions import version_order

__all__ = [
    "group_document",
    "group_list",
    "groups",
    "is_foreign",
    "legacy_versions",
    "members",
    "resource_list",
    "told_names",
]

Document = dict[str, Any]


def groups(registry: Registry) -> dict[str, list[str]]:
    """Every named group with its versions, each in the order in which clients are told of them."""
    found: dict[str, list[tuple[bool, str]]] = {}
    for group, version in registry.versions():
        if group:
            custom = all(resource.custom for resource in registry.resources(group, version))
            found.setdefault(group, []).append((custom, version))
    builtin = [group for group, versions in found.items() if not all(custom for custom, _ in versions)]
    others = sorted(found.keys() - set(builtin))
    return {group: _ordered(found[group]) for group in (*builtin, *others)}


def _ordered(versions: list[tuple[bool, str]]) -> list[str]:
    custom = sorted((version for custom, version in versions if custom), key=version_order)
    return [version for custom, version in versions if not custom] + custom


def members(registry: Registry, group: str, version: str) -> list[Resource]:
    """The resources of a version: built-in ones as they were registered, those of CRDs by name."""
    resources = registry.resources(group, version)
    custom = sorted((each for each in resources if each.custom), key=lambda each: each.names.plural)
    return [each for each in resources if not each.custom] + custom


def legacy_versions(address: str) -> Document:
    """`/api`; `address` is where clients reach this server."""
    where = [{"clientCIDR": "0.0.0.0/0", "serverAddress": address}]
    return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": where}


def group_list(registry: Registry) -> Document:
    """`/apis`."""
    listed = [_group(group, versions) for group, versions in groups(registry).items()]
    return {"kind": "APIGroupList", "apiVersion": "v1", "groups": listed}


def group_document(registry: Registry, group: str) -> Document | None:
    """`/apis/<group>`, if there is such a group."""
    versions = groups(registry).get(group)
    return {"kind": "APIGroup", "apiVersion": "v1", **_group(group, versions)} if versions else None


def _group(group: str, versions: list[str]) -> Document:
    told = [{"groupVersion": f"{group}/{version}", "version": version} for version in versions]
    return {"name": group, "versions": told, "preferredVersion": told[0]}


def resource_list(registry: Registry, group: str, version: str) -> Document | None:
    """`/api/v1` or `/apis/<group>/<version>`, if it is served."""
    resources = members(registry, group, version)
    if not resources:
        return None
    entries = [entry for resource in resources for entry in _entries(resource)]
    told = {"groupVersion": resources[0].api_version, "resources": entries}
    # The core group's list is as old as that: it does not say its own version.
    return {"kind": "APIResourceList", **({"apiVersion": "v1"} if group else {}), **told}


def _entries(resource: Resource) -> list[Document]:
    names = resource.names
    entry: Document = {
        "name": names.plural,
        "singularName": names.singular,
        "namespaced": resource.namespaced,
        "kind": names.kind,
        "verbs": resource.offered,
    }
    entry |= told_names(resource)
    if resource.storage_version_hash:
        entry["storageVersionHash"] = resource.storage_version_hash
    return [entry, *(_subentry(resource, sub) for sub in resource.subresources)]


def told_names(resource: Resource) -> Document:
    """Its other names, if it has any."""
    names = resource.names
    told = {"shortNames": names.short_names, "categories": names.categories}
    return {key: value for key, value in told.items() if value}


def _subentry(resource: Resource, sub: Subresource) -> Document:
    entry: Document = {
        "name": f"{resource.names.plural}/{sub.name}",
        "singularName": "",
        "namespaced": resource.namespaced,
    }
    if is_foreign(resource, sub):
        entry |= {"group": sub.kind.group, "version": sub.kind.version}
    return entry | {"kind": sub.kind.kind, "verbs": sub.verbs}


def is_foreign(resource: Resource, sub: Subresource) -> bool:
    """Whether a subresource speaks of a kind of another version."""
    return (sub.kind.group, sub.kind.version) != (resource.group, resource.version)
