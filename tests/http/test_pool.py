"""What a client does with its connections, against our own server and against one that speaks bytes."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.http.conftest import Run
from tests.http.wire import echo, serving

from kubewright.http import (
    ClientClosedError,
    ClientLimits,
    ConnectError,
    DisconnectedError,
    Headers,
    HttpError,
    Origin,
    Pool,
    ProtocolError,
    Request,
    Response,
    ServerLimits,
    Stream,
    TimedOutError,
    Timeouts,
)
from kubewright.http.dial import dial
from kubewright.http.exchange import Exchange

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def scripted(script: Script) -> AsyncIterator[Origin]:
    """A server that does what `script` says on each connection."""
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        try:
            await script(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield Origin("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0)


def answers(closed: asyncio.Event) -> Script:
    """Answer one request, and note when the connection is closed."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        await reader.read()
        closed.set()

    return script


def says(data: bytes, stay: bool = False) -> Script:
    """Answer the first request with `data`, and close."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(data)
        if stay:
            await reader.read()

    return script


def test_a_request_is_answered_and_its_connection_used_again(run: Run) -> None:
    async def main() -> None:
        peers = []

        async def handler(request: Request) -> Response:
            peers.append(request.peer.address)
            return await echo(request)

        async with serving(handler) as port, Pool() as pool:
            origin = Origin("127.0.0.1", port)
            for method, body in (("GET", b""), ("POST", b"x"), ("PUT", bytes(100_000)), ("POST", b"")):
                response = await pool.request(origin, Request(method, "/a?b", body=body))
                assert (response.status, await response.read()) == (200, f"{method} /a?b ".encode() + body)
        assert len(set(peers)) == 1

    run(main)


def test_requests_at_the_same_time_have_connections_of_their_own(run: Run) -> None:
    async def main() -> int:
        peers = set()

        async def handler(request: Request) -> Response:
            peers.add(request.peer.address)
            await asyncio.sleep(0.01)
            return await echo(request)

        async with serving(handler) as port, Pool() as pool:
            origin = Origin("127.0.0.1", port)
            await asyncio.gather(*[pool.request(origin, Request("GET", "/")) for _ in range(5)])
        return len(peers)

    assert run(main) == 5


def test_a_line_end_after_an_answer_does_not_free_its_connection_again(run: Run) -> None:
    """Some servers send one. A connection that were free twice would be used by two requests at once."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            await asyncio.sleep(0.01)
            target = head.split(b" ")[1]
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(target), target))
            await asyncio.sleep(0.01)
            writer.write(b"\r\n")

    async def main() -> tuple[int, list[bytes]]:
        async with scripted(script) as origin, Pool() as pool:

            async def ask(target: str) -> bytes:
                return await (await pool.request(origin, Request("GET", target))).read()

            await ask("/first")
            await asyncio.sleep(0.05)
            free = len(pool._lanes[origin].idle)
            async with asyncio.timeout(5):
                return free, await asyncio.gather(*map(ask, ("/a", "/b", "/c")))

    assert run(main) == (1, [b"/a", b"/b", b"/c"])


def test_no_more_connections_are_made_than_allowed(run: Run) -> None:
    async def main() -> tuple[int, list[bytes]]:
        peers = set()

        async def handler(request: Request) -> Response:
            peers.add(request.peer.address)
            await asyncio.sleep(0)
            return await echo(request)

        async with serving(handler) as port, Pool(ClientLimits(total=2)) as pool:
            origin = Origin("127.0.0.1", port)

            async def ask(turn: int) -> bytes:
                return await (await pool.request(origin, Request("GET", f"/{turn}"))).read()

            return len(peers), await asyncio.gather(*[ask(turn) for turn in range(20)])

    peers, bodies = run(main)
    assert peers <= 2
    assert bodies == [b"GET /%d " % turn for turn in range(20)]


def test_a_place_in_the_queue_that_is_given_up_is_not_lost(run: Run) -> None:
    async def main() -> bytes:
        go_on = asyncio.Event()

        async def handler(request: Request) -> Response:
            await go_on.wait()
            return await echo(request)

        async with serving(handler) as port, Pool(ClientLimits(total=1)) as pool:
            origin = Origin("127.0.0.1", port)
            first = asyncio.ensure_future(pool.request(origin, Request("GET", "/1")))
            await asyncio.sleep(0.01)
            second = asyncio.ensure_future(pool.request(origin, Request("GET", "/2")))
            third = asyncio.ensure_future(pool.request(origin, Request("GET", "/3")))
            await asyncio.sleep(0)
            second.cancel()
            go_on.set()
            await (await first).read()
            return await (await third).read()

    assert run(main) == b"GET /3 "


def test_an_idle_connection_is_closed_after_its_time(run: Run) -> None:
    async def main() -> None:
        closed = asyncio.Event()

        async with scripted(answers(closed)) as origin, Pool(ClientLimits(idle_time=0.02)) as pool:
            await (await pool.request(origin, Request("GET", "/"))).read()
            await closed.wait()

    run(main)


def test_nothing_is_kept_of_an_origin_without_a_connection(run: Run) -> None:
    async def main() -> None:
        closed = asyncio.Event()

        async with scripted(answers(closed)) as origin, Pool(ClientLimits(idle_time=0.02)) as pool:
            for _ in range(2):
                await (await pool.request(origin, Request("GET", "/"))).read()
                assert list(pool._lanes) == [origin]
                await closed.wait()
                assert not pool._lanes
                closed.clear()
        async with Pool() as pool:
            with pytest.raises(ConnectError):
                await pool.request(origin, Request("GET", "/"))
            assert not pool._lanes

    run(main)


@pytest.mark.parametrize(("method", "turns"), [("GET", 3), ("POST", 2)])
def test_only_what_reads_is_sent_again_on_a_connection_that_was_closing(run: Run, method: str, turns: int) -> None:
    seen: list[bytes] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(OK)
        seen.append(await reader.readuntil(b"\r\n\r\n"))  # and closes without an answer

    async def main() -> None:
        async with scripted(script) as origin, Pool() as pool:
            await (await pool.request(origin, Request("GET", "/"))).read()
            if method == "GET":
                await (await pool.request(origin, Request(method, "/"))).read()
            else:
                with pytest.raises(DisconnectedError, match=r"POST http://127\.0"):
                    await pool.request(origin, Request(method, "/"))

    run(main)
    assert len(seen) == turns


def test_a_request_is_not_sent_again_when_something_came_back(run: Run) -> None:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 20")

    async def main() -> None:
        async with scripted(script) as origin, Pool() as pool:
            await (await pool.request(origin, Request("GET", "/"))).read()
            with pytest.raises(DisconnectedError):
                await pool.request(origin, Request("GET", "/"))

    run(main)


def test_a_body_is_read_as_it_comes(run: Run) -> None:
    async def main() -> list[bytes]:
        stream = Stream()
        async with serving(lambda request: Response(200, body=stream)) as port, Pool() as pool:
            response = await pool.request(Origin("127.0.0.1", port), Request("GET", "/"))
            found = []
            pieces = aiter(response)
            for turn in range(3):
                stream.write(b"event %d" % turn)
                found.append(await anext(pieces))
            stream.close()
            assert [piece async for piece in response] == []
            return found

    assert run(main) == [b"event 0", b"event 1", b"event 2"]


def test_a_reader_that_is_slow_slows_the_server(run: Run) -> None:
    made: list[int] = []

    async def pieces() -> AsyncIterator[bytes]:
        for turn in range(200):
            made.append(turn)
            yield bytes(1024 * 1024)

    async def main() -> int:
        async with serving(lambda request: Response(200, body=pieces())) as port, Pool() as pool:
            response = await pool.request(Origin("127.0.0.1", port), Request("GET", "/"))
            before = -1
            while before != len(made):
                before = len(made)
                await asyncio.sleep(0.05)
            assert len(made) < 30
            return sum([len(piece) async for piece in response])

    assert run(main) == 200 * 1024 * 1024


def test_a_response_that_is_not_read_to_its_end_costs_its_connection(run: Run) -> None:
    async def main() -> None:
        stream = Stream()
        async with serving(lambda request: Response(200, body=stream)) as port, Pool() as pool:
            async with await pool.request(Origin("127.0.0.1", port), Request("GET", "/")):
                pass
            await stream.wait_closed()

    run(main)


def test_pieces_are_sent_in_chunks(run: Run) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 10_000

    async def main() -> bytes:
        async with serving(echo) as port, Pool() as pool:
            response = await pool.request(Origin("127.0.0.1", port), Request("POST", "/", body=pieces()))
            return await response.read()

    assert run(main) == b"POST / " + b"x" * 1_000_000


def test_sending_stops_when_the_answer_comes_first(run: Run) -> None:
    closed = asyncio.Event()

    async def pieces() -> AsyncIterator[bytes]:
        try:
            while True:
                yield bytes(10_000)
                await asyncio.sleep(0)
        finally:
            closed.set()

    async def main() -> int:
        async with serving(lambda request: Response(401)) as port, Pool() as pool:
            response = await pool.request(Origin("127.0.0.1", port), Request("POST", "/", body=pieces()))
            await closed.wait()
            return response.status

    assert run(main) == 401


def test_an_iterator_that_fails_fails_its_request(run: Run) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"a"
        raise LookupError("nothing more")

    async def main() -> None:
        async with serving(echo) as port, Pool() as pool:
            with pytest.raises(LookupError, match="nothing more"):
                await pool.request(Origin("127.0.0.1", port), Request("POST", "/", body=pieces()))

    run(main)


def test_a_gzip_body_is_inflated(run: Run) -> None:
    body = b"again and " * 1_000_000

    async def main() -> bytes:
        headers = Headers([(b"Content-Encoding", b"gzip")])
        async with serving(lambda request: Response(200, headers, gzip.compress(body))) as port, Pool() as pool:
            return await (await pool.request(Origin("127.0.0.1", port), Request("GET", "/"))).read()

    assert run(main) == body


@pytest.mark.parametrize("data", [b"not gzip", gzip.compress(bytes(1000), mtime=0)[:-9]])
def test_a_gzip_body_that_is_none_is_an_error(run: Run, data: bytes) -> None:
    async def main() -> None:
        headers = Headers([(b"Content-Encoding", b"gzip")])
        async with serving(lambda request: Response(200, headers, data)) as port, Pool() as pool:
            response = await pool.request(Origin("127.0.0.1", port), Request("GET", "/"))
            with pytest.raises(ProtocolError, match="gzip"):
                await response.read()

    run(main)


def test_interim_answers_are_passed_over(run: Run) -> None:
    async def main() -> bytes:
        interim = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        async with scripted(says(interim + OK)) as origin, Pool() as pool:
            return await (await pool.request(origin, Request("GET", "/"))).read()

    assert run(main) == b"ok"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", DisconnectedError),
        (b"HTTP/1.1 200 OK\r\nConte", DisconnectedError),
        (b"what?\r\n\r\n", ProtocolError),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 300_000 + b"\r\n\r\n", ProtocolError),
        (b"HTTP/1.1 200 OK\r\n" + b"X: x\r\n" * 1000 + b"\r\n", ProtocolError),
        (b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", ProtocolError),
    ],
)
def test_what_is_no_answer_is_an_error_that_names_the_url(run: Run, data: bytes, error: type[HttpError]) -> None:
    async def main() -> str:
        async with scripted(says(data)) as origin, Pool() as pool:
            with pytest.raises(error) as caught:
                await pool.request(origin, Request("GET", "/a"))
            return str(caught.value)

    assert run(main).startswith("GET http://127.0.0.1:")


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ],
)
def test_a_body_that_ends_early_is_an_error_after_what_came(run: Run, data: bytes) -> None:
    async def main() -> None:
        async with scripted(says(data)) as origin, Pool() as pool:
            pieces = aiter(await pool.request(origin, Request("GET", "/a")))
            assert await anext(pieces) == b"abc"
            with pytest.raises(DisconnectedError, match=r"GET http://.*/a: the server closed the connection before"):
                await anext(pieces)

    run(main)


def test_a_server_that_does_not_answer_is_given_up(run: Run) -> None:
    async def main() -> None:
        async with scripted(says(b"", stay=True)) as origin, Pool() as pool:
            with pytest.raises(TimedOutError, match="no answer came"):
                await pool.request(origin, Request("GET", "/"), Timeouts(head=0.02))

    run(main)


def test_the_time_for_an_answer_begins_when_all_was_sent(run: Run) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(5):
            yield b"x"
            await asyncio.sleep(0.02)

    async def main() -> bytes:
        async with serving(echo) as port, Pool() as pool:
            request = Request("POST", "/", body=pieces())
            return await (await pool.request(Origin("127.0.0.1", port), request, Timeouts(head=0.08))).read()

    assert run(main) == b"POST / xxxxx"


def test_a_body_that_stops_is_given_up(run: Run) -> None:
    async def main() -> None:
        start = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"
        async with scripted(says(start, stay=True)) as origin, Pool() as pool:
            response = await pool.request(origin, Request("GET", "/"), Timeouts(idle=0.02))
            with pytest.raises(TimedOutError, match="nothing more"):
                await response.read()

    run(main)


def test_a_request_that_is_cancelled_closes_its_connection(run: Run) -> None:
    async def main() -> None:
        asked, closed = asyncio.Event(), asyncio.Event()

        async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            asked.set()
            await reader.read()
            closed.set()

        async with scripted(script) as origin, Pool() as pool:
            asking = asyncio.ensure_future(pool.request(origin, Request("GET", "/")))
            await asked.wait()
            asking.cancel()
            await closed.wait()

    run(main)


def test_a_request_cancelled_as_its_answer_comes_leaves_the_connection_to_the_next(run: Run) -> None:
    async def main() -> None:
        async def ask(path: str) -> bytes:
            return await (await exchange.send(Request("POST", path), Timeouts())).read()

        async with serving(echo) as port:
            exchange = await dial(Origin("127.0.0.1", port), None, ClientLimits(), Timeouts())
            others: list[asyncio.Task[bytes]] = []

            def give_to_another(_: object) -> None:
                exchange.on_free = None
                asking.cancel()
                others.append(asyncio.create_task(ask("/next")))

            exchange.on_free = give_to_another
            asking = asyncio.create_task(exchange.send(Request("POST", "/first"), Timeouts()))
            with pytest.raises(asyncio.CancelledError):
                await asking
            await others[0]
            exchange.abort()

    run(main)


@asynccontextmanager
async def unanswered(request: Request) -> AsyncIterator[tuple[Exchange, "asyncio.Task[Response]"]]:
    """A request that a server has, and says nothing to."""
    asked = asyncio.Event()

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await reader.read()

    async with scripted(script) as origin:
        exchange = await dial(origin, None, ClientLimits(), Timeouts())
        asking = asyncio.create_task(exchange.send(request, Timeouts()))
        await asked.wait()
        yield exchange, asking


def test_an_answer_that_comes_after_its_request_was_cancelled_frees_nothing(run: Run) -> None:
    async def main() -> None:
        async with unanswered(Request("GET", "/")) as (exchange, asking):
            freed: list[object] = []
            exchange.on_free = freed.append
            asking.cancel()
            exchange.data_received(OK)
            with pytest.raises(asyncio.CancelledError):
                await asking
            assert freed == []
            assert exchange.transport.is_closing()

    run(main)


def test_an_upgrade_cancelled_as_it_is_granted_closes_its_connection(run: Run) -> None:
    async def main() -> None:
        async with unanswered(Request("GET", "/", upgrade=True)) as (exchange, asking):
            exchange.data_received(b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            assert exchange.transport.is_closing()

    run(main)


def test_a_large_answer_that_nobody_has_read_yet_holds_nobody_up(run: Run) -> None:
    async def main() -> None:
        large = bytes(300 * 1024)

        async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n")
            writer.write(OK)
            await reader.read()

        async with scripted(script) as origin:
            exchange = await dial(origin, None, ClientLimits(), Timeouts())
            asking = asyncio.create_task(exchange.send(Request("GET", "/large"), Timeouts()))
            await asyncio.sleep(0)
            chunk = b"%x\r\n%b\r\n" % (len(large), large)
            exchange.data_received(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + b"0\r\n\r\n")
            first = await asking
            second = await exchange.send(Request("GET", "/next"), Timeouts())
            assert await second.read() == b"ok"
            assert await first.read() == large
            exchange.abort()

    run(main)


@pytest.mark.parametrize(
    ("method", "target", "headers"),
    [
        ("GET", "/a b", []),
        ("GET", "/a\r\nX: y", []),
        ("GET", "", []),
        ("GET", "/é", []),
        ("GET /", "/", []),
        ("GET", "/", [(b"X", b"a\r\nY: b")]),
        ("GET", "/", [(b"X: y\r\nZ", b"a")]),
    ],
)
def test_a_request_that_would_break_out_of_its_line_is_not_sent(
    run: Run, method: str, target: str, headers: list[tuple[bytes, bytes]]
) -> None:
    async def main() -> None:
        async with serving(echo) as port, Pool(ClientLimits(total=1)) as pool:
            origin = Origin("127.0.0.1", port)
            with pytest.raises(ValueError, match=r"header|target|method"):
                await pool.request(origin, Request(method, target, Headers(headers)))
            assert (await pool.request(origin, Request("GET", "/"))).status == 200

    run(main)


def test_streams_neither_wait_for_other_requests_nor_keep_them_from_being_sent(run: Run) -> None:
    async def main() -> None:
        streams: list[Stream] = []
        peers: set[object] = set()

        async def handler(request: Request) -> Response:
            peers.add(request.peer.address)
            if request.target != "/stream":
                await asyncio.sleep(0)
                return await echo(request)
            streams.append(Stream())
            return Response(200, body=streams[-1])

        async with serving(handler) as port, Pool(ClientLimits(total=2)) as pool:
            origin = Origin("127.0.0.1", port)

            async def ask() -> bytes:
                return await (await pool.request(origin, Request("GET", "/"))).read()

            await asyncio.gather(*[ask() for _ in range(10)])  # what is idle is lent
            answers = [await pool.request(origin, Request("GET", "/stream", lasting=True)) for _ in range(5)]
            assert len(await asyncio.gather(*[ask() for _ in range(10)])) == 10
            assert len(peers) == 7
            for stream in streams:
                stream.close()
            for answer in answers:
                assert await answer.read() == b""
            peers.clear()
            assert len(await asyncio.gather(*[ask() for _ in range(10)])) == 10
            assert len(peers) <= 2

    run(main)


def test_streams_that_are_over_give_back_no_more_places_than_there_are(run: Run) -> None:
    async def main() -> None:
        streams: list[Stream] = []

        async def handler(request: Request) -> Response:
            if request.target != "/stream":
                return await echo(request)
            streams.append(Stream())
            return Response(200, body=streams[-1])

        async with serving(handler) as port, Pool(ClientLimits(total=1)) as pool:
            origin = Origin("127.0.0.1", port)
            for _ in range(3):
                answers = [await pool.request(origin, Request("GET", "/stream", lasting=True)) for _ in range(3)]
                streams.pop().abort()
                while streams:
                    streams.pop().close()
                for answer in answers[:-1]:
                    await answer.read()
                answers[-1].close()
                assert (await (await pool.request(origin, Request("GET", "/"))).read()) == b"GET / "

    run(main)


def test_a_closed_pool_says_so(run: Run) -> None:
    async def main() -> None:
        pool = Pool()
        await pool.close()
        with pytest.raises(ConnectError, match="this client is closed"):
            await pool.request(Origin("127.0.0.1", 1), Request("GET", "/"))

    run(main)


def test_a_pool_that_closes_fails_what_is_at_work(run: Run) -> None:
    async def main() -> None:
        asked = asyncio.Event()

        async def handler(request: Request) -> Response:
            asked.set()
            await request.wait_disconnected()
            return Response(200)

        async with serving(handler) as port:
            pool = Pool()
            asking = asyncio.ensure_future(pool.request(Origin("127.0.0.1", port), Request("POST", "/")))
            await asked.wait()
            await pool.close()
            with pytest.raises(DisconnectedError):
                await asking

    run(main)


def test_head_and_no_content_leave_the_connection_in_order(run: Run) -> None:
    async def main() -> list[int]:
        def handler(request: Request) -> Response:
            return Response(204) if request.target == "/none" else Response(200, body=b"abc")

        async with serving(handler, ServerLimits()) as port, Pool(ClientLimits(total=1)) as pool:
            origin = Origin("127.0.0.1", port)
            found = []
            for method, target in [("HEAD", "/"), ("GET", "/none"), ("HEAD", "/"), ("GET", "/")]:
                response = await pool.request(origin, Request(method, target))
                found.append(len(await response.read()))
            return found

    assert run(main) == [0, 0, 0, 3]


def test_a_gate_is_asked_when_the_connection_is_there_and_keeps_it_usable(run: Run) -> None:
    async def main() -> None:
        async with serving(echo) as port, Pool(ClientLimits(total=1)) as pool:
            origin = Origin("127.0.0.1", port)
            request = Request("POST", "/", body=b"x")

            def closed() -> None:
                raise RuntimeError("not now")

            request.gate = closed
            for _ in range(2):
                with pytest.raises(RuntimeError, match="not now"):
                    await pool.request(origin, request)
            request.gate = lambda: None
            response = await pool.request(origin, request)
            assert await response.read() == b"POST / x"

    run(main)


@pytest.mark.parametrize("body", [b"x", b"x" * 100_000])
def test_a_gate_is_asked_again_when_nothing_is_left_but_to_send(run: Run, body: bytes) -> None:
    asked: list[None] = []
    seen: list[bytes] = []

    def shuts() -> None:
        asked.append(None)
        if len(asked) == 2:
            raise RuntimeError("not now")

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        await reader.readexactly(len(body))
        writer.write(OK)

    async def main() -> None:
        async with scripted(script) as origin, Pool(ClientLimits(total=1)) as pool:
            with pytest.raises(RuntimeError, match="not now"):
                await pool.request(origin, Request("POST", "/", body=body, gate=shuts))
            response = await pool.request(origin, Request("POST", "/", body=body, gate=shuts))
            assert await response.read() == b"ok"

    run(main)
    assert (len(asked), len(seen)) == (4, 1)


def test_a_stream_that_is_held_back_on_a_connection_that_has_gone_takes_no_place(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*given: Any) -> Any:
        exchange = await dial(*given)
        over = asyncio.Event()
        exchange.on_closed = lambda _: over.set()
        await over.wait()
        return exchange

    async def leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pass

    def shut() -> None:
        raise RuntimeError("not now")

    async def story() -> None:
        async with scripted(leave) as closing, Pool(ClientLimits(total=1)) as pool:
            with monkeypatch.context() as patch:
                patch.setattr("kubewright.http.pool.dial", gone)
                with pytest.raises(RuntimeError, match="not now"):
                    await pool.request(closing, Request("POST", "/", lasting=True, gate=shut))
            with pytest.raises(DisconnectedError):  # it has a turn
                await pool.request(closing, Request("POST", "/"))

    run(story)


def test_nothing_is_sent_on_a_connection_that_comes_about_after_the_end(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slowly(*given: Any) -> Any:
        begun.set()
        await closed.wait()
        return await dial(*given)

    begun, closed = asyncio.Event(), asyncio.Event()
    monkeypatch.setattr("kubewright.http.pool.dial", slowly)

    async def story() -> None:
        async with scripted(says(OK)) as origin:
            pool = Pool()
            asked = asyncio.create_task(pool.request(origin, Request("POST", "/")))
            await begun.wait()
            await pool.close()
            closed.set()
            with pytest.raises(ClientClosedError):
                await asked

    run(story)
