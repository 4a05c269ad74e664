"""In one process: what a write costs with no socket between, and what a full store does to everything else.

Run in a process of its own; it prints one line of JSON. All is CPU time of this thread alone, so that a busy machine
does not show.
"""

import asyncio
import gc
import json
import os
import ssl
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import uvloop

from bench.measure import Pulse
from bench.server.load import program
from bench.server.objects import CRDS, DEFINITION, WIDGETS, widget
from bench.server.peers import access, memory_of
from kubewright.client import Client
from kubewright.cluster import Cluster
from kubewright.cluster.auth.authority import Authority
from kubewright.cluster.cluster import ADMIN
from kubewright.entropy import Entropy
from kubewright.http import Headers, Peer, Request

__all__ = ["FEW", "MANY", "main"]

FEW, MANY = 100, 100_000
_ROUNDS = 41
_RBAC = "/apis/rbac.authorization.k8s.io/v1"
#: What clients send with every request.
_USUAL = [
    (b"host", b"127.0.0.1:6443"),
    (b"user-agent", b"kubectl/v1.36.3 (linux/amd64)"),
    (b"accept", b"application/json"),
    (b"accept-encoding", b"gzip"),
]


def main() -> None:
    """Print what was found."""
    print(json.dumps(uvloop.run(_measure())))


async def _measure() -> dict[str, float]:
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="kubewright-bench-") as folder:
        async with Cluster(kubeconfig=Path(folder) / "kubeconfig") as cluster:
            gc.freeze()
            gc.set_threshold(2_000, 5, 25_000)
            client = cluster.client()
            await client.create(CRDS, DEFINITION)
            await _served(client)
            found["create and event"] = await _create_and_event(client)
            found["permission"] = await _permission(cluster)
            spent: list[float] = []
            for count in (FEW, MANY):
                for at in range(len(spent), count):
                    document = widget(f"w-{at:06}", at)
                    before = time.thread_time()
                    await client.create(WIDGETS, document)
                    spent.append(time.thread_time() - before)
                found[f"memory {count}"] = memory_of(os.getpid())
                found |= {f"{name} {count}": cost for name, cost in (await _costs(client)).items()}
            spent.sort()
            found["creation p99"], found["creation longest"] = spent[len(spent) * 99 // 100], spent[-1]
            server, flags = access(cluster.kubeconfig, Path(folder))
            found["lag"] = await _lag([str(program()), "closed", "-server", server, *flags])
    return found


async def _served(client: Client) -> None:
    async with asyncio.timeout(20):
        while (await client.request("GET", WIDGETS)).status != 200:  # noqa: ASYNC110 - whether it is served can only be asked
            await asyncio.sleep(0.01)


async def _create_and_event(client: Client) -> float:
    """The median of creating an object and being told of it."""
    told = client.watch(WIDGETS, resourceVersion=(await client.get(WIDGETS))["metadata"]["resourceVersion"])
    spent = []
    first = asyncio.ensure_future(anext(told))
    await asyncio.sleep(0)
    for at in range(3000):
        document = widget(f"inside-{at}", at)
        before = time.thread_time()
        await client.create(WIDGETS, document)
        await (first if at == 0 else anext(told))
        spent.append(time.thread_time() - before)
    await client.delete(WIDGETS)
    return statistics.median(spent)


async def _permission(cluster: Cluster) -> float:
    """What a GET costs more because it is asked who sends it and whether he may: a user by certificate, with a role."""
    client = cluster.client()
    await client.create(WIDGETS, widget("asked", 0))
    rules = [{"apiGroups": ["bench.example.com"], "resources": ["widgets"], "verbs": ["get"]}]
    await client.create(f"{_RBAC}/clusterroles", {"metadata": {"name": "reader"}, "rules": rules})
    ref = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "reader"}
    binding = {"metadata": {"name": "reader"}, "roleRef": ref, "subjects": [{"kind": "User", "name": "jane"}]}
    await client.create(f"{_RBAC}/clusterrolebindings", binding)
    pem = Authority.mint(Entropy()).client("jane").certificate
    link = _Link(Peer(None, ssl.PEM_cert_to_DER_cert(pem.decode()), secure=True))
    front: Any = cluster._front
    access = front._access
    admit = access.admit
    path = f"{WIDGETS}/asked"
    costs: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(_ROUNDS):
        for asked, each in costs.items():
            access.admit = admit if asked else lambda *_: ADMIN
            requests = [Request("GET", path, Headers.parsed([*_USUAL]), link=link) for _ in range(200)]
            before = time.thread_time()
            for request in requests:
                assert front(request).status == 200
            each.append((time.thread_time() - before) / len(requests))
    access.admit = admit
    return statistics.median(costs[True]) - statistics.median(costs[False])


class _Link:
    """A connection that is none."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer

    @property
    def lost(self) -> asyncio.Event:
        return asyncio.Event()


async def _costs(client: Client) -> dict[str, float]:
    """What requests cost whose answers have the same size however much is stored."""
    revision = (await client.get(WIDGETS, limit=1))["metadata"]["resourceVersion"]

    async def page() -> None:
        await (await client.request("GET", WIDGETS, {"limit": 500})).read()

    async def look() -> None:
        await (await client.request("GET", f"{WIDGETS}/w-000042")).read()

    async def follow() -> None:
        response = await client.request("GET", WIDGETS, {"watch": True, "resourceVersion": revision})
        for _ in range(3):  # its first steps, until it is told of changes
            await asyncio.sleep(0)
        response.close()
        await asyncio.sleep(0)

    async def write() -> None:
        await client.patch(f"{WIDGETS}/w-000042", "merge", {"spec": {"count": next(numbers)}})

    numbers = iter(range(1, 1000))
    steps: dict[str, Callable[[], Awaitable[None]]] = {"page": page, "get": look, "watch": follow, "write": write}
    return {name: await _median(step) for name, step in steps.items()}


async def _median(step: Callable[[], Awaitable[None]]) -> float:
    spent = []
    for _ in range(_ROUNDS):
        before = time.thread_time()
        await step()
        spent.append(time.thread_time() - before)
    return statistics.median(spent)


async def _lag(command: list[str]) -> float:
    """The longest that the loop was held while somebody else read everything over TLS."""
    options = ["-path", WIDGETS, "-connections", "1", "-requests", "1"]
    reader = await asyncio.create_subprocess_exec(*command, *options, stdout=asyncio.subprocess.DEVNULL)
    with Pulse() as pulse:
        code = await reader.wait()
    if code:
        raise SystemExit("the list of everything could not be read")
    return pulse.longest
