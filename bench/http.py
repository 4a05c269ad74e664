"""HTTP: our server and client beside aiohttp's, and the fan-out of one event to a thousand watchers.

Server and load are two processes, so that each one's CPU time is its own. What is compared is requests (or deliveries)
per second of CPU; the rate by the wall clock stands beside it, and depends on what else the machine does. All run on
uvloop. A candidate is measured in turns with the others, and the median of its turns counts.
"""

import asyncio
import multiprocessing
import select
import socket
import ssl
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvloop
from aiohttp import ClientSession, web
from tests.http.certificates import Authority

from kubewright.http import Chunk, Headers, Origin, Pool, Request, Response, Server, Stream

__all__ = ["main"]

BODY = b"x" * 2048
CONNECTIONS = 32
REQUESTS = 10_000  # in one turn
TURNS = 5
WATCHERS = 1_000
EVENTS = 30  # in one turn
JSON = Headers([(b"Content-Type", b"application/json")])

#: What a client of Kubernetes sends.
ASKED = (
    b"GET /apis/example.com/v1/namespaces/default/widgets/w1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"User-Agent: kubectl/v1.36.3\r\nAccept: application/json\r\nAccept-Encoding: gzip\r\n"
    b"Authorization: Bearer 0123456789abcdef0123456789abcdef\r\n\r\n"
)


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(Path(folder))
        for title, context in (("plain", None), ("TLS", authority)):
            _servers(title, context)
            _clients(title, context)
            _fan_out(title, context)


# Servers.


async def ours(context: ssl.SSLContext | None, _: Any) -> int:
    """Our server, with a handler that is a coroutine."""

    async def handler(request: Request) -> Response:
        return Response(200, JSON, _cpu() if request.target == "/cpu" else BODY)

    return await Server(handler).listen("127.0.0.1", 0, context)


async def ours_at_once(context: ssl.SSLContext | None, _: Any) -> int:
    """Our server, with a handler that answers without waiting."""

    def handler(request: Request) -> Response:
        return Response(200, JSON, _cpu() if request.target == "/cpu" else BODY)

    return await Server(handler).listen("127.0.0.1", 0, context)


async def bare(context: ssl.SSLContext | None, _: Any) -> int:
    """What the loop and the kernel cost: a protocol that reads nothing and always says the same."""
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(BODY), BODY)

    class Bare(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            self.transport = transport

        def data_received(self, data: bytes) -> None:
            cpu = _cpu()
            asked = b"GET /cpu" in data
            self.transport.write(
                b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(cpu), cpu) if asked else answer
            )

    listener = await asyncio.get_running_loop().create_server(Bare, "127.0.0.1", 0, ssl=context)
    return int(listener.sockets[0].getsockname()[1])


async def aiohttp_server(context: ssl.SSLContext | None, _: Any) -> int:
    """aiohttp's server at its barest: one handler, no routes."""

    async def handler(request: web.BaseRequest) -> web.Response:
        return web.Response(body=_cpu() if request.path == "/cpu" else BODY, content_type="application/json")

    server = web.Server(handler)
    listener = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0, ssl=context)
    return int(listener.sockets[0].getsockname()[1])


async def aiohttp_application(context: ssl.SSLContext | None, _: Any) -> int:
    """aiohttp's server as it is used: an application with a route."""

    async def handler(request: web.Request) -> web.Response:
        return web.Response(body=_cpu() if request.path == "/cpu" else BODY, content_type="application/json")

    application = web.Application()
    application.router.add_get("/{tail:.*}", handler)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    return int(runner.addresses[0][1])


async def watched(context: ssl.SSLContext | None, control: Any) -> int:
    """Our server with watchers, to whom it writes when it is told to."""
    streams: list[Stream] = []
    chunk = Chunk(BODY)

    def handler(request: Request) -> Response:
        streams.append(Stream())
        return Response(200, JSON, streams[-1])

    async def write() -> None:
        started, cpu = time.perf_counter(), time.process_time()
        for _ in range(EVENTS):
            for stream in streams:
                stream.write(chunk)
            await asyncio.sleep(0)  # as between two commits: sockets get their turn
        while any(stream.buffered for stream in streams):  # noqa: ASYNC110 - what is buffered is not delivered
            await asyncio.sleep(0.001)
        control.send((time.process_time() - cpu, time.perf_counter() - started))

    writing: set[asyncio.Task[None]] = set()

    def told() -> None:
        word = control.recv()
        if word == "count":
            control.send(len(streams))
        else:
            task = asyncio.ensure_future(write())
            writing.add(task)
            task.add_done_callback(writing.discard)

    asyncio.get_running_loop().add_reader(control.fileno(), told)
    return await Server(handler).listen("127.0.0.1", 0, context)


Start = Callable[[ssl.SSLContext | None, Any], Awaitable[int]]


def _cpu() -> bytes:
    return str(time.process_time()).encode()


def _serve(start: Start, authority: Authority | None, control: Any) -> None:
    async def serve() -> None:
        context = authority.server() if authority is not None else None
        control.send(await start(context, control))
        await asyncio.Event().wait()

    uvloop.run(serve())


@contextmanager
def _process(start: Start, authority: Authority | None) -> Iterator[tuple[int, Any]]:
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_serve, args=(start, authority, there), daemon=True)
    process.start()
    try:
        yield here.recv(), here
    finally:
        process.kill()
        process.join()


# Loads.


def _servers(title: str, authority: Authority | None) -> None:
    candidates: dict[str, Start] = {
        "kubewright, handler waits for nothing": ours_at_once,
        "kubewright, handler is a coroutine": ours,
        "nothing: a protocol that reads nothing": bare,
        "aiohttp web.Server": aiohttp_server,
        "aiohttp web.Application": aiohttp_application,
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in candidates}
    for _ in range(TURNS):
        for name, start in candidates.items():
            with _process(start, authority) as (port, _):
                context = authority.client() if authority is not None else None
                found[name].append(uvloop.run(_load(port, context)))
    _rates(f"Server, {title}: GET of {len(BODY)} bytes, {CONNECTIONS} connections", found, "aiohttp web.Server")


async def _load(port: int, context: ssl.SSLContext | None) -> tuple[float, float]:
    """Ask over and over; the server's CPU time and the wall's time for all."""
    name = "localhost" if context is not None else None
    loop = asyncio.get_running_loop()
    users = [
        (await loop.create_connection(_User, "127.0.0.1", port, ssl=context, server_hostname=name))[1]
        for _ in range(CONNECTIONS)
    ]
    await asyncio.gather(*[user.ask(50) for user in users])  # what is made on first use is no part of the measurement
    before = await _asked_cpu(port, context)
    started = time.perf_counter()
    await asyncio.gather(*[user.ask(REQUESTS // CONNECTIONS) for user in users])
    took = time.perf_counter() - started
    after = await _asked_cpu(port, context)
    for user in users:
        user.transport.abort()
    count = REQUESTS // CONNECTIONS * CONNECTIONS
    return (after - before) / count, took / count


async def _asked_cpu(port: int, context: ssl.SSLContext | None) -> float:
    async with Pool() as pool:
        response = await pool.request(Origin("127.0.0.1", port, context, "localhost"), Request("GET", "/cpu"))
        return float(await response.read())


class _User(asyncio.Protocol):
    """Sends the request, counts the bytes of the answer, sends it again."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.left = 0
        self.size = 0
        self.seen = b""
        self.done: asyncio.Future[None] | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    async def ask(self, times: int) -> None:
        self.left = times
        self.done = asyncio.get_running_loop().create_future()
        self.transport.write(ASKED)
        await self.done

    def data_received(self, data: bytes) -> None:
        self.seen += data
        head = self.seen.find(b"\r\n\r\n")
        if head < 0 or len(self.seen) < head + 4 + len(BODY):
            return
        self.seen = b""
        self.left -= 1
        if self.left:
            self.transport.write(ASKED)
        elif self.done is not None:
            self.done.set_result(None)


async def _pool(port: int, context: ssl.SSLContext | None) -> AsyncIterator[Callable[[], Awaitable[object]]]:
    headers = Headers([(b"Accept", b"application/json"), (b"Authorization", b"Bearer 0123456789abcdef")])
    async with Pool() as pool:
        origin = Origin("127.0.0.1", port, context, "localhost")

        async def ask() -> bytes:
            return await (await pool.request(origin, Request("GET", "/apis/example.com/v1/widgets", headers))).read()

        yield ask


async def _session(port: int, context: ssl.SSLContext | None) -> AsyncIterator[Callable[[], Awaitable[object]]]:
    headers = {"Accept": "application/json", "Authorization": "Bearer 0123456789abcdef"}
    url = f"{'http' if context is None else 'https'}://127.0.0.1:{port}/apis/example.com/v1/widgets"
    async with ClientSession() as session:

        async def ask() -> bytes:
            async with session.get(url, headers=headers, ssl=context or True) as response:
                return await response.read()

        yield ask


def _clients(title: str, authority: Authority | None) -> None:
    candidates = {"kubewright Pool": _pool, "aiohttp ClientSession": _session}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in candidates}
    with _process(ours_at_once, authority) as (port, _):
        context = authority.client() if authority is not None else None
        for _ in range(TURNS):
            for name, opened in candidates.items():
                found[name].append(uvloop.run(_asking(opened(port, context))))
    _rates(f"Client, {title}: GET of {len(BODY)} bytes, 8 at a time", found, "aiohttp ClientSession")


async def _asking(opened: AsyncIterator[Callable[[], Awaitable[object]]]) -> tuple[float, float]:
    async for ask in opened:

        async def user(times: int, ask: Callable[[], Awaitable[object]] = ask) -> None:
            for _ in range(times):
                await ask()

        await asyncio.gather(*[user(20) for _ in range(8)])
        started, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*[user(500) for _ in range(8)])
        spent = (time.process_time() - cpu) / 4000, (time.perf_counter() - started) / 4000
    return spent


def _fan_out(title: str, authority: Authority | None) -> None:
    context = authority.client() if authority is not None else None
    with _process(watched, authority) as (port, control):
        poll = select.epoll()
        peers: dict[int, socket.socket] = {}
        for _ in range(WATCHERS):
            peer = socket.create_connection(("127.0.0.1", port))
            if context is not None:
                peer = context.wrap_socket(peer, server_hostname="localhost")
            peer.sendall(ASKED)
            peers[peer.fileno()] = peer
            poll.register(peer, select.EPOLLIN)
        while True:
            control.send("count")
            if control.recv() == WATCHERS:
                break
            time.sleep(0.01)
        poll.register(control, select.EPOLLIN)
        found = []
        for _ in range(TURNS):
            control.send("write")
            while True:
                ready = poll.poll()
                for descriptor, _ in ready:
                    if descriptor in peers:
                        peers[descriptor].recv(1 << 18)
                if any(descriptor == control.fileno() for descriptor, _ in ready):
                    break
            cpu, wall = control.recv()
            found.append((cpu / (EVENTS * WATCHERS), wall / (EVENTS * WATCHERS)))
        for peer in peers.values():
            peer.close()
    name = "kubewright Stream"
    _rates(f"Fan-out, {title}: {len(BODY)} bytes to {WATCHERS} connections", {name: found}, name)


def _rates(title: str, found: dict[str, list[tuple[float, float]]], peer: str) -> None:
    print(f"\n{title}")
    cpu = {name: statistics.median(spent for spent, _ in turns) for name, turns in found.items()}
    for name, turns in found.items():
        wall = statistics.median(took for _, took in turns)
        print(
            f"  {name:<40} {cpu[name] * 1e6:>8.1f} µs CPU   {1 / cpu[name]:>8.0f} a CPU second"
            f"   {1 / wall:>8.0f} a second   {cpu[peer] / cpu[name]:>5.2f} x {peer}"
        )


if __name__ == "__main__":
    main()
