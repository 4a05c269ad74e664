"""Listening, TLS, stopping; and clients that others wrote."""

import asyncio
import http.client
import socket
import ssl
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from cryptography import x509
from tests.http.certificates import Authority
from tests.http.conftest import Run
from tests.http.wire import Wire, answers, echo, eventually, exchange, get, serving

from kubewright.http import (
    Body,
    ConnectError,
    DisconnectedError,
    Origin,
    Pool,
    Request,
    Response,
    Server,
    ServerLimits,
    Stream,
)


async def who(request: Request) -> Response:
    """Answer with the name in the client's certificate."""
    certificate = request.peer.certificate
    if certificate is None:
        return Response(200, body=b"nobody" if request.peer.secure else b"plain")
    return Response(200, body=x509.load_der_x509_certificate(certificate).subject.rfc4514_string().encode())


@pytest.mark.parametrize(("name", "body"), [("ada", b"CN=ada"), (None, b"nobody")])
def test_the_certificate_of_a_client_reaches_the_handler(
    run: Run, tmp_path: Path, name: str | None, body: bytes
) -> None:
    authority = Authority(tmp_path)

    async def main() -> bytes:
        async with serving(who, context=authority.server()) as port, Pool() as pool:
            response = await pool.request(Origin("localhost", port, authority.client(name)), Request("GET", "/"))
            return await response.read()

    assert run(main) == body


def test_a_certificate_of_another_authority_ends_the_handshake(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    stranger = authority.client()
    stranger.load_cert_chain(Authority(tmp_path, "other").issue("eve"))

    async def main() -> None:
        async with serving(who, context=authority.server()) as port, Pool() as pool:
            with pytest.raises((ConnectError, DisconnectedError)):
                await pool.request(Origin("localhost", port, stranger), Request("GET", "/"))

    run(main)


def test_a_server_of_another_authority_is_not_trusted(run: Run, tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(who, context=Authority(tmp_path).server()) as port, Pool() as pool:
            origin = Origin("localhost", port, Authority(tmp_path, "other").client())
            with pytest.raises(ConnectError, match=r"https://localhost:\d+: its certificate is not trusted"):
                await pool.request(origin, Request("GET", "/"))

    run(main)


def test_the_name_a_certificate_must_have_can_be_given(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    async def main() -> bytes:
        async with serving(who, context=authority.server()) as port, Pool() as pool:
            good = Origin("127.0.0.1", port, authority.client(), "localhost")
            with pytest.raises(ConnectError, match="not trusted"):
                await pool.request(Origin("127.0.0.1", port, good.context, "elsewhere"), Request("GET", "/"))
            return await (await pool.request(good, Request("GET", "/"))).read()

    assert run(main) == b"nobody"


def test_only_http_1_is_offered_over_tls(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    async def main() -> str | None:
        async with serving(who, context=authority.server()) as port:
            context = authority.client()
            context.set_alpn_protocols(["h2", "http/1.1"])
            async with await Wire.open(port, context) as wire:
                secure: ssl.SSLObject = wire.writer.get_extra_info("ssl_object")
                return secure.selected_alpn_protocol()

    assert run(main) == "http/1.1"


def test_ten_megabytes_go_both_ways_over_tls(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    body = bytes(range(256)) * 4096 * 10

    async def handler(request: Request) -> Response:
        return Response(200, body=await request.read())

    async def main() -> bytes:
        context = authority.server()
        async with serving(handler, ServerLimits(body=len(body)), context) as port, Pool() as pool:
            origin = Origin("localhost", port, authority.client())
            return await (await pool.request(origin, Request("PUT", "/", body=body))).read()

    assert run(main) == body


def test_a_stream_over_tls_hears_when_its_client_goes(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    stream = Stream()

    async def main() -> None:
        async with serving(lambda request: Response(200, body=stream), context=authority.server()) as port:
            wire = await Wire.open(port, authority.client())
            wire.send(get())
            stream.write(b"a")
            await wire.until(b"a\r\n")
            wire.abort()
            await stream.wait_closed()

    run(main)


def test_a_refused_body_over_tls_is_told_before_the_connection_ends(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    async def main() -> bytes:
        limits = ServerLimits(body=100, linger_time=0.1)
        async with serving(echo, limits, authority.server()) as port:
            request = get("/", "Content-Length: 3000000", method="POST", body=bytes(3_000_000))
            return await exchange(port, request, authority.client())

    assert answers(run(main))[0].status == 413


def test_one_server_listens_plain_and_over_tls(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    async def main() -> list[bytes]:
        server = Server(who)
        plain = await server.listen("127.0.0.1", 0)
        secure = await server.listen("127.0.0.1", 0, authority.server())
        async with Pool() as pool:
            origins = [Origin("127.0.0.1", plain), Origin("localhost", secure, authority.client())]
            found = [await (await pool.request(origin, Request("GET", "/"))).read() for origin in origins]
        await server.stop()
        return found

    assert run(main) == [b"plain", b"nobody"]


def test_stopping_waits_for_what_runs_and_closes_what_does_not(run: Run) -> None:
    async def main() -> bytes:
        asked, go_on = asyncio.Event(), asyncio.Event()

        async def handler(request: Request) -> Response:
            if request.target == "/slow":
                asked.set()
                await go_on.wait()
            return await echo(request)

        server = Server(handler)
        port = await server.listen("127.0.0.1", 0)
        async with await Wire.open(port) as idle, await Wire.open(port) as busy:
            idle.send(get("/quick"))
            await idle.until(b"/quick ")
            busy.send(get("/slow"))
            await asked.wait()
            stopping = asyncio.ensure_future(server.stop(grace=10))
            assert await idle.rest() == b""
            with pytest.raises(OSError, match=r"refused|Connect call failed"):
                await Wire.open(port)
            assert not stopping.done()
            go_on.set()
            await stopping
            return await busy.rest()

    [answer] = answers(run(main))
    assert (answer.body, answer.headers["connection"]) == (b"GET /slow ", "close")


def test_stopping_ends_streams_whole(run: Run) -> None:
    async def main() -> bytes:
        stream = Stream()
        server = Server(lambda request: Response(200, body=stream))
        port = await server.listen("127.0.0.1", 0)
        async with await Wire.open(port) as wire:
            wire.send(get())
            stream.write(b"a")
            await wire.until(b"a\r\n")
            await server.stop(grace=10)
            assert stream.closed
            return await wire.rest()

    assert run(main) == b"0\r\n\r\n"


def test_stopping_cancels_what_outlasts_its_grace(run: Run) -> None:
    async def main() -> None:
        asked, cancelled = asyncio.Event(), asyncio.Event()

        async def handler(request: Request) -> Response:
            asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()
            return Response(200)

        async def pieces() -> AsyncIterator[bytes]:
            yield b"a"
            await asyncio.Event().wait()

        server = Server(lambda request: handler(request) if request.target == "/" else Response(200, body=pieces()))
        port = await server.listen("127.0.0.1", 0)
        async with await Wire.open(port) as first, await Wire.open(port) as second:
            first.send(get("/"))
            second.send(get("/pieces"))
            await asked.wait()
            await second.until(b"a\r\n")
            await server.stop(grace=0.01)
            assert cancelled.is_set()
            assert server.connections == 0
            assert await first.rest() == b""

    run(main)


def test_curl_is_served(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    upload = tmp_path / "upload"
    upload.write_bytes(b"x" * 2_000_000)  # long enough for curl to expect `100 Continue`

    async def main() -> list[str]:
        async with serving(echo, context=authority.server()) as port:
            curl = [
                "curl",
                "-sS",
                "--cacert",
                str(authority.file),
                "-w",
                "%{http_code} %{num_connects} %{size_download}\n",
            ]
            url = f"https://localhost:{port}"
            process = await asyncio.create_subprocess_exec(
                *curl, "-o", "/dev/null", "-o", "/dev/null", "-T", str(upload), f"{url}/1", f"{url}/2",
                stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            put, _ = await process.communicate()
            process = await asyncio.create_subprocess_exec(
                *curl, "-o", "/dev/null", "-H", "Transfer-Encoding: chunked", "--data-binary", f"@{upload}", url,
                stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            post, _ = await process.communicate()
            return (put + post).decode().splitlines()

    assert run(main) == ["200 1 2000007", "200 0 7", "200 1 2000007"]


def test_pythons_own_client_is_served(run: Run) -> None:
    found: list[object] = []

    def ask(port: int) -> None:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        for method, body in (("GET", None), ("POST", b"abc"), ("PUT", iter([b"a", b"bc"])), ("HEAD", None)):
            client.request(method, "/x", body=body, encode_chunked=True)
            response = client.getresponse()
            found.append((response.status, response.read()))
        client.close()

    async def main() -> None:
        async with serving(echo) as port:
            await asyncio.to_thread(ask, port)

    run(main)
    assert found == [(200, b"GET /x "), (200, b"POST /x abc"), (200, b"PUT /x abc"), (200, b"")]


def test_a_client_that_vanishes_in_any_phase_leaves_nothing_behind(run: Run) -> None:
    whole = get("/", "Content-Length: 3", method="POST", body=b"abc") + get("/2") + get("/3", "Connection: close")

    async def main() -> int:
        server = Server(echo)
        port = await server.listen("127.0.0.1", 0)
        for end in range(0, len(whole), 3):
            peer = socket.create_connection(("127.0.0.1", port))
            peer.sendall(whole[:end])
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, not an end
            if end % 2:
                await asyncio.sleep(0)
            peer.close()
        await eventually(lambda: server.connections == 0)
        assert await exchange(port, whole)
        await server.stop()
        return server.connections

    assert run(main) == 0


def test_a_handler_called_without_a_server_sees_the_same_request() -> None:
    async def main() -> bytes:
        body = Body()
        body.feed(b"abc")
        body.finish()
        request = Request("POST", "/x", body=body)
        assert not request.disconnected
        assert request.peer.address is None
        return await (await echo(request)).read()

    assert asyncio.run(main()) == b"POST /x abc"


@pytest.mark.deep
def test_ten_thousand_idle_connections_leave_room_for_one_more(run: Run) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    count = min(10_000, hard // 2 - 200)
    stop = threading.Event()
    opened = threading.Event()
    ports: list[int] = []

    def crowd() -> None:
        peers = []
        for _ in range(count):
            peers.append(socket.create_connection(("127.0.0.1", ports[0])))
            peers[-1].sendall(get())
        opened.set()
        stop.wait()
        for peer in peers:
            peer.close()

    async def main() -> int:
        stream_count = 0

        def handler(request: Request) -> Response:
            nonlocal stream_count
            if request.target == "/last":
                return Response(200, body=b"here")
            stream_count += 1
            return Response(200, body=Stream())

        async with serving(handler) as port:
            ports.append(port)
            thread = threading.Thread(target=crowd)
            thread.start()
            try:
                await eventually(lambda: stream_count == count)
                assert answers(await exchange(port, get("/last", "Connection: close")))[0].body == b"here"
            finally:
                stop.set()
            await asyncio.to_thread(thread.join)
            return stream_count

    try:
        assert run(main) == count
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
