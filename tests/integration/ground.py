"""What integration tests of operators stand on: a cluster, a way to it that can be held back, and an administrator."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

from tests.operator.web import WEBS, WebServer

import kubewright as kw
from kubewright.client import Access, Client, HttpTransport, load_kubeconfig
from kubewright.client.errors import NotFound, TooManyRequests
from kubewright.http import Headers, Request, Response
from kubewright.operator import Running
from kubewright.schema.crd import crd_of
from kubewright.testing.sandbox import Sandbox

Value = TypeVar("Value")

__all__ = ["CRDS", "SECONDS", "Ground", "Leash", "on"]

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
SECONDS = 30.0
GONE = b'{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410,"message":"too old"}'


class Leash:
    """A transport whose watches can be held back, and cut."""

    def __init__(self, cluster: Sandbox, access: Access | None = None) -> None:
        self._through = HttpTransport(access or load_kubeconfig(cluster.kubeconfig))
        self.host = self._through.host
        self._namespace = cluster.namespace
        self.flows = asyncio.Event()
        self.flows.set()
        self.cut = asyncio.Event()
        self.asked: list[str] = []
        #: What becomes of the next piece that a watch sends; the stream ends with it.
        self.spoil: Callable[[bytes], bytes] | None = None
        #: Whether every version that is asked for has been forgotten.
        self.forgotten = False
        #: What is written in the namespace, but Events and Leases: `PATCH /services/shop`.
        self.writes: list[str] = []

    async def send(self, request: Request) -> Response:
        self.asked.append(request.target)
        if request.method != "GET" and "/events" not in request.path and "/leases" not in request.path:
            self.writes.append(f"{request.method} {request.path.rpartition(self._namespace)[2]}")
        if self.forgotten and "watch=true" in request.target and "&resourceVersion=" in request.target:
            return Response(410, Headers([(b"Content-Type", b"application/json")]), GONE)
        response = await self._through.send(request)
        if "watch=true" in request.target and response.status == 200:
            return Response(200, response.headers, self._held(response))
        return response

    async def _held(self, response: Response) -> AsyncIterator[bytes]:
        cut = asyncio.create_task(self.cut.wait())
        pieces = aiter(response)
        try:
            while (piece := await self._unless(cut, anext(pieces, None))) is not None:
                if await self._unless(cut, self.flows.wait()) is None:
                    return
                if (spoil := self.spoil) is not None:
                    self.spoil = None
                    yield spoil(piece)
                    return
                yield piece
        finally:
            cut.cancel()
            response.close()

    async def _unless(self, cut: "asyncio.Task[Any]", coming: Awaitable[Value]) -> Value | None:
        """What is waited for; None if it is cut before."""
        waiting = asyncio.ensure_future(coming)
        try:
            await asyncio.wait([cut, waiting], return_when="FIRST_COMPLETED")
            return None if cut.done() else waiting.result()
        finally:
            waiting.cancel()

    async def close(self) -> None:
        await self._through.close()


class Ground:
    """A cluster with an administrator, and a counter of what operators write."""

    def __init__(self, cluster: Sandbox, client: Client) -> None:
        self.client = client
        self.namespace = cluster.namespace
        self.webs = WEBS.format(cluster.namespace)
        self.leash = Leash(cluster)
        self.operators = Client(self.leash, namespace=cluster.namespace)
        self.writes = self.leash.writes

    def running(self, *controllers: Any, **options: Any) -> Running:
        """An operator on these controllers."""
        return kw.Operator("web-operator", list(controllers), **options).running(self.operators)

    async def until(self, holds: Callable[[], Awaitable[Any]]) -> Any:
        """Wait until it is so; what it found."""
        async with asyncio.timeout(SECONDS):
            while True:
                try:
                    if found := await holds():
                        return found
                except (NotFound, TooManyRequests):
                    pass  # not yet: a new kind is not served at once
                await asyncio.sleep(0.02)

    async def web(self, name: str = "shop") -> Any:
        return await self.client.get(f"{self.webs}/{name}")

    async def observed(self, name: str = "shop", generation: int = 1) -> Any:
        """The WebServer, once its status speaks of that generation."""

        async def holds() -> Any:
            web = await self.web(name)
            return web if web.get("status", {}).get("observedGeneration") == generation else None

        return await self.until(holds)

    def path(self, plural: str, name: str, group: str = "") -> str:
        prefix = f"/apis/{group}" if group else "/api/v1"
        return f"{prefix}/namespaces/{self.namespace}/{plural}/{name}"


def on(cluster: Sandbox, story: Callable[[Ground], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with cluster.client() as client:
            await client.create(CRDS, crd_of(WebServer))
            ground = Ground(cluster, client)
            await ground.until(lambda: client.get(ground.webs))
            try:
                return await story(ground)
            finally:
                await ground.operators.close()

    return asyncio.run(run())
