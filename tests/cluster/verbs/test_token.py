"""AUTHN-1: TokenRequest."""

from typing import Any

import pytest
from tests.cluster.stage import Stage, play

from kubewright.cluster.auth.jwt import read_token

ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts"
TOKEN = f"{ACCOUNTS}/bob/token"


def asked(*bodies: dict[str, Any], pod: bool = False) -> list[tuple[int, Any]]:
    async def story(stage: Stage) -> list[tuple[int, Any]]:
        await stage.client.create(ACCOUNTS, {"metadata": {"name": "bob"}})
        if pod:
            spec = {"serviceAccountName": "bob", "nodeName": "n", "containers": [{"name": "c", "image": "i"}]}
            await stage.client.create("/api/v1/namespaces/default/pods", {"metadata": {"name": "p"}, "spec": spec})
        return [await stage.ask("POST", TOKEN, body) for body in bodies]

    return play(story)


def claims(answer: Any) -> dict[str, Any]:
    token = read_token(answer["status"]["token"])
    assert token is not None
    return token.claims


def test_a_token_is_good_for_an_hour_at_this_server() -> None:
    [(code, answer)] = asked({})
    assert code == 201
    found = claims(answer)
    assert found["exp"] - found["iat"] == 3600
    assert found["aud"] == answer["spec"]["audiences"] == ["https://kubernetes.default.svc"]
    assert found["kubernetes.io"]["serviceaccount"] == {"name": "bob", "uid": answer["metadata"]["uid"]}
    assert answer["status"]["expirationTimestamp"] == "2000-01-01T01:00:00Z"


@pytest.mark.parametrize(
    ("seconds", "told"), [(599, "less than 10 minutes"), (2**32 + 1, "larger than 2^32 seconds"), (-1, "10 minutes")]
)
def test_it_is_good_for_neither_too_short_nor_too_long(seconds: int, told: str) -> None:
    [(code, answer)] = asked({"spec": {"expirationSeconds": seconds}})
    assert code == 422
    assert told in answer["message"]


def test_a_token_that_is_good_for_as_long_as_pods_ask_is_good_for_a_year() -> None:
    bound = {"boundObjectRef": {"kind": "Pod", "apiVersion": "v1", "name": "p"}, "expirationSeconds": 3607}
    [(_, plain), (_, answer)] = asked({"spec": {"expirationSeconds": 3607}}, {"spec": bound}, pod=True)
    assert claims(plain)["exp"] - claims(plain)["iat"] == 3607
    found = claims(answer)
    assert found["exp"] - found["iat"] == 365 * 24 * 3600
    assert found["kubernetes.io"]["warnafter"] == found["iat"] + 3607
    assert found["kubernetes.io"]["node"] == {"name": "n"}
    assert answer["status"]["expirationTimestamp"] == "2000-01-01T01:00:07Z"


def test_no_two_tokens_are_the_same() -> None:
    [(_, one), (_, other)] = asked({}, {})
    assert claims(one)["jti"] != claims(other)["jti"]


def test_a_key_that_is_kept_is_used_again(tmp_path: Any) -> None:
    async def make(stage: Stage) -> str:
        await stage.ask("POST", ACCOUNTS, {"metadata": {"name": "bob"}})
        token: str = (await stage.client.create(TOKEN, {}))["status"]["token"]
        return token

    token = play(make, data=tmp_path)

    async def ask(stage: Stage) -> bool:
        _, answer = await stage.ask("POST", "/apis/authentication.k8s.io/v1/tokenreviews", {"spec": {"token": token}})
        good: bool = answer["status"].get("authenticated", False)
        return good

    assert play(ask, data=tmp_path)
    assert (tmp_path / "sa.key").stat().st_mode & 0o777 == 0o600
