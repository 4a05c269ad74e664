import asyncio
from typing import Any

import msgspec
import pytest
from tests.cluster.stage import Stage, play

from kubewright.http import Headers, RefusedError, Request
from kubewright.http.body import Body

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
THINGS = "/apis/example.com/v1/namespaces/default/things"
JSON = Headers([(b"content-type", b"application/json")])


def definition(field: str, scope: str = "Namespaced", **version: Any) -> dict[str, Any]:
    """Of things whose spec has one field, with a default."""
    spec = {"type": "object", "default": {}, "properties": {field: {"type": "string", "default": "d"}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": scope,
            "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
                    **version,
                }
            ],
        },
    }


async def late(stage: Stage, again: dict[str, Any] | None, path: str = "", **version: Any) -> tuple[int, Any]:
    """The answer to a request whose body is there only when its kind was deleted and defined again."""
    await stage.ask("POST", CRDS, definition("old", **version))
    await asyncio.sleep(6)  # until it is served, as below
    body = Body()
    request = Request("PUT" if path else "POST", f"{THINGS}{path}", JSON, body)
    answer = asyncio.ensure_future(stage.client._transport.send(request))
    await asyncio.sleep(1)
    assert not answer.done()
    await stage.ask("DELETE", f"{CRDS}/things.example.com")
    await asyncio.sleep(6)
    if again is not None:
        await stage.ask("POST", CRDS, again)
        await asyncio.sleep(6)
    body.feed(b'{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"old":"x","new":"y"}}')
    body.finish()
    response = await answer
    return response.status, msgspec.json.decode(await response.read())


def test_a_late_body_is_read_by_the_definition_that_there_is_when_it_is_whole() -> None:
    code, obj = play(lambda stage: late(stage, definition("new")))
    assert (code, obj["spec"]) == (201, {"new": "y"})


def test_a_late_body_of_a_kind_that_is_gone_is_refused() -> None:
    code, told = play(lambda stage: late(stage, None))
    assert (code, told["message"]) == (404, "the server could not find the requested resource")


def test_a_late_body_of_a_kind_that_is_elsewhere_now_is_refused() -> None:
    code, told = play(lambda stage: late(stage, definition("new", "Cluster")))
    assert (code, told["reason"]) == (404, "NotFound")


def test_a_late_body_for_a_part_that_is_gone_is_refused() -> None:
    code, told = play(lambda stage: late(stage, definition("new"), "/a/status", subresources={"status": {}}))
    assert (code, told["reason"]) == (404, "NotFound")


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (413, 413, "Request entity too large: limit is 3145728"),
        (408, 504, "Timeout: request did not complete within the allotted timeout"),
        (400, 500, "malformed"),
    ],
)
def test_it_is_said_why_a_body_did_not_come_whole(status: int, code: int, message: str) -> None:
    async def broken(stage: Stage) -> tuple[int, Any]:
        body = Body()
        body.fail(RefusedError(status, "malformed"))
        request = Request("POST", "/api/v1/namespaces/default/configmaps", JSON, body)
        response = await stage.client._transport.send(request)
        return response.status, msgspec.json.decode(await response.read())

    found, said = play(broken)
    assert (found, said["message"]) == (code, message)
