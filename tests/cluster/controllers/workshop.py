"""A cluster in simulated time with the controllers of workloads, and a kubelet of which a test says how it fares."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from typing import Any, TypeVar

from tests.operator.scene import Wire

import kubewright as kw
from kubewright import clock
from kubewright.client import Client
from kubewright.client.endpoint import Endpoint
from kubewright.cluster import Cluster
from kubewright.cluster.controllers.deployments import deployment_controller
from kubewright.cluster.controllers.replicasets import replicaset_controller
from kubewright.controller.news import COUNT
from kubewright.entropy import Entropy
from kubewright.operator import Running
from kubewright.trials.loop import run

__all__ = ["Workshop", "deployment", "play", "replica_set"]

Value = TypeVar("Value")
Document = dict[str, Any]
PODS: Endpoint[Document] = Endpoint("", "v1", "pods", "Pod", True)
#: What the cluster does by itself.
OTHERS = "root-ca,serviceaccount,gc,namespace"


class Workshop:
    """The cluster, and short ways to work with it."""

    def __init__(self, cluster: Cluster, running: Running, wire: Wire) -> None:
        self.cluster = cluster
        self.client = cluster.client()
        self.running = running
        #: That of the controllers.
        self.wire = wire

    def path(self, plural: str, name: str = "", part: str = "") -> str:
        prefix = "/apis/apps/v1" if plural in ("deployments", "replicasets") else "/api/v1"
        return "/".join(each for each in (f"{prefix}/namespaces/default/{plural}", name, part) if each)

    async def make(self, plural: str, document: Document) -> Document:
        made: Document = await self.client.create(self.path(plural), document)
        return made

    async def get(self, plural: str, name: str) -> Document:
        found: Document = await self.client.get(self.path(plural, name))
        return found

    async def all(self, plural: str) -> list[Document]:
        items: list[Document] = (await self.client.get(self.path(plural)))["items"]
        return items

    async def patch(self, plural: str, name: str, change: Document, part: str = "") -> None:
        await self.client.patch(self.path(plural, name, part), "strategic", change)

    async def delete(self, plural: str, name: str, **options: Any) -> None:
        await self.client.delete(self.path(plural, name), **options)

    async def sizes(self) -> dict[str, int]:
        """How many pods each ReplicaSet is to have, by the image of its pods."""
        return {
            each["spec"]["template"]["spec"]["containers"][0]["image"]: each["spec"]["replicas"]
            for each in await self.all("replicasets")
        }

    async def told(self, kind: str) -> list[str]:
        """The Events about objects of a kind, in the order of their making: `Reason: message`."""
        events = [each for each in await self.all("events") if each["involvedObject"]["kind"] == kind]
        events.sort(key=lambda each: int(each["metadata"]["resourceVersion"]))
        return [f"{each['reason']}: {each['message']}" for each in events]

    async def set_image(self, name: str, image: str) -> None:
        containers = [{"name": "c", "image": image}]
        await self.patch("deployments", name, {"spec": {"template": {"spec": {"containers": containers}}}})

    async def settle(self, seconds: float = 10.0) -> None:
        """Let time pass until all that is at hand is done."""
        await asyncio.sleep(seconds)
        await self.running.idle()


def replica_set(name: str = "web", replicas: int = 2, **spec: Any) -> Document:
    labels = {"app": name}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    return {
        "metadata": {"name": name},
        "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template, **spec},
    }


def deployment(name: str = "web", replicas: int = 3, image: str = "one", **spec: Any) -> Document:
    made = replica_set(name, replicas, **spec)
    made["spec"]["template"]["spec"]["containers"][0]["image"] = image
    return made


def kubelet(fares: Callable[[Document], float | None]) -> Any:
    """A controller that has pods ready after as many seconds as `fares` says; None is never."""

    @kw.controller(PODS, status=False, name="kubelet")
    async def readies(pod: Document, ctx: kw.Context) -> kw.Requeue | None:
        after, meta = fares(pod), pod["metadata"]
        status = pod.get("status") or {}
        if after is None or any(each["type"] == "Ready" for each in status.get("conditions", [])):
            return None
        made = datetime.fromisoformat(meta["creationTimestamp"]).timestamp()
        left = after - (clock.now().timestamp() - made)
        if left > 0:
            return kw.Requeue(after=left)
        moment = clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        ready = {"type": "Ready", "status": "True", "lastTransitionTime": moment}
        change = {"status": {"phase": "Running", "conditions": [ready]}}
        await ctx.live.patch(PODS, ctx.name, change, ctx.namespace, strategy="strategic", subresource="status")
        return None

    return readies


@contextlib.asynccontextmanager
async def workshop(cluster: Cluster, fares: Callable[[Document], float | None] | None) -> AsyncIterator[Workshop]:
    """The controllers at work; with no `fares`, pods are left to others."""
    controllers = [deployment_controller, replicaset_controller, *([] if fares is None else [kubelet(fares)])]
    manager = kw.Operator("kube-controller-manager", controllers, events=COUNT, field_manager="kube-controller-manager")
    wire = Wire(cluster.client()._transport)
    async with manager.running(Client(wire), entropy=Entropy(7)) as running:
        yield Workshop(cluster, running, wire)


def play(
    story: Callable[[Workshop], Awaitable[Value]], fares: Callable[[Document], float | None] = lambda pod: 1.0
) -> Value:
    """Run a story on a fresh cluster; pods are ready after a second unless `fares` says otherwise."""

    async def staged() -> Value:
        async with Cluster(port=None, seed=1, nodes=0, controllers=OTHERS) as cluster, workshop(cluster, fares) as shop:
            return await story(shop)

    return run(staged())
