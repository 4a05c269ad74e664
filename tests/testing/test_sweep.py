"""What a test left behind goes, on any cluster."""

import json
from typing import Any

import pytest

from kubewright.client import Client
from kubewright.client.errors import NotFound
from kubewright.cluster import Cluster
from kubewright.testing.sweep import remember, sweep
from kubewright.trials.loop import run

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
OBJECTS = "/apis/shop.example.com/v1/namespaces/default/shops"
DEFINITION: dict[str, Any] = {
    "metadata": {"name": "shops.shop.example.com"},
    "spec": {
        "group": "shop.example.com",
        "names": {"plural": "shops", "kind": "Shop"},
        "scope": "Namespaced",
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}
OBJECT = {
    "apiVersion": "shop.example.com/v1",
    "kind": "Shop",
    "metadata": {"name": "a", "finalizers": ["example.com/nobody"]},
}


async def define(client: Client) -> None:
    await client.create(DEFINITIONS, DEFINITION)
    async with client.watch(DEFINITIONS) as watch:
        async for event in watch:
            conditions = json.loads(bytes(event.object)).get("status", {}).get("conditions", [])
            if any((each["type"], each["status"]) == ("Established", "True") for each in conditions):
                return


def test_an_object_that_nobody_finalizes_is_not_there_when_its_kind_is_made_again() -> None:
    async def story() -> None:
        async with Cluster(port=None) as cluster, cluster.client() as client:
            before = await remember(client)
            await define(client)
            await client.create(OBJECTS, OBJECT)
            await sweep(client, before)
            with pytest.raises(NotFound):
                await client.get(f"{DEFINITIONS}/shops.shop.example.com")
            await define(client)
            assert (await client.get(OBJECTS))["items"] == []

    run(story())
