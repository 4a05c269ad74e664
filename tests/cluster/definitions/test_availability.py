import asyncio
from typing import Any

import pytest
from tests.cluster.stage import Stage, play

from kubewright.cluster.definitions.availability import availability

Document = dict[str, Any]
APISERVICES = "/apis/apiregistration.k8s.io/v1/apiservices"
APISERVICE = f"{APISERVICES}/v1.example.com"
SERVICES = "/api/v1/namespaces/default/services"
NAMED = {"namespace": "default", "name": "s", "port": 443}
PORTS = [{"name": "https", "port": 443}]
SERVICE = {"spec": {"type": "ClusterIP", "ports": PORTS}}


def document(service: Document | None) -> Document:
    spec = {"group": "example.com", "version": "v1", "groupPriorityMinimum": 10, "versionPriority": 5}
    return {"metadata": {"name": "v1.example.com"}, "spec": {**spec, "service": service}}


async def condition(stage: Stage) -> tuple[str, str]:
    await asyncio.sleep(0.01)  # it is written meanwhile; time is simulated
    (found,) = (await stage.ask("GET", APISERVICE))[1]["status"]["conditions"]
    return found["status"], found["reason"]


@pytest.mark.parametrize(
    ("service", "slices", "reason"),
    [
        (None, [], "ServiceNotFound"),
        ({"spec": {"type": "ClusterIP", "ports": [{"port": 80}]}}, [], "ServicePortError"),
        (SERVICE, [], "EndpointsNotFound"),
        (SERVICE, [{"endpoints": [], "ports": PORTS}], "MissingEndpoints"),
        (SERVICE, [{"endpoints": [{"conditions": {"ready": False}}], "ports": PORTS}], "MissingEndpoints"),
        (SERVICE, [{"endpoints": [{}], "ports": [{"name": "other", "port": 443}]}], "MissingEndpoints"),
        (SERVICE, [{"endpoints": [{}], "ports": PORTS}], "FailedDiscoveryCheck"),
        ({"spec": {"type": "ExternalName"}}, [], "FailedDiscoveryCheck"),
    ],
)
def test_what_is_missing_of_a_server_is_told(service: Document | None, slices: list[Document], reason: str) -> None:
    assert availability(NAMED, service, slices).reason == reason


def test_a_group_that_names_no_server_is_this_servers() -> None:
    async def story(stage: Stage) -> tuple[str, str]:
        await stage.client.create(APISERVICES, document(None))
        return await condition(stage)

    assert play(story) == ("True", "Local")


def test_a_service_that_comes_and_goes_is_noticed() -> None:
    async def story(stage: Stage) -> list[tuple[str, str]]:
        await stage.client.create(APISERVICES, document(NAMED))
        seen = [await condition(stage)]
        await stage.client.create(SERVICES, {"metadata": {"name": "s"}, "spec": {"ports": PORTS}})
        seen.append(await condition(stage))
        await stage.ask("DELETE", f"{SERVICES}/s")
        return [*seen, await condition(stage)]

    assert play(story) == [("False", "ServiceNotFound"), ("False", "EndpointsNotFound"), ("False", "ServiceNotFound")]


def test_nothing_is_written_while_nothing_changes() -> None:
    async def story(stage: Stage) -> tuple[str, str]:
        await stage.client.create(APISERVICES, document(NAMED))
        await condition(stage)
        before = (await stage.ask("GET", APISERVICE))[1]["metadata"]["resourceVersion"]
        await stage.client.create(SERVICES, {"metadata": {"name": "other"}, "spec": {"ports": PORTS}})
        await condition(stage)
        return before, (await stage.ask("GET", APISERVICE))[1]["metadata"]["resourceVersion"]

    before, after = play(story)
    assert before == after
