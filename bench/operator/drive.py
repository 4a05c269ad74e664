"""The driver: makes, changes and deletes WebServers, and sees when their status has followed.

It knows nothing of who does the work. An object has converged when its status says that it speaks of the generation
that was written; how long that took is told by the driver's own watch.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec

from bench.operator.calls import Calls, read_calls
from bench.operator.kind import WEBSERVERS, WebServer
from kubewright.client import Client
from kubewright.client.client import Query
from kubewright.client.watch import Frames
from kubewright.schema.crd import crd_of

__all__ = ["Driver", "driving"]

_CRDS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_AT_ONCE: Final = 16
_LONGEST: Final = 900.0


class _Meta(msgspec.Struct, rename="camel"):
    name: str = ""
    resource_version: str = ""


class _Status(msgspec.Struct, rename="camel"):
    observed_generation: int = 0


class _Object(msgspec.Struct):
    metadata: _Meta = msgspec.field(default_factory=_Meta)
    status: _Status = msgspec.field(default_factory=_Status)


class _List(msgspec.Struct):
    metadata: _Meta
    items: list[_Object]


class _Event(msgspec.Struct):
    type: str
    object: _Object


_list = msgspec.json.Decoder(_List).decode
_event = msgspec.json.Decoder(_Event).decode


class Driver:
    """Writes for one cluster."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._own: Calls = Counter()
        #: By name: the generation last observed, and when that was seen.
        self.observed: dict[str, tuple[int, float]] = {}
        self._news = asyncio.Event()

    async def define(self) -> None:
        """Have the kind served."""
        await self._client.create(_CRDS, crd_of(WebServer))
        while True:
            found = await self._client.request("GET", WEBSERVERS)
            await found.read()
            self._own["LIST", "webservers"] += 1
            if found.status == 200:
                return
            await asyncio.sleep(0.1)

    async def calls(self) -> Calls:
        """How often others than the driver have asked for what."""
        told = (await self._client.ask("GET", "/metrics", accept=b"text/plain")).decode()
        calls = read_calls(told)
        calls.subtract(self._own)
        return calls

    async def create(self, names: list[str]) -> None:
        """Make WebServers."""
        self._own["POST", "webservers"] += len(names)
        await self._each(names, lambda name: self._client.create(WEBSERVERS, _document(name)))

    async def update(self, names: list[str], **spec: object) -> None:
        """Change their specs."""
        self._own["PATCH", "webservers"] += len(names)
        await self._each(names, lambda name: self._client.patch(f"{WEBSERVERS}/{name}", "merge", {"spec": spec}))

    async def delete(self, names: list[str]) -> None:
        """Delete them."""
        self._own["DELETE", "webservers"] += len(names)
        await self._each(names, lambda name: self._client.delete(f"{WEBSERVERS}/{name}"))

    async def converged(self, names: list[str], generation: int) -> None:
        """Wait until all of them tell of that generation."""
        waiting = set(names)
        async with asyncio.timeout(_LONGEST):
            while True:
                self._news.clear()
                waiting = {name for name in waiting if self.observed.get(name, (0, 0.0))[0] < generation}
                if not waiting:
                    return
                await self._news.wait()

    async def follow(self) -> None:
        """Watch, until cancelled. The server ends watches of a kind that is young: then they are begun anew."""
        while True:
            listed = _list(await self._client.ask("GET", WEBSERVERS))
            self._own["LIST", "webservers"] += 1
            for each in listed.items:
                self._saw(each, time.monotonic())
            query: Query = {"watch": True, "resourceVersion": listed.metadata.resource_version, "timeoutSeconds": 7200}
            frames = Frames()
            async with await self._client.open("GET", WEBSERVERS, query) as response:
                async for piece in response:
                    now = time.monotonic()
                    for line in frames.feed(piece):
                        event = _event(line)
                        if event.type in ("ADDED", "MODIFIED"):
                            self._saw(event.object, now)

    def _saw(self, found: "_Object", now: float) -> None:
        name, generation = found.metadata.name, found.status.observed_generation
        if generation > self.observed.get(name, (0, 0.0))[0]:
            self.observed[name] = (generation, now)
            self._news.set()

    async def _each(self, names: list[str], act: Callable[[str], Awaitable[Any]]) -> None:
        left = iter(names)

        async def work() -> None:
            for name in left:
                await act(name)

        await asyncio.gather(*(work() for _ in range(_AT_ONCE)))


@asynccontextmanager
async def driving(client: Client) -> AsyncIterator[Driver]:
    """A driver of a fresh cluster, which then serves the kind."""
    driver = Driver(client)
    await driver.define()
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(driver.follow())
        yield driver
        watching.cancel()


def _document(name: str) -> dict[str, Any]:
    return {
        "apiVersion": "web.example.com/v1",
        "kind": "WebServer",
        "metadata": {"name": name},
        "spec": {"image": "registry.example.com/web:1", "replicas": 1, "port": 8080},
    }
