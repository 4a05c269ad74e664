"""Kinds as the controllers need them: those of which a namespace has something, or of which something concerns them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Record, Store

if TYPE_CHECKING:
    from kubewright.client.discovery import Served

__all__ = ["Kinds", "tell_kinds"]

_DEFINITIONS: Final = "/customresourcedefinitions.apiextensions.k8s.io/"


class Kinds:
    """The resources of a registry, by where they are stored; made anew when the registry changes."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._generation = -1
        self._stored: dict[str, Resource] = {}
        self._contents: list[tuple[Resource, Served]] | None = None

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
        self._stored, self._contents = {}, None
        for group, version in registry.versions():
            for resource in registry.resources(group, version):
                self._stored.setdefault(resource.storage, resource)


def tell_kinds(
    store: Store,
    concerns: Callable[[Record], bool],
    concerned: Callable[[tuple[str, str]], None],
    redefined: Callable[[], None],
) -> Callable[[], None]:
    """Call `concerned` with group and plural of each resource with an object that concerns somebody, once.

    That is done at once for those of which one is there, and in the middle of the commit for others, with the first
    that comes. `redefined` is called when a definition of a kind changes. Returns what ends it.
    """
    known: set[str] = set()

    def note(record: Record) -> None:
        key = record.key
        storage = key[1 : key.find("/", 1)]
        if storage not in known and concerns(record):
            known.add(storage)
            plural, _, group = storage.partition(".")
            concerned((group, plural))

    for record in store.list("/").records:
        note(record)
    ends = store.listen("/", note), store.listen(_DEFINITIONS, lambda _: redefined())

    def end() -> None:
        for each in ends:
            each()

    return end
