"""Deployments at work, in simulated time."""

import asyncio
from typing import Any

import msgspec
import pytest
from tests.cluster.controllers.workshop import Workshop, deployment, play, replica_set


def conditions(document: dict[str, Any]) -> dict[str, str]:
    return {each["type"]: f"{each['status']}/{each['reason']}" for each in document["status"]["conditions"]}


DONE = {"Available": "True/MinimumReplicasAvailable", "Progressing": "True/NewReplicaSetAvailable"}


def test_a_deployment_becomes_available_and_then_nothing_is_written() -> None:
    async def story(shop: Workshop) -> tuple[Any, list[Any], list[str], int]:
        await shop.make("deployments", deployment())
        await shop.settle()
        before = shop.cluster.store.revision
        await shop.settle(2000)
        written = shop.cluster.store.revision - before
        return (
            await shop.get("deployments", "web"),
            await shop.all("replicasets"),
            await shop.told("Deployment"),
            written,
        )

    found, (replica_set,), told, written = play(story)
    assert conditions(found) == DONE
    assert found["metadata"]["annotations"] == {"deployment.kubernetes.io/revision": "1"}
    label = replica_set["metadata"]["labels"]["pod-template-hash"]
    name = f"web-{label}"
    assert replica_set["metadata"]["name"] == name
    assert replica_set["spec"]["selector"] == {"matchLabels": {"app": "web", "pod-template-hash": label}}
    assert replica_set["metadata"]["annotations"] == {
        "deployment.kubernetes.io/desired-replicas": "3",
        "deployment.kubernetes.io/max-replicas": "4",
        "deployment.kubernetes.io/revision": "1",
    }
    assert told == [f"ScalingReplicaSet: Scaled up replica set {name} from 0 to 3"]
    assert written == 0


def test_the_status_comes_in_the_steps_of_the_real_controller() -> None:
    async def story(shop: Workshop) -> list[dict[str, str]]:
        seen: list[dict[str, str]] = []

        async def follow() -> None:
            async for event in shop.client.watch(shop.path("deployments")):
                found = msgspec.json.decode(event.object)
                if found["status"].get("conditions"):
                    seen.append(conditions(found))

        task = asyncio.create_task(follow())
        await asyncio.sleep(0.1)
        await shop.make("deployments", deployment())
        await shop.settle()
        task.cancel()
        return [now for now, before in zip(seen, [{}, *seen], strict=False) if now != before]

    waiting = "False/MinimumReplicasUnavailable"
    assert play(story) == [
        {"Progressing": "True/NewReplicaSetCreated"},
        {"Progressing": "True/NewReplicaSetCreated", "Available": waiting},
        {"Progressing": "True/ReplicaSetUpdated", "Available": waiting},
        DONE,
    ]


def test_a_new_image_moves_pods_step_by_step_and_an_old_one_back() -> None:
    async def story(shop: Workshop) -> tuple[list[dict[str, int]], list[str], list[Any]]:
        await shop.make("deployments", deployment())
        await shop.settle()
        await shop.set_image("web", "two")
        sizes: list[dict[str, int]] = []
        for _ in range(80):
            await asyncio.sleep(0.25)
            if (now := await shop.sizes()) not in sizes[-1:]:
                sizes.append(now)
        revisions = [(await shop.get("deployments", "web"))["metadata"]["annotations"]]
        await shop.set_image("web", "one")
        await shop.settle(30)
        revisions.append((await shop.get("deployments", "web"))["metadata"]["annotations"])
        histories = [
            each["metadata"]["annotations"].get("deployment.kubernetes.io/revision-history")
            for each in await shop.all("replicasets")
            if each["spec"]["replicas"]
        ]
        return sizes, [each["deployment.kubernetes.io/revision"] for each in revisions], histories

    sizes, revisions, histories = play(story)
    assert sizes[-1] == {"one": 0, "two": 3}
    assert all(3 <= sum(each.values()) <= 4 for each in sizes)
    assert (revisions, histories) == (["2", "3"], ["1"])


def test_recreate_lets_all_go_before_new_ones_come() -> None:
    async def story(shop: Workshop) -> tuple[list[str], dict[str, str]]:
        await shop.make("deployments", deployment(strategy={"type": "Recreate"}))
        await shop.settle()
        await shop.set_image("web", "two")
        await shop.settle(30)
        told = [each.rpartition(" from ")[2] for each in await shop.told("Deployment")]
        return told, conditions(await shop.get("deployments", "web"))

    assert play(story) == (["0 to 3", "3 to 0", "0 to 3"], DONE)


def test_a_paused_deployment_is_scaled_but_not_rolled() -> None:
    async def story(shop: Workshop) -> list[Any]:
        await shop.make("deployments", deployment())
        await shop.settle()
        await shop.patch("deployments", "web", {"spec": {"paused": True, "replicas": 5}})
        await shop.set_image("web", "two")
        await shop.settle()
        paused = await shop.sizes(), conditions(await shop.get("deployments", "web"))["Progressing"]
        await shop.patch("deployments", "web", {"spec": {"paused": False}})
        await asyncio.sleep(0.1)
        resumed = conditions(await shop.get("deployments", "web"))["Progressing"]
        await shop.settle(60)
        return [paused, resumed != paused[1], await shop.sizes(), conditions(await shop.get("deployments", "web"))]

    assert play(story) == [({"one": 5}, "Unknown/DeploymentPaused"), True, {"one": 0, "two": 5}, DONE]


def test_scaling_in_the_midst_of_an_update_keeps_the_shares() -> None:
    async def story(shop: Workshop) -> tuple[dict[str, int], dict[str, int]]:
        strategy = {"rollingUpdate": {"maxSurge": 2, "maxUnavailable": 2}}
        await shop.make("deployments", deployment(replicas=8, strategy=strategy))
        await shop.settle()
        await shop.set_image("web", "two")
        await shop.settle()
        before = await shop.sizes()
        await shop.patch("deployments", "web", {"spec": {"replicas": 18}})
        await shop.settle()
        return before, await shop.sizes()

    def fares(pod: dict[str, Any]) -> float | None:
        return 1.0 if pod["spec"]["containers"][0]["image"] == "one" else None

    assert play(story, fares) == ({"one": 6, "two": 4}, {"one": 12, "two": 8})


def test_a_roll_out_that_stands_still_is_told_after_its_deadline() -> None:
    async def story(shop: Workshop) -> list[str]:
        await shop.make("deployments", deployment(progressDeadlineSeconds=60))
        seen = []
        for seconds in (50, 20):
            await asyncio.sleep(seconds)
            seen.append(conditions(await shop.get("deployments", "web"))["Progressing"])
        return seen

    assert play(story, lambda pod: None) == ["True/ReplicaSetUpdated", "False/ProgressDeadlineExceeded"]


def test_only_so_many_old_replica_sets_are_kept() -> None:
    async def story(shop: Workshop) -> set[str]:
        await shop.make("deployments", deployment(revisionHistoryLimit=1))
        await shop.settle()
        for image in ("two", "three", "four"):
            await shop.set_image("web", image)
            await shop.settle(30)
        return set(await shop.sizes())

    assert play(story) == {"three", "four"}


def test_a_replica_set_without_an_owner_is_adopted() -> None:
    async def story(shop: Workshop) -> tuple[int, Any]:
        await shop.make("deployments", deployment())
        await shop.settle()
        await shop.delete("deployments", "web", options={"propagationPolicy": "Orphan"})
        await shop.settle()
        made = await shop.make("deployments", deployment())
        await shop.settle()
        sets = await shop.all("replicasets")
        return len(sets), sets[0]["metadata"]["ownerReferences"][0]["uid"] == made["metadata"]["uid"]

    assert play(story) == (1, True)


def test_a_hash_that_another_template_has_is_avoided() -> None:
    async def story(shop: Workshop) -> tuple[Any, Any, int]:
        await shop.make("deployments", deployment())
        await shop.settle()
        taken = (await shop.all("replicasets"))[0]["metadata"]["name"]
        await shop.delete("deployments", "web")
        await shop.settle()
        await shop.make("replicasets", {**replica_set("other", 0), "metadata": {"name": taken}})
        await shop.make("deployments", deployment())
        await shop.settle()
        found = await shop.get("deployments", "web")
        return found["status"]["collisionCount"], conditions(found), len(await shop.all("replicasets"))

    assert play(story) == (1, DONE, 2)


def test_a_replica_set_that_the_server_refuses_is_told() -> None:
    async def story(shop: Workshop) -> tuple[str, list[str]]:
        sets = shop.path("replicasets")
        shop.wire.refuse = lambda request: 403 if (request.method, request.path) == ("POST", sets) else None
        await shop.make("deployments", deployment())
        await asyncio.sleep(0.001)
        return conditions(await shop.get("deployments", "web"))["Progressing"], await shop.told("Deployment")

    progressing, told = play(story)
    assert progressing == "False/ReplicaSetCreateError"
    text = told[0]
    assert text.startswith('ReplicaSetCreateError: Failed to create new replica set "web-')
    assert text.endswith('": not now')


def test_the_whole_story_twice_is_the_same() -> None:
    async def story(shop: Workshop) -> list[Any]:
        await shop.make("deployments", deployment())
        await shop.settle()
        await shop.set_image("web", "two")
        await shop.settle(30)
        return [await shop.all(plural) for plural in ("deployments", "replicasets", "pods", "events")]

    assert play(story) == play(story)


def test_an_annotation_can_ask_for_a_revision() -> None:
    async def story(shop: Workshop) -> tuple[dict[str, int], list[str], Any]:
        await shop.make("deployments", deployment())
        await shop.settle()
        await shop.set_image("web", "two")
        await shop.settle(30)
        await shop.patch(
            "deployments", "web", {"metadata": {"annotations": {"deprecated.deployment.rollback.to": "1"}}}
        )
        await shop.settle(30)
        found = await shop.get("deployments", "web")
        return await shop.sizes(), await shop.told("Deployment"), found["metadata"]["annotations"]

    sizes, told, annotations = play(story)
    assert sizes == {"one": 3, "two": 0}
    assert 'DeploymentRollback: Rolled back deployment "web" to revision 1' in told
    assert annotations == {"deployment.kubernetes.io/revision": "3"}


@pytest.mark.parametrize("propagation", ["Foreground", "Background"])
def test_what_a_deployment_made_goes_with_it(propagation: str) -> None:
    async def story(shop: Workshop) -> list[int]:
        await shop.make("deployments", deployment())
        await shop.settle()
        await shop.delete("deployments", "web", options={"propagationPolicy": propagation})
        await shop.settle(60)
        return [len(await shop.all(plural)) for plural in ("deployments", "replicasets", "pods")]

    assert play(story) == [0, 0, 0]
