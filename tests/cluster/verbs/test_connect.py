from typing import Any

import pytest
from tests.cluster.stage import Stage, play

from kubewright.http import Response

PODS = "/api/v1/namespaces/default/pods"
ONE = {"name": "c", "image": "i"}


def asked(target: str, *containers: dict[str, str], method: str = "GET", **spec: Any) -> tuple[int, Any]:
    async def story(stage: Stage) -> tuple[int, Any]:
        pod = {"metadata": {"name": "p"}, "spec": {"containers": [*containers] or [ONE], **spec}}
        code, why = await stage.ask("POST", PODS, pod)
        assert code == 201, why
        return await stage.ask(method, f"{PODS}/{target}")

    return play(story)


def test_a_pod_that_runs_nowhere_has_no_log() -> None:
    assert asked("p/log") == (204, "")


@pytest.mark.parametrize(
    ("target", "code", "message"),
    [
        ("q/log", 404, 'pods "q" not found'),
        ("p/log?container=x", 400, "container x is not valid for pod p"),
        ("p/log?tailLines=x", 400, 'strconv.ParseInt: parsing "x": invalid syntax'),
        (
            "p/log?limitBytes=0",
            422,
            'PodLogOptions "p" is invalid: limitBytes: Invalid value: 0: must be greater than 0',
        ),
        ("p/exec?command=x", 400, "pod p does not have a host assigned"),
        ("p/attach?container=x", 400, "container x is not valid for pod p"),
        ("p/portforward", 400, "pod p does not have a host assigned"),
        ("p/proxy", 400, "address not allowed"),
        ("https:p:80/proxy", 400, "address not allowed"),
        ("a:b:c:d/proxy", 400, 'invalid pod request "a:b:c:d"'),
    ],
)
def test_what_the_server_says_itself(target: str, code: int, message: str) -> None:
    found, why = asked(target)
    assert (found, why["message"]) == (code, message)


def test_it_must_be_clear_which_container_is_meant() -> None:
    _, why = asked("p/log", ONE, {"name": "d", "image": "i"})
    assert why["message"] == "a container name must be specified for pod p, choose one of: [c d]"


def test_a_node_that_is_not_there_is_called_a_pod() -> None:
    assert asked("p/log", nodeName="n")[1]["message"] == 'pods "n" not found'


def test_a_node_that_cannot_be_asked_is_told() -> None:
    async def story(stage: Stage) -> list[tuple[int, str]]:
        node = {"metadata": {"name": "n"}}
        await stage.ask("POST", "/api/v1/nodes", node)
        pod = {"metadata": {"name": "p"}, "spec": {"containers": [ONE], "nodeName": "n"}}
        await stage.ask("POST", PODS, pod)
        found = [await stage.ask("GET", f"{PODS}/p/log")]
        addresses = {"status": {"addresses": [{"type": "InternalIP", "address": "10.0.0.1"}]}}
        await stage.ask("PATCH", "/api/v1/nodes/n/status", addresses, {"content-type": "application/merge-patch+json"})
        found.append(await stage.ask("POST", f"{PODS}/p/exec?command=x"))
        stage.cluster.api.kubelets["n"] = lambda request: Response(400, body=b"not now")
        found.append(await stage.ask("GET", f"{PODS}/p/log"))
        return [(code, why["message"]) for code, why in found]

    assert play(story) == [
        (500, "no preferred addresses found; known addresses: []"),
        (400, "Upgrade request required"),
        (400, "not now"),
    ]
