"""An API with its controllers in this process, in simulated time, and how it is spoken to in these tests."""

from collections.abc import Awaitable, Callable
from typing import Any, Self

import msgspec

from kubewright.client import Client
from kubewright.client.transport import LocalTransport
from kubewright.cluster.auth.access import Access
from kubewright.cluster.auth.user import MASTERS, User
from kubewright.cluster.call import Api
from kubewright.cluster.controllers import Controllers, bootstrap
from kubewright.cluster.controllers.internal import Internal
from kubewright.cluster.discovery.answer import Discovery
from kubewright.cluster.front.handler import Front
from kubewright.cluster.registry.builtin import builtin_resources
from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Store
from kubewright.cluster.verbs.options import DeleteOptions
from kubewright.cluster.verbs.patch import MERGE_PATCH
from kubewright.entropy import Entropy
from kubewright.trials.loop import run

__all__ = ["Document", "House", "owned_by", "within"]

Document = dict[str, Any]
ADMIN = User("kubernetes-admin", (MASTERS,))


def owned_by(owner: Document, **more: Any) -> Document:
    """Metadata of a dependent of an object."""
    meta = owner["metadata"]
    reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": meta["name"], "uid": meta["uid"]}
    return {"ownerReferences": [reference | more]}


class House:
    """What a test does to a server, one resource by its plural."""

    def __init__(self, controllers: str = "all", store: Store | None = None) -> None:
        registry = Registry()
        registry.replace((), builtin_resources())
        self.store = store if store is not None else Store()
        self.api = Api(self.store, registry, Entropy(1), Entropy(2))
        self.client = Internal(self.api, "tests")
        self.access = Access(self.store, Entropy(3).private_key, {}, ADMIN)
        self.front = Front(self.api, Discovery(registry), self.access)
        self._names = controllers

    async def __aenter__(self) -> Self:
        await bootstrap(self.api)
        self.controllers = Controllers(
            self.api,
            lambda: self.access.accounts,
            self._names,
            "the certificate",
            connect=lambda: Client(LocalTransport(self.front)),
            entropy=Entropy(4),
        )
        await self.controllers.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.controllers.stop()

    def resource(self, plural: str) -> Resource:
        return next(
            each
            for group, version in self.api.registry.versions()
            for each in self.api.registry.resources(group, version)
            if each.names.plural == plural
        )

    async def make(self, plural: str, namespace: str, name: str, meta: Document | None = None, **more: Any) -> Document:
        document = {"metadata": {"name": name, **(meta or {})}, **more}
        await self.client.create(self.resource(plural), namespace, document)
        made = self.get(plural, namespace, name)
        assert made is not None
        return made

    def get(self, plural: str, namespace: str, name: str) -> Document | None:
        return self.client.document(self.resource(plural), namespace, name)

    def names(self, plural: str, namespace: str = "") -> list[str]:
        return [
            record.key.rpartition("/")[2] for record in self.store.list(self.resource(plural).key(namespace)).records
        ]

    async def merge(self, plural: str, namespace: str, name: str, change: Document) -> None:
        await self.client.patch(self.resource(plural), namespace, name, change, MERGE_PATCH)

    async def delete(self, plural: str, namespace: str, name: str, policy: str | None = None) -> None:
        await self.client.delete(self.resource(plural), namespace, name, DeleteOptions(propagation=policy))

    def history(self, after: int, *plurals: str) -> list[tuple[str, Document]]:
        """What was written since a revision: the name and the object, or for a deletion an empty one."""
        prefixes = tuple(self.resource(plural).key("") for plural in plurals)
        return [
            (record.key.rpartition("/")[2], msgspec.json.decode(record.value) if record.value is not None else {})
            for record in self.store.changes("/", after)
            if record.key.startswith(prefixes)
        ]


def within(story: Callable[[House], Awaitable[None]], controllers: str = "all", store: Store | None = None) -> None:
    """Run a story in a house of its own."""

    async def main() -> None:
        async with House(controllers, store) as house:
            await story(house)

    run(main())
