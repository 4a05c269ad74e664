"""Ways to a server, and the sentence when there is none."""

import asyncio
import ctypes
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from tests.http.certificates import Authority
from tests.http.conftest import Run
from tests.http.wire import echo, serving

from kubewright.http import (
    ClientLimits,
    ConnectError,
    DisconnectedError,
    Headers,
    Origin,
    Pool,
    Proxy,
    Request,
    Response,
    TimedOutError,
    Timeouts,
)
from kubewright.http.dial import dial
from kubewright.http.exchange import Exchange


@asynccontextmanager
async def proxy(
    seen: list[bytes], answer: bytes = b"HTTP/1.1 200 Connection established\r\n\r\n"
) -> AsyncIterator[Origin]:
    """A proxy that connects where it is asked to."""
    tasks: set[asyncio.Task[None]] = set()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        seen.append(head)
        method, target = head.split(b" ")[:2]
        where = target if method == b"CONNECT" else target.split(b"/")[2]
        port = int(where.rpartition(b":")[2])
        there, out = await asyncio.open_connection("127.0.0.1", port)
        if method == b"CONNECT":
            writer.write(answer)
        else:
            out.write(head)
        for ends in ((reader, out), (there, writer)):
            task = asyncio.ensure_future(copy(*ends))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield Origin("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()
        await asyncio.gather(*tasks, return_exceptions=True)


def test_plain_requests_go_to_a_proxy_with_their_whole_url_and_what_it_wants_to_know(run: Run) -> None:
    seen: list[bytes] = []

    async def main() -> bytes:
        headers = Headers([(b"Proxy-Authorization", b"Basic eDp5")])
        async with serving(echo) as port, proxy(seen) as by, Pool(proxy=Proxy(by, headers)) as pool:
            response = await pool.request(Origin("127.0.0.1", port), Request("GET", "/a?b"))
            return (await response.read()).replace(b"%d" % port, b"PORT")

    assert run(main) == b"GET http://127.0.0.1:PORT/a?b "
    assert b"Proxy-Authorization: Basic eDp5\r\n" in seen[0]


def test_tls_goes_through_a_proxy_untouched(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    seen: list[bytes] = []

    async def main() -> list[bytes]:
        async with serving(echo, context=authority.server()) as port, proxy(seen) as by:
            headers = Headers([(b"Proxy-Authorization", b"Basic eDp5")])
            async with Pool(proxy=Proxy(by, headers)) as pool:
                origin = Origin("localhost", port, authority.client())
                return [await (await pool.request(origin, Request("POST", "/", body=b"x"))).read() for _ in range(2)]

    assert run(main) == [b"POST / x", b"POST / x"]
    [head] = seen
    assert head.startswith(b"CONNECT localhost:")
    assert b"Proxy-Authorization: Basic eDp5\r\n" in head


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.0 200 Connection established\r\nProxy-agent: tinyproxy/1.11\r\n\r\n",
        b"HTTP/1.1 200 Connection established\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_a_tunnel_stays_open_whatever_its_proxy_says_of_the_connection(run: Run, tmp_path: Path, answer: bytes) -> None:
    """Many proxies say HTTP/1.0, which elsewhere means that the connection ends with the answer."""
    authority = Authority(tmp_path)

    async def main() -> bytes:
        secure = authority.server()
        async with serving(echo, context=secure) as port, proxy([], answer) as by, Pool(proxy=Proxy(by)) as pool:
            response = await pool.request(Origin("localhost", port, authority.client()), Request("GET", "/"))
            return await response.read()

    assert run(main) == b"GET / "


def test_a_proxy_that_refuses_is_told(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    async def main() -> None:
        refusal = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
        secure = authority.server()
        async with serving(echo, context=secure) as port, proxy([], refusal) as by, Pool(proxy=Proxy(by)) as pool:
            origin = Origin("localhost", port, authority.client())
            with pytest.raises(ConnectError, match=r"the proxy http://127\.0\.0\.1:\d+ answered 407"):
                await pool.request(origin, Request("GET", "/"))

    run(main)


@pytest.mark.parametrize("status", [b"407 Proxy Authentication Required", b"403 Forbidden"])
def test_what_a_proxy_says_beside_its_refusal_does_not_hide_it(run: Run, tmp_path: Path, status: bytes) -> None:
    authority = Authority(tmp_path)

    async def main() -> None:
        refusal = b"HTTP/1.1 %b\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\ndenied" % status
        async with serving(echo) as port, proxy([], refusal) as by, Pool(proxy=Proxy(by)) as pool:
            with pytest.raises(ConnectError) as told:
                await pool.request(Origin("localhost", port, authority.client()), Request("GET", "/"))
        code = status[:3].decode()
        sentence = f"cannot connect to https://localhost:{port}: the proxy {by.url} answered {code}, not 200"
        assert str(told.value).startswith(sentence)
        assert ("user:password@" in str(told.value)) is (code == "407")

    run(main)


def test_what_is_no_answer_of_a_proxy_is_told_with_its_address(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    async def main() -> None:
        async with serving(echo) as port, proxy([], b"SSH-2.0\r\n\r\n") as by, Pool(proxy=Proxy(by)) as pool:
            sentence = rf"by way of the proxy {by.url}: CONNECT localhost:{port}: malformed"
            with pytest.raises(ConnectError, match=sentence):
                await pool.request(Origin("localhost", port, authority.client()), Request("GET", "/"))

    run(main)


def test_nobody_listening_is_told(run: Run) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def main() -> None:
        async with Pool() as pool:
            with pytest.raises(ConnectError, match=rf"cannot connect to http://127\.0\.0\.1:{port}: "):
                await pool.request(Origin("127.0.0.1", port), Request("GET", "/"))

    run(main)


def test_a_handshake_that_nobody_answers_is_given_up(run: Run, tmp_path: Path) -> None:
    context = Authority(tmp_path).client()

    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            async with Pool() as pool:
                origin = Origin("localhost", silent.getsockname()[1], context)
                with pytest.raises(TimedOutError, match=r"connecting to https://localhost:\d+ took more than 0\.05 s"):
                    await pool.request(origin, Request("GET", "/"), Timeouts(connect=0.05))

    run(main)


def test_plain_words_to_a_tls_server_are_told(run: Run, tmp_path: Path) -> None:
    async def main() -> tuple[int, bytes]:
        async with serving(echo, context=Authority(tmp_path).server()) as port, Pool() as pool:
            response = await pool.request(Origin("127.0.0.1", port), Request("GET", "/"))
            return response.status, await response.read()

    assert run(main) == (400, b"Client sent an HTTP request to an HTTPS server.\n")


def test_tls_to_a_plain_server_is_told(run: Run, tmp_path: Path) -> None:
    context = Authority(tmp_path).client()

    async def main() -> None:
        async with serving(lambda request: Response(200)) as port, Pool() as pool:
            with pytest.raises(ConnectError, match=rf"cannot connect to https://localhost:{port}: "):
                await pool.request(Origin("localhost", port, context), Request("GET", "/"))

    run(main)


def test_tcp_is_told_to_look_after_a_silent_peer(run: Run) -> None:
    async def main() -> list[int]:
        async with serving(echo) as port, Pool() as pool:
            await (await pool.request(Origin("127.0.0.1", port), Request("GET", "/"))).read()
            [exchange] = pool._open
            connected: socket.socket = exchange.transport.get_extra_info("socket")
            return [
                connected.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE),
                connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
                connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT),
            ]

    assert run(main) == [1, 8, 20_000]


async def _deaf(limits: ClientLimits) -> float:
    """How long a client waits for more from a peer that is there no longer, not even to say so."""
    accepted: list[socket.socket] = []
    loop = asyncio.get_running_loop()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)

        async def serve() -> None:
            peer, _ = await loop.sock_accept(listening)
            accepted.append(peer)
            await loop.sock_recv(peer, 65536)
            await loop.sock_sendall(peer, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")

        task = asyncio.create_task(serve())
        async with Pool(limits) as pool:
            response = await pool.request(Origin("127.0.0.1", listening.getsockname()[1]), Request("GET", "/"))
            pieces = aiter(response)
            assert await anext(pieces) == b"x"
            await task
            # One instruction for the kernel, `return 0`: whatever comes for this socket is dropped, unanswered.
            code = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
            accepted[0].setsockopt(socket.SOL_SOCKET, 26, struct.pack("HxxxxxxP", 1, ctypes.addressof(code)))
            began = loop.time()
            with pytest.raises(DisconnectedError):
                await anext(pieces)
            took = loop.time() - began
        accepted[0].close()
        return took


def test_a_peer_that_died_without_a_word_is_found_by_tcp(run: Run) -> None:
    assert run(lambda: _deaf(ClientLimits(keep_alive_time=1, user_timeout=1.5))) < 4


@pytest.mark.deep
def test_a_dead_peer_is_found_within_30_seconds(run: Run) -> None:
    assert 15 < run(lambda: _deaf(ClientLimits())) < 30


def test_who_gives_up_when_he_is_just_connected_leaves_nothing_open(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path)
    connected = Exchange.connection_made

    async def main() -> None:
        over, lost = asyncio.Event(), asyncio.Event()

        async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            cast("asyncio.Transport", writer.transport).pause_reading()  # it would not hear that the client closes
            await over.wait()
            writer.transport.abort()

        def give_up(exchange: Exchange, transport: asyncio.BaseTransport) -> None:
            connected(exchange, transport)
            exchange.on_closed = lambda _: lost.set()
            task.cancel()

        monkeypatch.setattr(Exchange, "connection_made", give_up)
        server = await asyncio.start_server(deaf, "127.0.0.1", 0, ssl=authority.server())
        origin = Origin("localhost", server.sockets[0].getsockname()[1], authority.client())
        task = asyncio.ensure_future(dial(origin, None, ClientLimits(), Timeouts()))
        with pytest.raises(asyncio.CancelledError):
            await task
        async with asyncio.timeout(10):
            await lost.wait()
        over.set()
        server.close()

    run(main)


def test_a_request_is_sent_at_once_and_not_when_the_loop_has_done_all_else(run: Run) -> None:
    """What passed a gate must not lie in a buffer while the process may stand still."""

    async def main() -> bytes:
        loop = asyncio.get_running_loop()
        with socket.create_server(("127.0.0.1", 0)) as server:
            origin = Origin.of(f"http://127.0.0.1:{server.getsockname()[1]}")
            exchange = await dial(origin, None, ClientLimits(), Timeouts())
            peer, _ = server.accept()
            with peer:
                peer.setblocking(False)
                arrived: asyncio.Future[bytes] = loop.create_future()
                sending = loop.create_task(exchange.send(Request("GET", "/"), Timeouts()))
                # In the same turn of the loop, after the request was written.
                loop.call_soon(lambda: arrived.set_result(peer.recv(4096)))
                try:
                    return await arrived
                finally:
                    sending.cancel()
                    exchange.abort()

    assert run(main).startswith(b"GET / HTTP/1.1\r\n")
