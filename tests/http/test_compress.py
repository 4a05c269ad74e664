"""When an answer is compressed, and that it can be read."""

import asyncio
import gzip
from collections.abc import AsyncGenerator

import pytest

from kubewright.http import Headers, Response, Stream
from kubewright.http.compress import THRESHOLD, compressed

LONG = Response(200, Headers([(b"Content-Type", b"text/plain")]), b"0123456789" * 100_000)


def done(accepted: bytes | None, response: Response) -> Response:
    headers = Headers([] if accepted is None else [(b"Accept-Encoding", accepted)])
    return asyncio.run(compressed(headers, response))


def test_a_long_body_is_compressed_for_who_accepts_it() -> None:
    answer = done(b"br, gzip", LONG)
    assert isinstance(answer.body, bytes)
    assert gzip.decompress(answer.body) == LONG.body
    assert answer.headers.pairs == [
        (b"Content-Type", b"text/plain"),
        (b"Content-Encoding", b"gzip"),
        (b"Vary", b"Accept-Encoding"),
    ]


@pytest.mark.parametrize("accepted", [None, b"", b"br", b"gzip;q=0", b"x-gzip"])
def test_who_does_not_accept_it_gets_it_plain(accepted: bytes | None) -> None:
    assert done(accepted, LONG) is LONG


def test_a_body_of_the_threshold_stays_plain_and_one_byte_more_does_not() -> None:
    assert "gzip" not in str(done(b"gzip", Response(200, body=bytes(THRESHOLD))).headers)
    assert "gzip" in str(done(b"gzip", Response(200, body=bytes(THRESHOLD + 1))).headers)


def test_a_stream_stays_plain() -> None:
    response = Response(200, body=Stream())
    assert done(b"gzip", response) is response


def test_the_loop_turns_while_a_large_body_is_compressed() -> None:
    async def main() -> int:
        turns = 0

        async def turn() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        other = asyncio.ensure_future(turn())
        await compressed(Headers([(b"Accept-Encoding", b"gzip")]), Response(200, body=bytes(8 * 1024 * 1024)))
        other.cancel()
        return turns

    assert asyncio.run(main()) >= 32


def test_pieces_are_compressed_as_they_come() -> None:
    async def pieces() -> AsyncGenerator[bytes, None]:
        for number in range(3):
            yield b"%d" % number * 1000

    async def read() -> bytes:
        headers = Headers([(b"Accept-Encoding", b"gzip")])
        answer = await compressed(headers, Response(200, body=pieces()))
        assert answer.headers.get(b"content-encoding") == b"gzip"
        return await answer.read()

    assert gzip.decompress(asyncio.run(read())) == b"0" * 1000 + b"1" * 1000 + b"2" * 1000
