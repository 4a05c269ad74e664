"""WebSocket, both sides: the handshake is ours, frames are wsproto's, and what is here is messages and their end.

    async def talk(socket: WebSocket) -> None:
        async for message in socket:
            await socket.send(message)

    def handler(request: Request) -> Response:
        return accept(request, talk, subprotocols=["v5.channel.k8s.io"])

A message is `str` or `bytes`, whole; pings are answered unseen. `receive` raises `ClosedError` with the peer's code
once everything before the close was read. Import it where it is used: most programs never do, and loading takes time.
"""

import asyncio
import base64
import binascii
import hashlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from typing import Any, cast

from wsproto.connection import Connection, ConnectionState, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Event, Ping, TextMessage
from wsproto.utilities import LocalProtocolError

from kubewright.entropy import SYSTEM
from kubewright.http.errors import HttpError, ProtocolError
from kubewright.http.headers import EMPTY, Headers
from kubewright.http.limits import Timeouts
from kubewright.http.message import Request, Response, Takeover
from kubewright.http.origin import Origin
from kubewright.http.pool import Pool

__all__ = ["ClosedError", "WebSocket", "accept", "ask", "connect", "take", "wanted"]

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, section 1.3
VERSION = b"13"
HIGH = 256 * 1024  # bytes of messages that wait to be read before the peer is held
MESSAGE = 16 * 1024 * 1024  # bytes of one message, unless told otherwise
CLOSING_TIME = 5.0  # seconds a peer has to answer a close

NORMAL, GOING_AWAY, ABNORMAL, TOO_BIG, BROKEN = 1000, 1001, 1006, 1009, 1011


class ClosedError(HttpError):
    """The WebSocket is closed, with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"the WebSocket is closed: {code} {reason}".rstrip())
        self.code = code
        self.reason = reason


class WebSocket(asyncio.Protocol):
    """One end of a conversation. `closed` has the code and reason once it is over."""

    def __init__(self, side: ConnectionType, subprotocol: str | None, limit: int = MESSAGE) -> None:
        self.subprotocol = subprotocol
        self.closed: ClosedError | None = None
        self._frames = Connection(side)
        self._limit = limit
        self._transport: asyncio.Transport = cast("asyncio.Transport", None)  # until connection_made
        self._messages: deque[str | bytes] = deque()
        self._size = 0
        self._parts: list[TextMessage | BytesMessage] = []
        self._parts_size = 0
        self._held = False
        self._arrived = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._gone = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    async def receive(self) -> str | bytes:
        """The next message; `ClosedError` after the last."""
        while not self._messages:
            if self.closed is not None:
                raise self.closed
            self._arrived.clear()
            await self._arrived.wait()
        message = self._messages.popleft()
        self._size -= len(message)
        if self._held and self._size <= HIGH // 2:
            self._held = False
            self._transport.resume_reading()
        return message

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        try:
            while True:
                yield await self.receive()
        except ClosedError:
            return

    def write(self, message: str | bytes) -> None:
        """Send without waiting; `buffered` says what the peer has not taken."""
        event = TextMessage(message) if isinstance(message, str) else BytesMessage(message)
        self._send(event)

    async def send(self, message: str | bytes) -> None:
        """Send, and wait while the peer does not take what was sent before."""
        await self._writable.wait()
        self.write(message)

    @property
    def buffered(self) -> int:
        """How many bytes wait for the peer."""
        return self._transport.get_write_buffer_size()

    async def close(self, code: int = NORMAL, reason: str = "") -> None:
        """Say good-bye, and wait until the peer has said it too, or for a few seconds."""
        self._say_close(code, reason)
        await self._gone.wait()

    async def attended(self, work: Coroutine[Any, Any, None]) -> None:
        """Do `work` until it is done, or nobody is there any more; what the peer says meanwhile is ignored."""

        async def ignore() -> None:
            async for _ in self:
                pass

        doing, leaving = asyncio.ensure_future(work), asyncio.ensure_future(ignore())
        try:
            await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                doing.result()
        finally:
            doing.cancel()
            leaving.cancel()
            await asyncio.gather(doing, leaving, return_exceptions=True)

    def abort(self) -> None:
        """Cut the peer off, without a word."""
        self._transport.abort()

    # What the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._frames.state in (ConnectionState.CLOSED, ConnectionState.REMOTE_CLOSING):
            return
        self._frames.receive_data(data)
        for event in self._frames.events():
            self._take(event)

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, error: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._finish(ABNORMAL, "the connection was lost")
        self._writable.set()
        self._gone.set()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    # Frames in.

    def _take(self, event: Event) -> None:
        if isinstance(event, TextMessage | BytesMessage):
            self._collect(event)
        elif isinstance(event, Ping):
            if self.closed is None:
                self._send(event.response())
        elif isinstance(event, CloseConnection):
            self._finish(event.code, event.reason or "")
            # Open still: this close is wsproto's own, about a frame that is none.
            if self._frames.state in (ConnectionState.REMOTE_CLOSING, ConnectionState.OPEN):
                self._transport.write(self._frames.send(event.response()))
            self._transport.close()

    def _collect(self, event: TextMessage | BytesMessage) -> None:
        if self.closed is not None:
            return
        self._parts_size += len(event.data)
        if self._parts_size > self._limit:
            reason = f"a message is longer than {self._limit} bytes"
            self._finish(TOO_BIG, reason)
            self._say_close(TOO_BIG, reason)
            return
        self._parts.append(event)
        if not event.message_finished:
            return
        if isinstance(event, TextMessage):
            message: str | bytes = "".join(part.data for part in self._parts if isinstance(part, TextMessage))
        else:
            message = b"".join(part.data for part in self._parts if isinstance(part, BytesMessage))
        self._parts, self._parts_size = [], 0
        self._messages.append(message)
        self._size += len(message)
        self._arrived.set()
        if self._size > HIGH and not self._held:
            self._held = True
            self._transport.pause_reading()

    # Frames out, and the end.

    def _send(self, event: Event) -> None:
        if self.closed is not None:
            raise self.closed
        try:
            self._transport.write(self._frames.send(event))
        except LocalProtocolError as error:
            raise ClosedError(NORMAL, "it was closed from this side") from error

    def _say_close(self, code: int, reason: str) -> None:
        if self._frames.state is ConnectionState.OPEN and not self._gone.is_set():
            short = reason.encode()[:123].decode(errors="ignore")  # a control frame holds 125 bytes
            self._transport.write(self._frames.send(CloseConnection(code, short)))
            if self._held:
                self._held = False
                self._transport.resume_reading()
        if self._timer is None and not self._gone.is_set():
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(CLOSING_TIME, self._transport.abort)

    def _finish(self, code: int, reason: str) -> None:
        if self.closed is None:
            self.closed = ClosedError(code, reason)
            self._arrived.set()


def wanted(request: Request) -> bool:
    """Whether `request` asks for a WebSocket."""
    return request.upgrade and b"websocket" in request.headers.tokens(b"upgrade")


def accept(
    request: Request,
    talk: Callable[[WebSocket], Awaitable[None]],
    subprotocols: Sequence[str] = (),
    headers: Headers = EMPTY,
    limit: int = MESSAGE,
) -> Response:
    """Answer `request` with a WebSocket on which `talk` runs; or with what is wrong with it.

    Of the subprotocols the client offers, in its order, the first that is in `subprotocols` is taken; a client that
    offers only others is refused. When `talk` returns the socket is closed (1000), when it fails too (1011).
    """
    key = request.headers.get(b"sec-websocket-key") or b""
    if not wanted(request) or request.method != "GET":
        return Response(400, headers, b"this is served as a WebSocket: ask with GET and Upgrade: websocket\n")
    if request.headers.get(b"sec-websocket-version") != VERSION:
        return Response(426, headers.plus((b"Sec-WebSocket-Version", VERSION)), b"use WebSocket version 13\n")
    if not _is_key(key):
        return Response(400, headers, b"Sec-WebSocket-Key is not the base64 of 16 bytes\n")
    offered = [part.strip() for value in request.headers.all(b"sec-websocket-protocol") for part in value.split(b",")]
    chosen = next((name for name in offered if name.decode("latin-1") in subprotocols), None)
    if offered and subprotocols and chosen is None:
        known = ", ".join(subprotocols)
        return Response(400, headers, f"none of the subprotocols is spoken here; these are: {known}\n".encode())
    lines = [(b"Upgrade", b"websocket"), (b"Sec-WebSocket-Accept", _answer(key))]
    if chosen is not None:
        lines.append((b"Sec-WebSocket-Protocol", chosen))
    socket = WebSocket(ConnectionType.SERVER, chosen.decode() if chosen is not None else None, limit)

    async def conversation() -> None:
        try:
            await talk(socket)
        except ClosedError:
            pass
        except asyncio.CancelledError:
            socket._say_close(GOING_AWAY, "the server stops")
            raise
        except Exception:
            await socket.close(BROKEN, "internal error")
            raise
        await socket.close()

    return Response(101, headers.plus(*lines), Takeover(socket, conversation))


async def connect(
    pool: Pool,
    origin: Origin,
    target: str,
    headers: Headers = EMPTY,
    subprotocols: Sequence[str] = (),
    limit: int = MESSAGE,
    timeouts: Timeouts | None = None,
) -> WebSocket | Response:
    """A WebSocket to `target`; or the response of a server that answered with something else."""
    request = ask(target, headers, subprotocols)
    response, exchange = await pool.upgrade(origin, request, timeouts)
    if response.status != 101:
        return response
    try:
        socket = take(request, response, limit)
    except ProtocolError:
        exchange.abort()
        raise
    exchange.hand_over(socket)
    return socket


def ask(target: str, headers: Headers = EMPTY, subprotocols: Sequence[str] = ()) -> Request:
    """The request for a WebSocket; what it is answered with is for `take`."""
    key = base64.b64encode(bytes.fromhex(SYSTEM.token())[:16])
    lines = [(b"Upgrade", b"websocket"), (b"Sec-WebSocket-Version", VERSION), (b"Sec-WebSocket-Key", key)]
    if subprotocols:
        lines.append((b"Sec-WebSocket-Protocol", ", ".join(subprotocols).encode()))
    request = Request("GET", target, headers.plus(*lines))
    request.upgrade = True
    return request


def take(request: Request, response: Response, limit: int = MESSAGE) -> WebSocket:
    """The client's end, to be handed the connection on which `request` was answered with this `101`."""
    key = request.headers.get(b"sec-websocket-key") or b""
    offered = (request.headers.get(b"sec-websocket-protocol") or b"").split(b", ")
    chosen = response.headers.get(b"sec-websocket-protocol")
    if response.headers.get(b"sec-websocket-accept") != _answer(key) or (chosen is not None and chosen not in offered):
        raise ProtocolError(f"GET {request.target}: the server switched protocols, but not to this WebSocket")
    return WebSocket(ConnectionType.CLIENT, chosen.decode("latin-1") if chosen is not None else None, limit)


def _answer(key: bytes) -> bytes:
    return base64.b64encode(hashlib.sha1(key + GUID, usedforsecurity=False).digest())


def _is_key(key: bytes) -> bool:
    try:
        return len(base64.b64decode(key, validate=True)) == 16
    except binascii.Error:
        return False
