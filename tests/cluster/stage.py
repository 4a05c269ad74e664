"""A cluster without sockets, in simulated time: what the tests of the verbs play on."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import msgspec

from kubewright.cluster import Cluster
from kubewright.http import Headers, Request, Response
from kubewright.trials.loop import run

__all__ = ["CONFIGMAPS", "Stage", "play"]

Value = TypeVar("Value")
CONFIGMAPS = "/api/v1/namespaces/default/configmaps"


class Stage:
    """A running cluster, and short ways to ask it."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.client = cluster.client()

    async def ask(
        self, method: str, target: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """The code, and the document or text of the answer."""
        response = await self.send(method, target, body, headers)
        data = await response.read()
        is_json = (response.headers.get(b"content-type") or b"").startswith(b"application/json")
        return response.status, msgspec.json.decode(data) if is_json and data else data.decode()

    async def send(self, method: str, target: str, body: Any = None, headers: dict[str, str] | None = None) -> Response:
        """The answer as it came."""
        data = body if isinstance(body, bytes) else b"" if body is None else msgspec.json.encode(body)
        given = {"accept": "application/json", "content-type": "application/json"} | (headers or {})
        pairs = [(name.encode(), value.encode()) for name, value in given.items()]
        return await self.client._transport.send(Request(method, target, Headers(pairs), data))

    async def put_configmaps(self, count: int, size: int = 0) -> None:
        """Make some objects: c0000, c0001 …"""
        for number in range(count):
            await self.client.create(CONFIGMAPS, {"metadata": {"name": f"c{number:04}"}, "data": {"k": "x" * size}})

    @contextlib.asynccontextmanager
    async def watching(self, target: str = CONFIGMAPS, **query: Any) -> AsyncIterator["Seen"]:
        """What a watch tells, as it comes."""
        words = "&".join(f"{name}={value}" for name, value in {"watch": 1, **query}.items())
        response = await self.send("GET", f"{target}?{words}")
        assert response.status == 200
        seen = Seen()
        task = asyncio.create_task(seen.follow(response))
        try:
            yield seen
        finally:
            response.close()
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


class Seen:
    """The events of a watch so far."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.ended = False
        self.end = asyncio.Event()

    async def follow(self, response: Response) -> None:
        rest = b""
        async for piece in response:
            *lines, rest = (rest + piece).split(b"\n")
            self.events += [msgspec.json.decode(line) for line in lines]
        self.ended = True
        self.end.set()

    @property
    def told(self) -> list[str]:
        """Such as `ADDED a`."""
        return [
            f"{event['type']} {event['object'].get('metadata', {}).get('name', '')}".strip() for event in self.events
        ]


def play(story: Callable[[Stage], Awaitable[Value]], **options: Any) -> Value:
    """Run a story on a fresh cluster, without controllers unless asked for."""

    async def staged() -> Value:
        async with Cluster(**{"port": None, "controllers": "none", "seed": 1} | options) as cluster:
            return await story(Stage(cluster))

    return run(staged())
