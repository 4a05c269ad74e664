"""Conversations over WebSocket, with ourselves and with frames written by hand."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.http.conftest import Run
from tests.http.wire import Wire, answers, exchange, get, serving

from kubewright.http import Handler, Headers, Origin, Pool, Request, Response, ServerLimits
from kubewright.http.websocket import ClosedError, WebSocket, accept, connect

ASKING = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)


async def repeat(socket: WebSocket) -> None:
    async for message in socket:
        await socket.send(message)


def speaking(*subprotocols: str, limit: int = 1 << 20) -> Handler:
    return lambda request: accept(request, repeat, subprotocols, limit=limit)


@asynccontextmanager
async def joined(handler: Handler, *subprotocols: str) -> AsyncIterator[WebSocket]:
    async with serving(handler) as port, Pool() as pool:
        socket = await connect(pool, Origin("127.0.0.1", port), "/ws", subprotocols=subprotocols)
        assert isinstance(socket, WebSocket)
        yield socket
        await socket.close()


def test_messages_go_both_ways(run: Run) -> None:
    async def main() -> None:
        async with joined(speaking()) as socket:
            for message in ("text é", b"\0\xff", "", b"", "x" * 100_000, bytes(200_000)):
                await socket.send(message)
                assert await socket.receive() == message

    run(main)


def test_the_first_subprotocol_offered_that_is_known_is_spoken(run: Run) -> None:
    async def main() -> str | None:
        async with joined(speaking("v4", "v5"), "v6", "v5", "v4") as socket:
            return socket.subprotocol

    assert run(main) == "v5"


def test_work_ends_when_it_is_done_and_when_nobody_attends_any_more(run: Run) -> None:
    async def main() -> list[str]:
        ended: list[str] = []
        left = asyncio.Event()

        async def talk(socket: WebSocket) -> None:
            async def work() -> None:
                try:
                    await socket.send("begun")
                    await asyncio.Event().wait()
                finally:
                    ended.append("left")
                    left.set()

            await socket.attended(socket.send("done"))
            await socket.attended(work())

        async with joined(lambda request: accept(request, talk)) as socket:
            await socket.send("ignored")
            ended += [str(await socket.receive()), str(await socket.receive())]
        await left.wait()
        return ended

    assert run(main) == ["done", "begun", "left"]


def test_the_handshake_is_as_the_standard_has_it(run: Run) -> None:
    async def main() -> bytes:
        async with serving(speaking()) as port, await Wire.open(port) as wire:
            wire.send(get("/", *ASKING))
            return await wire.until(b"\r\n\r\n")

    head = run(main)
    assert head.startswith(b"HTTP/1.1 101 Switching Protocols\r\n")
    assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in head  # RFC 6455, section 1.3


@pytest.mark.parametrize(
    ("status", "data"),
    [
        (400, get("/", "Connection: close")),
        (400, get("/", *ASKING, "Sec-WebSocket-Protocol: unknown")),
        (400, get("/", *ASKING[:3])),
        (400, get("/", *ASKING[:3], "Sec-WebSocket-Key: short")),
        (400, get("/", *ASKING, method="OPTIONS")),
        (426, get("/", *ASKING[:2], "Sec-WebSocket-Version: 8", ASKING[3])),
    ],
)
def test_what_does_not_ask_for_this_websocket_is_told(run: Run, status: int, data: bytes) -> None:
    async def main() -> bytes:
        async with serving(speaking("known")) as port:
            return await exchange(port, data + get("/", "Connection: close") * (b"close" not in data))

    assert answers(run(main))[0].status == status


def test_a_frame_right_behind_the_handshake_is_read(run: Run) -> None:
    async def main() -> bytes:
        async with serving(speaking()) as port, await Wire.open(port) as wire:
            wire.send(get("/", *ASKING) + b"\x81\x82\0\0\0\0hi")
            await wire.until(b"\r\n\r\n")
            return await wire.reader.readexactly(4)

    assert run(main) == b"\x81\x02hi"


def test_a_ping_is_answered(run: Run) -> None:
    async def main() -> bytes:
        async with serving(speaking()) as port, await Wire.open(port) as wire:
            wire.send(get("/", *ASKING) + b"\x89\x82\0\0\0\0hi")
            await wire.until(b"\r\n\r\n")
            return await wire.reader.readexactly(4)

    assert run(main) == b"\x8a\x02hi"


def test_a_message_in_fragments_is_one(run: Run) -> None:
    async def main() -> bytes:
        async with serving(speaking()) as port, await Wire.open(port) as wire:
            wire.send(get("/", *ASKING) + b"\x01\x81\0\0\0\0a\x89\x80\0\0\0\0\x80\x81\0\0\0\0b")
            await wire.until(b"\r\n\r\n")
            return await wire.reader.readexactly(6)

    assert run(main) == b"\x8a\x00\x81\x02ab"


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x81\x02hi", 1002),  # not masked
        (b"\x83\x80\0\0\0\0", 1002),  # no such opcode
        (b"\xc1\x80\0\0\0\0", 1002),  # a reserved bit
        (b"\x81\x81\0\0\0\0\xff", 1007),  # not UTF-8
        (b"\x89\xfe\0\x7e\0\0\0\0" + bytes(126), 1002),  # a long ping
        (b"\x82\xfe\x08\0\0\0\0\0" + bytes(2048), 1009),  # over the limit
        (b"\x82\xff\x7f" + b"\xff" * 7 + b"\0\0\0\0" + bytes(2048), 1009),  # absurd
    ],
)
def test_what_is_no_frame_closes_with_its_code(run: Run, frame: bytes, code: int) -> None:
    async def main() -> bytes:
        async with serving(speaking(limit=1024)) as port, await Wire.open(port) as wire:
            wire.send(get("/", *ASKING) + frame)
            await wire.until(b"\r\n\r\n")
            wire.writer.write_eof()
            return await wire.rest()

    found = run(main)
    assert (found[0], int.from_bytes(found[2:4])) == (0x88, code)


def test_the_code_and_reason_of_the_peer_are_told(run: Run) -> None:
    async def bye(socket: WebSocket) -> None:
        await socket.send("last words")
        await socket.close(4001, "enough")

    async def main() -> ClosedError:
        async with joined(lambda request: accept(request, bye)) as socket:
            assert await socket.receive() == "last words"
            with pytest.raises(ClosedError) as caught:
                await socket.receive()
            with pytest.raises(ClosedError):
                await socket.send("too late")
            return caught.value

    closed = run(main)
    assert (closed.code, closed.reason) == (4001, "enough")


def test_a_conversation_that_fails_closes_with_1011(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    async def fail(socket: WebSocket) -> None:
        raise LookupError("the secret")

    async def main() -> ClosedError:
        async with joined(lambda request: accept(request, fail)) as socket:
            with pytest.raises(ClosedError) as caught:
                await socket.receive()
            return caught.value

    closed = run(main)
    assert closed.code == 1011
    assert "secret" not in closed.reason
    assert "the secret" in caplog.text


def test_a_lost_connection_is_1006(run: Run) -> None:
    async def main() -> int:
        ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def wait(socket: WebSocket) -> None:
            try:
                await socket.receive()
            except ClosedError as closed:
                ended.set_result(closed.code)

        async with serving(lambda request: accept(request, wait)) as port:
            wire = await Wire.open(port)
            wire.send(get("/", *ASKING))
            await wire.until(b"\r\n\r\n")
            wire.abort()
            return await ended

    assert run(main) == 1006


def test_who_does_not_read_holds_the_sender(run: Run) -> None:
    async def never(socket: WebSocket) -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        async with serving(lambda request: accept(request, never)) as port, Pool() as pool:
            socket = await connect(pool, Origin("127.0.0.1", port), "/")
            assert isinstance(socket, WebSocket)

            async def flood() -> None:
                while True:
                    await socket.send(bytes(1024 * 1024))

            with pytest.raises(TimeoutError):
                await asyncio.wait_for(flood(), 0.5)
            assert socket.buffered > 0

    run(main)


def test_a_server_that_does_not_speak_websocket_is_heard(run: Run) -> None:
    async def main() -> tuple[int, bytes]:
        async with serving(lambda request: Response(403, body=b"no"), ServerLimits()) as port, Pool() as pool:
            response = await connect(pool, Origin("127.0.0.1", port), "/")
            assert isinstance(response, Response)
            return response.status, await response.read()

    assert run(main) == (403, b"no")


def test_a_server_that_accepts_something_else_is_refused(run: Run) -> None:
    async def main() -> None:
        def handler(request: Request) -> Response:
            return accept(request, repeat, headers=Headers([(b"Sec-WebSocket-Accept", b"wrong")]))

        async with serving(handler) as port, Pool() as pool:
            with pytest.raises(Exception, match="but not to this WebSocket"):
                await connect(pool, Origin("127.0.0.1", port), "/")

    run(main)
