"""A start: how many objects a cache takes in for a second of CPU time, from the real server over TLS.

Each fills its cache in a process of its own, with one who is told of every object. Custom resources are JSON for both;
Pods come to controller-runtime as protobuf.
"""

import asyncio
import gc
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import uvloop

from bench.cache import lean_pod
from bench.operator.kind import WEBSERVERS, WebServer
from bench.operator.peers import go_program
from bench.server.peers import installed
from bench.server.workloads import ACCOUNT, ACCOUNTS
from kubewright.cache import Caches, Selection
from kubewright.client import Client, endpoint_of, load_kubeconfig
from kubewright.k8s.core.v1 import Pod

__all__ = ["fill", "main", "rates"]

_TURNS = 5
_PODS = "/api/v1/namespaces/default/pods"
_AT_ONCE = 16


async def fill(client: Client, count: int) -> None:
    """Make so many WebServers and Pods; the WebServers as they are when an operator has been at work."""
    await client.create(ACCOUNTS, ACCOUNT)
    left = iter(range(count))

    async def work() -> None:
        for number in left:
            await client.create(_PODS, _pod(number))
            name = f"web-{number:06}"
            spec = {"image": "registry.example.com/web:1", "replicas": 1, "port": 8080}
            web = {"apiVersion": "web.example.com/v1", "kind": "WebServer", "metadata": {"name": name}}
            await client.create(WEBSERVERS, web | {"spec": spec})
            since = "2025-03-18T07:41:09Z"
            condition = {"type": "Available", "status": "True", "reason": "Rollout", "message": ""}
            status = {"observedGeneration": 1, "conditions": [condition | {"lastTransitionTime": since}]}
            path = f"{WEBSERVERS}/{name}/status"
            await client.patch(path, "apply", web | {"status": status}, fieldManager="web-operator/web-server")

    await asyncio.gather(*(work() for _ in range(_AT_ONCE)))


def rates(kubeconfig: Path, kind: str, count: int) -> dict[str, float]:
    """Objects for a second of CPU time, of each."""
    commands = {
        "kubewright": [sys.executable, "-m", "bench.operator.sync", str(kubeconfig), kind],
        "controller-runtime": [str(go_program()), str(kubeconfig), "sync", kind],
    }
    found: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(_TURNS):
        for name, command in commands.items():
            done = subprocess.run(command, env=installed(), capture_output=True, text=True, check=True)
            told = json.loads(done.stdout)
            if told["objects"] != count:
                raise SystemExit(f"{name} has {told['objects']} {kind} of {count}")
            found[name].append(count / told["cpu"])
    return {name: statistics.median(turns) for name, turns in found.items()}


def _pod(number: int) -> dict[str, Any]:
    document = lean_pod()
    meta = {"name": f"pod-{number:06}", "labels": document["metadata"]["labels"]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": _spec(document["spec"])}


def _spec(spec: dict[str, Any]) -> dict[str, Any]:
    """Of a Pod that runs what a Pod is made with: who it is and where are the server's and the scheduler's to say."""
    ours = {
        key: value for key, value in spec.items() if key not in ("serviceAccount", "serviceAccountName", "priority")
    }
    return ours | {"enableServiceLinks": False}


def main() -> None:
    """Fill one cache, and say how many objects it has and what that took."""
    kubeconfig, kind = sys.argv[1:]
    uvloop.run(_sync(Path(kubeconfig), kind))


async def _sync(kubeconfig: Path, kind: str) -> None:
    told: list[object] = []
    endpoint: Any = endpoint_of({"webservers": WebServer, "pods": Pod}[kind])
    gc.collect()
    gc.freeze()
    async with Client.connect(load_kubeconfig(kubeconfig)) as client, Caches(client, manager="web-operator") as caches:
        began = time.process_time()
        informer = caches.open(Selection(endpoint))
        informer.subscribe(lambda change: told.append(change.key))
        await informer.synced.wait()
        print(json.dumps({"objects": len(told), "cpu": time.process_time() - began}))


if __name__ == "__main__":
    main()
