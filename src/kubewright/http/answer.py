"""The answers of a server's connection, one at a time: from the handler's call to the last byte.

    HANDLING ─bytes─────► written at once
       │      ─pieces───► SENDING, a task        ─last piece─►  done: the connection handles its next request
       │      ─Stream───► STREAMING, no task     ─end()──────►  done
       │      ─Takeover─► TAKEN: another protocol has the connection, up to its end
       └─ raises ───────► 500 that says nothing and a line in the log; `RefusedError` its own status

A handler that is a plain function costs no task; one that is a coroutine has one from its begin, and the same sends its
pieces. What is promised to handlers is told in `connection`, whose turns these are.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Coroutine
from typing import Any, Protocol, cast

from kubewright.http.errors import DisconnectedError, RefusedError
from kubewright.http.head import BODILESS, JOINED, LAST_CHUNK, response_head, whole_head
from kubewright.http.headers import Headers
from kubewright.http.message import Request, Response, Takeover
from kubewright.http.outlet import Outlet
from kubewright.http.service import Service
from kubewright.http.stream import Chunk, Stream

__all__ = ["Answers", "Line"]

log = logging.getLogger("kubewright.http")

TEXT = Headers([(b"Content-Type", b"text/plain; charset=utf-8"), (b"X-Content-Type-Options", b"nosniff")])


class Line(Protocol):
    """What answers ask of their connection."""

    request: Request | None
    outlet: Outlet
    closed: bool
    half_closed: bool

    def is_last(self, request: Request) -> bool:
        """Whether the connection ends with this request."""

    def done(self, request: Request, last: bool) -> None:
        """The answer is written; so the next may be handled."""

    def soon(self) -> None:
        """Handle what waits when the loop comes around."""

    def ran(self) -> None:
        """No task is left of a request."""

    def give_up(self) -> bytes | None:
        """Read no more as HTTP; what was read already of what follows."""

    def close(self) -> None:
        """End it when all is sent."""

    def cut(self) -> None:
        """End it at once."""


class Answers:
    """The answer that is under way, and whoever gives it."""

    __slots__ = (
        "_answering",
        "_coming",
        "_line",
        "_service",
        "_stream",
        "_task",
        "_transport",
        "chunked",
        "taken",
        "write",
    )

    def __init__(self, line: Line, service: Service, transport: asyncio.Transport) -> None:
        self._line = line
        self._service = service
        self._transport = transport
        self._task: asyncio.Task[None] | None = None
        self._coming: Coroutine[Any, Any, Response] | None = None  # what the task runs
        self._answering = False  # the handler has returned pieces that are being sent
        self._stream: Stream | None = None
        self.chunked = True  # of a stream that is attached; false for an HTTP/1.0 client
        self.write: Callable[[bytes], None] = transport.write  # what a stream writes to: nothing lies between
        self.taken: asyncio.Protocol | None = None  # who has the connection now

    # From the handler to the answer.

    def handle(self, request: Request) -> None:
        """Have a request handled and answered; at once if that is possible."""
        try:
            answer = self._service.handler(request)
            if isinstance(answer, Response):
                _check(request, answer)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            answer = self._failure(request, error)
        if not isinstance(answer, Response):
            self._coming = answer
            self._task = self._service.loop.create_task(self._run(request, answer))
        elif not self._answer(request, answer):
            self._task = self._service.loop.create_task(self._send(request, answer))

    async def _run(self, request: Request, coming: Coroutine[Any, Any, Response]) -> None:
        try:
            answer = await coming
            _check(request, answer)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            answer = self._failure(request, error)
        except BaseException:
            self._line.cut()
            self._ran()
            raise
        if self._answer(request, answer):
            self._ran()
            self._line.soon()
        else:
            await self._send(request, answer)

    def _ran(self) -> None:
        """The task of a request has ended."""
        self._task = self._coming = None
        self._line.ran()

    def _failure(self, request: Request, error: Exception) -> Response:
        if isinstance(error, RefusedError):
            return Response(error.status, TEXT, f"{error}\n".encode())
        if isinstance(error, DisconnectedError) and self._line.closed:
            return Response(400)  # nobody is there to read it
        log.error("handling %s %s failed", request.method, request.path, exc_info=error)
        return Response(500, TEXT, b"internal error\n")

    # From the answer to bytes.

    def refuse(self, refused: RefusedError) -> None:
        """Answer what is no request."""
        self._write_whole(refused.status, TEXT, f"{refused}\n".encode(), b"Connection: close\r\n", head_only=False)

    def _answer(self, request: Request, response: Response) -> bool:
        """Send what can be sent now; false if the rest takes a task."""
        line, body = self._line, response.body
        last = line.is_last(request)
        if isinstance(body, bytes):
            if not line.closed:
                framing = b""
                if last:
                    framing = b"Connection: close\r\n"
                elif request.version == "1.0":
                    framing = b"Connection: keep-alive\r\n"
                self._write_whole(response.status, response.headers, body, framing, request.method == "HEAD")
            line.done(request, last)
            return True
        if line.closed:
            response.close()
            line.done(request, True)
            return True
        if isinstance(body, Takeover):
            self._take_over(response, body)
            return body.talk is None
        self.chunked = request.version != "1.0"
        last = last or not self.chunked
        framing = b"Transfer-Encoding: chunked\r\n" if self.chunked else b""
        if last:
            framing += b"Connection: close\r\n"
        self._transport.write(response_head(response.status, response.headers, framing + self._service.date.line()))
        if request.method == "HEAD":
            response.close()
            line.done(request, last)
            return True
        request.keep_alive = not last
        if isinstance(body, Stream):
            self._stream = body
            if line.half_closed:
                self.abort()
                body.lost()
            else:
                body.paused = line.outlet.blocked
                body.attach(self)
            return True
        return False

    def _write_whole(self, status: int, headers: Headers, body: bytes, framing: bytes, head_only: bool) -> None:
        head = whole_head(status, headers, framing + self._service.date.line(), len(body))
        if head_only or status in BODILESS:
            self._transport.write(head)
        elif len(body) <= JOINED:
            self._transport.write(head + body)
        else:
            self._transport.write(head)
            self._transport.write(body)

    async def _send(self, request: Request, response: Response) -> None:
        """Send pieces as they come and as the peer takes them; or let those talk who took the connection over."""
        line, pieces = self._line, response.body
        whole = False
        try:
            if isinstance(pieces, Takeover):
                if pieces.talk is not None:
                    await pieces.talk()
            else:
                self._answering = True
                async for piece in cast("AsyncIterable[bytes]", pieces):
                    if piece:
                        self._transport.write(Chunk(piece).wire if self.chunked else piece)
                    if line.outlet.blocked:
                        await line.outlet.open()
                whole = True
        except asyncio.CancelledError:
            if not self._answering or not (line.closed or line.half_closed):
                raise  # the server stops; otherwise the peer has gone and this was how it was said
        except Exception:
            log.exception("answering %s %s failed", request.method, request.path)
        finally:
            self._answering = False
            if self.taken is not None:
                line.close()
            elif not whole:
                line.cut()
                if isinstance(pieces, AsyncGenerator):
                    await pieces.aclose()
            self._ran()
        if whole:
            self.end()

    def _take_over(self, response: Response, takeover: Takeover) -> None:
        lines = b"Connection: Upgrade\r\n" if response.status == 101 else b""
        self._transport.write(response_head(response.status, response.headers, lines))
        self.taken = takeover.protocol
        tail = self._line.give_up()
        self.taken.connection_made(self._transport)
        if self._line.outlet.blocked:
            self.taken.pause_writing()
        if tail:
            self.taken.data_received(tail)

    # What a stream asks of where it goes.

    def buffered(self) -> int:
        """How many bytes wait for the peer."""
        return self._line.outlet.waiting()

    def end(self) -> None:
        """The answer ends here, whole."""
        self._stream = None
        line, request = self._line, self._line.request
        if line.closed or request is None:
            return
        if self.chunked:
            self._transport.write(LAST_CHUNK)
        line.done(request, not request.keep_alive or self._service.stopping)
        line.soon()

    def abort(self) -> None:
        """Cut the peer off."""
        self._stream = None
        self._line.cut()

    # What the connection tells.

    def pause(self) -> None:
        """The transport has enough."""
        if self.taken is not None:
            self.taken.pause_writing()
        if self._stream is not None:
            self._stream.paused = True

    def resume(self) -> None:
        """The transport takes more."""
        if self.taken is not None:
            self.taken.resume_writing()
        if self._stream is not None:
            self._stream.paused = False

    def half_close(self) -> None:
        """The peer sends no more: what would go on for as long as it listens ends."""
        if self._stream is not None:
            self._stream.lost()
            self._transport.abort()
        elif self._answering and self._task is not None:
            self._task.cancel()

    def lose(self, error: Exception | None) -> bool:
        """The peer has gone. False if a handler still works: it is not cancelled, but for one that only sends."""
        if self.taken is not None:
            self.taken.connection_lost(error)
        if self._stream is not None:
            self._stream.lost()
            self._stream = None
        if self._task is None:
            return True
        if self._answering:
            self._task.cancel()
        return False

    def stop(self) -> None:
        """End what has no end of its own."""
        if self._stream is not None:
            self._stream.close()

    def kill(self) -> None:
        """End at once; the connection is cut already."""
        if self._task is not None:
            self._task.cancel()
            self._task.add_done_callback(self._killed)

    def _killed(self, task: asyncio.Task[None]) -> None:
        """A task that was cancelled before its first step has run nothing, not even its end."""
        if self._coming is not None:
            self._coming.close()
        self._ran()


def _check(request: Request, answer: Response) -> None:
    """Find what cannot be sent while an error can still be answered."""
    answer.headers.block  # noqa: B018 - refuses what would break out of its line
    body = answer.body
    if isinstance(body, bytes):
        return
    if not isinstance(body, Stream | Takeover | AsyncIterable):
        raise TypeError(f"the body of an answer is bytes or pieces of them, not {type(body).__name__}")
    if isinstance(body, Takeover) and not request.upgrade:
        raise TypeError("the connection was taken over, but the client did not ask for another protocol")
