"""The fixture `cluster`, used as a user's test would: on the embedded cluster, or with --cluster=real on a real one."""

import asyncio

import pytest

from kubewright.client import ApiError
from kubewright.testing.sandbox import Sandbox, wait_for

WIDGETS = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.sandbox.example.com"},
    "spec": {
        "group": "sandbox.example.com",
        "scope": "Namespaced",
        "names": {"plural": "widgets", "kind": "Widget"},
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


def configmaps(cluster: Sandbox) -> str:
    return f"/api/v1/namespaces/{cluster.namespace}/configmaps"


def test_a_plain_test_can_wait_for_the_cluster(cluster: Sandbox) -> None:
    async def story() -> str:
        async with cluster.client() as client:
            made = await client.create(configmaps(cluster), {"metadata": {"name": "a"}})
            return str(made["metadata"]["namespace"])

    assert asyncio.run(story()) == cluster.namespace


@pytest.mark.usefixtures("kubectl")
def test_kubectl_does_not_wait_for_a_server_that_waits_for_it(cluster: Sandbox) -> None:
    """A loop that is blocked by a subprocess does not block the cluster."""

    async def story() -> str:
        async with cluster.client() as client:
            await client.create(configmaps(cluster), {"metadata": {"name": "a"}})
            done = cluster.kubectl("get", "configmap", "a", "-o", "name")  # blocks this loop
            return done.stdout.strip() or done.stderr

    assert asyncio.run(story()) == "configmap/a"


@pytest.mark.parametrize("_", range(2))
def test_each_test_finds_the_cluster_as_if_it_were_alone(cluster: Sandbox, _: int) -> None:
    async def story() -> list[str]:
        async with cluster.client() as client:
            await client.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", WIDGETS)
            await client.create("/api/v1/namespaces", {"metadata": {"name": "sandbox-of-its-own"}})
            items = (await client.get(configmaps(cluster)))["items"]
            return [item["metadata"]["name"] for item in items]

    assert asyncio.run(story()) in ([], ["kube-root-ca.crt"])


def test_a_coroutine_can_be_waited_for_while_a_loop_runs() -> None:
    async def inner() -> int:
        await asyncio.sleep(0)
        return 7

    async def outer() -> int:
        return wait_for(inner())

    assert asyncio.run(outer()) == 7


def test_what_goes_wrong_in_it_is_raised_here() -> None:
    async def inner() -> None:
        raise ApiError("no", {})

    with pytest.raises(ApiError):
        wait_for(inner())
