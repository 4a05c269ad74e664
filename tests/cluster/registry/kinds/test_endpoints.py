from typing import Any

import pytest
from tests.cluster.stage import Stage, play

ENDPOINTS = "/api/v1/namespaces/default/endpoints"


def refusals(**subset: Any) -> list[str]:
    async def story(stage: Stage) -> list[str]:
        _, status = await stage.ask("POST", ENDPOINTS, {"metadata": {"name": "a"}, "subsets": [subset]})
        return [cause["field"] for cause in status.get("details", {}).get("causes", [])]

    return play(story)


@pytest.mark.parametrize(
    ("subset", "field"),
    [
        ({}, "subsets[0]"),
        ({"addresses": [{"ip": "127.0.0.1"}]}, "subsets[0].addresses[0].ip"),
        ({"notReadyAddresses": [{"ip": "1.2.3.4", "nodeName": "A"}]}, "subsets[0].notReadyAddresses[0].nodeName"),
        ({"addresses": [{"ip": "1.2.3.4", "hostname": "a.b"}]}, "subsets[0].addresses[0].hostname"),
        ({"addresses": [{"ip": "1.2.3.4"}], "ports": [{"port": 0}]}, "subsets[0].ports[0].port"),
        ({"addresses": [{"ip": "1.2.3.4"}], "ports": [{"port": 1, "protocol": "x"}]}, "subsets[0].ports[0].protocol"),
        (
            {"addresses": [{"ip": "1.2.3.4"}], "ports": [{"port": 1}, {"port": 2, "name": "a"}]},
            "subsets[0].ports[0].name",
        ),
    ],
)
def test_what_is_wrong_is_told_where_it_is(subset: dict[str, Any], field: str) -> None:
    assert {*refusals(**subset)} == {field}


def test_ports_speak_tcp_and_who_asks_is_told_of_slices() -> None:
    async def story(stage: Stage) -> tuple[Any, list[bytes]]:
        body = {"metadata": {"name": "a"}, "subsets": [{"addresses": [{"ip": "1.2.3.4"}], "ports": [{"port": 1}]}]}
        _, made = await stage.ask("POST", ENDPOINTS, body)
        response = await stage.send("GET", f"{ENDPOINTS}/a")
        return made["subsets"][0]["ports"], [value for name, value in response.headers if name.lower() == b"warning"]

    ports, warnings = play(story)
    assert ports == [{"port": 1, "protocol": "TCP"}]
    assert warnings == [b'299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"']


def test_put_makes_what_is_not_there() -> None:
    async def story(stage: Stage) -> int:
        code, _ = await stage.ask("PUT", f"{ENDPOINTS}/a", {"metadata": {"name": "a"}})
        return code

    assert play(story) == 201
