"""To wait until the last of some objects is gone, of kinds that are known at run time only.

A namespace that ends waits for whatever finalizers hold in it. Nobody follows all kinds everywhere for that: while it
lasts, what is left is watched, in that namespace alone. Where a watch ends before its time nothing is told; whoever
waits looks again after a while by himself.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable

import msgspec

from kubewright.client.client import METADATA, Client
from kubewright.cluster.controllers.empty import Left
from kubewright.errors import KubewrightError

__all__ = ["Vigil"]


class _Meta(msgspec.Struct):
    name: str = ""


class _Head(msgspec.Struct):
    metadata: _Meta


class Vigil:
    """Tells the namespaces in which what was left is gone: `kw.stream(vigil.news)`."""

    def __init__(self) -> None:
        self._told: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def news(self) -> AsyncGenerator[str, None]:
        """The names of namespaces, as it happens; with its end all watching ends."""
        try:
            while True:
                yield await self._told.get()
        finally:
            for namespace in tuple(self._tasks):
                self.end(namespace)

    def keep(self, client: Client, namespace: str, left: Iterable[Left]) -> None:
        """Watch what is left in a namespace, from now on that and nothing else."""
        self.end(namespace)
        work = self._wait(client, namespace, tuple(left))
        self._tasks[namespace] = asyncio.create_task(work, name=f"what is left in {namespace}")

    def end(self, namespace: str) -> None:
        """Watch nothing there any more."""
        if (task := self._tasks.pop(namespace, None)) is not None:
            task.cancel()

    async def _wait(self, client: Client, namespace: str, left: tuple[Left, ...]) -> None:
        if all(await asyncio.gather(*(_gone(client, each) for each in left))):
            self._told.put_nowait(namespace)


async def _gone(client: Client, left: Left) -> bool:
    """Wait for the end of all of these; whether it was told."""
    names = set(left.names)
    query = {"resourceVersion": left.resource_version}
    async with client.watch(left.endpoint.path(left.namespace), query, accept=METADATA) as watch:
        try:
            async for event in watch:
                if event.type == "DELETED":
                    names.discard(msgspec.json.decode(event.object, type=_Head).metadata.name)
                    if not names:
                        return True
        except KubewrightError:
            return False
    return False
