"""The client: what one server-side apply over TLS costs this process, step by step.

The server is another process that always answers the same Deployment, so that all CPU time seen here is the client's.
One request at a time and sixteen at once: an operator does the latter. On uvloop, as operators run.
"""

import asyncio
import multiprocessing
import ssl
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
import uvloop
from tests.http.certificates import Authority

from kubewright.client import Access, Api
from kubewright.client.client import PATCHES, Query
from kubewright.http import Headers, Origin, Pool, Request, Response, Server
from kubewright.k8s.apps.v1 import Deployment
from kubewright.model.codec import encode, from_dict

__all__ = ["main"]

CALLS = 2_000  # in one turn
TURNS = 5

LABELS = {"app": "web"}
WANTED = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "default", "labels": LABELS},
    "spec": {
        "replicas": 3,
        "selector": {"matchLabels": LABELS},
        "template": {
            "metadata": {"labels": LABELS},
            "spec": {"containers": [{"name": "web", "image": "nginx", "ports": [{"containerPort": 80}]}]},
        },
    },
}
#: About what the server makes of it.
ANSWER = msgspec.json.encode(WANTED | {"status": {f"field{number}": "x" * 40 for number in range(40)}})
PATH = "/apis/apps/v1/namespaces/default/deployments/web?fieldManager=kubewright&force=true"


def serve(to: Connection, certificate: str) -> None:
    """A server that always says the same."""

    async def run() -> None:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(certificate)
        answer = Response(200, Headers([(b"Content-Type", b"application/json")]), ANSWER)
        port = await Server(lambda request: answer).listen("127.0.0.1", 0, tls)
        to.send(port)
        await asyncio.Event().wait()

    uvloop.run(run())


async def spent(call: Callable[[], Awaitable[object]], at_once: int) -> float:
    """The CPU seconds of one call."""

    async def turn(count: int) -> None:
        for _ in range(count):
            await call()

    start = time.process_time()
    await asyncio.gather(*(turn(CALLS // at_once) for _ in range(at_once)))
    return (time.process_time() - start) / CALLS


async def compare(access: Access) -> None:
    """Print what each step adds."""
    typed = from_dict(WANTED, Deployment)
    fresh = Deployment(metadata=typed.metadata, spec=typed.spec)
    body = encode(fresh)
    headers = Headers([(b"Accept", b"application/json"), (b"Content-Type", PATCHES["apply"])])
    origin = Origin.of(access.server, access.tls())

    async def by_pool() -> None:
        response = await pool.request(origin, Request("PATCH", PATH, headers, body))
        await response.read()

    async def by_client() -> None:
        query: Query = {"fieldManager": "kubewright", "force": True}
        await api.raw.ask("PATCH", PATH.partition("?")[0], query, body, PATCHES["apply"])

    steps: dict[str, Callable[[], Awaitable[object]]] = {
        "pool: bytes out, bytes in": by_pool,
        "client: credentials, time limit, attempts": by_client,
        "api: typed object out, typed object in": lambda: api.apply(fresh, force=True),
        "api: typed get": lambda: api.get(Deployment, "web"),
    }
    pool, api = Pool(), Api.connect(access)
    for at_once in (1, 16):
        print(f"\none server-side apply over TLS, {at_once} at once: CPU time of the client")
        turns = [{name: await spent(call, at_once) for name, call in steps.items()} for _ in range(1 + TURNS)]
        for name in steps:
            print(f"  {name:<44} {statistics.median(turn[name] for turn in turns[1:]) * 1e6:>8.1f} µs")
    await pool.close()
    await api.close()


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(Path(folder))
        here, there = multiprocessing.Pipe()
        certificate = str(authority.issue("server"))
        process = multiprocessing.get_context("spawn").Process(target=serve, args=(there, certificate), daemon=True)
        process.start()
        try:
            access = Access(
                server=f"https://127.0.0.1:{here.recv()}", authority=authority.file.read_bytes(), token="t" * 900
            )
            uvloop.run(compare(access))
        finally:
            process.kill()
            process.join()
