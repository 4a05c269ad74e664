"""The controllers of namespaces are an operator like any other: over HTTP, on either API, where nobody else works."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kubewright import Operator
from kubewright.client import Client
from kubewright.client.discovery import Discovery
from kubewright.client.errors import NotFound
from kubewright.client.kubeconfig import load_kubeconfig
from kubewright.cluster import Cluster
from kubewright.cluster.controllers.accounts import root_certificate_publisher, service_account_controller
from kubewright.cluster.controllers.namespaces import namespace_controller
from kubewright.testing.beside import beside
from kubewright.testing.real import RealCluster

NAMESPACES = "/api/v1/namespaces"
OWN = f"{NAMESPACES}/furnished-and-ended"
MAP = f"{OWN}/configmaps/kube-root-ca.crt"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
WIDGETS = "/apis/ends.example.com/v1/namespaces/furnished-and-ended/widgets"
SCHEMA = {"openAPIV3Schema": {"type": "object"}}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.ends.example.com"},
    "spec": {
        "group": "ends.example.com",
        "scope": "Namespaced",
        "names": {"plural": "widgets", "kind": "Widget"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": SCHEMA}],
    },
}
WIDGET = {"apiVersion": "ends.example.com/v1", "kind": "Widget"}


async def until(client: Client, path: str, holds: Callable[[Any], bool]) -> Any:
    """Wait until an object is so; None stands for one that is not there."""
    async with asyncio.timeout(60):
        while True:
            try:
                found = await client.get(path)
            except NotFound:
                found = None
            if holds(found):
                return found
            await asyncio.sleep(0.02)


async def discover(client: Client, plural: str) -> None:
    """Wait until a server says that it has a kind: who empties a namespace goes by that."""
    discovery = Discovery(client)
    async with asyncio.timeout(60):
        while plural not in {each.endpoint.plural for each in discovery.served}:
            await asyncio.sleep(0.02)
            await discovery.refresh()


async def story(kubeconfig: Path) -> None:
    client = Client.connect(load_kubeconfig(kubeconfig))
    members = [service_account_controller, root_certificate_publisher("the certificate"), namespace_controller()]
    async with client, Operator("tests", members, watchdog=False).running(client):
        await client.create(DEFINITIONS, DEFINITION)
        await client.create(NAMESPACES, {"metadata": {"name": "furnished-and-ended"}})
        await until(client, f"{OWN}/serviceaccounts/default", bool)
        published = await until(client, MAP, bool)
        assert published["data"] == {"ca.crt": "the certificate"}
        await client.update(MAP, published | {"data": {"ca.crt": "another"}})
        await until(client, MAP, lambda found: found["data"] == {"ca.crt": "the certificate"})
        await client.delete(MAP)
        await until(client, MAP, lambda found: found and found["metadata"]["uid"] != published["metadata"]["uid"])

        await discover(client, "widgets")
        await client.create(WIDGETS, WIDGET | {"metadata": {"name": "held", "finalizers": ["example.com/held"]}})
        await client.create(WIDGETS, WIDGET | {"metadata": {"name": "free"}})
        await client.create(f"{OWN}/secrets", {"metadata": {"name": "free"}})
        await client.delete(OWN)
        left = await until(client, OWN, lambda found: "conditions" in found["status"])
        told = {each["type"]: each["message"] for each in left["status"]["conditions"] if each["status"] == "True"}
        assert told == {
            "NamespaceContentRemaining": "Some resources are remaining: widgets.ends.example.com has 1 resource "
            "instances",
            "NamespaceFinalizersRemaining": "Some content in the namespace has finalizers remaining: example.com/held "
            "in 1 resource instances",
        }
        await client.patch(f"{WIDGETS}/held", "merge", {"metadata": {"finalizers": None}})
        await until(client, OWN, lambda found: found is None)
        await client.delete(f"{DEFINITIONS}/widgets.ends.example.com")


def test_namespaces_are_furnished_and_emptied_over_http() -> None:
    with beside(Cluster(controllers="none", nodes=0)) as cluster:
        asyncio.run(story(cluster.kubeconfig))


@pytest.mark.real
def test_namespaces_are_furnished_and_emptied_on_a_real_api(real_cluster: RealCluster) -> None:
    asyncio.run(story(real_cluster.kubeconfig))
