"""A way by a proxy that speaks SOCKS5; the one here answers as RFC 1928 and 1929 say."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.http.certificates import Authority
from tests.http.conftest import Run
from tests.http.wire import echo, serving

from kubewright.http import ConnectError, Origin, Pool, Proxy, Request, TimedOutError, Timeouts

BOUND = b"\x01\x7f\x00\x00\x01\x10\x00"


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(serve: Serve) -> AsyncIterator[Origin]:
    """Who does that with each connection, until the end."""
    tasks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await serve(reader, writer)
        writer.close()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks[asyncio.ensure_future(begin(reader, writer))] = writer

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield Origin("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for writer in tasks.values():
            writer.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def socks(
    seen: list[bytes], *, way: int = 0, verdict: int = 0, reply: int = 0, bound: bytes = BOUND
) -> AsyncIterator[Origin]:
    """A proxy that connects where it is asked to, and notes what it was told; each answer in pieces."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def say(data: bytes) -> None:
            for byte in data:
                writer.write(bytes((byte,)))
                await asyncio.sleep(0.001)

        async def counted() -> bytes:
            return await reader.readexactly((await reader.readexactly(1))[0])

        await reader.readexactly(1)
        seen.append(await counted())
        await say(bytes((5, way)))
        if way == 2:
            await reader.readexactly(1)
            seen.append(await counted() + b":" + await counted())
            await say(bytes((1, verdict)))
        kind = (await reader.readexactly(4))[3]
        seen.append(await counted() if kind == 3 else await reader.readexactly({1: 4, 4: 16}[kind]))
        port = int.from_bytes(await reader.readexactly(2), "big")
        if reply:
            await say(bytes((5, reply, 0)) + BOUND)
            return
        there, out = await asyncio.open_connection("127.0.0.1", port)
        await say(b"\x05\x00\x00" + bound)
        await asyncio.gather(copy(reader, out), copy(there, writer))

    async with listening(serve) as by:
        yield by


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
    writer.close()


def test_plain_requests_and_tls_go_through_and_names_are_left_to_the_proxy(run: Run, tmp_path: Path) -> None:
    seen: list[bytes] = []
    authority = Authority(tmp_path)

    async def main() -> list[bytes]:
        found = []
        for context in (None, authority.server()):
            async with serving(echo, context=context) as port, socks(seen) as by:
                trusted = authority.client() if context is not None else None
                async with Pool(proxy=Proxy(by, socks=("", ""))) as pool:
                    response = await pool.request(Origin("localhost", port, trusted), Request("GET", "/a"))
                    found.append(await response.read())
        return found

    assert run(main) == [b"GET /a ", b"GET /a "]
    assert seen == [b"\x00", b"localhost"] * 2


@pytest.mark.parametrize(
    ("host", "address", "bound"),
    [
        ("127.0.0.1", b"\x7f\x00\x00\x01", b"\x04" + bytes(16) + b"\x00\x01"),
        ("::1", bytes(15) + b"\x01", b"\x03\x01a\x00\x01"),
    ],
)
def test_addresses_are_sent_as_addresses_and_the_proxys_own_may_be_of_any_sort(
    run: Run, host: str, address: bytes, bound: bytes
) -> None:
    seen: list[bytes] = []

    async def main() -> bytes:
        async with (
            serving(echo) as port,
            socks(seen, bound=bound) as by,
            Pool(proxy=Proxy(by, socks=("", ""))) as pool,
        ):
            return await (await pool.request(Origin(host, port), Request("GET", "/"))).read()

    assert run(main) == b"GET / "
    assert seen[-1] == address


def test_a_user_and_password_are_told_where_they_are_wanted(run: Run) -> None:
    seen: list[bytes] = []

    async def main() -> bytes:
        async with (
            serving(echo) as port,
            socks(seen, way=2) as by,
            Pool(proxy=Proxy(by, socks=("me", "sécret"))) as pool,
        ):
            return await (await pool.request(Origin("localhost", port), Request("GET", "/"))).read()

    assert run(main) == b"GET / "
    assert seen[:2] == [b"\x00\x02", "me:sécret".encode()]


@pytest.mark.parametrize(
    ("login", "answers", "problem"),
    [
        (("", ""), {"way": 2}, "wants a user and password; write them into its URL"),
        (("", ""), {"way": 255}, "wants a user and password; write them into its URL"),
        (("me", "x"), {"way": 255}, "wants to know who asks in another way"),
        (("me", "x"), {"way": 2, "verdict": 1}, "does not take the user and password of its URL"),
        (("", ""), {"reply": 5}, "does not connect: nobody listens there"),
        (("", ""), {"reply": 99}, "does not connect: its answer is 99"),
    ],
)
def test_why_a_proxy_does_not_connect_is_told(
    run: Run, login: tuple[str, str], answers: dict[str, Any], problem: str
) -> None:
    async def main() -> str:
        async with socks([], **answers) as by, Pool(proxy=Proxy(by, socks=login)) as pool:
            with pytest.raises(ConnectError) as told:
                await pool.request(Origin("localhost", 1), Request("GET", "/"))
            return str(told.value).replace(by.authority, "there")

    assert run(main) == f"cannot connect to http://localhost:1: the proxy socks5://there {problem}"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [(b"HTTP/1.1 400 Bad Request\r\n\r\n", r"is none that speaks SOCKS5: it answers b'HT'"), (b"\x05", "closed the")],
)
def test_what_is_no_such_proxy_is_told(run: Run, answer: bytes, problem: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer)

    async def main() -> None:
        async with listening(serve) as by, Pool(proxy=Proxy(by, socks=("", ""))) as pool:
            with pytest.raises(ConnectError, match=problem):
                await pool.request(Origin("localhost", 1), Request("GET", "/"))

    run(main)


def test_a_proxy_that_says_nothing_is_not_waited_for_without_end(run: Run) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async def main() -> None:
        async with listening(serve) as by, Pool(None, Timeouts(connect=0.05), Proxy(by, socks=("", ""))) as pool:
            with pytest.raises(TimedOutError, match=r"by way of the proxy socks5://127\.0\.0\.1:\d+ took more than"):
                await pool.request(Origin("localhost", 1), Request("GET", "/"))

    run(main)
