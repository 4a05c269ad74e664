"""One connection of a server: requests in, handled one after the other, answers out in the same order.

    WAITING ─bytes─► HEAD ─whole─► HANDLING ─answer─► WAITING       and so on, until one side says it is the last
       │ idle_time    │ head_time     │ body_time, write_time
       ▼              ▼               ▼
     closed          408            cut                              TAKEN: another protocol has the connection

What is promised to a handler:

- It is **not cancelled when its client goes away**: a write that has begun is never torn. It may ask
  (`request.disconnected`) or wait (`request.wait_disconnected()`). Only a server that stops
  cancels it, when its grace is over.
- Once it has answered with an iterator or a `Stream`, that ends when the client goes: the iterator is closed, the
  stream's listeners are called. A half-closed socket counts as gone for those; a plain answer is still sent.
- It may be a plain function: then no task is made.
- What it raises becomes a 500 that says nothing, and a line in the log that says all; `RefusedError` its own status.

Requests behind the one that is handled wait here; when there are many, or the client does not take its answers, nothing
more is read from it.
"""

import asyncio
import logging
import ssl
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Coroutine
from typing import Any, cast

from kubewright.http.body import Body
from kubewright.http.deadline import Deadline
from kubewright.http.errors import DisconnectedError, RefusedError
from kubewright.http.head import BODILESS, CONTINUE, JOINED, LAST_CHUNK, response_head, whole_head
from kubewright.http.headers import Headers
from kubewright.http.message import Peer, Request, Response, Takeover
from kubewright.http.outlet import Outlet
from kubewright.http.parse import RequestParser
from kubewright.http.service import Service
from kubewright.http.stream import Chunk, Stream

__all__ = ["Connection"]

log = logging.getLogger("kubewright.http")

TEXT = Headers([(b"Content-Type", b"text/plain; charset=utf-8"), (b"X-Content-Type-Options", b"nosniff")])
DRAINED = 256 * 1024  # bytes of an unread body that are read and thrown away to keep the connection
BURST = 16  # answers in a row before the loop's other work gets its turn


class Connection(asyncio.Protocol):
    """The state of one connection."""

    chunked = True  # of a stream that is attached; false for an HTTP/1.0 client

    def __init__(self, service: Service) -> None:
        self._service = service
        self._loop = service.loop
        self._limits = service.limits
        self._parser = RequestParser(service.limits, self, self)
        self._transport: asyncio.Transport = cast("asyncio.Transport", None)  # until connection_made, as two below
        self._outlet: Outlet = cast("Outlet", None)
        self.write: Callable[[bytes], None] = cast("Callable[[bytes], None]", None)  # the transport's own
        self._queue: deque[Request] = deque()
        self._request: Request | None = None  # the one that is handled
        self._refused: RefusedError | None = None  # what follows the queue is none
        self._task: asyncio.Task[None] | None = None
        self._coming: Coroutine[Any, Any, Response] | None = None  # what the task runs
        self._stream: Stream | None = None
        self._taken: asyncio.Protocol | None = None
        self._ending = False  # nothing more is read as HTTP
        self._closed = False
        self._half_closed = False
        self._answering = False  # the handler has returned pieces that are being sent
        self._dispatching = False
        self._again: asyncio.Handle | None = None
        self._holds = 0  # reasons not to read
        self._crowded = False
        self._lost: asyncio.Event | None = None
        self._peer: Peer | None = None
        self._deadline = Deadline(self._loop, self._expired)
        self._head_timed = False  # the head that is arriving has its deadline

    # What a request asks of its connection.

    @property
    def peer(self) -> Peer:
        """Who is at the other end; asked for once a connection."""
        if self._peer is None:
            secure: ssl.SSLObject | None = self._transport.get_extra_info("ssl_object")
            name = self._transport.get_extra_info("peername")
            address = (str(name[0]), int(name[1])) if isinstance(name, tuple) else None
            certificate = secure.getpeercert(binary_form=True) if secure is not None else None
            self._peer = Peer(address, certificate, secure is not None)
        return self._peer

    @property
    def lost(self) -> asyncio.Event:
        """Set once the peer has gone, or has said that it sends no more."""
        if self._lost is None:
            self._lost = asyncio.Event()
            if self._closed or self._half_closed:
                self._lost.set()
        return self._lost

    # What the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.write = self._transport.write
        self._outlet = Outlet(self._transport, self._loop, self._limits.write_time)
        self._service.connections.add(self)
        self._deadline.after(self._limits.head_time)
        if self._service.stopping:
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        if self._ending:
            if self._taken is not None:
                self._taken.data_received(data)
            return
        parser = self._parser
        if parser.tail is not None:  # an upgrade is being decided; what follows waits
            parser.tail += data
            self._crowd()
            return
        try:
            requests = parser.feed(data)
        except RefusedError as refused:
            requests = parser.taken()
            self._spoilt(refused)
        if requests or self._refused is not None:
            self._head_timed = False
            self._queue.extend(requests)
            if self._request is None and not self._dispatching:
                self._dispatch()
            if self._queue or parser.tail is not None:
                self._crowd()
        if self._ending:
            return
        if parser.in_body:
            self._deadline.after(self._limits.body_time)
        elif parser.in_head and not self._head_timed:
            # A head has its time from its first byte; later bytes do not lengthen it.
            self._head_timed = True
            self._deadline.after(self._limits.head_time)

    def eof_received(self) -> bool:
        if self._taken is not None:
            return bool(self._taken.eof_received())
        self._half_closed = True
        if self._lost is not None:
            self._lost.set()
        if not self._ending and (self._parser.in_body or self._parser.in_head):
            self._spoilt(
                self._parser.fail(RefusedError(400, "the client closed the connection before its request was whole"))
            )
        if self._stream is not None:
            self._stream.lost()
            self._transport.abort()
        elif self._answering and self._task is not None:
            self._task.cancel()
        elif self._request is None:
            self._dispatch()
            return False
        return self._transport.get_extra_info("ssl_object") is None  # TLS has no half: the transport closes by itself

    def connection_lost(self, error: Exception | None) -> None:
        self._closed = True
        self._ending = True
        self._deadline.stop()
        self._outlet.resume()
        if self._again is not None:
            self._again.cancel()
        if self._taken is not None:
            self._taken.connection_lost(error)
        gone = DisconnectedError("the client closed the connection")
        for request in (self._request, *self._queue):
            if request is not None and isinstance(request.body, Body):
                request.body.fail(gone)
        self._queue.clear()
        if self._lost is not None:
            self._lost.set()
        if self._stream is not None:
            self._stream.lost()
            self._stream = None
        if self._task is None:
            self._service.gone(self)
        elif self._answering:
            self._task.cancel()

    def pause_writing(self) -> None:
        self._outlet.pause()
        if self._taken is not None:
            self._taken.pause_writing()
        if self._stream is not None:
            self._stream.paused = True

    def resume_writing(self) -> None:
        self._outlet.resume()
        if self._taken is not None:
            self._taken.resume_writing()
        if self._stream is not None:
            self._stream.paused = False
        self._soon()

    # What a body asks of where it comes from.

    def wanted(self) -> None:
        """Tell a peer that waits for it to send its body."""
        request = self._request
        if request is not None and request.expects:
            request.expects = False
            self._transport.write(CONTINUE)
            self._deadline.after(self._limits.body_time)

    def pause(self) -> None:
        """Read no more for now."""
        self._holds += 1
        if self._holds == 1 and not self._closed:
            self._transport.pause_reading()

    def resume(self) -> None:
        """Read on."""
        self._holds -= 1
        if self._holds == 0 and not self._closed:
            self._transport.resume_reading()
            if self._parser.in_body:
                self._deadline.after(self._limits.body_time)

    def abandon(self) -> None:
        """Let what is left of the body come, and be thrown away."""

    # Requests, one after the other.

    def _dispatch(self) -> None:
        """Handle what waits, until a handler takes a task."""
        self._again = None
        self._dispatching = True
        queue, burst = self._queue, BURST
        while queue and self._request is None and not self._outlet.blocked:
            if not burst:
                self._again = self._loop.call_soon(self._dispatch)
                break
            burst -= 1
            request = self._request = queue.popleft()
            self._handle(request)
        self._dispatching = False
        if self._crowded:
            self._crowd()
        if self._request is None and not queue:
            self._rest()

    def _soon(self) -> None:
        """Handle what waits when the loop comes around."""
        if self._again is None and not self._dispatching and not self._closed:
            self._again = self._loop.call_soon(self._dispatch)

    def _handle(self, request: Request) -> None:
        try:
            answer = self._service.handler(request)
            if isinstance(answer, Response):
                self._check(request, answer)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            answer = self._failure(request, error)
        if not isinstance(answer, Response):
            self._coming = answer
            self._task = self._loop.create_task(self._run(request, answer))
        elif not self._answer(request, answer):
            self._task = self._loop.create_task(self._send(request, answer))

    async def _run(self, request: Request, coming: Coroutine[Any, Any, Response]) -> None:
        try:
            answer = await coming
            self._check(request, answer)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            answer = self._failure(request, error)
        except BaseException:
            self._cut()
            self._ran()
            raise
        if self._answer(request, answer):
            self._ran()
            self._soon()
        else:
            await self._send(request, answer)

    def _ran(self) -> None:
        """The task of a request has ended."""
        self._task = self._coming = None
        if self._closed:
            self._service.gone(self)

    def _check(self, request: Request, answer: Response) -> None:
        """Find what cannot be sent while an error can still be answered."""
        answer.headers.block  # noqa: B018 - refuses what would break out of its line
        body = answer.body
        if isinstance(body, bytes):
            return
        if not isinstance(body, Stream | Takeover | AsyncIterable):
            raise TypeError(f"the body of an answer is bytes or pieces of them, not {type(body).__name__}")
        if isinstance(body, Takeover) and not request.upgrade:
            raise TypeError("the connection was taken over, but the client did not ask for another protocol")

    def _failure(self, request: Request, error: Exception) -> Response:
        if isinstance(error, RefusedError):
            return Response(error.status, TEXT, f"{error}\n".encode())
        if isinstance(error, DisconnectedError) and self._closed:
            return Response(400)  # nobody is there to read it
        log.error("handling %s %s failed", request.method, request.path, exc_info=error)
        return Response(500, TEXT, b"internal error\n")

    def _rest(self) -> None:
        """Nothing is to be done: wait for the next request, or end."""
        if self._refused is not None:
            refused, self._refused = self._refused, None
            body = f"{refused}\n".encode()
            self._write_whole(refused.status, TEXT, body, b"Connection: close\r\n", head_only=False)
            self._linger()
        elif self._ending:
            return
        elif self._half_closed or (self._service.stopping and not self._parser.in_head):
            self._close()
        elif not self._head_timed:
            self._deadline.after(self._limits.idle_time)

    def _spoilt(self, refused: RefusedError) -> None:
        """Read no more. A body that was arriving has failed; anything else is answered when its turn comes."""
        self._ending = True
        if not self._parser.in_body:
            self._refused = refused

    # Answers.

    def _answer(self, request: Request, response: Response) -> bool:
        """Send what can be sent now; false if the rest takes a task."""
        body = response.body
        last = self._last(request)
        if isinstance(body, bytes):
            if not self._closed:
                framing = b""
                if last:
                    framing = b"Connection: close\r\n"
                elif request.version == "1.0":
                    framing = b"Connection: keep-alive\r\n"
                self._write_whole(response.status, response.headers, body, framing, request.method == "HEAD")
            self._done(request, last)
            return True
        if self._closed:
            response.close()
            self._done(request, True)
            return True
        if isinstance(body, Takeover):
            self._take_over(request, response, body)
            return body.talk is None
        self.chunked = request.version != "1.0"
        last = last or not self.chunked
        framing = b"Transfer-Encoding: chunked\r\n" if self.chunked else b""
        if last:
            framing += b"Connection: close\r\n"
        self._transport.write(response_head(response.status, response.headers, framing + self._service.date.line()))
        if request.method == "HEAD":
            response.close()
            self._done(request, last)
            return True
        request.keep_alive = not last
        if isinstance(body, Stream):
            self._stream = body
            if self._half_closed:
                self.abort()
                body.lost()
            else:
                body.paused = self._outlet.blocked
                body.attach(self)
            return True
        return False

    def _last(self, request: Request) -> bool:
        """Whether the connection ends with this request."""
        body = request.body
        if body and isinstance(body, Body) and not body.whole:
            left = self._parser.left
            if body.broken or request.expects or left is None or left > DRAINED:
                return True
            body.discard()
        return not request.keep_alive or self._service.stopping or (self._half_closed and not self._queue)

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
        pieces = response.body
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
                    if self._outlet.blocked:
                        await self._outlet.open()
                whole = True
        except asyncio.CancelledError:
            if not self._answering or not (self._closed or self._half_closed):
                raise  # the server stops; otherwise the peer has gone and this was how it was said
        except Exception:
            log.exception("answering %s %s failed", request.method, request.path)
        finally:
            self._answering = False
            if self._taken is not None:
                self._close()
            elif not whole:
                self._cut()
                if isinstance(pieces, AsyncGenerator):
                    await pieces.aclose()
            self._ran()
        if whole:
            self.end()

    def _done(self, request: Request, last: bool) -> None:
        """The answer is written; so the next may be handled."""
        self._request = None
        if last:
            unread = self._parser.in_body or self._queue or self._refused is not None
            self._queue.clear()
            self._ending = True
            self._refused = None
            if unread:
                self._linger()
            else:
                self._close()
        elif self._parser.tail is not None and request.upgrade:
            self._declined()

    def _declined(self) -> None:
        """An upgrade was answered with something else: what follows is HTTP."""
        try:
            self._queue.extend(self._parser.resume())
        except RefusedError as refused:
            self._queue.extend(self._parser.taken())
            self._spoilt(refused)
        self._crowd()

    def _take_over(self, request: Request, response: Response, takeover: Takeover) -> None:
        lines = b"Connection: Upgrade\r\n" if response.status == 101 else b""
        self._transport.write(response_head(response.status, response.headers, lines))
        self._taken = takeover.protocol
        self._ending = True
        self._request = None
        self._deadline.stop()
        tail, self._parser.tail = self._parser.tail, None
        self._crowd()
        self._taken.connection_made(self._transport)
        if self._outlet.blocked:
            self._taken.pause_writing()
        if tail:
            self._taken.data_received(tail)

    # What a stream asks of where it goes.

    def buffered(self) -> int:
        """How many bytes wait for the peer."""
        return self._outlet.waiting()

    def end(self) -> None:
        """The answer ends here, whole."""
        self._stream = None
        request = self._request
        if self._closed or request is None:
            return
        if self.chunked:
            self._transport.write(LAST_CHUNK)
        self._done(request, not request.keep_alive or self._service.stopping)
        self._soon()

    def abort(self) -> None:
        """Cut the peer off."""
        self._stream = None
        self._cut()

    # Reading less, and ending.

    def _crowd(self) -> None:
        """Hold or release the peer by how much of its requests waits."""
        crowded = len(self._queue) > self._limits.pipelined or len(self._parser.tail or b"") > JOINED
        if crowded != self._crowded:
            self._crowded = crowded
            if crowded:
                self.pause()
            else:
                self.resume()

    def _expired(self) -> None:
        parser, request = self._parser, self._request
        if request is not None:
            # At work, and the next rest sets the timer again; unless it is the client who keeps the handler waiting.
            if parser.in_body and not self._ending and not self._holds and not request.expects:
                late = RefusedError(408, f"no more of the body came for {self._limits.body_time:g} seconds")
                self._spoilt(parser.fail(late))
        elif self._ending:
            self._transport.abort()
        elif parser.in_head:
            self._spoilt(RefusedError(408, f"the request's head took more than {self._limits.head_time:g} seconds"))
            self._dispatch()
        else:
            self._close()

    def _linger(self) -> None:
        """Close once the peer has had time to read why: an unread byte would make the kernel reset the connection."""
        if self._closed:
            return
        while self._holds:
            self.resume()
        self._crowded = False
        try:
            if self._transport.can_write_eof():
                self._transport.write_eof()
        except OSError:  # gone already, and nobody has told us yet
            self._transport.abort()
        self._deadline.after(self._limits.linger_time)

    def _close(self) -> None:
        self._ending = True
        if not self._closed:
            self._transport.close()

    def _cut(self) -> None:
        self._ending = True
        if not self._closed:
            self._transport.abort()

    def stop(self) -> None:
        """Finish what has begun, begin nothing."""
        if self._stream is not None:
            self._stream.close()
        elif self._request is None and not self._queue and not self._ending:
            self._close()

    def kill(self) -> None:
        """End at once."""
        self._cut()
        if self._task is not None:
            self._task.cancel()
            self._task.add_done_callback(self._killed)

    def _killed(self, task: asyncio.Task[None]) -> None:
        """A task that was cancelled before its first step has run nothing, not even its end."""
        if self._coming is not None:
            self._coming.close()
        self._ran()
