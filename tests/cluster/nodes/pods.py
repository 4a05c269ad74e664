"""Pods for tests: bare documents for what is pure, and a cluster in simulated time with nodes for the rest."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import msgspec

from kubewright.client import Client
from kubewright.client.api import Api
from kubewright.cluster import Cluster
from kubewright.cluster.nodes import Nodes, Shape
from kubewright.entropy import Entropy
from kubewright.trials.loop import run

__all__ = ["PODS", "Yard", "make_pod", "play"]

Document = dict[str, Any]
Value = TypeVar("Value")
PODS = "/api/v1/namespaces/default/pods"


def make_pod(
    name: str = "web", stage: dict[str, str] | None = None, labels: dict[str, str] | None = None, **spec: Any
) -> Document:
    """A pod; `stage` holds settings without their prefix."""
    annotations = {f"kubewright.dev/{key}": value for key, value in (stage or {}).items()}
    meta: Document = {"name": name, "annotations": annotations, "labels": labels or {}}
    return {"metadata": meta, "spec": {"containers": [{"name": "main", "image": "nginx:1.29"}], **spec}}


class Yard:
    """A running cluster with nodes."""

    def __init__(self, client: Client, nodes: Nodes) -> None:
        self.client = client
        self.api = Api(client)
        self.nodes = nodes

    async def create(self, *args: Any, **options: Any) -> None:
        """Make a pod."""
        await self.client.create(PODS, make_pod(*args, **options))

    async def get(self, name: str = "web") -> Document:
        """A pod as it is."""
        found: Document = await self.client.get(f"{PODS}/{name}")
        return found

    async def names(self) -> list[str]:
        """The pods there are."""
        return [pod["metadata"]["name"] for pod in (await self.client.get(PODS))["items"]]

    async def until(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)
        await self.nodes.idle()

    @contextlib.asynccontextmanager
    async def watching(self) -> AsyncIterator[list[Document]]:
        """Every version of every pod that is told from now on."""
        seen: list[Document] = []
        version = (await self.client.get(PODS))["metadata"]["resourceVersion"]

        async def follow() -> None:
            async with self.client.watch(PODS, resourceVersion=version) as watch:
                async for event in watch:
                    seen.append(msgspec.json.decode(event.object))  # noqa: PERF401 - seen as they come

        task = asyncio.create_task(follow())
        await asyncio.sleep(0)
        try:
            yield seen
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def events(self, name: str = "web") -> list[str]:
        """The reasons of a pod's Events, in order."""
        found = (await self.client.get("/api/v1/namespaces/default/events"))["items"]
        found.sort(key=lambda event: int(event["metadata"]["resourceVersion"]))
        return [event["reason"] for event in found if event["involvedObject"]["name"] == name]


def play(story: Callable[[Yard], Awaitable[Value]], count: int = 1, shape: Shape | None = None) -> Value:
    """Run a story in simulated time."""

    async def staged() -> Value:
        async with Cluster(port=None, controllers="none", seed=1) as cluster:
            client = cluster.client()
            await client.create("/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "default"}})
            async with Nodes(client, count, shape=shape, entropy=Entropy(7)) as nodes:
                cluster.api.kubelets |= dict.fromkeys(nodes.names, nodes.handler)
                return await story(Yard(client, nodes))

    return run(staged())
