"""What a peer sees of a server's connection, byte for byte: requests, turns, limits, and how it ends."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.http.conftest import Run
from tests.http.wire import Wire, answers, cut, echo, exchange, get, mutated, serving

from kubewright.http import RefusedError, Request, Response, ServerLimits
from kubewright.http.connection import Connection
from kubewright.http.service import Service

CLOSE = "Connection: close"


def test_a_request_is_answered(run: Run) -> None:
    async def main() -> bytes:
        async with serving(echo) as port:
            return await exchange(port, get("/a?b=c", CLOSE))

    [answer] = answers(run(main))
    assert (answer.status, answer.body) == (200, b"GET /a?b=c ")
    assert answer.headers["content-length"] == "11"
    assert answer.headers["connection"] == "close"
    assert answer.headers["date"].endswith(" GMT")


def test_a_plain_function_is_a_handler_too(run: Run) -> None:
    async def main() -> bytes:
        async with serving(lambda request: Response(200, body=request.target.encode())) as port:
            return await exchange(port, get("/sync", CLOSE))

    assert answers(run(main))[0].body == b"/sync"


def test_a_connection_serves_one_request_after_the_other(run: Run) -> None:
    async def main() -> None:
        async with serving(echo) as port, await Wire.open(port) as wire:
            for turn in range(3):
                wire.send(get(f"/{turn}"))
                assert (await wire.until(b"GET /%d " % turn)).startswith(b"HTTP/1.1 200 OK\r\n")

    run(main)


def test_a_hundred_requests_in_one_packet_are_answered_in_order(run: Run) -> None:
    async def handler(request: Request) -> Response:
        if int(request.target[1:]) % 3 == 0:  # some wait, some do not
            await asyncio.sleep(0)
        return await echo(request)

    async def main() -> bytes:
        async with serving(handler) as port:
            return await exchange(port, b"".join(get(f"/{i}") for i in range(99)) + get("/99", CLOSE))

    assert [answer.body for answer in answers(run(main))] == [b"GET /%d " % i for i in range(100)]


def test_pipelined_requests_are_held_back_by_not_reading(run: Run) -> None:
    seen: list[str] = []
    go_on = asyncio.Event()

    async def handler(request: Request) -> Response:
        seen.append(request.target)
        await go_on.wait()
        return Response(200)

    async def main() -> int:
        async with serving(handler, ServerLimits(pipelined=2)) as port, await Wire.open(port) as wire:
            wire.send(get("/x" * 1000) * 20_000)  # 40 MB, more than sockets hold
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(wire.writer.drain(), 0.2)
            wire.abort()
            return len(seen)

    assert run(main) == 1


def test_a_body_with_a_length_is_read(run: Run) -> None:
    async def main() -> bytes:
        async with serving(echo) as port:
            return await exchange(port, get("/", "Content-Length: 5", CLOSE, method="POST", body=b"hello"))

    assert answers(run(main))[0].body == b"POST / hello"


def test_a_chunked_body_is_read_and_its_trailers_ignored(run: Run) -> None:
    body = b"3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nTrailer: z\r\n\r\n"

    async def main() -> bytes:
        async with serving(echo) as port:
            return await exchange(
                port, get("/", "Transfer-Encoding: chunked", method="POST", body=body) + get("/2", CLOSE)
            )

    assert [answer.body for answer in answers(run(main))] == [b"POST / hello", b"GET /2 "]


def test_a_body_arrives_while_the_handler_reads_it(run: Run) -> None:
    async def handler(request: Request) -> Response:
        assert not isinstance(request.body, bytes)
        pieces = [piece async for piece in request.body]
        return Response(200, body=b"|".join(pieces))

    async def main() -> bytes:
        async with serving(handler) as port, await Wire.open(port) as wire:
            wire.send(get("/", "Content-Length: 6", "Expect: 100-continue", CLOSE, method="PUT"))
            await wire.until(b"100 Continue\r\n\r\n")
            wire.send(b"abc")
            await wire.writer.drain()
            await asyncio.sleep(0)
            wire.send(b"def")
            return await wire.rest()

    assert answers(run(main))[0].body.replace(b"|", b"") == b"abcdef"


def test_continue_is_said_only_when_the_body_is_read(run: Run) -> None:
    async def main() -> bytes:
        async with serving(lambda request: Response(403, body=b"no")) as port:
            return await exchange(port, get("/", "Content-Length: 6", "Expect: 100-continue", method="PUT"))

    data = run(main)
    assert b"100 Continue" not in data
    [answer] = answers(data)
    assert (answer.status, answer.headers["connection"]) == (403, "close")


def test_ten_megabytes_go_both_ways(run: Run) -> None:
    body = bytes(range(256)) * 4096 * 10

    async def handler(request: Request) -> Response:
        return Response(200, body=await request.read())

    async def main() -> bytes:
        async with serving(handler, ServerLimits(body=len(body))) as port:
            return await exchange(port, get("/", f"Content-Length: {len(body)}", CLOSE, method="POST", body=body))

    assert answers(run(main))[0].body == body


def test_a_body_nobody_reads_stops_the_sender(run: Run) -> None:
    done = asyncio.Event()

    async def handler(request: Request) -> Response:
        await done.wait()
        return Response(200)

    async def main() -> None:
        size = 50 * 1024 * 1024
        async with serving(handler, ServerLimits(body=size)) as port, await Wire.open(port) as wire:
            wire.send(get("/", f"Content-Length: {size}", method="POST"))
            wire.send(bytes(size))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(wire.writer.drain(), 0.2)
            done.set()
            assert (await wire.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            wire.abort()

    run(main)


@pytest.mark.parametrize("lines", [["Content-Length: 1000000"], ["Transfer-Encoding: chunked"]])
def test_a_body_over_the_limit_is_413_and_the_connection_ends(run: Run, lines: list[str]) -> None:
    async def main() -> bytes:
        async with serving(echo, ServerLimits(body=100)) as port, await Wire.open(port) as wire:
            wire.send(get("/", *lines, method="POST", body=b"c8\r\n" + bytes(200) + b"\r\n"))
            return await wire.rest()

    [answer] = answers(run(main))
    assert (answer.status, answer.body) == (413, b"the request's body is longer than 100 bytes\n")
    assert answer.headers["connection"] == "close"


def test_a_handler_may_say_in_its_own_words_that_a_body_is_too_long(run: Run) -> None:
    async def handler(request: Request) -> Response:
        try:
            await request.read()
        except RefusedError as refused:
            return Response(refused.status, body=b"mine")
        return Response(200)

    async def main() -> bytes:
        async with serving(handler, ServerLimits(body=100)) as port:
            return await exchange(port, get("/", "Content-Length: 101", method="POST"))

    assert answers(run(main))[0].body == b"mine"


def test_a_small_body_nobody_read_does_not_cost_the_connection(run: Run) -> None:
    async def main() -> None:
        async with serving(lambda request: Response(404)) as port, await Wire.open(port) as wire:
            wire.send(get("/", "Content-Length: 6", method="POST"))
            await wire.until(b"\r\n\r\n")
            wire.send(b"abcdef" + get("/2", CLOSE))
            assert answers(await wire.rest())[0].status == 404

    run(main)


def test_a_half_closed_client_still_gets_its_answer(run: Run) -> None:
    async def handler(request: Request) -> Response:
        await request.wait_disconnected()
        return Response(200, body=b"here")

    async def main() -> bytes:
        async with serving(handler) as port, await Wire.open(port) as wire:
            wire.send(get())
            wire.writer.write_eof()
            return await wire.rest()

    assert answers(run(main))[0].body == b"here"


def test_a_client_that_leaves_in_its_body_fails_the_read(run: Run) -> None:
    async def main() -> str:
        entered, ended = asyncio.Event(), asyncio.get_running_loop().create_future()

        async def handler(request: Request) -> Response:
            entered.set()
            try:
                await request.read()
            except Exception as error:
                ended.set_result(str(error))
                raise
            return Response(200)

        async with serving(handler) as port:
            wire = await Wire.open(port)
            wire.send(get("/", "Content-Length: 10", method="POST", body=b"abc"))
            await entered.wait()
            wire.abort()
            return str(await ended)

    assert run(main).startswith("the client closed the connection")


BAD = {
    "not http": b"hello\r\n\r\n",
    "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "bare line feeds": b"GET / HTTP/1.1\nHost: a\n\n",
    "two lengths": get("/", "Content-Length: 3", "Content-Length: 4", body=b"abc"),
    "the same length twice": get("/", "Content-Length: 3", "Content-Length: 3", body=b"abc"),
    "a length and chunks": get("/", "Content-Length: 3", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"),
    "chunks and a length": get("/", "Transfer-Encoding: chunked", "Content-Length: 3", body=b"0\r\n\r\n"),
    "two codings": get("/", "Transfer-Encoding: chunked", "Transfer-Encoding: identity", body=b"0\r\n\r\n"),
    "chunked for an old client": get("/", "Transfer-Encoding: chunked", version="1.0", body=b"0\r\n\r\n"),
    "a negative length": get("/", "Content-Length: -1"),
    "a signed length": get("/", "Content-Length: +3", body=b"abc"),
    "an absurd length": get("/", "Content-Length: 99999999999999999999999"),
    "an absurd chunk": get("/", "Transfer-Encoding: chunked", body=b"fffffffffffffffff\r\n"),
    "a chunk without digits": get("/", "Transfer-Encoding: chunked", body=b"\r\n\r\n"),
    "a longer chunk than said": get("/", "Transfer-Encoding: chunked", body=b"1\r\nab\r\n0\r\n\r\n"),
    "a space before the colon": b"GET / HTTP/1.1\r\nHost : a\r\n\r\n",
    "a folded line": get("/", "X: 1\r\n 2"),
    "a nul": get("/", "X: \0"),
    "no name": get("/", ": x"),
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": get("/", "Host: b"),
    "a target with a space": get("/a b"),
    "a raw byte in the target": "GET /é HTTP/1.1\r\nHost: a\r\n\r\n".encode(),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_request_is_400_and_the_connection_ends(run: Run, name: str) -> None:
    async def main() -> bytes:
        async with serving(echo) as port:
            return await exchange(port, get("/before") + BAD[name] + get("/smuggled"))

    before, bad = answers(run(main))
    assert before.body == b"GET /before "
    assert (bad.status, bad.headers["connection"]) == (400, "close")


@pytest.mark.parametrize(
    ("status", "data"),
    [
        (414, get("/" + "x" * 2000)),
        (431, get("/", "X: " + "x" * 2000)),
        (431, get("/", *[f"X-{i}: x" for i in range(20)])),
        (501, get("/", "Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n")),
        (501, get("/", "Transfer-Encoding: xchunked", body=b"0\r\n\r\n")),
        (505, get("/", version="2.0")),
        (505, get("/", version="0.9")),
    ],
)
def test_what_is_not_served_is_told_by_its_status(run: Run, status: int, data: bytes) -> None:
    async def main() -> bytes:
        async with serving(echo, ServerLimits(target=1000, head=1000, headers=10)) as port:
            return await exchange(port, data)

    assert [answer.status for answer in answers(run(main))] == [status]


@pytest.mark.parametrize(
    "start",
    [
        b"GET /" + b"x" * 1_000_000,
        b"GET / HTTP/1.1\r\n" + b"x" * 1_000_000,
        b"GET / HTTP/1.1\r\nX: " + b"x" * 1_000_000,
        get("/", "Transfer-Encoding: chunked", body=b"1;" + b"x" * 1_000_000),
    ],
)
def test_a_line_without_end_is_refused_before_it_ends(run: Run, start: bytes) -> None:
    async def main() -> bytes:
        async with serving(echo, ServerLimits(target=1000, head=1000)) as port:
            return await exchange(port, start)

    assert answers(run(main))[0].status in (414, 431)


def test_a_head_that_trickles_is_given_up(run: Run) -> None:
    async def main() -> bytes:
        async with serving(echo, ServerLimits(head_time=0.05, idle_time=60)) as port, await Wire.open(port) as wire:
            wire.send(get("/1"))
            await wire.until(b"GET /1 ")
            wire.send(b"GET / HTTP/1.1\r\n")
            return await wire.rest()

    assert answers(run(main))[0].status == 408


def test_a_body_that_stops_is_given_up(run: Run) -> None:
    async def main() -> bytes:
        async with serving(echo, ServerLimits(body_time=0.05)) as port:
            return await exchange(port, get("/", "Content-Length: 6", method="POST", body=b"abc"))

    assert answers(run(main))[0].status == 408


def test_an_idle_connection_is_closed_without_a_word(run: Run) -> None:
    async def main() -> bytes:
        async with serving(echo, ServerLimits(idle_time=0.05)) as port, await Wire.open(port) as wire:
            wire.send(get("/1"))
            await wire.until(b"GET /1 ")
            return await wire.rest()

    assert run(main) == b""


def test_a_connection_that_says_nothing_is_closed(run: Run) -> None:
    async def main() -> bytes:
        async with serving(echo, ServerLimits(head_time=0.05)) as port:
            return await exchange(port, b"")

    assert run(main) == b""


def test_a_handler_that_takes_long_is_not_cut_by_the_idle_time(run: Run) -> None:
    async def handler(request: Request) -> Response:
        await asyncio.sleep(0.1)
        return Response(200, body=b"at last")

    async def main() -> bytes:
        async with serving(handler, ServerLimits(idle_time=0.01, head_time=0.02, body_time=0.02)) as port:
            return await exchange(port, get("/", CLOSE))

    assert answers(run(main))[0].body == b"at last"


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        ("/a%2Fb%20c?d=%C3%A9&e", "/a%2Fb%20c", "d=%C3%A9&e"),
        ("/a//b/../c", "/a//b/../c", ""),
        ("http://host:1/a?b", "/a", "b"),
        ("http://host", "/", ""),
        ("http://host?x=/y", "/", "x=/y"),
        ("/a?b=http://c/d", "/a", "b=http://c/d"),
        ("/a;b=c?d?e", "/a;b=c", "d?e"),
    ],
)
def test_a_target_is_left_as_it_was_sent(run: Run, target: str, path: str, query: str) -> None:
    async def main() -> bytes:
        def handler(request: Request) -> Response:
            return Response(200, body=f"{request.target} {request.path} {request.query}".encode())

        async with serving(handler) as port:
            return await exchange(port, get(target, CLOSE))

    assert answers(run(main))[0].body.decode() == f"{target} {path} {query}"


def test_options_may_ask_of_the_whole_server(run: Run) -> None:
    async def main() -> bytes:
        async with serving(echo) as port:
            return await exchange(port, get("*", CLOSE, method="OPTIONS"))

    assert answers(run(main))[0].body == b"OPTIONS * "


def test_an_upgrade_that_is_declined_goes_on_as_http(run: Run) -> None:
    async def main() -> bytes:
        async with serving(echo) as port:
            h2c = get("/1", "Connection: Upgrade", "Upgrade: h2c")
            return await exchange(port, h2c + h2c + get("/2", CLOSE))

    assert [answer.body for answer in answers(run(main))] == [b"GET /1 ", b"GET /1 ", b"GET /2 "]


@pytest.mark.parametrize("packets", [1, 2])
def test_an_upgrade_with_a_body_is_an_ordinary_request(run: Run, packets: int) -> None:
    first = get("/1", "Connection: Upgrade", "Upgrade: h2c", "Content-Length: 3", method="POST", body=b"abc")
    second = get("/2", "Connection: Upgrade", "Upgrade: h2c", "Transfer-Encoding: chunked", method="POST")
    second += b"3\r\nabc\r\n0\r\n\r\n"

    async def main() -> bytes:
        async with serving(echo) as port, await Wire.open(port) as wire:
            data = first + second + get("/3", CLOSE)
            for start in range(0, len(data), -(-len(data) // packets)):
                wire.send(data[start : start + -(-len(data) // packets)])
                await asyncio.sleep(0)
            return await wire.rest()

    assert [answer.body for answer in answers(run(main))] == [b"POST /1 abc", b"POST /2 abc", b"GET /3 "]


class Fake(asyncio.Transport):
    """A transport that takes everything and tells what became of it."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.over = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += bytes(data)

    def close(self) -> None:
        self.over = True

    def abort(self) -> None:
        self.over = True

    def write_eof(self) -> None:
        self.over = True

    def can_write_eof(self) -> bool:
        return True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


def test_a_handler_that_is_killed_before_it_began_leaves_nothing_behind(run: Run) -> None:
    async def main() -> int:
        service = Service(echo, ServerLimits(), asyncio.get_running_loop())
        connection = Connection(service)
        connection.connection_made(Fake())
        connection.data_received(get())
        connection.kill()
        connection.connection_lost(None)
        for _ in range(3):
            await asyncio.sleep(0)
        return len(service.connections)

    assert run(main) == 0


VALID = (
    get("/1")
    + get("/2", "Content-Length: 3", method="POST", body=b"abc")
    + get("/3", "Transfer-Encoding: chunked", method="PUT", body=b"3\r\nabc\r\n0\r\n\r\n")
    + get("/4", "Connection: upgrade", "Upgrade: x")
    + get("/5", "Expect: 100-continue", "Content-Length: 1", method="POST", body=b"x")
    + get("/6", "Connection: close")
)


@given(
    st.one_of(st.binary(max_size=300), mutated(VALID)),
    st.lists(st.integers(0, 1000), max_size=8),
    st.booleans(),
    st.booleans(),
)
def test_whatever_comes_is_answered_or_cut_and_nothing_escapes(
    data: bytes, cuts: list[int], waits: bool, goes: bool
) -> None:
    async def handler(request: Request) -> Response:
        if waits:
            await asyncio.sleep(0)
        return await echo(request)

    async def main() -> tuple[bytes, bool]:
        loop = asyncio.get_running_loop()
        troubles: list[object] = []
        loop.set_exception_handler(lambda _, context: troubles.append(context))
        service = Service(handler, ServerLimits(body=50, linger_time=0), loop)
        connection, transport = Connection(service), Fake()
        connection.connection_made(transport)
        for piece in cut(data, cuts):
            if not transport.over:
                loop.call_soon(connection.data_received, piece)
                await asyncio.sleep(0)
        for _ in range(60):  # turns enough for every handler
            await asyncio.sleep(0)
        if goes:
            connection.eof_received()
            for _ in range(20):
                await asyncio.sleep(0)
        connection.connection_lost(None)
        for _ in range(20):
            await asyncio.sleep(0)
        assert not troubles
        assert not service.connections  # no handler is left waiting for ever
        return transport.sent, transport.over

    sent, over = asyncio.run(main())
    statuses = [line.split(b" ")[1] for line in sent.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]
    assert set(statuses) <= {b"100", b"200", b"400", b"413", b"414", b"431", b"501", b"505"}
    assert over or not set(statuses) & {b"400", b"413", b"414", b"431", b"501", b"505"}
