"""The same stories on a real API server: by our controllers over HTTP, and by its own, which still do as recorded."""

import asyncio
import json
from typing import Any

import pytest
from tests.cluster.controllers.deployments.test_hash import RICH
from tests.traces.record import RECORDED, await_account
from tests.traces.recorder import record
from tests.traces.scenario import DELAYS, SCENARIOS, Play

import kubewright as kw
from kubewright.client.api import Api
from kubewright.cluster.controllers.deployments import deployment_controller
from kubewright.cluster.controllers.deployments.hash import hash_template
from kubewright.cluster.controllers.replicasets import replicaset_controller
from kubewright.cluster.nodes import Nodes
from kubewright.controller.news import COUNT
from kubewright.testing.real import RealCluster

pytestmark = pytest.mark.real


async def namespace(api: Api, name: str) -> str:
    made = await api.raw.create("/api/v1/namespaces", {"metadata": {"generateName": f"{name}-"}})
    return str(made["metadata"]["name"])


@pytest.mark.parametrize("name", SCENARIOS)
def test_our_controllers_do_the_same_on_a_real_server(name: str, real_cluster: RealCluster) -> None:
    async def story() -> dict[str, Any]:
        manager = kw.Operator(
            "kube-controller-manager",
            [deployment_controller, replicaset_controller],
            events=COUNT,
            field_manager="kube-controller-manager",
        )
        async with Api.connect(kubeconfig=real_cluster.kubeconfig) as api, Nodes(api, 1), manager.running(api):
            place = await namespace(api, name)
            await api.raw.create(f"/api/v1/namespaces/{place}/serviceaccounts", {"metadata": {"name": "default"}})
            return await record(SCENARIOS[name], Play(api.raw, place, DELAYS["uneven"]), 1.0)

    recorded = json.loads((RECORDED / f"{name}.json").read_text())
    # Which news come together is chance, and no number of runs records it all: what is ours shows every time.
    for _ in range(3):
        seen = asyncio.run(story())
        strange = [step for step in seen["steps"] if step not in recorded["steps"]]
        assert seen["final"] in recorded["finals"]
        assert seen["events"] in recorded["events"]
        if not strange:
            break
    assert strange == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_real_controllers_still_do_as_recorded(name: str, full_cluster: RealCluster) -> None:
    async def story() -> dict[str, Any]:
        async with Api.connect(kubeconfig=full_cluster.kubeconfig) as api, Nodes(api, 1):
            place = await namespace(api, name)
            await await_account(api, place)
            return await record(SCENARIOS[name], Play(api.raw, place, DELAYS["slow"]), 1.5)

    seen, recorded = asyncio.run(story()), json.loads((RECORDED / f"{name}.json").read_text())
    assert seen["final"] in recorded["finals"]


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
