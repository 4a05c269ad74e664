"""GC-1 and NS-1 with custom resources: as owners, as dependents, and when their definition goes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.cluster.controllers.house import owned_by

from kubewright.client import Client
from kubewright.client.errors import NotFound
from kubewright.cluster.cluster import Cluster
from kubewright.trials.loop import run

WIDGETS = "/apis/ex.com/v1/namespaces/default/widgets"
MAPS = "/api/v1/namespaces/default/configmaps"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
DEFINITION: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.ex.com"},
    "spec": {
        "group": "ex.com",
        "scope": "Namespaced",
        "names": {"plural": "widgets", "kind": "Widget"},
        "versions": [
            {
                "name": name,
                "served": served,
                "storage": storage,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
            }
            # Stored in a version that nobody can ask for: the controllers must find another.
            for name, served, storage in (("v1", True, False), ("v2", False, True))
        ],
    },
}


def _within(story: Callable[[Client], Awaitable[None]]) -> None:
    async def main() -> None:
        async with Cluster(port=None, seed=1) as cluster:
            client = cluster.client()
            await client.create(DEFINITIONS, DEFINITION)
            await asyncio.sleep(1)
            await story(client)

    run(main())


def _widget(name: str, **meta: Any) -> dict[str, Any]:
    return {"apiVersion": "ex.com/v1", "kind": "Widget", "metadata": {"name": name, **meta}}


async def _gone(client: Client, path: str) -> None:
    with pytest.raises(NotFound):
        await client.get(path)


def test_a_custom_owner_takes_its_dependents_along() -> None:
    async def story(client: Client) -> None:
        owner = await client.create(WIDGETS, _widget("owner"))
        await client.create(MAPS, {"metadata": {"name": "dependent", **owned_by(owner)}})
        await asyncio.sleep(1)
        await client.get(f"{MAPS}/dependent")
        await client.delete(f"{WIDGETS}/owner")
        await asyncio.sleep(1)
        await _gone(client, f"{MAPS}/dependent")

    _within(story)


@pytest.mark.parametrize("policy", ["Background", "Foreground"])
def test_a_custom_dependent_goes_with_its_owner(policy: str) -> None:
    async def story(client: Client) -> None:
        owner = await client.create(WIDGETS, _widget("owner"))
        await client.create(WIDGETS, _widget("dependent", **owned_by(owner, blockOwnerDeletion=True)))
        await client.delete(f"{WIDGETS}/owner", {"propagationPolicy": policy})
        await asyncio.sleep(1)
        await _gone(client, f"{WIDGETS}/dependent")
        await _gone(client, f"{WIDGETS}/owner")

    _within(story)


def test_a_custom_orphan_forgets_its_owner() -> None:
    async def story(client: Client) -> None:
        owner = await client.create(WIDGETS, _widget("owner"))
        other = await client.create(WIDGETS, _widget("other"))
        references = owned_by(owner)["ownerReferences"] + owned_by(other, controller=True)["ownerReferences"]
        await client.create(WIDGETS, _widget("dependent", ownerReferences=references))
        await client.delete(f"{WIDGETS}/owner", {"propagationPolicy": "Orphan"})
        await asyncio.sleep(1)
        dependent = await client.get(f"{WIDGETS}/dependent")
        assert dependent["metadata"]["ownerReferences"] == references[1:]
        await client.delete(f"{WIDGETS}/other", {"propagationPolicy": "Orphan"})
        await asyncio.sleep(1)
        dependent = await client.get(f"{WIDGETS}/dependent")
        assert "ownerReferences" not in dependent["metadata"]

    _within(story)


def test_a_circle_of_custom_resources_is_unblocked() -> None:
    async def story(client: Client) -> None:
        one = await client.create(WIDGETS, _widget("one"))
        two = await client.create(WIDGETS, _widget("two", **owned_by(one, blockOwnerDeletion=True)))
        meta = one["metadata"] | owned_by(two, blockOwnerDeletion=True)
        await client.update(f"{WIDGETS}/one", one | {"metadata": meta})
        await client.delete(f"{WIDGETS}/one", {"propagationPolicy": "Foreground"})
        await asyncio.sleep(1)
        await _gone(client, f"{WIDGETS}/one")
        await _gone(client, f"{WIDGETS}/two")

    _within(story)


def test_when_a_definition_goes_the_dependents_of_its_objects_go() -> None:
    async def story(client: Client) -> None:
        owner = await client.create(WIDGETS, _widget("owner"))
        await client.create(MAPS, {"metadata": {"name": "dependent", **owned_by(owner)}})
        await asyncio.sleep(1)
        await client.delete(f"{DEFINITIONS}/widgets.ex.com")
        await asyncio.sleep(10)
        await _gone(client, f"{DEFINITIONS}/widgets.ex.com")
        await _gone(client, f"{MAPS}/dependent")

    _within(story)


def test_custom_resources_go_with_their_namespace_and_are_told_of() -> None:
    async def story(client: Client) -> None:
        await client.create("/api/v1/namespaces", {"metadata": {"name": "web"}})
        widgets = WIDGETS.replace("default", "web")
        await client.create(widgets, _widget("free"))
        await client.create(widgets, _widget("held", finalizers=["ex.com/x"]))
        await client.delete("/api/v1/namespaces/web")
        await asyncio.sleep(1)
        conditions = (await client.get("/api/v1/namespaces/web"))["status"]["conditions"]
        message = "Some resources are remaining: widgets.ex.com has 1 resource instances"
        assert conditions[3]["message"] == message
        held = await client.get(f"{widgets}/held")
        del held["metadata"]["finalizers"]
        await client.update(f"{widgets}/held", held)
        await asyncio.sleep(1)
        await _gone(client, "/api/v1/namespaces/web")

    _within(story)
