"""What a peer sees of answers, byte for byte: whole ones, pieces, streams, and what becomes of them when it goes."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
from tests.http.conftest import Run
from tests.http.wire import Wire, answers, echo, exchange, get, serving

from kubewright.http import Chunk, Headers, Request, Response, ServerLimits, Stream

CLOSE = "Connection: close"


def test_the_answer_to_head_has_the_length_and_no_body(run: Run) -> None:
    async def main() -> bytes:
        async with serving(lambda request: Response(200, body=b"12345")) as port:
            return await exchange(port, get(method="HEAD") + get("/", CLOSE))

    head, body = answers(run(main), "HEAD", "GET")
    assert head.headers["content-length"] == "5"
    assert body.body == b"12345"


@pytest.mark.parametrize("status", [204, 304])
def test_an_answer_that_has_no_body_has_no_length(run: Run, status: int) -> None:
    async def main() -> bytes:
        async with serving(lambda request: Response(status)) as port:
            return await exchange(port, get("/", CLOSE))

    [answer] = answers(run(main))
    assert answer.status == status
    assert "content-length" not in answer.headers


def test_an_old_client_gets_one_answer_unless_it_asks_to_stay(run: Run) -> None:
    async def main() -> tuple[bytes, bytes]:
        async with serving(echo) as port, await Wire.open(port) as wire:
            wire.send(get("/1", "Connection: keep-alive", version="1.0"))
            first = await wire.until(b"GET /1 ")
            wire.send(get("/2", version="1.0"))
            return first, await wire.rest()

    first, second = run(main)
    assert b"Connection: keep-alive\r\n" in first
    assert b"Connection: close\r\n" in second


def test_pieces_are_sent_in_chunks(run: Run) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for piece in (b"a", b"", b"bc"):
            yield piece

    async def main() -> bytes:
        async with serving(lambda request: Response(200, body=pieces())) as port:
            return await exchange(port, get() + get("/", CLOSE))

    data = run(main)
    assert b"1\r\na\r\n2\r\nbc\r\n0\r\n\r\n" in data
    assert [answer.body for answer in answers(data)] == [b"abc", b"abc"]


def test_pieces_go_to_an_old_client_up_to_the_end_of_the_connection(run: Run) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"a"
        yield b"bc"

    async def main() -> bytes:
        async with serving(lambda request: Response(200, body=pieces())) as port:
            return await exchange(port, get(version="1.0"))

    data = run(main)
    assert data.endswith(b"\r\n\r\nabc")
    assert b"Transfer-Encoding" not in data


def test_pieces_wait_for_a_peer_that_does_not_read(run: Run) -> None:
    made: list[int] = []

    async def pieces() -> AsyncIterator[bytes]:
        for turn in range(1000):
            made.append(turn)
            yield bytes(1024 * 1024)

    async def main() -> None:
        async with serving(lambda request: Response(200, body=pieces())) as port, await Wire.open(port) as wire:
            wire.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that also reads
            wire.send(get())
            before = -1
            while before != len(made) or not made:
                before = len(made)
                await asyncio.sleep(0.05)
            assert len(made) < 30
            wire.abort()

    run(main)


def test_an_iterator_that_fails_breaks_its_answer_off(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"a"
        raise LookupError("nothing there")

    async def main() -> bytes:
        async with serving(lambda request: Response(200, body=pieces())) as port:
            return await exchange(port, get())

    data = run(main)
    assert not data.endswith(b"0\r\n\r\n")
    assert "nothing there" in caplog.text


def test_an_iterator_is_closed_when_its_client_goes(run: Run) -> None:
    closed = asyncio.Event()

    async def pieces() -> AsyncIterator[bytes]:
        try:
            yield b"a"
            await asyncio.Event().wait()
        finally:
            closed.set()

    async def main() -> None:
        async with serving(lambda request: Response(200, body=pieces())) as port:
            wire = await Wire.open(port)
            wire.send(get())
            await wire.until(b"a\r\n")
            wire.abort()
            await closed.wait()

    run(main)


def test_a_stream_is_written_from_outside_the_request(run: Run) -> None:
    stream = Stream()
    stream.write(b"early ")

    async def main() -> bytes:
        async with serving(lambda request: Response(200, body=stream)) as port, await Wire.open(port) as wire:
            wire.send(get() + get("/", CLOSE))
            await wire.until(b"early \r\n")
            assert stream.write(Chunk(b"late"))
            stream.write(b"")
            stream.close()
            assert not stream.write(b"too late")
            return await wire.until(b"0\r\n\r\n")

    assert run(main) == b"4\r\nlate\r\n0\r\n\r\n"


@pytest.mark.parametrize("leave", ["close", "abort", "half-close"])
def test_a_stream_hears_when_its_client_goes(run: Run, leave: str) -> None:
    stream = Stream()

    async def main() -> None:
        async with serving(lambda request: Response(200, body=stream)) as port:
            wire = await Wire.open(port)
            wire.send(get())
            stream.write(b"a")
            await wire.until(b"a\r\n")
            if leave == "half-close":
                wire.writer.write_eof()
            elif leave == "close":
                wire.writer.close()
            else:
                wire.abort()
            await stream.wait_closed()
            assert stream.failed
            wire.abort()

    run(main)


def test_a_stream_whose_client_never_reads_is_cut_at_its_limit(run: Run) -> None:
    stream = Stream(limit=1024 * 1024)
    chunk = Chunk(bytes(64 * 1024))

    async def main() -> int:
        async with serving(lambda request: Response(200, body=stream)) as port, await Wire.open(port) as wire:
            wire.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that also reads
            wire.send(get())
            most = 0
            while stream.write(chunk):
                most = max(most, stream.buffered)
                await asyncio.sleep(0)
            wire.abort()
            return most

    assert run(main) <= 1024 * 1024 + 70 * 1024
    assert stream.failed


def test_a_client_that_takes_nothing_for_too_long_is_cut(run: Run) -> None:
    async def main() -> None:
        limits = ServerLimits(write_time=0.05)
        big = Response(200, body=bytes(64 * 1024 * 1024))
        asked: asyncio.Future[Request] = asyncio.get_running_loop().create_future()

        def handler(request: Request) -> Response:
            asked.set_result(request)
            return big

        async with serving(handler, limits) as port, await Wire.open(port) as wire:
            wire.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that also reads
            wire.send(get())
            await (await asked).wait_disconnected()
            wire.abort()

    run(main)


def test_a_handler_goes_on_when_its_client_has_gone(run: Run) -> None:
    async def main() -> str:
        entered, ended = asyncio.Event(), asyncio.get_running_loop().create_future()

        async def handler(request: Request) -> Response:
            entered.set()
            await request.wait_disconnected()
            await asyncio.sleep(0)  # would raise if the task were cancelled
            ended.set_result("written")
            return Response(200, body=b"to nobody")

        async with serving(handler) as port:
            wire = await Wire.open(port)
            wire.send(get())
            await entered.wait()
            wire.abort()
            return str(await ended)

    assert run(main) == "written"


def test_what_a_handler_raises_is_logged_and_not_shown(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    async def handler(request: Request) -> Response:
        if request.target == "/1":
            raise ValueError("the secret")
        return await echo(request)

    async def main() -> bytes:
        async with serving(handler) as port:
            return await exchange(port, get("/1") + get("/2", CLOSE))

    first, second = answers(run(main))
    assert (first.status, first.body) == (500, b"internal error\n")
    assert second.status == 200
    assert "the secret" in caplog.text
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


@pytest.mark.parametrize("value", [b"a\r\nSet-Cookie: x", b"a\nb", b"a\0"])
def test_a_header_that_breaks_out_of_its_line_is_not_sent(
    run: Run, caplog: pytest.LogCaptureFixture, value: bytes
) -> None:
    async def main() -> bytes:
        async with serving(lambda request: Response(200, Headers([(b"X", value)]))) as port:
            return await exchange(port, get("/", CLOSE))

    [answer] = answers(run(main))
    assert answer.status == 500
    assert "x" not in answer.headers


def test_a_header_value_may_hold_any_other_byte(run: Run) -> None:
    async def main() -> bytes:
        def handler(request: Request) -> Response:
            return Response(200, Headers([(b"X-Back", request.headers.get(b"x-there") or b"")]))

        async with serving(handler) as port:
            return await exchange(
                port, b"GET / HTTP/1.1\r\nHost: a\r\nX-There: \xe9\xff\tz\r\nConnection: close\r\n\r\n"
            )

    assert b"X-Back: \xe9\xff\tz\r\n" in run(main)
