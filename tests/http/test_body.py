"""A body by itself: fed by the test, read by the test."""

import asyncio
import zlib
from collections.abc import Coroutine
from typing import Any

import pytest

from kubewright.http import Body, DisconnectedError, HttpError, ProtocolError
from kubewright.http.body import HIGH, LITTLE


class Tap:
    """Where a body comes from, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def wanted(self) -> None:
        self.asked.append("wanted")

    def pause(self) -> None:
        self.asked.append("pause")

    def resume(self) -> None:
        self.asked.append("resume")

    def abandon(self) -> None:
        self.asked.append("abandon")


def run(main: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(main, 10))


def test_what_was_fed_is_read_and_then_the_error() -> None:
    async def main() -> None:
        body = Body()
        body.feed(b"abc")
        body.fail(DisconnectedError("gone"))
        body.feed(b"too late")
        assert await anext(body) == b"abc"
        with pytest.raises(DisconnectedError, match="gone"):
            await anext(body)

    run(main())


def test_a_whole_body_stays_whole() -> None:
    async def main() -> bytes:
        body = Body()
        body.feed(b"abc")
        body.finish()
        body.fail(HttpError("afterwards"))
        return await body.read()

    assert run(main()) == b"abc"


def test_the_source_is_held_while_much_waits() -> None:
    async def main() -> list[str]:
        tap = Tap()
        body = Body(tap)
        for _ in range(4):
            body.feed(bytes(HIGH // 2))
        for _ in range(4):
            await anext(body)
        return tap.asked

    assert run(main()) == ["pause", "resume"]


def test_little_that_came_in_pieces_is_handed_over_at_once_and_much_piece_by_piece() -> None:
    async def main() -> list[int]:
        body = Body()
        for size in (3, 4, 5):
            body.feed(bytes(size))
        sizes = [len(await anext(body))]
        for size in (LITTLE, 6, 7):
            body.feed(bytes(size))
        return [*sizes, len(await anext(body)), len(await anext(body))]

    assert run(main()) == [12, LITTLE, 13]


def test_the_source_hears_that_somebody_waits() -> None:
    async def main() -> list[str]:
        tap = Tap()
        body = Body(tap)
        reading = asyncio.ensure_future(body.read())
        await asyncio.sleep(0)
        body.finish()
        await reading
        return tap.asked

    assert run(main()) == ["wanted"]


def test_the_source_hears_once_that_nobody_reads() -> None:
    tap = Tap()
    body = Body(tap)
    body.feed(bytes(HIGH + 1))
    body.discard()
    body.discard()
    body.feed(b"x")
    assert tap.asked == ["pause", "resume", "abandon"]
    assert body.buffered == 0


def test_a_body_has_one_reader() -> None:
    async def main() -> None:
        body = Body()
        first = asyncio.ensure_future(body.read())
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="one reader"):
            await body.read()
        body.finish()
        await first

    run(main())


def test_a_reader_that_is_cancelled_leaves_the_body_to_the_next() -> None:
    async def main() -> bytes:
        body = Body()
        first = asyncio.ensure_future(anext(body))
        await asyncio.sleep(0)
        first.cancel()
        body.feed(b"abc")
        body.finish()
        return await body.read()

    assert run(main()) == b"abc"


def test_a_small_message_becomes_large_only_piece_by_piece() -> None:
    async def main() -> int:
        body = Body()
        body.inflate()
        body.feed(zlib.compress(bytes(50_000_000)))
        body.finish()
        return max([len(piece) async for piece in body])

    assert run(main()) <= 256 * 1024


def test_a_compressed_body_that_stops_is_told() -> None:
    async def main() -> None:
        body = Body()
        body.inflate()
        body.feed(zlib.compress(b"abc" * 1000)[:-4])
        body.finish()
        with pytest.raises(ProtocolError, match="ended before its end"):
            await body.read()

    run(main())


def test_what_has_come_whole_is_taken_without_waiting_and_once() -> None:
    body = Body()
    body.feed(b"ab")
    assert body.taken() is None
    body.feed(b"c")
    body.finish()
    assert body.taken() == b"abc"
    assert run(body.read()) == b""


def test_what_must_be_inflated_is_read_and_not_taken() -> None:
    body = Body()
    body.inflate()
    body.feed(zlib.compress(b"abc"))
    body.finish()
    assert body.taken() is None
    assert run(body.read()) == b"abc"
