"""Streams without a socket: what is written in this process is read in it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from kubewright.http import Chunk, DisconnectedError, Response, Stream


def run(main: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(main, 10))


def test_what_is_written_is_read_from_the_beginning_to_the_end() -> None:
    async def main() -> bytes:
        stream = Stream()
        stream.write(b"early ")
        response = Response(200, body=stream)
        reading = asyncio.ensure_future(response.read())
        await asyncio.sleep(0)
        stream.write(Chunk(b"late"))
        stream.close()
        return await reading

    assert run(main()) == b"early late"


def test_a_stream_closed_before_anyone_reads_is_whole() -> None:
    async def main() -> bytes:
        stream = Stream()
        stream.write(b"all")
        stream.close()
        return await Response(200, body=stream).read()

    assert run(main()) == b"all"


def test_a_stream_that_is_cut_is_an_error_to_its_reader() -> None:
    async def main() -> None:
        stream = Stream()
        response = Response(200, body=stream)
        pieces = aiter(response)
        stream.write(b"a")
        assert await anext(pieces) == b"a"
        stream.abort()
        with pytest.raises(DisconnectedError):
            await anext(pieces)

    run(main())


def test_the_writer_hears_that_nobody_reads_any_more() -> None:
    async def main() -> None:
        stream = Stream()
        heard: list[str] = []
        stream.on_close(lambda: heard.append("closed"))
        response = Response(200, body=stream)
        aiter(response)
        response.close()
        assert heard == ["closed"]
        assert stream.failed
        stream.on_close(lambda: heard.append("at once"))
        assert heard == ["closed", "at once"]
        assert not stream.write(b"x")

    run(main())


def test_a_reader_that_is_behind_is_seen_and_cut_at_the_limit() -> None:
    async def main() -> None:
        stream = Stream(limit=1_000_000)
        response = Response(200, body=stream)
        pieces = aiter(response)
        assert not stream.paused
        while stream.buffered < 500_000:
            stream.write(bytes(100_000))
        assert stream.paused
        while stream.buffered:
            await anext(pieces)
        assert not stream.paused
        while stream.write(bytes(100_000)):
            assert stream.buffered <= 1_000_000
        assert stream.failed

    run(main())


def test_an_empty_chunk_is_not_the_end() -> None:
    assert Chunk(b"").wire == b""
    assert Chunk(b"0123456789abcdef").wire == b"10\r\n0123456789abcdef\r\n"


def test_waiting_for_the_end_ends_with_it() -> None:
    async def main() -> None:
        stream = Stream()
        waiting = asyncio.ensure_future(stream.wait_closed())
        await asyncio.sleep(0)
        assert not waiting.done()
        stream.close()
        await waiting

    run(main())


def test_what_nobody_reads_has_a_limit_too() -> None:
    stream = Stream(limit=10)
    assert stream.write(b"12345")
    assert stream.write(b"12345")
    assert stream.buffered == 10
    assert not stream.write(b"1")
    assert stream.failed
