"""The client against a handler in this process, and against a real server."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from kubewright.client import Client, LocalTransport, load_kubeconfig
from kubewright.client.errors import AlreadyExists, Invalid, NotFound
from kubewright.http import Headers, Request, Response
from kubewright.testing.real import RealCluster


def test_a_request_reaches_a_handler_in_this_process_as_it_would_a_server() -> None:
    asked: list[tuple[str, str, bytes | None, bytes]] = []

    async def handler(request: Request) -> Response:
        asked.append((request.method, request.target, request.headers.get(b"content-type"), await request.read()))
        return Response(200, Headers(), b'{"kind": "Thing"}')

    async def run() -> Any:
        async with Client(LocalTransport(handler)) as client:
            await client.patch("/apis/x", "merge", {"a": 1}, fieldManager="me & you", force=True, dryRun=None)
            return await client.get("/apis/x")

    assert asyncio.run(run()) == {"kind": "Thing"}
    assert asked == [
        ("PATCH", "/apis/x?fieldManager=me+%26+you&force=true", b"application/merge-patch+json", b'{"a":1}'),
        ("GET", "/apis/x", None, b""),
    ]


def test_a_watch_in_this_process_streams() -> None:
    async def handler(request: Request) -> Response:
        async def lines() -> AsyncIterator[bytes]:
            for name in ("a", "b"):
                yield json.dumps({"type": "ADDED", "object": {"metadata": {"name": name}}}).encode() + b"\n"

        return Response(200, Headers(), lines())

    async def run() -> list[str]:
        client = Client(LocalTransport(handler))
        return [json.loads(bytes(event.object))["metadata"]["name"] async for event in client.watch("/api/v1/pods")]

    assert asyncio.run(run()) == ["a", "b"]


@pytest.mark.real
def test_the_verbs_work_on_a_real_server(real_cluster: RealCluster) -> None:
    maps = "/api/v1/namespaces/default/configmaps"

    async def run() -> list[str]:
        async with Client.connect(load_kubeconfig(real_cluster.kubeconfig)) as client:
            made = await client.create(maps, {"metadata": {"name": "client-test"}, "data": {"a": "é"}})
            with pytest.raises(AlreadyExists):
                await client.create(maps, {"metadata": {"name": "client-test"}})
            with pytest.raises(Invalid) as invalid:
                await client.create(maps, {"metadata": {"name": "No!"}})
            assert invalid.value.causes[0]["field"] == "metadata.name"
            seen: list[str] = []
            version = made["metadata"]["resourceVersion"]
            watch = client.watch(maps, resourceVersion=version, fieldSelector="metadata.name=client-test")
            await client.patch(f"{maps}/client-test", "json", [{"op": "add", "path": "/data/b", "value": "c"}])
            await client.update(f"{maps}/client-test", {"metadata": {"name": "client-test"}, "data": {"d": "e"}})
            await client.delete(f"{maps}/client-test", {"propagationPolicy": "Background"})
            async for event in watch:
                seen.append(event.type)
                if event.type == "DELETED":
                    break
            with pytest.raises(NotFound):
                await client.get(f"{maps}/client-test")
            return seen

    assert asyncio.run(run()) == ["MODIFIED", "MODIFIED", "DELETED"]
