"""Kinds as the controllers need them: by the place of an object, and by what a reference says."""

from typing import TYPE_CHECKING

from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Store

if TYPE_CHECKING:
    from kubewright.client.discovery import Served

__all__ = ["Kinds"]


class Kinds:
    """The resources of a registry, looked up in other ways than by path; made anew when the registry changes."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._generation = -1
        self._stored: dict[str, Resource] = {}
        self._named: dict[tuple[str, str], Resource] = {}
        self._contents: list[tuple[Resource, Served]] | None = None

    def at(self, key: str) -> Resource | None:
        """The resource that a key of the store belongs to, in one of its versions."""
        self._refresh()
        return self._stored.get(key[1 : key.find("/", 1)])

    def named(self, api_version: str, kind: str) -> Resource | None:
        """The resource of a kind, in exactly that version."""
        self._refresh()
        return self._named.get((api_version, kind))

    def held(self, store: Store, namespace: str) -> "list[Served]":
        """Of what can be deleted that which a namespace holds, as a client sees it, each in one of its versions."""
        self._refresh()
        if self._contents is None:
            # Whoever asks has loaded them.
            from kubewright.client.discovery import Served
            from kubewright.client.endpoint import Endpoint

            self._contents = [
                (
                    each,
                    Served(
                        Endpoint(each.group, each.version, each.names.plural, each.names.kind, True),
                        frozenset(each.verbs),
                    ),
                )
                for each in self._stored.values()
                if each.namespaced and "delete" in each.verbs and "list" in each.verbs
            ]
        return [served for each, served in self._contents if store.count(each.key(namespace))]

    def _refresh(self) -> None:
        registry = self._registry
        if self._generation == registry.generation:
            return
        self._generation = registry.generation
        self._stored, self._named, self._contents = {}, {}, None
        for group, version in registry.versions():
            for resource in registry.resources(group, version):
                self._stored.setdefault(resource.storage, resource)
                self._named.setdefault((resource.api_version, resource.names.kind), resource)
