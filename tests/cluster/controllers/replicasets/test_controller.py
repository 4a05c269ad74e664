"""ReplicaSets at work, in simulated time."""

import asyncio
from typing import Any

import pytest
from tests.cluster.controllers.workshop import Workshop, play, replica_set

from kubewright.cluster.controllers.replicasets.controller import batches
from kubewright.cluster.controllers.replicasets.rank import DELETION_COST

SETTLED = {
    "replicas": 2,
    "fullyLabeledReplicas": 2,
    "readyReplicas": 2,
    "availableReplicas": 2,
    "terminatingReplicas": 0,
    "observedGeneration": 1,
}


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (1, [1]), (3, [1, 2]), (8, [1, 2, 4, 1])])
def test_batches_double(count: int, sizes: list[int]) -> None:
    assert list(batches(count)) == sizes


def test_pods_are_made_from_the_template_and_owned() -> None:
    async def story(shop: Workshop) -> tuple[Any, list[Any], list[str]]:
        made = await shop.make("replicasets", replica_set())
        await shop.settle()
        return made, await shop.all("pods"), await shop.told("ReplicaSet")

    made, pods, told = play(story)
    assert len(pods) == 2
    for pod in pods:
        meta = pod["metadata"]
        assert meta["generateName"] == "web-"
        assert meta["labels"] == {"app": "web"}
        assert meta["ownerReferences"] == [
            {
                "apiVersion": "apps/v1",
                "kind": "ReplicaSet",
                "name": "web",
                "uid": made["metadata"]["uid"],
                "controller": True,
                "blockOwnerDeletion": True,
            }
        ]
        assert {each["manager"] for each in meta["managedFields"] if not each.get("subresource")} == {
            "kube-controller-manager"
        }
    assert sorted(told) == sorted(f"SuccessfulCreate: Created pod: {pod['metadata']['name']}" for pod in pods)


def test_the_status_says_what_there_is_and_then_nothing_is_written() -> None:
    async def story(shop: Workshop) -> tuple[Any, int]:
        await shop.make("replicasets", replica_set())
        await shop.settle()
        before = shop.cluster.store.revision
        await shop.settle(200)
        return (await shop.get("replicasets", "web"))["status"], shop.cluster.store.revision - before

    status, written = play(story)
    assert status == SETTLED
    assert written == 0


def test_a_pod_that_is_deleted_or_fails_is_replaced() -> None:
    async def story(shop: Workshop) -> tuple[int, Any]:
        await shop.make("replicasets", replica_set())
        await shop.settle()
        one, other = [each["metadata"]["name"] for each in await shop.all("pods")]
        await shop.delete("pods", one)
        await shop.patch("pods", other, {"status": {"phase": "Failed"}}, "status")
        await shop.settle()
        names = {each["metadata"]["name"] for each in await shop.all("pods")}
        return len(names - {one, other}), (await shop.get("replicasets", "web"))["status"]

    fresh, status = play(story)
    assert fresh == 2
    assert status == SETTLED


def test_the_pods_that_cost_least_go_first() -> None:
    async def story(shop: Workshop) -> tuple[set[str], str, list[str]]:
        await shop.make("replicasets", replica_set(replicas=3))
        await shop.settle()
        dear = sorted(each["metadata"]["name"] for each in await shop.all("pods"))[1]
        await shop.patch("pods", dear, {"metadata": {"annotations": {DELETION_COST: "5"}}})
        await shop.patch("replicasets", "web", {"spec": {"replicas": 1}})
        await shop.settle()
        told = [each for each in await shop.told("ReplicaSet") if "Delete" in each]
        return {each["metadata"]["name"] for each in await shop.all("pods")}, dear, told

    left, dear, told = play(story)
    assert left == {dear}
    assert [each.rpartition(" ")[0] for each in told] == ["SuccessfulDelete: Deleted pod:"] * 2


def test_orphans_that_match_are_adopted() -> None:
    async def story(shop: Workshop) -> tuple[list[Any], str]:
        spec = {"containers": [{"name": "c", "image": "i"}]}
        await shop.make("pods", {"metadata": {"name": "before", "labels": {"app": "web"}}, "spec": spec})
        made = await shop.make("replicasets", replica_set())
        await shop.settle()
        await shop.make("pods", {"metadata": {"name": "stranger", "labels": {"app": "other"}}, "spec": spec})
        await shop.patch("replicasets", "web", {"spec": {"replicas": 3}})
        await shop.settle()
        await shop.patch("pods", "stranger", {"metadata": {"labels": {"app": "web"}}})
        await shop.settle()
        return await shop.all("pods"), made["metadata"]["uid"]

    pods, uid = play(story)
    assert len(pods) == 3
    assert {owner["uid"] for pod in pods for owner in pod["metadata"]["ownerReferences"]} == {uid}
    assert "before" in [pod["metadata"]["name"] for pod in pods]


def test_a_pod_that_matches_no_more_is_released_and_replaced() -> None:
    async def story(shop: Workshop) -> tuple[int, Any]:
        await shop.make("replicasets", replica_set())
        await shop.settle()
        name = (await shop.all("pods"))[0]["metadata"]["name"]
        await shop.patch("pods", name, {"metadata": {"labels": {"app": "free"}}})
        await shop.settle()
        return len(await shop.all("pods")), (await shop.get("pods", name))["metadata"].get("ownerReferences")

    assert play(story) == (3, None)


def test_pods_are_available_after_their_time() -> None:
    async def story(shop: Workshop) -> list[int]:
        await shop.make("replicasets", replica_set(minReadySeconds=30))
        seen = []
        for _ in range(3):
            await asyncio.sleep(16)
            seen.append((await shop.get("replicasets", "web"))["status"].get("availableReplicas", 0))
        return seen

    assert play(story) == [0, 2, 2]


def test_what_keeps_pods_from_being_made_is_told() -> None:
    async def story(shop: Workshop) -> tuple[Any, list[str], Any]:
        await shop.settle()
        document = replica_set()
        document["spec"]["template"]["spec"]["priorityClassName"] = "absent"
        await shop.make("replicasets", document)
        await asyncio.sleep(0.001)
        failed = (await shop.get("replicasets", "web"))["status"]
        told = await shop.told("ReplicaSet")
        await shop.client.create(
            "/apis/scheduling.k8s.io/v1/priorityclasses", {"metadata": {"name": "absent"}, "value": 1}
        )
        await shop.settle(100)
        return failed, told, (await shop.get("replicasets", "web"))["status"]

    failed, told, healed = play(story)
    message = 'pods "web-" is forbidden: no PriorityClass with name absent was found'
    (condition,) = failed["conditions"]
    assert (condition["type"], condition["reason"], condition["message"]) == ("ReplicaFailure", "FailedCreate", message)
    assert told[0] == f"FailedCreate: Error creating: {message}"
    assert healed == SETTLED


def test_a_replica_set_that_is_being_deleted_makes_no_pods_but_tells_its_status() -> None:
    async def story(shop: Workshop) -> Any:
        document = replica_set()
        document["metadata"]["finalizers"] = ["example.com/wait"]
        await shop.make("replicasets", document)
        await shop.settle()
        await shop.delete("replicasets", "web")
        await shop.settle()
        for pod in await shop.all("pods"):
            await shop.delete("pods", pod["metadata"]["name"])
        await shop.settle()
        return (await shop.get("replicasets", "web"))["status"]["replicas"], await shop.all("pods")

    assert play(story) == (0, [])
