"""Pods on our nodes, on either cluster, seen with kubectl and with our client."""

import asyncio
import contextlib
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from kubewright.client.api import Api
from kubewright.cluster.nodes import Nodes
from kubewright.testing.sandbox import Sandbox

Document = dict[str, Any]
POD = """
apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {app: web}
  annotations:
    kubewright.dev/log: |
      listening on 80
      ready
    kubewright.dev/ready-after: 500ms
spec:
  containers:
  - name: main
    image: nginx:1.29
    ports: [{containerPort: 80}]
"""


@contextlib.asynccontextmanager
async def nodes_on(cluster: Sandbox) -> AsyncIterator[Api]:
    """Our nodes on a cluster that has none of its own; those have no port, for nobody has to dial them."""
    async with cluster.client() as client:
        nodes = (await client.get("/api/v1/nodes"))["items"]
        if any(not node["status"]["daemonEndpoints"]["kubeletEndpoint"]["Port"] for node in nodes):
            yield Api(client)
            return
        async with Nodes(client, 1, serve=True):
            yield Api(client)


def played(cluster: Sandbox, story: Callable[[Api], Awaitable[None]]) -> None:
    async def run() -> None:
        async with nodes_on(cluster) as api:
            await story(api)

    asyncio.run(run())


async def kubectl(cluster: Sandbox, *words: str, text: str | None = None) -> str:
    done: subprocess.CompletedProcess[str] = await asyncio.to_thread(cluster.kubectl, *words, input=text)
    assert done.returncode == 0, done.stderr
    return done.stdout


async def run_web(cluster: Sandbox) -> None:
    await kubectl(cluster, "apply", "-f", "-", text=POD)
    await kubectl(cluster, "wait", "pod/web", "--for=condition=Ready", "--timeout=30s")


def test_a_pod_becomes_ready_and_goes(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        await run_web(cluster)
        shown = await kubectl(cluster, "get", "pod", "web", "--no-headers")
        assert shown.split()[:4] == ["web", "1/1", "Running", "0"]
        told = await kubectl(cluster, "describe", "pod", "web")
        for reason in ("Scheduled", "Pulled", "Created", "Started"):
            assert reason in told
        await kubectl(cluster, "delete", "pod", "web", "--timeout=30s")

    played(cluster, story)


def test_the_log_of_a_pod_is_shown(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        await run_web(cluster)
        assert await kubectl(cluster, "logs", "web") == "listening on 80\nready\n"
        assert await kubectl(cluster, "logs", "web", "--tail=1") == "ready\n"
        assert await api.logs("web") == "listening on 80\nready\n"

    played(cluster, story)
