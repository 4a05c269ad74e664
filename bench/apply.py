"""Server-side apply in one process, with no socket between: a Deployment of an ordinary shape, in CPU time.

A whole request is measured: it is read, merged, defaulted, admitted, validated and stored. One that changes nothing
goes the same way, and stores nothing. What it costs to say who owns what is shown beside it, for a custom resource too:
there it is a part of every write.
"""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from bench.server.objects import CRDS, DEFINITION, WIDGETS, widget
from bench.server.table import Table
from kubewright.cluster import Cluster
from kubewright.cluster.fields.tracking import Tracking

__all__ = ["main"]

DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/web"
APPLY = b"application/apply-patch+yaml"
ROUNDS = 400


def main() -> None:
    """Print the table."""
    asyncio.run(_measure(Table()))


def deployment(image: str) -> dict[str, Any]:
    """What is applied."""
    labels = {"app.kubernetes.io/name": "web", "tier": "front"}
    container = {
        "name": "main",
        "image": image,
        "ports": [{"name": "http", "containerPort": 8080}],
        "env": [{"name": f"VARIABLE_{index}", "value": f"value number {index}"} for index in range(6)],
        "resources": {"limits": {"cpu": "500m", "memory": "128Mi"}, "requests": {"cpu": "100m"}},
        "readinessProbe": {"httpGet": {"path": "/ready", "port": "http"}},
        "volumeMounts": [{"name": "data", "mountPath": "/data"}],
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "labels": labels},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [container], "volumes": [{"name": "data", "emptyDir": {}}]},
            },
        },
    }


async def _measure(table: Table) -> None:
    async with Cluster(controllers=()) as cluster:
        client = cluster.client()
        await client.create(CRDS, DEFINITION)
        while (await client.request("GET", WIDGETS)).status != 200:  # noqa: ASYNC110 - it can only be asked
            await asyncio.sleep(0.01)

        async def applied(image: str) -> None:
            body = msgspec.json.encode(deployment(image))
            answer = await client.request("PATCH", DEPLOYMENT, {"fieldManager": "bench"}, body, APPLY)
            assert answer.status in (200, 201), answer
            await answer.read()

        async def created(at: int) -> None:
            await client.create(WIDGETS, widget(f"w-{at}", at))

        table.head("Apply of a Deployment, in CPU time")
        table.row("a new image", await _median(lambda at: applied(f"web:{at}")), "ms", "<= 1.2")
        table.row("the same again", await _median(lambda _: applied("web:1")), "ms", "<= 0.6")
        table.head("Create of a custom resource of a kilobyte")
        # Interleaved, so that what disturbs the one disturbs the other.
        found: dict[str, list[float]] = {"tracked": [], "untracked": []}
        track = Tracking.track
        for turn in range(6):
            name = "tracked" if turn % 2 == 0 else "untracked"
            Tracking.track = track if turn % 2 == 0 else _forget  # type: ignore[method-assign]
            found[name].append(await _median(lambda at, turn=turn: created(at + turn * 10_000)))  # type: ignore[misc]
        Tracking.track = track  # type: ignore[method-assign]
        table.row("with managedFields", statistics.median(found["tracked"]), "ms")
        table.row("without", statistics.median(found["untracked"]), "ms")


def _forget(self: Tracking, live: object, new: dict[str, Any], manager: str, now: str) -> None:
    new["metadata"].pop("managedFields", None)


async def _median(work: Callable[[int], Awaitable[None]]) -> float:
    """The median of so many, after a few that are not counted."""
    spent = []
    for at in range(ROUNDS):
        before = time.thread_time()
        await work(at)
        spent.append(time.thread_time() - before)
    return statistics.median(spent[ROUNDS // 10 :]) * 1e3
