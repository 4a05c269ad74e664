"""AUTHN-1: whose is this token, and who am I."""

from typing import Any

import pytest
from tests.cluster.stage import Stage, play

from kubewright.cluster.auth.user import User

GROUP = "/apis/authentication.k8s.io/v1"


def ask(kind: str, body: Any, headers: dict[str, str] | None = None) -> tuple[int, Any]:
    async def story(stage: Stage) -> tuple[int, Any]:
        return await stage.ask("POST", f"{GROUP}/{kind}", body, headers)

    return play(story, tokens={"secret": User("jane", ("dev",), "7", (("a", ("b",)),))})


def test_everybody_may_know_who_he_is() -> None:
    code, answer = ask("selfsubjectreviews", {}, {"authorization": "Bearer secret"})
    assert (code, answer["status"]["userInfo"]) == (
        201,
        {"username": "jane", "uid": "7", "groups": ["dev", "system:authenticated"], "extra": {"a": ["b"]}},
    )


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"token": "secret"}, ("jane", ["https://kubernetes.default.svc"])),
        (
            {"token": "secret", "audiences": ["x", "https://kubernetes.default.svc"]},
            ("jane", ["https://kubernetes.default.svc"]),
        ),
        ({"token": " ", "audiences": ["x"]}, ("system:anonymous", ["x"])),
    ],
)
def test_a_token_is_somebodys(spec: Any, told: tuple[str, list[str]]) -> None:
    status = ask("tokenreviews", {"spec": spec})[1]["status"]
    assert status["authenticated"]
    assert (status["user"]["username"], status["audiences"]) == told


@pytest.mark.parametrize("spec", [{"token": "other"}, {"token": "secret", "audiences": ["x"]}])
def test_a_token_is_nobodys(spec: Any) -> None:
    assert ask("tokenreviews", {"spec": spec})[1]["status"] == {"user": {}, "error": "invalid bearer token"}


def test_a_review_is_of_a_token() -> None:
    assert ask("tokenreviews", {})[0] == 400
