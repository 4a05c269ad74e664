"""Whatever is asked is answered, and what is stored stays whole."""

import asyncio
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cluster.requests import CRD, OBJECTS, Asked, requests
from tests.cluster.stage import Stage, play
from tests.cluster.writes import writes

from kubewright.http import Response

#: What the contract itself answers with a code of 500 and more, known by a part of the message.
OWN = (
    "resourceVersion should not be set on objects to be created",
    "resourceVersion: Invalid value",
    "strconv.ParseUint: parsing",
    "content is not a list",
    "Too large resource version",
    "failed to create typed patch object",
    "failed to create manager for existing fields",
    "failed to convert new object",
    "does not contain declared merge key",
    "list element types are not identical",
    "unable to find api field in struct",
    "unknown patch type: ",
    "duplicate nodePort",
    "failed to allocate requested",
)


async def asked(stage: Stage, what: Asked) -> tuple[Response, bytes]:
    response = await stage.send(what.method, what.target, what.body, what.headers)
    pieces = []
    try:
        async with asyncio.timeout(5):
            if isinstance(response.body, bytes):
                pieces.append(response.body)
            else:
                async for piece in response:
                    pieces.append(piece)  # noqa: PERF401 - what has come counts, also where no end comes
    except TimeoutError:
        response.close()
    return response, b"".join(pieces)


def judge(what: Asked, response: Response, data: bytes) -> None:
    media = (response.headers.get(b"content-type") or b"").decode()
    assert response.headers.get(b"audit-id"), what
    assert b"Traceback" not in data, what
    assert b"made a mistake" not in data, (what, data)
    if not data or not media.startswith("application/json") or data.startswith(b'{"type":'):
        assert response.status < 500 or what.method == "HEAD" or any(part.encode() in data for part in OWN), (
            what,
            data,
        )
        return
    document = msgspec.json.decode(data)
    assert document["kind"], what
    if document["kind"] == "Status" and document["status"] == "Failure":
        assert document["code"] == response.status, (what, data)
        assert 400 <= response.status < 500 or any(part in document["message"] for part in OWN), (what, data)
    else:
        assert response.status in (200, 201, 202), (what, data)


async def check_store(stage: Stage, first: int) -> None:
    """Every value decodes and knows its revision; get, list and watch tell the same."""
    store, registry = stage.cluster.store, stage.cluster.api.registry
    for record in store.list("/").records:
        assert record.value is not None
        document = msgspec.json.decode(record.value)
        assert document["metadata"]["resourceVersion"] == str(record.revision), record
        assert record.key.rpartition("/")[2] == document["metadata"]["name"]
    for collection in OBJECTS:
        words = collection.strip("/").split("/")
        group, version = ("", words[1]) if words[0] == "api" else (words[1], words[2])
        if registry.find(group, version, words[-1]) is None:
            continue
        code, listed = await stage.ask("GET", collection)
        assert code == 200, listed
        items = {item["metadata"]["name"]: item for item in listed["items"]}
        for name, item in items.items():
            code, found = await stage.ask("GET", f"{collection}/{name}")
            assert (code, found) == (200, {key: found[key] for key in ("kind", "apiVersion")} | item)
        async with stage.watching(collection, resourceVersion=first, timeoutSeconds=1) as seen:
            await seen.end.wait()
        summed: dict[str, Any] = {}
        for event in seen.events:
            assert event["type"] in ("ADDED", "MODIFIED", "DELETED"), event
            name = event["object"]["metadata"]["name"]
            summed.pop(name, None)
            if event["type"] != "DELETED":
                summed[name] = event["object"]["metadata"]["resourceVersion"]
        made = {
            name: item["metadata"]["resourceVersion"]
            for name, item in items.items()
            if int(item["metadata"]["resourceVersion"]) > first
        }
        assert summed == made, collection


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(script=st.lists(requests(), min_size=1, max_size=12))
def test_whatever_is_asked_is_answered_and_the_store_stays_whole(script: list[Asked]) -> None:
    async def story(stage: Stage) -> None:
        await stage.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", CRD)
        await asyncio.sleep(6)
        first = stage.cluster.store.revision
        for what in script:
            response, data = await asked(stage, what)
            judge(what, response, data)
        await asyncio.sleep(6)
        await check_store(stage, first)

    play(story)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(script=st.lists(writes(), min_size=4, max_size=4).map(lambda some: [each for one in some for each in one]))
def test_whatever_is_written_to_a_built_in_kind_is_judged(script: list[Asked]) -> None:
    async def story(stage: Stage) -> None:
        await stage.ask("POST", "/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "default"}})
        for what in script:
            response, data = await asked(stage, what)
            judge(what, response, data)

    play(story)
