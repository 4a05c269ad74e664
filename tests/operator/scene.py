"""A cluster in simulated time with operators on it, whose requests are recorded and can be made to fail."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from tests.operator.web import WEBS, install

import kubewright as kw
from kubewright.client import Client
from kubewright.client.transport import Transport
from kubewright.cluster import Cluster
from kubewright.cluster.verbs.watch import end_watches
from kubewright.http import DisconnectedError, Headers, Request, Response
from kubewright.operator import Running
from kubewright.trials.loop import run

__all__ = ["Scene", "Wire", "play"]

Value = TypeVar("Value")


class Wire:
    """A transport that notes what is written, and refuses what it is told to."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.host = transport.host
        #: `PATCH /api/v1/…`, in order.
        self.writes: list[str] = []
        self.reads: list[str] = []
        self.refuse: Callable[[Request], int | None] = lambda request: None
        #: Awaited before each write.
        self.delay: Callable[[Request], Awaitable[None]] | None = None
        #: Awaited after each write, before its answer is told.
        self.lag: Callable[[Request], Awaitable[None]] | None = None
        #: Nothing passes any more, in neither direction.
        self.dead = False
        #: The watches: which, and whether it has come to a standstill.
        self.watches: list[tuple[str, asyncio.Event]] = []

    async def send(self, request: Request) -> Response:
        if request.gate is not None:
            request.gate()
            request.gate = None
        if self.dead:
            raise DisconnectedError("the wire is cut")
        told = self.reads if request.method == "GET" else self.writes
        told.append(f"{request.method} {request.path}")
        if self.delay is not None and request.method != "GET":
            await self.delay(request)
        code = self.refuse(request)
        if code is not None:
            status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "message": "not now"}
            headers = Headers([(b"Content-Type", b"application/json")])
            return Response(code, headers, msgspec.json.encode(status))
        response = await self._transport.send(request)
        if self.lag is not None and request.method != "GET":
            await self.lag(request)
        if "watch=true" not in request.query or response.status != 200:
            return response
        stands = asyncio.Event()
        self.watches.append((request.path, stands))
        return Response(200, response.headers, _unless(stands, response))

    def wedge(self, path: str = "") -> None:
        """Have every watch that there is stand still, without an end; or those of one path."""
        for watched, stands in self.watches:
            if path in ("", watched):
                stands.set()

    async def close(self) -> None:
        """The cluster's is not ours to close."""


async def _unless(stands: asyncio.Event, response: Response) -> AsyncIterator[bytes]:
    """What comes of a watch, until it stands still."""
    try:
        async for piece in response:
            if stands.is_set():
                await asyncio.get_running_loop().create_future()
            yield piece
    finally:
        response.close()


class Scene:
    """A running cluster, an administrator beside the operators, and their wire."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.client = cluster.client()
        self.wire = Wire(self.client._transport)

    @contextlib.asynccontextmanager
    async def running(self, *controllers: Any, name: str = "web-operator", **options: Any) -> AsyncIterator[Running]:
        """An operator with these controllers, through the wire."""
        app = kw.Operator(name, list(controllers), **options)
        async with app.running(Client(self.wire)) as running:
            yield running

    def cut(self) -> None:
        """End every watch."""
        end_watches(self.cluster.api)

    async def settle(self, running: Running, seconds: float = 2.0) -> None:
        """Let some time pass, then wait until there is nothing to do."""
        await asyncio.sleep(seconds)
        await running.idle()

    async def web(self, name: str = "shop") -> Any:
        """A WebServer as it is."""
        return await self.client.get(f"{WEBS.format('default')}/{name}")

    async def put(self, path: str, name: str, **rest: Any) -> Any:
        """Make an object."""
        return await self.client.create(path, {"metadata": {"name": name}, **rest})


def play(story: Callable[[Scene], Awaitable[Value]], *kinds: type[kw.Resource], **options: Any) -> Value:
    """Run a story on a fresh cluster that serves WebServers and these kinds, without controllers unless asked for."""

    async def staged() -> Value:
        async with Cluster(**{"port": None, "controllers": "none", "seed": 1} | options) as cluster:
            scene = Scene(cluster)
            await install(scene.client, *kinds)
            return await story(scene)

    return run(staged())
