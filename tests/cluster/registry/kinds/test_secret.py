import json
from base64 import b64encode
from typing import Any

import pytest
from tests.cluster.stage import Stage, play

from kubewright.cluster.registry.kinds.secret import SecretStrategy
from kubewright.model.steps import counted

SECRETS = "/api/v1/namespaces/default/secrets"


def created(body: dict[str, Any]) -> tuple[int, Any]:
    async def story(stage: Stage) -> tuple[int, Any]:
        return await stage.ask("POST", SECRETS, {"metadata": {"name": "a"}, **body})

    return play(story)


def test_texts_are_kept_as_bytes_and_win() -> None:
    _, made = created({"data": {"a": "eA==", "b": "eQ=="}, "stringData": {"a": "é"}})
    assert made["data"] == {"a": b64encode("é".encode()).decode(), "b": "eQ=="}
    assert "stringData" not in made
    assert made["type"] == "Opaque"


@pytest.mark.parametrize(
    ("kind", "data", "missing"),
    [
        ("kubernetes.io/basic-auth", {}, ["data[username]", "data[password]"]),
        ("kubernetes.io/basic-auth", {"username": ""}, []),
        ("kubernetes.io/ssh-auth", {"ssh-privatekey": ""}, ["data[ssh-privatekey]"]),
        ("kubernetes.io/tls", {"tls.crt": ""}, ["data[tls.key]"]),
        ("kubernetes.io/dockercfg", {}, ["data[.dockercfg]"]),
        (
            "kubernetes.io/dockerconfigjson",
            {".dockerconfigjson": b64encode(b"[]").decode()},
            ["data[.dockerconfigjson]"],
        ),
        ("kubernetes.io/dockerconfigjson", {".dockerconfigjson": b64encode(b"{}").decode()}, []),
        ("kubernetes.io/service-account-token", {}, ["metadata.annotations[kubernetes.io/service-account.name]"]),
        ("example.com/anything", {}, []),
    ],
)
def test_a_type_asks_for_its_keys(kind: str, data: dict[str, str], missing: list[str]) -> None:
    _, answer = created({"type": kind, "data": data})
    assert [cause["field"] for cause in answer.get("details", {}).get("causes", [])] == missing


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b" {}", ""),
        (b"null", ""),
        (b'{"\xff": "\\ud800"}', ""),
        (b"", "unexpected end of JSON input"),
        (b"[1, {}]", "json: cannot unmarshal array into Go value of type map[string]interface {}"),
        (b'\n"a"', "json: cannot unmarshal string into Go value of type map[string]interface {}"),
        (b"true", "json: cannot unmarshal bool into Go value of type map[string]interface {}"),
        (b"-1.5", "json: cannot unmarshal number into Go value of type map[string]interface {}"),
    ],
)
def test_what_is_no_json_object_is_told_without_its_contents(content: bytes, why: str) -> None:
    told = [error.message for error in SecretStrategy(namespaced=True).validate(docker(content))]
    assert told == ([f'Invalid value: "<secret contents redacted>": {why}'] if why else [])


def docker(content: bytes) -> dict[str, Any]:
    data = {".dockerconfigjson": b64encode(content).decode()}
    meta = {"name": "a", "namespace": "b"}
    return {"metadata": meta, "type": "kubernetes.io/dockerconfigjson", "data": data}


def test_long_json_is_judged_in_steps() -> None:
    strategy = SecretStrategy(namespaced=True)
    hosts = json.dumps({"auths": {f"host-{number}": {"auth": "x" * 40} for number in range(2000)}}).encode()
    good, bad = docker(hosts), docker(hosts[:-1])
    for obj, old in ((good, None), (bad, None), (bad, good), (bad, good | {"type": "Opaque", "immutable": True})):
        errors, steps = counted(strategy.judge_in_steps(obj, old))
        assert errors == (strategy.validate(obj) if old is None else strategy.validate_update(obj, old))
        assert steps >= 20
