"""Watches over WebSockets. What is refused, and with which code, was asked of a real server."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.cluster.stage import CONFIGMAPS
from tests.http.wire import eventually

from kubewright.cluster import Cluster
from kubewright.http import Headers, Origin, Pool, Response
from kubewright.http.websocket import ClosedError, WebSocket, connect

ORIGIN = Headers([(b"Origin", b"http://localhost")])


@asynccontextmanager
async def dialled() -> AsyncIterator[tuple[Cluster, Pool, Origin]]:
    async with Cluster(port=None, plain_port=0, controllers="none") as cluster:
        pool = Pool()
        try:
            async with asyncio.timeout(20):
                yield cluster, pool, Origin.of(cluster.plain_server)
        finally:
            await pool.close()


def test_each_event_is_a_message_and_the_end_of_the_watch_closes_the_socket() -> None:
    async def story() -> tuple[list[str], int]:
        async with dialled() as (cluster, pool, origin):
            await cluster.client().create(CONFIGMAPS, {"metadata": {"name": "a"}})
            socket = await connect(pool, origin, f"{CONFIGMAPS}?watch=1&timeoutSeconds=1", ORIGIN)
            assert isinstance(socket, WebSocket)
            told = [await socket.receive()]
            await socket.send("nobody listens")
            await cluster.client().create(CONFIGMAPS, {"metadata": {"name": "b"}})
            told.append(await socket.receive())
            with pytest.raises(ClosedError) as closed:
                await socket.receive()
            events = [json.loads(message) for message in told]
            return [f"{event['type']} {event['object']['metadata']['name']}" for event in events], closed.value.code

    assert asyncio.run(story()) == (["ADDED a", "ADDED b"], 1000)


def test_a_socket_that_is_closed_ends_the_watch() -> None:
    async def story() -> None:
        async with dialled() as (cluster, pool, origin):
            socket = await connect(pool, origin, f"{CONFIGMAPS}?watch=1", ORIGIN)
            assert isinstance(socket, WebSocket)
            assert cluster.api.watchers
            await socket.close()
            await eventually(lambda: not cluster.api.watchers)

    asyncio.run(story())


def test_a_client_that_reads_nothing_is_cut_off() -> None:
    async def story() -> None:
        async with dialled() as (cluster, pool, origin):
            socket = await connect(pool, origin, f"{CONFIGMAPS}?watch=1", ORIGIN)
            assert isinstance(socket, WebSocket)
            client, text = cluster.client(), "x" * 1_000_000
            socket._transport.pause_reading()
            for number in range(40):
                await client.create(CONFIGMAPS, {"metadata": {"name": f"c{number}"}, "data": {"k": text}})
            await eventually(lambda: not cluster.api.watchers)
            socket.abort()

    asyncio.run(story())


@pytest.mark.parametrize(
    ("query", "headers", "subprotocols", "status"),
    [
        ("watch=1", (), (), 403),
        ("watch=1", ORIGIN.pairs, ("binary.k8s.io",), 101),
        ("watch=1", ORIGIN.pairs, ("binary.k8s.io", "other"), 400),
        ("watch=1&labelSelector=a+in", ORIGIN.pairs, (), 400),
        ("limit=1", ORIGIN.pairs, (), 200),
    ],
)
def test_only_a_watch_is_upgraded_and_only_for_who_says_where_he_comes_from(
    query: str, headers: tuple[tuple[bytes, bytes], ...], subprotocols: tuple[str, ...], status: int
) -> None:
    async def story() -> int:
        async with dialled() as (cluster, pool, origin):
            answer = await connect(pool, origin, f"{CONFIGMAPS}?{query}", Headers(list(headers)), subprotocols)
            if isinstance(answer, Response):
                await answer.read()
                assert not cluster.api.watchers
                return answer.status
            assert answer.subprotocol == "binary.k8s.io"
            await answer.close()
            return 101

    assert asyncio.run(story()) == status
