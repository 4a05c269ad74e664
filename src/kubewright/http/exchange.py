"""One connection of a client: a request out, its response in, then the next.

    FREE ──send──► WAITING ──head──► READING ──whole──► FREE       back to the pool
                      │                 │  └─101──► TAKEN          another protocol has it
                      └────── error, time, abandoned ──► CLOSED

The body is read as fast as its reader takes it and no faster. A response that nobody reads to its end costs the
connection: what is left of it may be endless.
"""

import asyncio
from collections.abc import AsyncIterable, Callable
from typing import cast

from kubewright.http.deadline import Deadline
from kubewright.http.errors import DisconnectedError, HttpError, TimedOutError
from kubewright.http.head import JOINED, LAST_CHUNK, request_head
from kubewright.http.headers import Headers
from kubewright.http.limits import ClientLimits, Timeouts
from kubewright.http.message import Request, Response
from kubewright.http.origin import Origin
from kubewright.http.parse import ResponseParser
from kubewright.http.stream import Chunk
from kubewright.http.tls import Tls

__all__ = ["Exchange"]

WITH_BODY = ("POST", "PUT", "PATCH")  # whose length is said even when it is nothing


class Exchange(asyncio.Protocol):
    """The client's end of a connection. Used by one request at a time; `Pool` sees to that."""

    def __init__(self, origin: Origin, limits: ClientLimits, loop: asyncio.AbstractEventLoop) -> None:
        self.origin = origin
        #: The fields for the proxy that whole URLs are sent to; None: the server itself is asked.
        self.proxied: Headers | None = None
        self.lasting = False  # it is lent to a request that may go on for ever
        self.used = 0  # how many requests were sent
        self.received = False  # anything came back for the last one
        self.idle_since = 0.0
        self.closed = False
        #: Whom it belongs to: told when it has nothing to do, and when it is closed.
        self.on_free: Callable[[Exchange], None] | None = None
        self.on_closed: Callable[[Exchange], None] | None = None
        self.transport: asyncio.Transport = cast("asyncio.Transport", None)  # until connection_made
        self._host = b"Host: %b\r\n" % origin.authority.encode("idna" if not origin.host.isascii() else "ascii")
        #: The fields that were sent last, and their lines: a client has few sets of them and sends them anew each time.
        self._lines = b""
        self._fields: Headers | None = None
        self.url = origin.url  # before what it is asked for, in requests to a proxy and in errors
        self._loop = loop
        self._parser = ResponseParser(limits, self)
        self._head: asyncio.Future[Response] | None = None
        self._upload: asyncio.Task[None] | None = None
        self._taken: asyncio.Protocol | None = None
        self._resumed: asyncio.Event | None = None
        self._deadline = Deadline(loop, self._late)
        self._idle: float | None = None
        self._held = False
        self._about = ""

    async def send(self, request: Request, timeouts: Timeouts) -> Response:
        """The response to `request`, once its head has come. Cancelled, it closes the connection."""
        self._about = f"{request.method} {self.url}{request.target}"
        body = request.body
        head = self._request_head(request)
        self._parser.expect(request.method, self._about)
        self.used += 1
        self.received = False
        coming: asyncio.Future[Response] = self._loop.create_future()
        if self.closed:
            raise DisconnectedError(f"{self._about}: the server closed the connection")
        self._head = coming
        if not isinstance(body, bytes):
            self.transport.write(head)
            self._upload = self._loop.create_task(self._send_pieces(body, timeouts))
        elif request.gate is not None:
            self._send_gated(head + body, request.gate)
        elif len(body) <= JOINED:
            self.transport.write(head + body)
        else:
            self.transport.write(head)
            self.transport.write(body)
        self._idle = timeouts.idle
        if timeouts.head is not None and self._upload is None:
            self._deadline.after(timeouts.head)
        try:
            return await coming
        except BaseException:
            if self._head is coming or self._parser.tail is not None:  # unanswered, or nobody's after a `101`
                self.abort()
            elif not coming.cancelled() and coming.exception() is None:
                # It was answered in the moment we were cancelled. The connection may be another request's already.
                coming.result().close()
            raise

    def hand_over(self, protocol: asyncio.Protocol) -> None:
        """After a `101`: the connection is `protocol`'s, with what has come already."""
        self._taken = protocol
        tail, self._parser.tail = self._parser.tail, None
        protocol.connection_made(self.transport)
        if tail:
            protocol.data_received(tail)

    def abort(self) -> None:
        """Close at once."""
        if not self.closed:
            self.transport.abort()

    def forsake(self) -> None:
        """Close at once, and have whoever still waits know that it was us."""
        if not self._parser.done:
            self._fail(DisconnectedError(f"{self._about}: this client was closed before the answer was whole"))
        self.abort()

    def close(self) -> None:
        """Close."""
        if not self.closed:
            self.transport.close()

    def _send_gated(self, data: bytes, gate: Callable[[], None]) -> None:
        """Ask once more when all is ready: the process may have stood still since it was asked."""
        try:
            if isinstance(self.transport, Tls):
                self.transport.write_gated(data, gate)
            else:
                gate()
                self.transport.write(data)
        except BaseException:
            self._head = None
            self.abort()
            raise

    def _request_head(self, request: Request) -> bytes:
        target, body, headers = request.target, request.body, request.headers
        if self.proxied is not None:
            target = self.url + target
        if headers is not self._fields:
            self._lines = headers.block if b"host" in headers else headers.block + self._host
            if self.proxied is not None:
                self._lines += self.proxied.block
            self._fields = headers
        framing = b""
        if not isinstance(body, bytes):
            framing = b"Transfer-Encoding: chunked\r\n"
        elif body or request.method in WITH_BODY:
            framing = b"Content-Length: %d\r\n" % len(body)
        if request.upgrade:
            framing += b"Connection: Upgrade\r\n"
        return request_head(request.method, target, self._lines, framing)

    async def _send_pieces(self, pieces: AsyncIterable[bytes], timeouts: Timeouts) -> None:
        try:
            async for piece in pieces:
                self.transport.write(Chunk(piece).wire)
                if self._resumed is not None:
                    await self._resumed.wait()
            self.transport.write(LAST_CHUNK)
            if timeouts.head is not None and self._head is not None:
                self._deadline.after(timeouts.head)
        except Exception as error:  # noqa: BLE001 - the caller's iterator: its error is the request's
            self._fail(error)
        self._upload = None

    # What the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._taken is not None:
            self._taken.data_received(data)
            return
        parser = self._parser
        if parser.tail is not None:  # switched; nobody has taken over yet
            parser.tail += data
            return
        self.received = True
        idle = parser.done
        try:
            response = parser.feed(data)
        except HttpError as error:
            self._fail(error)
            return
        if response is not None:
            coming, self._head = self._head, None
            if coming is not None:
                if coming.done():  # cancelled, and whoever waited has not had a turn yet
                    self.abort()
                    return
                coming.set_result(response)
        if idle:
            return  # only a line end: an answer to nothing is refused
        if parser.done:
            self._over()
        elif self._head is None:
            self._heard()

    def eof_received(self) -> bool:
        if self._taken is not None:
            return bool(self._taken.eof_received())
        self._end()
        return False

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True
        if self._taken is not None:
            self._taken.connection_lost(error)
        else:
            self._end()
        self._deadline.stop()
        if self._resumed is not None:
            self._resumed.set()
        if self.on_closed is not None:
            self.on_closed(self)

    def pause_writing(self) -> None:
        if self._taken is not None:
            self._taken.pause_writing()
        self._resumed = asyncio.Event()

    def resume_writing(self) -> None:
        if self._taken is not None:
            self._taken.resume_writing()
        if self._resumed is not None:
            self._resumed.set()
            self._resumed = None

    # What a body asks of where it comes from.

    def wanted(self) -> None:
        """It comes by itself."""

    def pause(self) -> None:
        """Read no more for now; the peer is not to blame for the silence."""
        self._held = True
        if not self.closed:
            self.transport.pause_reading()

    def resume(self) -> None:
        """Read on."""
        self._held = False
        if not self.closed:
            self.transport.resume_reading()
            self._heard()

    def abandon(self) -> None:
        """Nobody reads the rest."""
        self.abort()

    # How an exchange ends.

    def _over(self) -> None:
        """The response is whole."""
        self._deadline.stop()
        if self._parser.tail is not None:
            return
        if self._upload is not None:  # answered before all was sent: the rest is not wanted
            self._upload.cancel()
            self._upload = None
            self.close()
        elif not self._parser.keep_alive:
            self.close()
        elif self.on_free is not None:
            self.on_free(self)

    def _end(self) -> None:
        """Nothing more comes."""
        try:
            self._parser.eof()
        except HttpError as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._parser.fail(error if isinstance(error, HttpError) else DisconnectedError(f"{self._about}: {error}"))
        if self._upload is not None and self._upload is not asyncio.current_task():
            self._upload.cancel()
            self._upload = None
        coming, self._head = self._head, None
        if coming is not None and not coming.done():
            coming.set_exception(error)
        self.abort()

    def _heard(self) -> None:
        if self._idle is None:
            self._deadline.stop()
        elif not self._parser.done:
            self._deadline.after(self._idle)

    def _late(self) -> None:
        if not self._held and not self._parser.done:
            what = "no answer came" if self._head is not None else "nothing more of the answer came"
            self._fail(TimedOutError(f"{self._about}: {what} within its time"))
