from base64 import b64encode
from typing import Any

import pytest
from tests.cluster.stage import Stage, play

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
