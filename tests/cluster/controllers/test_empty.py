"""To empty a namespace of some kinds: what goes, what stays, and what is told of it."""

from collections.abc import Coroutine
from typing import Any

import pytest
from tests.cluster.stage import CONFIGMAPS, Stage, play

from kubewright.client import Client, LocalTransport
from kubewright.client.api import Api
from kubewright.client.discovery import Served
from kubewright.client.endpoint import Document, Endpoint
from kubewright.cluster.controllers.empty import Left, empty
from kubewright.cluster.controllers.terminate import Remains
from kubewright.http import Headers, Request, Response

DELETED = "2026-01-01T00:00:00Z"
ALL = frozenset({"list", "delete", "deletecollection"})
MAPS: Endpoint[Document] = Endpoint("", "v1", "configmaps", "ConfigMap", True)
SECRETS: Endpoint[Document] = Endpoint("", "v1", "secrets", "Secret", True)
WIDGETS: Endpoint[Document] = Endpoint("ex.com", "v1", "widgets", "Widget", True)


async def _maps(stage: Stage, count: int, *held: str) -> None:
    await stage.put_configmaps(count)
    for name in held:
        await stage.client.create(CONFIGMAPS, {"metadata": {"name": name, "finalizers": ["ex.com/x"]}})


async def _empty(stage: Stage, *kinds: Served, **more: Any) -> tuple[list[Remains], list[Left]]:
    return await empty(Api(stage.client), kinds, "default", DELETED, **more)


@pytest.mark.parametrize("verbs", [ALL, ALL - {"deletecollection"}], ids=["at once", "one by one"])
def test_what_nothing_holds_goes_and_what_is_held_is_told(verbs: frozenset[str]) -> None:
    async def story(stage: Stage) -> None:
        await _maps(stage, 3, "held", "kept")
        found, left = await _empty(stage, Served(MAPS, verbs), Served(SECRETS, verbs))
        assert found == [Remains("", "v1", "configmaps", 2, {"ex.com/x": 2})]
        assert [(each.endpoint, each.names) for each in left] == [(MAPS, frozenset({"held", "kept"}))]

    play(story)


def test_more_than_a_page_goes() -> None:
    async def story(stage: Stage) -> None:
        await _maps(stage, 501, "zzz")
        found, _ = await _empty(stage, Served(MAPS, ALL))
        assert [each.count for each in found] == [1]

    play(story)


def test_a_kind_that_is_gone_holds_nothing() -> None:
    async def story(stage: Stage) -> None:
        assert await _empty(stage, Served(WIDGETS, ALL)) == ([], [])

    play(story)


def test_who_knows_what_is_left_spares_the_question() -> None:
    async def story(stage: Stage) -> None:
        await _maps(stage, 0, "held")
        assert await _empty(stage, Served(MAPS, ALL), survey=lambda namespace: []) == ([], [])

    play(story)


def test_a_deletion_that_is_refused_is_told_and_others_go_on() -> None:
    async def story(stage: Stage) -> None:
        await _maps(stage, 1)
        transport = stage.client._transport
        assert isinstance(transport, LocalTransport)
        front = transport._handler

        def refuse(request: Request) -> Response | Coroutine[Any, Any, Response]:
            if request.method == "DELETE" and "/secrets" in request.target:
                body = b'{"kind":"Status","status":"Failure","message":"not today","reason":"Forbidden","code":403}'
                return Response(403, Headers([(b"content-type", b"application/json")]), body)
            return front(request)

        api = Api(Client(LocalTransport(refuse)))
        found, left = await empty(api, [Served(SECRETS, ALL), Served(MAPS, ALL)], "default", DELETED)
        assert [(each.plural, each.count, "not today" in each.error) for each in found] == [("secrets", 0, True)]
        assert left == []
        assert (await stage.client.get(CONFIGMAPS))["items"] == []

    play(story)
