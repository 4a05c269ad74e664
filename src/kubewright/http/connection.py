"""One connection of a server: requests in, one after the other, each with its turn and its time.

    WAITING ─bytes─► HEAD ─whole─► HANDLING ─answer─► WAITING       and so on, until one side says it is the last
       │ idle_time    │ head_time     │ body_time, write_time
       ▼              ▼               ▼
     closed          408            cut                              TAKEN: another protocol has the connection

What happens in HANDLING is told in `answer`: here is whose turn it is, what is read meanwhile, and when it all ends.

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
import ssl
from collections import deque
from typing import cast

from kubewright.http.answer import Answers
from kubewright.http.body import Body
from kubewright.http.deadline import Deadline
from kubewright.http.errors import DisconnectedError, RefusedError
from kubewright.http.head import CONTINUE, JOINED
from kubewright.http.message import Peer, Request
from kubewright.http.outlet import Outlet
from kubewright.http.parse import RequestParser
from kubewright.http.service import Service

__all__ = ["Connection"]

DRAINED = 256 * 1024  # bytes of an unread body that are read and thrown away to keep the connection
BURST = 16  # answers in a row before the loop's other work gets its turn


class Connection(asyncio.Protocol):
    """The state of one connection."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._loop = service.loop
        self._limits = service.limits
        self._parser = RequestParser(service.limits, self, self)
        self._transport: asyncio.Transport = cast("asyncio.Transport", None)  # until connection_made, as two below
        self.outlet: Outlet = cast("Outlet", None)
        self._answers: Answers = cast("Answers", None)
        self._queue: deque[Request] = deque()
        self.request: Request | None = None  # the one that is handled
        self._refused: RefusedError | None = None  # what follows the queue is none
        self._ending = False  # nothing more is read as HTTP
        self.closed = False
        self.half_closed = False
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
            if self.closed or self.half_closed:
                self._lost.set()
        return self._lost

    # What the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.outlet = Outlet(self._transport, self._loop, self._limits.write_time)
        self._answers = Answers(self, self._service, self._transport)
        self._service.connections.add(self)
        self._deadline.after(self._limits.head_time)
        if self._service.stopping:
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        if self._ending:
            if self._answers.taken is not None:
                self._answers.taken.data_received(data)
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
            if self.request is None and not self._dispatching:
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
        if self._answers.taken is not None:
            return bool(self._answers.taken.eof_received())
        self.half_closed = True
        if self._lost is not None:
            self._lost.set()
        if not self._ending and (self._parser.in_body or self._parser.in_head):
            self._spoilt(
                self._parser.fail(RefusedError(400, "the client closed the connection before its request was whole"))
            )
        if self.request is None:
            self._dispatch()
            return False
        self._answers.half_close()
        return self._transport.get_extra_info("ssl_object") is None  # TLS has no half: the transport closes by itself

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True
        self._ending = True
        self._deadline.stop()
        self.outlet.resume()
        if self._again is not None:
            self._again.cancel()
        gone = DisconnectedError("the client closed the connection")
        for request in (self.request, *self._queue):
            if request is not None and isinstance(request.body, Body):
                request.body.fail(gone)
        self._queue.clear()
        if self._lost is not None:
            self._lost.set()
        if self._answers.lose(error):
            self._service.gone(self)

    def pause_writing(self) -> None:
        self.outlet.pause()
        self._answers.pause()

    def resume_writing(self) -> None:
        self.outlet.resume()
        self._answers.resume()
        self.soon()

    # What a body asks of where it comes from.

    def wanted(self) -> None:
        """Tell a peer that waits for it to send its body."""
        request = self.request
        if request is not None and request.expects:
            request.expects = False
            self._transport.write(CONTINUE)
            self._deadline.after(self._limits.body_time)

    def pause(self) -> None:
        """Read no more for now."""
        self._holds += 1
        if self._holds == 1 and not self.closed:
            self._transport.pause_reading()

    def resume(self) -> None:
        """Read on."""
        self._holds -= 1
        if self._holds == 0 and not self.closed:
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
        while queue and self.request is None and not self.outlet.blocked:
            if not burst:
                self._again = self._loop.call_soon(self._dispatch)
                break
            burst -= 1
            request = self.request = queue.popleft()
            self._answers.handle(request)
        self._dispatching = False
        if self._crowded:
            self._crowd()
        if self.request is None and not queue:
            self._rest()

    def soon(self) -> None:
        """Handle what waits when the loop comes around."""
        if self._again is None and not self._dispatching and not self.closed:
            self._again = self._loop.call_soon(self._dispatch)

    def _rest(self) -> None:
        """Nothing is to be done: wait for the next request, or end."""
        if self._refused is not None:
            refused, self._refused = self._refused, None
            self._answers.refuse(refused)
            self._linger()
        elif self._ending:
            return
        elif self.half_closed or (self._service.stopping and not self._parser.in_head):
            self.close()
        elif not self._head_timed:
            self._deadline.after(self._limits.idle_time)

    def _spoilt(self, refused: RefusedError) -> None:
        """Read no more. A body that was arriving has failed; anything else is answered when its turn comes."""
        self._ending = True
        if not self._parser.in_body:
            self._refused = refused

    # What answers ask of their connection.

    def is_last(self, request: Request) -> bool:
        """Whether the connection ends with this request."""
        body = request.body
        if body and isinstance(body, Body) and not body.whole:
            left = self._parser.left
            if body.broken or request.expects or left is None or left > DRAINED:
                return True
            body.discard()
        return not request.keep_alive or self._service.stopping or (self.half_closed and not self._queue)

    def done(self, request: Request, last: bool) -> None:
        """The answer is written; so the next may be handled."""
        self.request = None
        if last:
            unread = self._parser.in_body or self._queue or self._refused is not None
            self._queue.clear()
            self._ending = True
            self._refused = None
            if unread:
                self._linger()
            else:
                self.close()
        elif self._parser.tail is not None and request.upgrade:
            self._declined()

    def ran(self) -> None:
        """No task is left of a request."""
        if self.closed:
            self._service.gone(self)

    def give_up(self) -> bytes | None:
        """Read no more as HTTP: another protocol has the connection. What was read already of what follows."""
        self._ending = True
        self.request = None
        self._deadline.stop()
        tail, self._parser.tail = self._parser.tail, None
        self._crowd()
        return tail

    def _declined(self) -> None:
        """An upgrade was answered with something else: what follows is HTTP."""
        try:
            self._queue.extend(self._parser.resume())
        except RefusedError as refused:
            self._queue.extend(self._parser.taken())
            self._spoilt(refused)
        self._crowd()

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
        parser, request = self._parser, self.request
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
            self.close()

    def _linger(self) -> None:
        """Close once the peer has had time to read why: an unread byte would make the kernel reset the connection."""
        if self.closed:
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

    def close(self) -> None:
        """End it when all is sent."""
        self._ending = True
        if not self.closed:
            self._transport.close()

    def cut(self) -> None:
        """End it at once."""
        self._ending = True
        if not self.closed:
            self._transport.abort()

    def stop(self) -> None:
        """Finish what has begun, begin nothing."""
        if self.request is not None:
            self._answers.stop()
        elif not self._queue and not self._ending:
            self.close()

    def kill(self) -> None:
        """End at once."""
        self.cut()
        self._answers.kill()
