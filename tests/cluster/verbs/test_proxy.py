from typing import Any

import pytest
from tests.cluster.stage import Stage, play

CORE = "/api/v1/namespaces/default"


async def build(stage: Stage, *, pod: bool = False) -> None:
    await stage.ask(
        "POST", f"{CORE}/services", {"metadata": {"name": "a"}, "spec": {"ports": [{"name": "h", "port": 80}]}}
    )
    address: dict[str, Any] = {"ip": "10.1.0.1"}
    if pod:
        spec = {"containers": [{"name": "c", "image": "i"}]}
        await stage.ask("POST", f"{CORE}/pods", {"metadata": {"name": "p"}, "spec": spec})
        merge = {"content-type": "application/merge-patch+json"}
        status = {"status": {"podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}]}}
        await stage.ask("PATCH", f"{CORE}/pods/p/status", status, merge)
        address["targetRef"] = {"kind": "Pod", "name": "p", "namespace": "default"}
    subsets = [{"addresses": [address], "ports": [{"name": "h", "port": 8080}]}]
    await stage.ask("POST", f"{CORE}/endpoints", {"metadata": {"name": "a"}, "subsets": subsets})


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a", 503),
        ("a:h", 503),
        ("a:80", 503),
        ("a:81", 503),
        ("b", 404),
        ("b:80", 404),
        ("x:a:80", 400),
        (":80", 400),
    ],
)
def test_who_cannot_be_reached(name: str, code: int) -> None:
    async def story(stage: Stage) -> int:
        await build(stage)
        found, _ = await stage.ask("GET", f"{CORE}/services/{name}/proxy/x")
        return found

    assert play(story) == code


def test_there_is_no_network_behind_the_server() -> None:
    async def story(stage: Stage) -> int:
        await build(stage, pod=True)
        found, _ = await stage.ask("GET", f"{CORE}/services/http:a:h/proxy")
        return found

    assert play(story) == 501
