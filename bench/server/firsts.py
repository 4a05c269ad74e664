"""How long the first use of a kind in a process holds the loop, once what it needs was loaded ahead.

Run in a process of its own; it prints one line of JSON: by use, the CPU time of the longest turn of the loop from the
request until what follows from it is done, that of loading ahead among them, and the CPU time that loading took.
"""

import asyncio
import gc
import json
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import uvloop

from bench.measure import Pulse
from bench.server.objects import CRDS, DEFINITION, WIDGETS
from kubewright.client import Client
from kubewright.cluster import Cluster
from kubewright.cluster.preload import preload

__all__ = ["AHEAD", "LONGEST", "main"]

#: What loading ahead took, and its longest step.
AHEAD, LONGEST = "ahead", "longest"
_POD: dict[str, Any] = {"containers": [{"name": "c", "image": "i"}]}
_WORKLOAD = {
    "selector": {"matchLabels": {"a": "b"}},
    "template": {"metadata": {"labels": {"a": "b"}}, "spec": _POD},
}
_ONCE = {"template": {"spec": {"restartPolicy": "Never", **_POD}}}
_SERVICE = {"selector": {"a": "b"}, "ports": [{"port": 80}]}
_NAMESPACES = "/api/v1/namespaces"
_CORE, _APPS, _BATCH = (f"{each}/namespaces/default" for each in ("/api/v1", "/apis/apps/v1", "/apis/batch/v1"))


class _Use(NamedTuple):
    """What is asked for, or made there; and where to see that all that follows is done: a path and a word in it."""

    path: str
    made: dict[str, Any] | None = None
    seen: str = ""
    word: str = ""


_USES = {
    "a namespace": _Use(_NAMESPACES, {"metadata": {"name": "n"}}, f"{_NAMESPACES}/n/serviceaccounts", '"default"'),
    "a Pod": _Use(f"{_CORE}/pods", {"spec": _POD}, f"{_CORE}/pods/first", '"Running"'),
    "a Deployment": _Use(
        f"{_APPS}/deployments", {"spec": _WORKLOAD}, f"{_APPS}/deployments/first", '"availableReplicas":1'
    ),
    "a Service": _Use(f"{_CORE}/services", {"spec": _SERVICE}, f"{_CORE}/endpoints/first", '"addresses"'),
    "a Job": _Use(f"{_BATCH}/jobs", {"spec": _ONCE}, f"{_BATCH}/jobs/first", '"active":1'),
    "a CRD": _Use(CRDS, DEFINITION, WIDGETS, '"items"'),
    "OpenAPI v3": _Use("/openapi/v3/apis/apps/v1"),
    "OpenAPI v2": _Use("/openapi/v2"),
}


def main() -> None:
    """Print what was found."""
    print(json.dumps(uvloop.run(_measure())))


async def _measure() -> dict[str, float]:
    gc.disable()  # until all is loaded, as `kubewright cluster up` does
    with tempfile.TemporaryDirectory(prefix="kubewright-bench-") as folder:
        async with Cluster(kubeconfig=Path(folder) / "kubeconfig") as cluster:
            began = time.thread_time()
            with Pulse() as pulse:
                await preload()
            found = {AHEAD: time.thread_time() - began, LONGEST: pulse.longest}
            gc.freeze()
            gc.set_threshold(2_000, 5, 25_000)
            gc.enable()
            for name, use in _USES.items():
                found[name] = await _held(cluster.client(), use)
    return found


async def _held(client: Client, use: _Use) -> float:
    await asyncio.sleep(0)
    with Pulse() as pulse:
        if use.made is None:
            await client.ask("GET", use.path)
        else:
            await client.create(use.path, {"metadata": {"name": "first"}, **use.made})
        async with asyncio.timeout(30):
            while use.seen and not await _has(client, use):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
    return pulse.longest


async def _has(client: Client, use: _Use) -> bool:
    response = await client.request("GET", use.seen)
    return use.word.encode() in await response.read()
