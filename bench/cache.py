"""The cache: what a start costs this process, object by object, and what the objects take when they are there.

The server is another process that streams the same objects over TLS, or a handler in this one; either way the objects
are made beforehand, so that what is measured is reading, keeping and telling them. Twice and four times as many objects
must cost as much each: a start is linear. On uvloop, as operators run.
"""

import asyncio
import gc
import multiprocessing
import ssl
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from tests.http.certificates import Authority

from bench.pod import MANAGED, pod
from kubewright.cache import Caches, Selection
from kubewright.client import Access, Client, Endpoint, LocalTransport, endpoint_of
from kubewright.http import Headers, Request, Response, Server
from kubewright.k8s.core.v1 import Pod
from kubewright.model.selectors import FieldSelector

__all__ = ["main"]

COUNTS = (5_000, 10_000, 20_000)
MANY = 100_000
PODS = endpoint_of(Pod)
WEBSERVERS: Endpoint[Any] = Endpoint("web.example.com", "v1", "webservers", "WebServer", True)
_JSON = Headers([(b"Content-Type", b"application/json")])


def webserver() -> dict[str, Any]:
    """A custom resource as a cluster serves it, with its managed fields: about 1 KB."""
    return {
        "apiVersion": "web.example.com/v1",
        "kind": "WebServer",
        "metadata": {
            "name": "checkout-6d5f9c7b8d-x2xkq",
            "namespace": "shop",
            "uid": "0f6c3a8e-52b1-4a57-9d53-5f0e4a1f7c11",
            "resourceVersion": "18823417",
            "generation": 1,
            "creationTimestamp": "2025-03-18T07:41:09Z",
            "labels": {"app": "checkout", "team": "payments"},
            "managedFields": [
                {
                    "manager": "kubectl",
                    "operation": "Apply",
                    "apiVersion": "web.example.com/v1",
                    "time": "2025-03-18T07:41:09Z",
                    "fieldsType": "FieldsV1",
                    "fieldsV1": {"f:spec": {"f:replicas": {}, "f:image": {}, "f:host": {}, "f:env": {}}},
                }
            ],
        },
        "spec": {"replicas": 3, "image": "nginx:1.27", "host": "shop.example.com", "env": {"A": "1", "B": "2"}},
        "status": {
            "observedGeneration": 1,
            "ready": 3,
            "conditions": [
                {
                    "type": "Ready",
                    "status": "True",
                    "reason": "Available",
                    "message": "all replicas answer",
                    "lastTransitionTime": "2025-03-18T07:41:12Z",
                }
            ],
        },
    }


def full_pod() -> dict[str, Any]:
    """A Pod with its managed fields."""
    return {**pod(), "metadata": {**pod()["metadata"], **MANAGED}}


def lean_pod() -> dict[str, Any]:
    """A Pod of 3.2 KB, without them."""
    document = {**pod(), "status": ""}
    document["status"] = "x" * (3200 - len(msgspec.json.encode(document)))
    return document


MAKERS: dict[str, Callable[[], dict[str, Any]]] = {"pods": full_pod, "webservers": webserver, "lean": lean_pod}


def frames(kind: str, count: int) -> Iterator[bytes]:
    """A first state, as a watch tells it."""
    raw = msgspec.json.encode(MAKERS[kind]())
    for number in range(count):
        told = raw.replace(b"x2xkq", b"%06d" % number, 1).replace(b"5f0e4a1f7c11", b"%012d" % number, 1)
        told = told.replace(b"18823417", b"%d" % (10_000_000 + number), 1)
        yield b'{"type":"ADDED","object":%b}\n' % told
    yield (
        b'{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"99999999",'
        b'"annotations":{"k8s.io/initial-events-end":"true"}}}}\n'
    )


def chunks(kind: str, count: int) -> Iterator[bytes]:
    """The same, in pieces as servers send them."""
    piece = bytearray()
    for frame in frames(kind, count):
        piece += frame
        if len(piece) > 65536:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


async def _endless(pieces: list[bytes] | Iterator[bytes]) -> Any:
    for piece in pieces:
        yield piece
        await asyncio.sleep(0)
    await asyncio.Event().wait()


def serve(to: Connection, certificate: str) -> None:
    """Answer `/…?fieldSelector=kind=count` with that many."""

    def answer(request: Request) -> Response:
        kind, count = request.target.split("fieldSelector=", 1)[1].split("&", 1)[0].split("%3D")
        return Response(200, _JSON, _endless(chunks(kind, int(count))))

    async def run() -> None:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(certificate)
        to.send(await Server(answer).listen("127.0.0.1", 0, tls))
        await asyncio.Event().wait()

    uvloop.run(run())


async def synced(client: Client, kind: str, count: int) -> float:
    """CPU time of a start with so many objects, one subscriber included; per object."""
    endpoint = WEBSERVERS if kind == "webservers" else PODS
    told: list[object] = []
    async with Caches(client, manager="shop") as caches:
        gc.collect()
        gc.freeze()
        began = time.process_time()
        informer = caches.open(Selection(endpoint, fields=FieldSelector.parse(f"{kind}={count}")))
        informer.subscribe(lambda change: told.append(change.key))
        await informer.synced.wait()
        spent = time.process_time() - began
        assert len(told) == informer.objects == count
    return spent / count


async def _in_process(kind: str, count: int) -> float:
    pieces = list(chunks(kind, count))
    return await synced(Client(LocalTransport(lambda request: Response(200, _JSON, _endless(pieces)))), kind, count)


async def _over_tls(kind: str, count: int, access: Access) -> float:
    async with Client.connect(access) as client:
        return await synced(client, kind, count)


def resident(to: Connection) -> None:
    """Fill a cache, in a process of its own, and say what it takes: in all, and for each object."""

    async def run() -> None:
        def taken() -> int:
            return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

        client = Client(LocalTransport(lambda request: Response(200, _JSON, _endless(chunks("lean", MANY)))))
        async with Caches(client) as caches:
            before = taken()
            informer = caches.open(Selection(PODS, fields=FieldSelector.parse("x=y")))
            await informer.synced.wait()
            to.send((taken(), (taken() - before) / MANY))

    uvloop.run(run())


def main() -> None:
    """Print the table."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(Path(folder))
        process = spawn.Process(target=serve, args=(there, str(authority.issue("server"))), daemon=True)
        process.start()
        access = Access(server=f"https://127.0.0.1:{here.recv()}", authority=authority.file.read_bytes())
        print("\na start of the cache: CPU time of this process for each object, and objects in a CPU second")
        for kind in ("webservers", "pods"):
            for count in COUNTS:
                for way, coming in (("in process", _in_process(kind, count)), ("TLS", _over_tls(kind, count, access))):
                    spent = uvloop.run(coming)
                    print(f"  {kind:<11} {count:>7,}  {way:<11} {spent * 1e6:>8.1f} µs {1 / spent:>12,.0f}/s")
        process.terminate()
    memory = spawn.Process(target=resident, args=(there,))
    memory.start()
    total, each = here.recv()
    memory.join()
    print(f"  {MANY:,} Pods of 3.2 KB: {total / 1e6:.0f} MB resident, {each:,.0f} bytes each (aims: 480, 4096)")


if __name__ == "__main__":
    main()
