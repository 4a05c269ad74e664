"""Clients that do over sockets what no client should: the cluster answers, or closes the door, and lives on."""

import asyncio
import json
import resource
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.cluster.stage import CONFIGMAPS
from tests.http.certificates import Authority
from tests.http.wire import Answer, Wire, answers, eventually, get

from kubewright.client import load_kubeconfig
from kubewright.cluster import Cluster
from kubewright.cluster.verbs.decode import BODY_LIMIT

Story = Callable[["Door"], Coroutine[Any, Any, None]]
BODY = b'{"metadata":{"name":"a"},"data":{"k":"v"}}'


class Door:
    """A cluster, and the way in."""

    def __init__(self, cluster: Cluster, port: int, context: ssl.SSLContext | None) -> None:
        self.cluster, self.port, self.context = cluster, port, context

    async def open(self) -> Wire:
        return await Wire.open(self.port, self.context)

    async def exchange(self, data: bytes) -> list[Answer]:
        async with await self.open() as wire:
            wire.send(data)
            return answers(await wire.rest())

    async def is_alive(self) -> bool:
        return (await self.exchange(get(CONFIGMAPS, "Connection: close")))[0].status == 200

    def names(self) -> list[str]:
        store = self.cluster.store
        return [record.key.rpartition("/")[2] for record in store.list("/configmaps/default/").records]


@pytest.fixture(params=["plain", "tls"])
def play(request: pytest.FixtureRequest) -> Callable[[Story], None]:
    def run(story: Story) -> None:
        async def main() -> None:
            async with opened(tls=request.param == "tls") as door, asyncio.timeout(30):
                await story(door)
                assert await door.is_alive()

        asyncio.run(main())

    return run


@asynccontextmanager
async def opened(*, tls: bool) -> AsyncIterator[Door]:
    options: dict[str, Any] = {"port": 0} if tls else {"port": None, "plain_port": 0}
    async with Cluster(controllers="none", **options) as cluster:
        context = load_kubeconfig(cluster.kubeconfig).tls() if tls else None
        yield Door(cluster, int((cluster.server or cluster.plain_server).rpartition(":")[2]), context)


def post(*lines: str, body: bytes = BODY, target: str = CONFIGMAPS) -> bytes:
    return get(target, "Content-Type: application/json", *lines, method="POST", body=body)


def test_a_body_that_comes_byte_by_byte_is_one_body(play: Callable[[Story], None]) -> None:
    async def story(door: Door) -> None:
        async with await door.open() as wire:
            for byte in post(f"Content-Length: {len(BODY)}", "Connection: close"):
                wire.send(bytes([byte]))
                await wire.writer.drain()
            assert answers(await wire.rest())[0].status == 201

    play(story)


def test_a_write_that_is_cut_off_is_complete_or_absent(play: Callable[[Story], None]) -> None:
    async def story(door: Door) -> None:
        made = 0
        for end in range(0, 200, 9):
            body = b'{"metadata":{"name":"w%d"},"data":{"k":"%s"}}' % (end, b"v" * 20)
            whole = post(f"Content-Length: {len(body)}", body=body)
            wire = await door.open()
            wire.send(whole[: min(end, len(whole))])
            await wire.writer.drain()
            wire.abort()
            made += end >= len(whole)
        assert await door.is_alive()
        for record in door.cluster.store.list("/configmaps/default/").records:
            assert record.value is not None
            assert json.loads(record.value)["data"] == {"k": "v" * 20}
        assert len(door.names()) <= made

    play(story)


def test_a_write_whose_client_leaves_before_the_answer_is_made(play: Callable[[Story], None]) -> None:
    async def story(door: Door) -> None:
        wire = await door.open()
        wire.send(post(f"Content-Length: {len(BODY)}"))
        await wire.writer.drain()
        await wire.close()
        await eventually(lambda: door.names() == ["a"])

    play(story)


def test_a_client_that_says_it_sends_no_more_still_hears_the_answer() -> None:
    async def main() -> None:
        async with opened(tls=False) as door, asyncio.timeout(20), await door.open() as wire:
            wire.send(get(CONFIGMAPS) + get("/version"))
            wire.writer.write_eof()
            assert [answer.status for answer in answers(await wire.rest())] == [200, 200]

    asyncio.run(main())


def test_a_client_that_says_so_during_a_watch_ends_it() -> None:
    async def main() -> None:
        async with opened(tls=False) as door, asyncio.timeout(20), await door.open() as wire:
            wire.send(get(f"{CONFIGMAPS}?watch=1"))
            await wire.until(b"\r\n\r\n")
            wire.writer.write_eof()
            await eventually(lambda: not door.cluster.api.watchers)

    asyncio.run(main())


@pytest.mark.parametrize("length", [BODY_LIMIT + 1, 10**12])
def test_a_body_that_is_too_long_is_refused_before_it_is_sent(play: Callable[[Story], None], length: int) -> None:
    async def story(door: Door) -> None:
        async with await door.open() as wire:
            wire.send(post(f"Content-Length: {length}", "Expect: 100-continue", body=b""))
            (answer,) = answers(await wire.rest())
            assert answer.status == 413
            assert json.loads(answer.body)["message"] == "Request entity too large: limit is 3145728"

    play(story)


def test_a_body_that_is_too_long_is_refused_while_it_is_sent(play: Callable[[Story], None]) -> None:
    async def story(door: Door) -> None:
        async with await door.open() as wire:
            wire.send(post("Transfer-Encoding: chunked", body=b""))
            piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
            for _ in range(BODY_LIMIT // 0x10000 + 2):
                wire.send(piece)
            (answer,) = answers(await wire.rest())
            assert (answer.status, json.loads(answer.body)["reason"]) == (413, "RequestEntityTooLarge")
        assert door.names() == []

    play(story)


def test_a_body_of_the_greatest_length_is_read(play: Callable[[Story], None]) -> None:
    async def story(door: Door) -> None:
        body = BODY + b" " * (BODY_LIMIT - len(BODY))
        (answer,) = await door.exchange(post(f"Content-Length: {len(body)}", "Connection: close", body=body))
        assert answer.status == 201

    play(story)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (get(CONFIGMAPS, "X: " + "x" * 1_100_000), 431),
        (get(CONFIGMAPS, *(f"X-{number}: y" for number in range(6000))), 431),
        (get(f"{CONFIGMAPS}?labelSelector=" + "x" * 300_000), 414),
        (get(f"{CONFIGMAPS}?labelSelector=a+in+(" + "x," * 100_000 + "x)", "Connection: close"), 200),
        (get(CONFIGMAPS, "Content-Length: 1", "Content-Length: 2", method="POST"), 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20 + b"\r\n\r\n", 400),
    ],
    ids=["long header", "many headers", "long target", "long selector", "two lengths", "TLS in clear text"],
)
def test_what_is_too_much_or_no_http_is_refused(request_: bytes, status: int) -> None:
    async def main() -> None:
        async with opened(tls=False) as door, asyncio.timeout(20):
            assert (await door.exchange(request_))[0].status == status
            assert await door.is_alive()

    asyncio.run(main())


def test_watches_in_a_row_on_one_connection_follow_each_other(play: Callable[[Story], None]) -> None:
    async def story(door: Door) -> None:
        async with await door.open() as wire:
            wire.send(get(f"{CONFIGMAPS}?watch=1&timeoutSeconds=1") * 2 + get("/version", "Connection: close"))
            assert [answer.status for answer in answers(await wire.rest())] == [200, 200, 200]

    play(story)


def test_an_answer_is_compressed_for_who_takes_it_but_a_body_must_be_plain(play: Callable[[Story], None]) -> None:
    async def story(door: Door) -> None:
        text = {"k": "x" * 200_000}
        await door.cluster.client().create(CONFIGMAPS, {"metadata": {"name": "long"}, "data": text})
        lines = ("Accept-Encoding: gzip", "Connection: close")
        (answer,) = await door.exchange(get(CONFIGMAPS, *lines))
        assert answer.headers["content-encoding"] == "gzip"
        assert len(answer.body) < 10_000
        (answer,) = await door.exchange(
            post("Content-Encoding: gzip", "Content-Length: 12", "Connection: close", body=b"\x1f\x8b" + bytes(10))
        )
        assert answer.status == 400

    play(story)


def test_a_watcher_that_reads_nothing_is_cut_off(play: Callable[[Story], None]) -> None:
    async def story(door: Door) -> None:
        wire = await door.open()
        wire.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport of ours reads
        wire.send(get(f"{CONFIGMAPS}?watch=1"))
        await eventually(lambda: bool(door.cluster.api.watchers))
        client, text = door.cluster.client(), "x" * 1_000_000
        for number in range(60):
            if not door.cluster.api.watchers:
                break
            await client.create(CONFIGMAPS, {"metadata": {"name": f"c{number}"}, "data": {"k": text}})
        assert 16 < number < 40  # what the kernel takes, and the limit of 16 MiB
        await eventually(lambda: not door.cluster.api.watchers)
        wire.abort()

    play(story)


def test_a_reader_of_a_long_list_that_reads_nothing_delays_nobody(play: Callable[[Story], None]) -> None:
    async def story(door: Door) -> None:
        client, text = door.cluster.client(), "x" * 500_000
        for number in range(20):
            await client.create(CONFIGMAPS, {"metadata": {"name": f"c{number}"}, "data": {"k": text}})
        wires = [await door.open() for _ in range(5)]
        for wire in wires:
            wire.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport of ours reads
            # Pipelined: the second list is not even made while the first waits.
            wire.send(get(CONFIGMAPS) * 50)
        (answer,) = await door.exchange(get(f"{CONFIGMAPS}/c0", "Connection: close"))
        assert answer.status == 200
        for wire in wires:
            wire.abort()

    play(story)


async def greet(port: int, context: ssl.SSLContext) -> None:
    async with await Wire.open(port, context) as wire:
        wire.send(get("/version"))
        await wire.until(b"\r\n")


def test_a_certificate_of_another_authority_ends_the_handshake_and_nothing_else(tmp_path: Path) -> None:
    """The real server lets the handshake pass and answers 401; Python's library has no way to do so."""

    async def main() -> None:
        async with opened(tls=True) as door, asyncio.timeout(20):
            authority = load_kubeconfig(door.cluster.kubeconfig).authority
            assert authority is not None
            stranger = ssl.create_default_context(cadata=authority.decode())
            stranger.load_cert_chain(Authority(tmp_path, "other").issue("mallory"))
            with pytest.raises((ssl.SSLError, ConnectionError, asyncio.IncompleteReadError)):
                await greet(door.port, stranger)
            assert await door.is_alive()

    asyncio.run(main())


CROWD = """
import socket, sys
port, count, request = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].encode()
peers = []
for _ in range(count):
    peer = socket.create_connection(("127.0.0.1", port))
    peer.sendall(request)
    peers.append(peer)
print("open", flush=True)
sys.stdin.readline()
for peer in peers:
    data = b""
    while b'"ADDED"' not in data:
        piece = peer.recv(65536)
        if not piece:
            sys.exit("a watch ended")
        data += piece
print("told", flush=True)
"""


def resident() -> int:
    """Bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.deep
def test_ten_thousand_idle_watches_cost_little_and_each_is_told() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(10_000, hard - 200)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    async def main() -> None:
        async with opened(tls=False) as door, asyncio.timeout(120):
            before = resident()
            crowd = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", CROWD, str(door.port), str(count), get(f"{CONFIGMAPS}?watch=1").decode()),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            assert crowd.stdin is not None
            assert crowd.stdout is not None
            assert await crowd.stdout.readline() == b"open\n"
            await eventually(lambda: sum(map(len, door.cluster.api.watchers.values())) == count)
            each = (resident() - before) / count
            await door.cluster.client().create(CONFIGMAPS, {"metadata": {"name": "a"}})
            crowd.stdin.write(b"\n")
            assert await crowd.stdout.readline() == b"told\n"
            await crowd.wait()
            await eventually(lambda: not door.cluster.api.watchers)
            print(f"{count} watches, {each:.0f} bytes each")
            assert each < 40_000
            assert await door.is_alive()

    try:
        asyncio.run(main())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
