from typing import Any

import pytest
from tests.cluster.stage import Stage, play

SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
MERGE = {"content-type": "application/merge-patch+json"}


def body(kind: str = "IPv4", address: str = "10.1.0.1", **fields: Any) -> dict[str, Any]:
    endpoints = [{"addresses": [address]}]
    return {"metadata": {"name": "a"}, "addressType": kind, "endpoints": endpoints, **fields}


def refusals(document: dict[str, Any]) -> set[str]:
    async def story(stage: Stage) -> set[str]:
        _, status = await stage.ask("POST", SLICES, document)
        return {cause["field"] for cause in status.get("details", {}).get("causes", [])}

    return play(story)


@pytest.mark.parametrize(
    ("document", "fields"),
    [
        (body(), set()),
        (body("IPv6", "2001:db8::1"), set()),
        (body("FQDN", "example.com."), set()),
        (body("x"), {"addressType"}),
        (body("IPv4", "2001:db8::1"), {"endpoints[0].addresses"}),
        (body("IPv4", "127.0.0.1"), {"endpoints[0].addresses[0]"}),
        (body("IPv6", "2001:DB8::1"), {"endpoints[0].addresses[0]"}),
        (body("FQDN", "example"), {"endpoints[0].addresses[0]"}),
        (body("FQDN", f"{'a' * 64}.com"), {"endpoints[0].addresses[0]"}),
        (body(endpoints=[{"addresses": []}]), {"endpoints[0].addresses"}),
        (body(ports=[{}, {}]), {"ports[1].name"}),
        (body(ports=[{"protocol": "x"}]), {"ports[0].protocol"}),
        (
            body(endpoints=[{"addresses": ["10.1.0.1"], "hints": {"forZones": [{"name": "z"}, {"name": "z"}]}}]),
            {"endpoints[0].hints.forZones[1].name"},
        ),
        (body(endpoints=[{"addresses": ["10.1.0.1"]}] * 1001), {"endpoints"}),
    ],
)
def test_what_is_wrong_is_told_where_it_is(document: dict[str, Any], fields: set[str]) -> None:
    assert refusals(document) == fields


def test_the_generation_counts_labels_too_and_the_type_stays() -> None:
    async def story(stage: Stage) -> list[Any]:
        await stage.ask("POST", SLICES, body())
        found: list[Any] = []
        for change in (
            {"metadata": {"annotations": {"a": "b"}}},
            {"metadata": {"labels": {"a": "b"}}},
            {"ports": [{"port": 1}]},
            {"addressType": "IPv6"},
        ):
            code, obj = await stage.ask("PATCH", f"{SLICES}/a", change, MERGE)
            found.append(obj["metadata"]["generation"] if code == 200 else code)
        return found

    assert play(story) == [1, 2, 3, 422]


def test_topology_is_not_written_any_more() -> None:
    async def story(stage: Stage) -> Any:
        endpoint = {"addresses": ["10.1.0.1"], "deprecatedTopology": {"kubernetes.io/hostname": "n"}}
        _, made = await stage.ask("POST", SLICES, body(endpoints=[endpoint]))
        return made["endpoints"]

    assert play(story) == [{"addresses": ["10.1.0.1"], "conditions": {}}]
