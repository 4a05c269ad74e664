"""Jobs from beginning to end, in simulated time: as kube-controller-manager has them, and what only shows in time."""

import asyncio
import itertools
from typing import Any

import pytest
from tests.cluster.controllers import record
from tests.cluster.controllers.ground import Ground, manager, play
from tests.cluster.controllers.jobs.stories import STORIES, finished, job
from tests.operator.scene import Wire

from kubewright import clock
from kubewright.client import Client

RECORDED = record.recorded("jobs")


@pytest.mark.parametrize("name", record.named(STORIES))
@pytest.mark.parametrize("step", [0.1, pytest.param(0.3, marks=pytest.mark.deep)])
def test_a_job_comes_to_what_it_comes_to_with_kube_controller_manager_and_on_the_same_way(
    name: str, step: float
) -> None:
    steps: set[str] = set()
    around = record.noting("jobs", steps)
    told = play(record.named(STORIES)[name], *record.job_controllers(), step=step, around=around)
    assert record.plain(told) in RECORDED[name]["outcomes"]
    assert sorted(steps - set(RECORDED[name]["steps"])) == []


def test_pods_are_made_anew_ever_later() -> None:
    made: list[float] = []

    async def story(ground: Ground) -> None:
        ground.ending = lambda pod: 1
        await ground.create("jobs", "one", **job(backoffLimit=4))
        began = clock.monotonic()
        known: set[str] = set()

        async def seen() -> bool:
            for pod in await ground.all("pods"):
                if pod["metadata"]["uid"] not in known:
                    known.add(pod["metadata"]["uid"])
                    made.append(round(clock.monotonic() - began))
            return len(known) == 5

        await ground.until(seen)

    play(story, *record.job_controllers())
    waits = [later - earlier for earlier, later in itertools.pairwise(made)]
    assert waits == pytest.approx([10, 20, 40, 80], abs=2)


def test_nothing_is_written_at_rest_nor_after_a_restart() -> None:
    async def story(ground: Ground) -> list[str]:
        await ground.create("jobs", "one", **job(completions=2, parallelism=2, activeDeadlineSeconds=100000))
        await ground.create("jobs", "two", **job(completions=1))
        await asyncio.sleep(10)
        await ground.patch("jobs", "two", {"spec": {"suspend": True}})
        await asyncio.sleep(10)
        ground.step = 600.0  # the kubelet has nothing to do
        wire = Wire(ground.client._transport)
        async with manager(Client(wire), record.job_controllers()) as running:
            await asyncio.sleep(3600)
            await running.idle()
        return wire.writes

    assert play(story, *record.job_controllers()) == []


def test_a_job_that_may_have_no_pods_says_so_and_goes_on_when_it_may() -> None:
    async def story(ground: Ground) -> Any:
        ground.ending = lambda pod: 0
        wire = Wire(ground.client._transport)
        wire.refuse = lambda request: 403 if request.method == "POST" and request.path.endswith("/pods") else None
        async with manager(Client(wire), record.job_controllers()):
            await ground.create("jobs", "one", **job(completions=3, parallelism=3))
            await asyncio.sleep(20)
            before = await ground.events("one")
            wire.refuse = lambda request: None
            return before, (await finished(ground, "one"))["status"]["succeeded"]

    before, succeeded = play(story)
    assert [told[:3] for told in before] == [("Warning", "FailedCreate", "Error creating: not now")]
    assert succeeded == 3


def test_pods_of_a_job_that_was_made_anew_meanwhile_are_let_go() -> None:
    async def story(ground: Ground) -> Any:
        await ground.create("jobs", "one", **job())
        await asyncio.sleep(5)
        (old,) = await ground.all("pods")
        await ground.delete("jobs", "one", propagationPolicy="Background")
        await ground.create("jobs", "one", **job())
        await ground.gone("pods", old["metadata"]["name"])
        await asyncio.sleep(5)
        return len(await ground.all("pods"))

    assert play(story, *record.job_controllers()) == 1


def test_a_job_that_another_looks_after_is_left_alone() -> None:
    async def story(ground: Ground) -> Any:
        await ground.create("jobs", "one", **job(managedBy="example.com/other"))
        await asyncio.sleep(5)
        return (await ground.get("jobs", "one"))["status"], await ground.all("pods")

    assert play(story, *record.job_controllers()) == ({}, [])


def test_many_pods_of_a_job_take_few_writes_of_its_status() -> None:
    async def story(ground: Ground) -> Any:
        ground.ending = lambda pod: 0
        wire = Wire(ground.client._transport)
        async with manager(Client(wire), record.job_controllers()):
            await ground.create("jobs", "one", **job(completions=40, parallelism=20))

            async def over() -> bool:
                status = (await ground.get("jobs", "one")).get("status") or {}
                return status.get("succeeded") == 40 and "completionTime" in status

            await ground.until(over)
        return sum(each.endswith("/jobs/one/status") for each in wire.writes)

    assert play(story) < 12
