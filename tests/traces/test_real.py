"""The same stories on a real API server: by our controllers over HTTP, and by its own, which still do as recorded."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from tests.cluster.controllers.deployments.test_hash import RICH
from tests.cluster.controllers.record import endpoint_controllers, job_controllers
from tests.traces.record import await_account, recorded
from tests.traces.recorder import record
from tests.traces.scenario import DELAYS, Play
from tests.traces.scenarios import ROOMS, SCENARIOS

import kubewright as kw
from kubewright.client.api import Api
from kubewright.cluster.controllers.deployments import deployment_controller
from kubewright.cluster.controllers.deployments.hash import hash_template
from kubewright.cluster.controllers.garbage import garbage_collector
from kubewright.cluster.controllers.replicasets import replicaset_controller
from kubewright.cluster.nodes import Nodes
from kubewright.controller.news import COUNT
from kubewright.testing.real import RealCluster

pytestmark = pytest.mark.real


async def namespace(api: Api, name: str) -> str:
    made = await api.raw.create("/api/v1/namespaces", {"metadata": {"generateName": f"{name}-"}})
    return str(made["metadata"]["name"])


async def play(api: Api, name: str, delays: str, rest: float, *, accounts: bool) -> dict[str, Any]:
    """What is seen of a scenario in a namespace of its own; whether somebody makes the account there."""
    place = await namespace(api, name)
    if accounts:
        await await_account(api, place)
    else:
        await api.raw.create(f"/api/v1/namespaces/{place}/serviceaccounts", {"metadata": {"name": "default"}})
    return await record(SCENARIOS[name], Play(api.raw, place, DELAYS[delays]), rest)


@pytest.mark.parametrize("room", ROOMS)
def test_our_controllers_do_the_same_on_a_real_server(room: str, real_cluster: RealCluster) -> None:
    async def stories(names: Iterable[str]) -> list[dict[str, Any]]:
        workloads = [deployment_controller, replicaset_controller, *job_controllers(), *endpoint_controllers()]
        manager = kw.Operator(
            "kube-controller-manager",
            [*workloads, garbage_collector()],
            events=COUNT,
            field_manager="kube-controller-manager",
        )
        async with (
            Api.connect(kubeconfig=real_cluster.kubeconfig) as api,
            Nodes(api, 1),
            manager.running(api) as running,
        ):
            await running.synced()
            return await asyncio.gather(*(play(api, name, "uneven", 1.0, accounts=False) for name in names))

    # Which news come together is chance, and no number of runs records it all: what is ours shows every time.
    strange: dict[str, list[str]] = {name: [] for name in ROOMS[room]}
    for _ in range(3):
        for name, seen in zip(list(strange), asyncio.run(stories(strange)), strict=True):
            known = recorded(name)
            assert seen["final"] in known["finals"]
            assert seen["events"] in known["events"]
            strange[name] = [step for step in seen["steps"] if step not in known["steps"]]
        strange = {name: steps for name, steps in strange.items() if steps}
        if not strange:
            break
    assert strange == {}


@pytest.mark.parametrize("room", ROOMS)
def test_the_real_controllers_still_do_as_recorded(room: str, full_cluster: RealCluster) -> None:
    async def stories() -> list[dict[str, Any]]:
        async with Api.connect(kubeconfig=full_cluster.kubeconfig) as api:  # which has a node already
            return await asyncio.gather(*(play(api, name, "slow", 1.5, accounts=True) for name in ROOMS[room]))

    told = zip(ROOMS[room], asyncio.run(stories()), strict=True)
    assert [name for name, seen in told if seen["final"] not in recorded(name)["finals"]] == []


def test_the_hash_of_a_template_is_the_real_one(full_cluster: RealCluster) -> None:
    async def story() -> tuple[str, str]:
        async with Api.connect(kubeconfig=full_cluster.kubeconfig) as api:
            place = await namespace(api, "hash")
            base = f"/apis/apps/v1/namespaces/{place}"
            selector = {"matchLabels": RICH["metadata"]["labels"]}
            wanted = {"metadata": {"name": "web"}, "spec": {"replicas": 0, "selector": selector, "template": RICH}}
            made = await api.raw.create(f"{base}/deployments", wanted)
            async with asyncio.timeout(30):
                while not (found := (await api.raw.get(f"{base}/replicasets"))["items"]):  # noqa: ASYNC110 - once
                    await asyncio.sleep(0.05)
            return hash_template(made["spec"]["template"]), found[0]["metadata"]["labels"]["pod-template-hash"]

    ours, theirs = asyncio.run(story())
    assert ours == theirs
