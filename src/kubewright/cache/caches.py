"""All caches of one operator: an informer for each selection, while anybody uses it.

    async with Caches(api.raw, manager="shop-operator") as caches:
        pods = caches.open(Selection(endpoint_of(Pod)))
        await pods.synced.wait()
        ...
        await caches.close(pods)

Every write of the operator is told here (`wrote`, `deleted`, `unsure`), so that no reader sees a state older than it.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

from kubewright.cache.cached import Cached, Key
from kubewright.cache.informer import Informer
from kubewright.cache.selection import Selection
from kubewright.client.client import Client
from kubewright.client.endpoint import Endpoint
from kubewright.client.retry import NEVER
from kubewright.entropy import SYSTEM, Entropy

__all__ = ["Caches"]


class Caches:
    """Hands out informers; equal selections get the same one."""

    def __init__(self, client: Client, *, manager: str = "", entropy: Entropy = SYSTEM) -> None:
        """`manager`: of managed fields keep what this field manager owns, and those named `<manager>/…`."""
        # What is tried again, and when, is the reflectors' to say.
        self._client = client.but(retry=NEVER)
        self._manager = manager
        self._entropy = entropy
        self._informers: dict[Selection, Informer] = {}
        self._users: dict[Informer, int] = {}
        #: Those of a resource, whatever its version: a write concerns them alone, and there may be a hundred others.
        self._by_resource: dict[str, list[Informer]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    def __iter__(self) -> Iterator[Informer]:
        """All informers in use."""
        return iter(tuple(self._users))

    def open(self, selection: Selection) -> Informer:
        """The informer of a selection, started by its first user. Each `open` is paired with a `close`.

        Who wants metadata alone gets the informer of whole objects where there is one.
        """
        informer = self._informers.get(selection) or self._informers.get(replace(selection, metadata_only=False))
        if informer is None:
            informer = Informer(self._client, selection, self._manager, self._entropy)
            informer.start()
            self._informers[selection] = informer
            self._users[informer] = 0
            self._by_resource.setdefault(informer.endpoint.resource, []).append(informer)
        self._users[informer] += 1
        return informer

    async def close(self, informer: Informer) -> None:
        """Give an informer up; its last user stops it."""
        if informer not in self._users:
            return
        self._users[informer] -= 1
        if not self._users[informer]:
            del self._users[informer], self._informers[informer.selection]
            others = self._by_resource[informer.endpoint.resource]
            others.remove(informer)
            if not others:
                del self._by_resource[informer.endpoint.resource]
            await informer.stop()

    async def stop(self) -> None:
        """Stop every informer."""
        informers = list(self._users)
        self._users.clear()
        self._informers.clear()
        self._by_resource.clear()
        for informer in informers:
            await informer.stop()

    def endpoint(self, prefix: str, plural: str) -> Endpoint[Any] | None:
        """The endpoint of a resource in the version that a path begins with, if there is a cache of it in any."""
        root, _, version = prefix.rpartition("/")
        informers = self._by_resource.get(f"{plural}.{root.removeprefix('/apis/')}" if root != "/api" else plural)
        if not informers:
            return None
        for informer in informers:
            if informer.endpoint.prefix == prefix:
                return informer.endpoint
        return replace(informers[0].endpoint, version=version, model=None)

    def wrote(self, endpoint: Endpoint[Any], body: bytes) -> Cached | None:
        """A create, update, patch or apply was answered with this object, or a delete was, if it only begins to end.

        For answers of another kind (a Scale), and of a delete that says `Status`, there are `look` and `deleted`;
        what it looks like in caches of another version (`is_elsewhere`) only the server knows, so they `look` too.
        What is kept of it comes back, if it is kept.
        """
        kept: Cached | None = None
        for informer in self._by_resource.get(endpoint.resource, ()):
            if informer.endpoint is endpoint or informer.endpoint == endpoint:
                kept = informer.wrote(body)
        return kept

    def is_elsewhere(self, endpoint: Endpoint[Any]) -> bool:
        """Whether there is a cache of the same resource in another version."""
        informers = self._by_resource.get(endpoint.resource, ())
        if len(informers) == 1 and informers[0].endpoint is endpoint:  # as it nearly always is
            return False
        return any(each.endpoint != endpoint for each in informers)

    def deleted(self, endpoint: Endpoint[Any], key: Key, uid: str) -> None:
        """A delete was answered with success: that object is hidden until the watch has told its end."""
        for informer in self._by_resource.get(endpoint.resource, ()):
            informer.deleted(key, uid)

    def unsure(self, endpoint: Endpoint[Any], place: Key) -> None:
        """Nobody knows whether a write was done (timeout, lost connection): ask before anybody reads the key again.

        A write that names no object has a place, a key without a name: then it may have been any in that namespace.
        """
        for informer in self._by_resource.get(endpoint.resource, ()):
            informer.unsure(place)

    async def look(self, endpoint: Endpoint[Any], place: Key, *, elsewhere: bool = False) -> None:
        """A write was answered with something else than the object as it is kept: see what became of that, or of all
        in the namespace where the place has no name.

        `elsewhere`: only the caches of other versions do not know yet.
        """
        for informer in tuple(self._by_resource.get(endpoint.resource, ())):
            if not elsewhere or informer.endpoint != endpoint:
                await informer.look(place)
