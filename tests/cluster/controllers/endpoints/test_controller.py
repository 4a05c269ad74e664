"""Services from beginning to end, in simulated time: as with kube-controller-manager, and what only shows in time."""

import asyncio
from typing import Any

import pytest
from tests.cluster.controllers import record
from tests.cluster.controllers.endpoints.stories import STORIES, pod, service, settled, slices
from tests.cluster.controllers.ground import Ground, manager, play

ANNOTATION = "endpoints.kubernetes.io/last-change-trigger-time"
RECORDED = record.recorded("endpoints")


@pytest.mark.parametrize("name", record.named(STORIES))
@pytest.mark.parametrize("step", [0.1, pytest.param(0.3, marks=pytest.mark.deep)])
def test_a_service_comes_to_what_it_comes_to_with_kube_controller_manager_and_on_the_same_way(
    name: str, step: float
) -> None:
    steps: set[str] = set()
    around = record.noting("endpoints", steps)
    told = play(record.named(STORIES)[name], *record.endpoint_controllers(), step=step, around=around)
    assert record.plain(told) in RECORDED[name]["outcomes"]
    assert sorted(steps - set(RECORDED[name]["steps"])) == []


def test_endpoints_are_spread_over_slices_of_a_hundred() -> None:
    async def story(ground: Ground) -> Any:
        for number in range(205):
            await pod(ground, f"p{number}", f"10.2.{number // 100}.{number % 100}")
        await service(ground)
        await settled(ground, 205)
        full = sorted(len(each["endpoints"]) for each in await slices(ground))
        before = {each["metadata"]["name"]: each["metadata"]["resourceVersion"] for each in await slices(ground)}
        await pod(ground, "one-more", "10.2.9.9")
        await settled(ground, 206)
        after = {each["metadata"]["name"]: each["metadata"]["resourceVersion"] for each in await slices(ground)}
        return full, sum(before[name] != after[name] for name in before)

    assert play(story, *record.endpoint_controllers()) == ([5, 100, 100], 1)


def test_it_is_told_when_the_change_happened() -> None:
    async def story(ground: Ground) -> Any:
        await service(ground)
        await settled(ground, 0)
        made = (await ground.get("services", "web"))["metadata"]["creationTimestamp"]
        first = [each["metadata"]["annotations"][ANNOTATION] for each in await slices(ground)]
        await pod(ground, "a", "10.2.0.1", ready=False)
        await asyncio.sleep(30)
        await ground.start("a", "10.2.0.1", True)
        since = (await ground.get("pods", "a"))["status"]["conditions"][0]["lastTransitionTime"]
        await settled(ground, 1)
        second = [each["metadata"]["annotations"][ANNOTATION] for each in await slices(ground)]
        legacy = (await ground.get("endpoints", "web"))["metadata"]["annotations"][ANNOTATION]
        return first == [made], second == [since], legacy == since

    assert play(story, *record.endpoint_controllers()) == (True, True, True)


def test_nothing_is_written_at_rest() -> None:
    async def story(ground: Ground) -> Any:
        await pod(ground, "a", "10.2.0.1")
        await service(ground)
        await settled(ground, 1)
        before = [(await ground.get("endpoints", "web")), await slices(ground)]
        ground.step = 60.0  # the kubelet has nothing to do
        await ground.patch("pods", "a", {"metadata": {"annotations": {"x": "y"}}})
        await asyncio.sleep(600)
        return [(await ground.get("endpoints", "web")), await slices(ground)] == before

    assert play(story, *record.endpoint_controllers())


def test_a_pod_on_a_node_that_is_not_known_is_left_out_until_it_is() -> None:
    async def story(ground: Ground) -> Any:
        await pod(ground, "a", "10.2.0.1", nodeName="n9")
        await service(ground)
        await asyncio.sleep(5)
        before = sum(len(each["endpoints"]) for each in await slices(ground))
        events = await ground.events("web")
        await ground.client.create("/api/v1/nodes", {"metadata": {"name": "n9"}})
        await settled(ground, 1)
        return before, {(reason, message) for _, reason, message, *_ in events}

    message = "Error updating Endpoint Slices for Service */web: skipping Pod a for Service */web: Node n9 Not Found"
    assert play(story, *record.endpoint_controllers()) == (0, {("FailedToUpdateEndpointSlices", message)})


def test_endpoints_that_were_left_without_a_service_go_when_the_controller_starts() -> None:
    async def story(ground: Ground) -> Any:
        await ground.create("endpoints", "left")
        leader = {"control-plane.alpha.kubernetes.io/leader": "{}"}
        await ground.create("endpoints", "lease", metadata={"annotations": leader})
        async with manager(ground.client, record.endpoint_controllers()) as running:
            await running.idle()
        return [each["metadata"]["name"] for each in await ground.all("endpoints")]

    assert play(story) == ["lease"]
