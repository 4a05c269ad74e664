"""The garbage collector over HTTP, on a cluster that has none: the embedded one, or a bare kube-apiserver."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.cluster.controllers.house import owned_by

import kubewright as kw
from kubewright.client import Client, load_kubeconfig
from kubewright.client.errors import ApiError, NotFound
from kubewright.cluster import Cluster
from kubewright.cluster.controllers.garbage import garbage_collector
from kubewright.controller.news import COUNT
from kubewright.testing.real import RealCluster

Document = dict[str, Any]
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
MAPS = "/api/v1/namespaces/default/configmaps"
APPS = "/apis/garbage.example.com/v1/namespaces/default/apps"
SECONDS = 60.0
DEFINITION: Document = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "apps.garbage.example.com"},
    "spec": {
        "group": "garbage.example.com",
        "scope": "Namespaced",
        "names": {"plural": "apps", "kind": "App"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
            }
        ],
    },
}


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(SECONDS):
        while True:
            if await holds():
                return
            await asyncio.sleep(0.02)


async def make(client: Client, path: str, name: str, owner: Document | None = None) -> Document:
    """An object; that its kind is served takes a moment on a real server."""
    kind = {"apiVersion": "garbage.example.com/v1", "kind": "App"} if path == APPS else {}
    meta = {"name": name, **(owned_by(owner, blockOwnerDeletion=True) if owner is not None else {})}
    made: list[Document] = []

    async def done() -> bool:
        try:
            made.append(await client.create(path, {**kind, "metadata": meta}))
        except NotFound:
            return False
        return True

    await until(done)
    return made[0]


async def names(client: Client, path: str, prefix: str) -> list[str]:
    found = (await client.get(path))["items"]
    return sorted(each["metadata"]["name"] for each in found if each["metadata"]["name"].startswith(prefix))


async def chain(client: Client, prefix: str) -> None:
    """An App that owns a ConfigMap that owns an App and a ConfigMap; each blocks the end of its owner."""
    app = await make(client, APPS, f"{prefix}-app")
    middle = await make(client, MAPS, f"{prefix}-middle", app)
    await make(client, MAPS, f"{prefix}-leaf", middle)
    await make(client, APPS, f"{prefix}-below", middle)


async def story(client: Client) -> None:
    manager = kw.Operator(
        "kube-controller-manager", [garbage_collector()], field_manager="kube-controller-manager", events=COUNT
    )
    async with manager.running(client) as running:
        await running.synced()
        await client.create(CRDS, DEFINITION)  # a kind that comes when the collector is at work
        for policy in ("Background", "Foreground", "Orphan"):
            await chain(client, policy.lower())
        await client.delete(f"{APPS}/background-app", {"propagationPolicy": "Background"})
        await until(lambda: gone(client, "background"))

        await client.delete(f"{APPS}/foreground-app", {"propagationPolicy": "Foreground"})
        await until(lambda: absent(client, f"{APPS}/foreground-app"))
        assert await gone(client, "foreground")  # nobody has outlived the one that waited

        await client.delete(f"{APPS}/orphan-app", {"propagationPolicy": "Orphan"})
        await until(lambda: absent(client, f"{APPS}/orphan-app"))
        middle = await client.get(f"{MAPS}/orphan-middle")
        assert "ownerReferences" not in middle["metadata"]
        await client.delete(f"{MAPS}/orphan-middle", {"propagationPolicy": "Orphan"})
        await until(lambda: absent(client, f"{MAPS}/orphan-middle"))
        for path in (f"{MAPS}/orphan-leaf", f"{APPS}/orphan-below"):
            assert "ownerReferences" not in (await client.get(path))["metadata"]


async def gone(client: Client, prefix: str) -> bool:
    return not await names(client, MAPS, prefix) and not await names(client, APPS, prefix)


async def absent(client: Client, path: str) -> bool:
    try:
        await client.get(path)
    except NotFound:
        return True
    return False


async def clean(client: Client) -> None:
    for path in (f"{MAPS}/orphan-leaf", f"{CRDS}/apps.garbage.example.com"):
        try:
            await client.delete(path)
        except ApiError:
            continue


def test_owners_and_dependents_go_as_they_are_told_to() -> None:
    async def main() -> None:
        async with Cluster(controllers="none", nodes=0) as cluster:
            client = Client.connect(load_kubeconfig(cluster.kubeconfig))
            try:
                await story(client)
            finally:
                await client.close()

    asyncio.run(main())


@pytest.mark.real
def test_they_do_so_on_a_bare_kube_apiserver(real_cluster: RealCluster) -> None:
    async def main() -> None:
        client = Client.connect(load_kubeconfig(real_cluster.kubeconfig))
        try:
            await story(client)
        finally:
            await clean(client)
            await client.close()

    asyncio.run(main())
