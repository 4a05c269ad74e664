"""Nobody works before there is something to do."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from tests.cluster.stage import Stage, play

from kubewright.cluster.controllers.sleeper import Sleeper, Waker

PODS = "/api/v1/namespaces/default/pods"
OWN = "/services/default/kubernetes"
SERVICES = "/api/v1/namespaces/default/services"
POD = {"metadata": {"name": "a"}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
SERVICE = {"metadata": {"name": "a"}, "spec": {"ports": [{"port": 80}]}}


def sleeping(story: Callable[[Stage, Sleeper, list[str]], Awaitable[None]]) -> None:
    """Play with somebody who waits for pods and services, and says when he works and when he is told to end."""
    said: list[str] = []

    async def work() -> None:
        said.append("works")
        try:
            await asyncio.Event().wait()
        finally:
            said.append("ended")

    async def staged(stage: Stage) -> None:
        wakers = [Waker("/pods/"), Waker("/services/", lambda record: record.key != OWN)]
        await story(stage, Sleeper("tests", stage.cluster.store, wakers, work), said)

    play(staged)


def test_the_first_object_of_a_kind_wakes_and_the_next_one_does_not_again() -> None:
    async def story(stage: Stage, sleeper: Sleeper, said: list[str]) -> None:
        sleeper.start()
        await asyncio.sleep(1)
        assert said == []
        await stage.client.create(PODS, POD)
        await stage.client.create(SERVICES, SERVICE)
        await asyncio.sleep(1)
        assert said == ["works"]
        await sleeper.stop()
        assert said == ["works", "ended"]

    sleeping(story)


def test_what_is_there_already_wakes() -> None:
    async def story(stage: Stage, sleeper: Sleeper, said: list[str]) -> None:
        await stage.client.create(SERVICES, SERVICE)
        sleeper.start()
        await asyncio.sleep(1)
        assert said == ["works"]
        await sleeper.stop()

    sleeping(story)


def test_after_its_end_nothing_wakes() -> None:
    async def story(stage: Stage, sleeper: Sleeper, said: list[str]) -> None:
        sleeper.start()
        await sleeper.stop()
        await stage.client.create(SERVICES, SERVICE)
        await asyncio.sleep(1)
        assert said == []

    sleeping(story)


def test_one_object_may_be_waited_for() -> None:
    async def story(stage: Stage, sleeper: Sleeper, said: list[str]) -> None:
        async def work() -> None:
            said.append("works")

        sleeper = Sleeper("tests", stage.cluster.store, [Waker("/namespaces/awaited")], work)
        sleeper.start()
        await stage.client.create("/api/v1/namespaces", {"metadata": {"name": "other"}})
        await asyncio.sleep(1)
        assert said == []
        await stage.client.create("/api/v1/namespaces", {"metadata": {"name": "awaited"}})
        await asyncio.sleep(1)
        assert said == ["works"]

    sleeping(story)


def test_work_that_fails_begins_anew(caplog: pytest.LogCaptureFixture) -> None:
    async def story(stage: Stage, sleeper: Sleeper, said: list[str]) -> None:
        async def work() -> None:
            said.append("works")
            if len(said) < 3:
                raise RuntimeError("it stumbles")
            await asyncio.Event().wait()

        sleeper = Sleeper("tests", stage.cluster.store, [Waker("/namespaces/default")], work)
        sleeper.start()
        await asyncio.sleep(120)
        await sleeper.stop()
        assert said == ["works"] * 3

    sleeping(story)
    assert [each.getMessage() for each in caplog.records if "tests" in each.getMessage()] == [
        f"tests has failed, which it should not; it begins anew in {pause} s." for pause in (1, 2)
    ]
