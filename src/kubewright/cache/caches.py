"""All caches of one operator: an informer for each selection, while anybody uses it.

    async with Caches(api.raw, manager="shop-operator") as caches:
        pods = caches.open(Selection(endpoint_of(Pod)))
        await pods.synced.wait()
        ...
        await caches.close(pods)

Every write of the operator is told here (`wrote`, `deleted`, `unsure`), so that no reader sees a state older than it.
"""

from collections.abc import Iterator
from typing import Any, Self

from kubewright.cache.cached import Key
from kubewright.cache.informer import Informer
from kubewright.cache.selection import Selection
from kubewright.client.client import Client
from kubewright.client.endpoint import Endpoint
from kubewright.entropy import SYSTEM, Entropy

__all__ = ["Caches"]


class Caches:
    """Hands out informers; equal selections get the same one."""

    def __init__(self, client: Client, *, manager: str = "", entropy: Entropy = SYSTEM) -> None:
        """`manager`: of managed fields keep what this field manager owns, and those named `<manager>/…`."""
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    def __iter__(self) -> Iterator[Informer]:
        """All informers in use."""
        raise NotImplementedError

    def open(self, selection: Selection) -> Informer:
        """The informer of a selection, started by its first user. Each `open` is paired with a `close`."""
        raise NotImplementedError

    async def close(self, informer: Informer) -> None:
        """Give an informer up; its last user stops it."""
        raise NotImplementedError

    async def stop(self) -> None:
        """Stop every informer."""
        raise NotImplementedError

    def wrote(self, endpoint: Endpoint[Any], body: bytes) -> None:
        """A create, update, patch or apply was answered with this object; also a delete that was, if it still is."""
        raise NotImplementedError

    def deleted(self, endpoint: Endpoint[Any], key: Key, uid: str) -> None:
        """A delete was answered with success: that object is hidden until the watch has told its end."""
        raise NotImplementedError

    def unsure(self, endpoint: Endpoint[Any], key: Key) -> None:
        """Nobody knows whether a write was done (timeout, lost connection): ask before anybody reads the key again."""
        raise NotImplementedError
