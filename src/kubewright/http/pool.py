"""A client: connections kept for the next request, as few as needed and no more than allowed.

    pool = Pool()
    async with await pool.request(Origin.of("http://127.0.0.1:8080"), Request("GET", "/")) as response:
        print(response.status, await response.read())
    await pool.close()

The connection used last is used next, so that the others may grow old and be closed. A request that meets a connection
the server was just closing is sent once more on a new one, if it only reads and nothing came back; a write never is:
nobody knows whether it was done.

Requests whose answers end share so many connections, and wait for each other. Those that may last for ever (a watch, a
log that is followed, another protocol) have connections besides: they must neither wait for others nor keep them from
being sent.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from kubewright.http.dial import dial
from kubewright.http.errors import ClientClosedError, DisconnectedError, ProtocolError
from kubewright.http.exchange import Exchange
from kubewright.http.limits import ClientLimits, Timeouts
from kubewright.http.message import Request, Response
from kubewright.http.origin import Origin, Proxy

__all__ = ["Pool"]

READING = ("GET", "HEAD", "OPTIONS")


@dataclass(slots=True)
class Lane:
    """The connections to one origin."""

    total: int = 0  # without those that are lent to requests that last
    idle: list[Exchange] = field(default_factory=list)
    waiting: deque[asyncio.Future[Exchange | None]] = field(default_factory=deque)


class Pool:
    """Sends requests. Belongs to the loop that is running."""

    def __init__(
        self,
        limits: ClientLimits | None = None,
        timeouts: Timeouts | None = None,
        proxy: Proxy | None = None,
    ) -> None:
        self._limits = limits or ClientLimits()
        self._timeouts = timeouts or Timeouts()
        self._proxy = proxy
        self._loop = asyncio.get_running_loop()
        self._lanes: dict[Origin, Lane] = {}
        self._last: tuple[Origin | None, Lane] = (None, Lane())
        self._open: set[Exchange] = set()
        self._sweeper: asyncio.TimerHandle | None = None
        self._closed = False
        self._empty = asyncio.Event()

    async def request(self, origin: Origin, request: Request, timeouts: Timeouts | None = None) -> Response:
        """The response, its body still coming; read it to its end or close it, or its connection is not free."""
        exchange, response = await self._send(origin, request, timeouts or self._timeouts)
        if response.status == 101:
            exchange.abort()
            raise ProtocolError(f"{request.method} {origin.url}{request.target}: the server switched protocols unasked")
        return response

    async def upgrade(
        self, origin: Origin, request: Request, timeouts: Timeouts | None = None
    ) -> tuple[Response, Exchange]:
        """Ask for another protocol. If the response is a `101`, the connection is the caller's: `hand_over` it."""
        request.upgrade = request.lasting = True
        exchange, response = await self._send(origin, request, timeouts or self._timeouts)
        if response.status == 101:
            self._gone(exchange)
            exchange.on_closed = None
        return response, exchange

    async def close(self) -> None:
        """Close every connection, also those at work."""
        self._closed = True
        if self._sweeper is not None:
            self._sweeper.cancel()
            self._sweeper = None
        for lane in self._lanes.values():
            while lane.waiting:
                _wake(lane, None)
        if self._open:
            for exchange in tuple(self._open):
                exchange.forsake()
            await self._empty.wait()

    async def __aenter__(self) -> "Pool":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _send(self, origin: Origin, request: Request, timeouts: Timeouts) -> tuple[Exchange, Response]:
        while True:
            exchange = await self._acquire(origin, timeouts, request.lasting)
            again = exchange.used > 0 and request.method in READING and isinstance(request.body, bytes)
            if request.gate is not None:
                try:
                    request.gate()  # after waiting for a connection, which may have taken long
                except BaseException:
                    self._free(exchange)
                    raise
            try:
                return exchange, await exchange.send(request, timeouts)
            except DisconnectedError:
                if not again or exchange.received:
                    raise
            except ValueError:  # the request cannot be written, so the connection has not been used
                self._free(exchange)
                raise

    async def _acquire(self, origin: Origin, timeouts: Timeouts, lasting: bool) -> Exchange:
        while not self._closed:
            lane = self._lane(origin)
            while lane.idle:
                exchange = lane.idle.pop()
                if not exchange.closed and not exchange.transport.is_closing():
                    if lasting:
                        self._lend(lane, exchange)
                    return exchange
            if lasting or lane.total < self._limits.total:
                return await self._dial(origin, lane, timeouts, lasting)
            place: asyncio.Future[Exchange | None] = self._loop.create_future()
            lane.waiting.append(place)
            try:
                given = await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self._pass_on(lane, place.result())
                raise
            if given is not None and not given.transport.is_closing():
                return given
        raise ClientClosedError(f"cannot connect to {origin.url}: this client is closed")

    def _lane(self, origin: Origin) -> Lane:
        """The connections to an origin: mostly to the one of the last request, which need not be looked for."""
        if origin is not self._last[0]:
            self._last = origin, self._lanes.setdefault(origin, Lane())
        return self._last[1]

    async def _dial(self, origin: Origin, lane: Lane, timeouts: Timeouts, lasting: bool) -> Exchange:
        lane.total += not lasting
        try:
            exchange = await dial(origin, self._proxy, self._limits, timeouts)
        except BaseException:
            if not lasting:
                lane.total -= 1
                _wake(lane, None)
                if not (lane.total or lane.waiting) and self._lanes.get(origin) is lane:
                    self._forget(origin)
            raise
        if self._closed:  # meanwhile
            exchange.abort()
            lane.total -= not lasting
            raise ClientClosedError(f"cannot connect to {origin.url}: this client is closed")
        exchange.lasting = lasting
        self._open.add(exchange)
        exchange.on_free = self._free
        exchange.on_closed = self._gone
        if exchange.closed:
            self._gone(exchange)
        return exchange

    def _free(self, exchange: Exchange) -> None:
        """A connection has nothing to do."""
        if exchange.closed:
            return  # `_gone` has seen to it
        if self._closed or (exchange.lasting and not self._return(exchange)):
            exchange.close()
        else:
            self._pass_on(self._lane(exchange.origin), exchange)

    def _lend(self, lane: Lane, exchange: Exchange) -> None:
        """Give a connection away for as long as it takes; its place is another's."""
        exchange.lasting = True
        lane.total -= 1
        _wake(lane, None)

    def _return(self, exchange: Exchange) -> bool:
        """Take back what was lent; False if there is no place for it any more."""
        lane = self._lane(exchange.origin)
        if lane.total >= self._limits.total:
            return False
        exchange.lasting = False
        lane.total += 1
        return True

    def _pass_on(self, lane: Lane, exchange: Exchange | None) -> None:
        if (lane.waiting and _wake(lane, exchange)) or exchange is None:
            return
        exchange.idle_since = self._loop.time()
        lane.idle.append(exchange)
        if self._sweeper is None:
            self._sweeper = self._loop.call_later(self._limits.idle_time, self._sweep)

    def _gone(self, exchange: Exchange) -> None:
        """A connection is no longer ours."""
        if exchange in self._open:
            self._open.discard(exchange)
            lane = self._lane(exchange.origin)
            if exchange in lane.idle:
                lane.idle.remove(exchange)
            if not exchange.lasting:  # else nobody waits for its place
                lane.total -= 1
                _wake(lane, None)
            if not (lane.total or lane.waiting):
                self._forget(exchange.origin)
            if self._closed and not self._open:
                self._empty.set()

    def _forget(self, origin: Origin) -> None:
        """Keep nothing of an origin that has no connection: with each certificate that is renewed there is another."""
        del self._lanes[origin]
        self._last = (None, Lane())

    def _sweep(self) -> None:
        """Close what has been idle for too long."""
        self._sweeper = None
        now = self._loop.time()
        next_time = None
        for lane in self._lanes.values():
            for exchange in lane.idle:
                due = exchange.idle_since + self._limits.idle_time
                if due <= now:
                    exchange.close()
                else:
                    next_time = due if next_time is None else min(due, next_time)
        if next_time is not None:
            self._sweeper = self._loop.call_at(next_time, self._sweep)


def _wake(lane: Lane, exchange: Exchange | None) -> bool:
    """Give the first who waits a connection, or the chance to make one."""
    while lane.waiting:
        place = lane.waiting.popleft()
        if not place.done():
            place.set_result(exchange)
            return True
    return False
