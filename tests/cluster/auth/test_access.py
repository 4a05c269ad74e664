"""Who asks, as whom, and may he: on a whole server."""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cluster.stage import CONFIGMAPS, Stage, play

from kubewright.cluster.auth.user import User
from kubewright.http import Headers, Peer, Request, Response
from kubewright.trials.loop import SimulatedLoop

RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/default"
TOKEN = "/api/v1/namespaces/default/serviceaccounts/bob/token"


@dataclass
class Link:
    peer: Peer

    @property
    def lost(self) -> asyncio.Event:
        return asyncio.Event()


def stranger(stage: Stage, *headers: tuple[bytes, bytes], target: str = f"{CONFIGMAPS}/a") -> int:
    """The code of a request that came over TLS, with no certificate."""
    front: Any = stage.cluster._front
    answer = front(Request("GET", target, Headers(headers), link=Link(Peer(None, secure=True))))
    assert isinstance(answer, Response), "a GET of one object waits for nothing"
    return answer.status


async def make_bob(stage: Stage) -> str:
    await stage.client.create(CONFIGMAPS, {"metadata": {"name": "a"}})
    await stage.client.create("/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "bob"}})
    rules = [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"]}]
    await stage.client.create(f"{RBAC}/roles", {"metadata": {"name": "r"}, "rules": rules})
    ref = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "r"}
    subjects = [{"kind": "ServiceAccount", "name": "bob"}]
    await stage.client.create(f"{RBAC}/rolebindings", {"metadata": {"name": "b"}, "roleRef": ref, "subjects": subjects})
    made = await stage.client.create(TOKEN, {})
    token: str = made["status"]["token"]
    return token


def test_credentials_decide() -> None:
    async def story(stage: Stage) -> None:
        token = (await make_bob(stage)).encode()
        assert stranger(stage) == 403
        assert stranger(stage, target="/healthz") == 200
        assert stranger(stage, (b"authorization", b"Bearer " + token)) == 200
        assert stranger(stage, (b"authorization", b"Bearer " + token), target="/api/v1/secrets") == 403
        assert stranger(stage, (b"authorization", b"Bearer " + token[:-1])) == 401
        assert stranger(stage, (b"authorization", b"Bearer given")) == 200
        assert stranger(stage, (b"authorization", b"Bearer given"), (b"impersonate-user", b"joe")) == 403

    play(story, tokens={"given": User("root", ("system:masters",))})


def test_a_token_expires() -> None:
    async def story(stage: Stage) -> None:
        token = (await make_bob(stage)).encode()
        await asyncio.sleep(3600 + 59)
        assert stranger(stage, (b"authorization", b"Bearer " + token)) == 200
        await asyncio.sleep(3)
        assert stranger(stage, (b"authorization", b"Bearer " + token)) == 401

    play(story)


def test_what_is_granted_and_taken_counts_at_once() -> None:
    async def story(stage: Stage) -> None:
        token = (b"authorization", b"Bearer " + (await make_bob(stage)).encode())
        assert stranger(stage, token) == 200
        await stage.client.delete(f"{RBAC}/rolebindings/b")
        assert stranger(stage, token) == 403
        await stage.client.delete("/api/v1/namespaces/default/serviceaccounts/bob")
        assert stranger(stage, token) == 401

    play(story)


def test_a_refusal_comes_before_anything_else_that_is_wrong() -> None:
    async def story(stage: Stage) -> list[int]:
        jane = {"impersonate-user": "jane"}
        asked = [
            ("POST", CONFIGMAPS, b"nonsense", jane),
            ("POST", CONFIGMAPS, b"", jane | {"content-type": "text/plain"}),
            ("GET", "/api/v1/nope", None, jane),
            ("GET", "/apis/nope/v1/things", None, jane),
            ("GET", f"{CONFIGMAPS}?limit=x", None, jane),
            ("GET", CONFIGMAPS, None, jane | {"accept": "text/html"}),
            ("PATCH", f"{CONFIGMAPS}/a/nope", b"", jane),
        ]
        return [(await stage.send(*each)).status for each in asked]

    assert play(story) == [403] * 7


@pytest.fixture(scope="module")
def stage() -> Iterator[tuple[Stage, str]]:
    """A server that many requests are sent to, and the token of an account."""
    from kubewright.cluster import Cluster

    loop = SimulatedLoop()
    stack = contextlib.AsyncExitStack()

    async def start() -> tuple[Stage, str]:
        cluster = await stack.enter_async_context(Cluster(port=None, controllers="none", seed=1))
        stage = Stage(cluster)
        return stage, await make_bob(stage)

    try:
        yield loop.run_until_complete(start())
        loop.run_until_complete(stack.aclose())
    finally:
        loop.close()


_junk = st.binary(max_size=40)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.data(),
    how=st.sampled_from(["cut", "flip", "swap", "junk", "insert"]),
    scheme=st.sampled_from([b"Bearer ", b"bearer ", b"Basic ", b"Bearer  ", b""]),
)
def test_no_garbled_token_is_anybody_and_none_breaks_the_server(
    stage: tuple[Stage, str], data: st.DataObject, how: str, scheme: bytes
) -> None:
    server, text = stage
    token = text.encode()
    at = data.draw(st.integers(0, len(token) - 1))
    if how == "cut":
        token = token[:at]
    elif how == "flip":
        token = token[:at] + bytes([data.draw(st.integers(0, 255))]) + token[at + 1 :]
    elif how == "swap":
        parts = token.split(b".")
        token = b".".join(data.draw(st.permutations(parts)))
    elif how == "junk":
        token = b".".join(data.draw(st.lists(_junk, max_size=4)))
    else:
        token = token[:at] + data.draw(_junk) + token[at:]
    code = stranger(server, (b"authorization", scheme + token))
    # The last bits of a base64 text may mean nothing, and what follows a space is not looked at.
    same = token.partition(b" ")[0][:-1] == text.encode()[:-1]
    assert code in ((200, 401, 403) if same else (401, 403))
