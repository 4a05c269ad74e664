"""Controllers by name."""

import asyncio

import pytest
from tests.cluster.controllers.house import House, within

from kubewright.cluster.controllers.driver import NAMES, UnknownController, choose


def test_all_are_chosen_by_one_word() -> None:
    assert choose("all") == list(NAMES)


def test_none_are_chosen_by_one_word() -> None:
    assert choose("none") == []


@pytest.mark.parametrize(
    "names", ["namespace,gc", "gc, namespace", ["garbage-collector-controller", "namespace-controller"]]
)
def test_some_are_chosen_by_name_in_any_order(names: str | list[str]) -> None:
    assert choose(names) == ["garbage-collector-controller", "namespace-controller"]


@pytest.mark.parametrize("names", ["deployments", "all,gc", ["none", "gc"]])
def test_a_name_that_is_none_is_refused_with_those_there_are(names: str | list[str]) -> None:
    with pytest.raises(UnknownController, match="choose from all, none, serviceaccount-token-controller"):
        choose(names)


def test_after_stop_nothing_is_done_and_nothing_is_left_running() -> None:
    async def story(house: House) -> None:
        await house.make("configmaps", "default", "held", {"finalizers": ["ex.com/x"]})
        await house.make("namespaces", "", "web")
        await house.make("configmaps", "web", "held", {"finalizers": ["ex.com/x"]})
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(1)
        await house.controllers.stop()
        at = house.store.revision
        await house.make("namespaces", "", "late")
        await asyncio.sleep(3600)
        assert house.store.revision == at + 1
        assert asyncio.all_tasks() == {asyncio.current_task()}

    within(story)


def test_a_cluster_at_rest_writes_nothing_and_waits_for_nothing() -> None:
    async def story(house: House) -> None:
        await asyncio.sleep(1)
        at = house.store.revision
        await asyncio.sleep(24 * 3600)
        assert house.store.revision == at

    within(story)
