"""Aggregated discovery (`apidiscovery.k8s.io/v2`): all groups, versions and resources in one document.

What is told of a version is kept as JSON while its resources stay the same, so that a CRD that comes or goes among a
thousand costs no more than itself.
"""

import hashlib
from typing import Any, Final, NamedTuple

import msgspec

from kubewright.cluster.discovery.groups import groups, is_foreign, members, told_names
from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.registry.resource import Resource

__all__ = ["Aggregate", "Aggregated"]

Document = dict[str, Any]

_encode: Final = msgspec.json.Encoder().encode


class Aggregated(NamedTuple):
    """The document as JSON, and its tag: the hash of what it says, as the server takes it."""

    content: bytes
    tag: bytes


class Aggregate:
    """The aggregated documents for what a registry holds."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._versions: dict[tuple[str, str], tuple[list[Resource], bytes]] = {}

    def core(self) -> Aggregated:
        """`/api`."""
        return _aggregated([b'{"metadata":{},"versions":[%b]}' % self._version("", "v1")])

    def named(self) -> Aggregated:
        """`/apis`."""
        listed = groups(self._registry)
        served = {("", "v1"), *((group, version) for group, versions in listed.items() for version in versions)}
        self._versions = {key: kept for key, kept in self._versions.items() if key in served}
        return _aggregated(
            [
                b'{"metadata":{"name":%b},"versions":[%b]}'
                % (_encode(group), b",".join([self._version(group, version) for version in versions]))
                for group, versions in listed.items()
            ]
        )

    def _version(self, group: str, version: str) -> bytes:
        resources = members(self._registry, group, version)
        kept = self._versions.get((group, version))
        if kept is not None and kept[0] == resources:  # resources are equal when they are the same
            return kept[1]
        told = [_resource(resource) for resource in resources]
        piece = _encode({"version": version, "resources": told, "freshness": "Current"})
        self._versions[group, version] = resources, piece
        return piece


def _aggregated(items: list[bytes]) -> Aggregated:
    said = b'{"metadata":{},"items":[%b]}' % b",".join(items)
    content = b'{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2",%b\n' % said[1:]
    return Aggregated(content, f'"{hashlib.sha512(said).hexdigest().upper()}"'.encode())


def _resource(resource: Resource) -> Document:
    entry: Document = {
        "resource": resource.names.plural,
        "responseKind": _response_kind(resource, resource.names.kind),
        "scope": "Namespaced" if resource.namespaced else "Cluster",
        "singularResource": resource.names.singular,
        "verbs": resource.offered,
    }
    entry |= told_names(resource)
    if resource.subresources:
        entry["subresources"] = [
            {
                "subresource": sub.name,
                "responseKind": sub.kind._asdict()
                if is_foreign(resource, sub)
                else _response_kind(resource, sub.kind.kind),
                "verbs": sub.verbs,
            }
            for sub in resource.subresources
        ]
    return entry


def _response_kind(resource: Resource, kind: str) -> Document:
    """A kind of the resource's own version: of a built-in one the server does not repeat which that is."""
    if resource.custom:
        return {"group": resource.group, "version": resource.version, "kind": kind}
    return {"group": "", "version": "", "kind": kind}
