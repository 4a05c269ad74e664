"""An answer without an end, written from outside the request: what a watch is made of.

A handler returns a `Stream` as the body of its answer and keeps a reference; from then on whoever has news calls
`write`. It is a plain function, so that one event goes to thousands of connections in one loop with no task between:
make a `Chunk` once, and every connection gets the same bytes object.

    NEW ──attach──► OPEN ──close──► CLOSED     the peer got everything and the end
     └───────────────┴─────abort/peer gone──► CLOSED     `failed` says so

`write` never waits. What the peer does not take is buffered, `buffered` says how much, `paused` that it is more than a
little; past `limit` the connection is cut, which bounds memory whatever the writer does.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from kubewright.http.body import Body
from kubewright.http.errors import DisconnectedError

__all__ = ["Chunk", "Sink", "Stream"]


class Chunk:
    """Bytes to be written to many streams: framed once."""

    __slots__ = ("data", "wire")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.wire = b"%x\r\n%b\r\n" % (len(data), data) if data else b""  # an empty chunk would be the end


class Sink(Protocol):
    """Where a stream goes: a connection's transport, or a reader in the same process."""

    chunked: bool

    def write(self, data: bytes) -> None:
        """Take bytes, at once; framed already if `chunked`."""

    def buffered(self) -> int:
        """How many bytes the peer has not taken yet."""

    def end(self) -> None:
        """Nothing more comes: tell the peer."""

    def abort(self) -> None:
        """Cut the peer off."""


class Stream:
    """The writing end of an endless answer."""

    __slots__ = (
        "_drained",
        "_early",
        "_listeners",
        "_paused",
        "_put",
        "_sink",
        "_waiting",
        "_wire",
        "closed",
        "failed",
        "limit",
    )

    def __init__(self, limit: int = 16 * 1024 * 1024) -> None:
        self.limit = limit
        self.closed = False
        self.failed = False
        self._paused = False
        self._drained: asyncio.Event | None = None
        self._early: list[Chunk] = []  # what was written before anybody reads, and how much that is
        self._waiting = 0
        self._listeners: list[Callable[[], None]] = []
        self._sink: Sink | None = None
        self._put: Callable[[bytes], None] | None = None
        self._wire = True

    def write(self, data: bytes | Chunk) -> bool:
        """Send; false if there is nobody any more."""
        chunk = data if type(data) is Chunk else Chunk(data)  # type: ignore[arg-type]  # mypy does not narrow by `is`
        put = self._put
        if self.closed:
            return False
        if put is None:
            self._early.append(chunk)
            self._waiting += len(chunk.data)
            if self._waiting > self.limit:
                self.abort()
                return False
        elif self._wire:
            put(chunk.wire)
        else:
            put(chunk.data)
        if self._paused and self.buffered > self.limit:
            self.abort()
            return False
        return True

    @property
    def paused(self) -> bool:
        """Whether more waits for the peer than should; who can wait, waits."""
        return self._paused

    @paused.setter
    def paused(self, paused: bool) -> None:
        self._paused = paused
        if not paused and self._drained is not None:
            self._drained.set()
            self._drained = None

    async def drained(self) -> None:
        """Wait until the peer takes more, or is gone."""
        while self._paused and not self.closed:
            if self._drained is None:
                self._drained = asyncio.Event()
            await self._drained.wait()

    @property
    def buffered(self) -> int:
        """How many bytes wait for the peer."""
        if self._sink is None:
            return self._waiting
        return self._sink.buffered()

    def close(self) -> None:
        """End it: the peer sees a whole answer."""
        if not self.closed:
            if self._sink is not None:
                self._sink.end()
            self._over()

    def abort(self) -> None:
        """Cut it: the peer sees a broken answer, what is buffered is lost."""
        if not self.closed:
            self.failed = True
            if self._sink is not None:
                self._sink.abort()
            self._over()

    def on_close(self, listener: Callable[[], None]) -> None:
        """Call `listener` once it is over, for whatever reason; at once if it is already."""
        if self.closed:
            listener()
        else:
            self._listeners.append(listener)

    async def wait_closed(self) -> None:
        """Wait until it is over."""
        over = asyncio.Event()
        self.on_close(over.set)
        await over.wait()

    # What the receiving side calls.

    def attach(self, sink: Sink) -> None:
        """Send everything to `sink` from now on, first what was written before."""
        if self.closed and self.failed:
            sink.abort()
            return
        self._sink, self._wire = sink, sink.chunked
        self._put = sink.write
        for chunk in self._early:
            sink.write(chunk.wire if self._wire else chunk.data)
        self._early.clear()
        if self.closed:
            sink.end()

    def lost(self) -> None:
        """The peer has gone."""
        if not self.closed:
            self.failed = True
            self._over()

    def reader(self) -> Body:
        """What is written, to be read in the same process with no socket between."""
        reader = _Reader(self)
        self.attach(reader)
        return reader.body

    def _over(self) -> None:
        self.closed = True
        self.paused = False
        if self.failed:
            self._early.clear()
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()


class _Reader:
    """A sink that feeds a body, and the source that body asks to pause."""

    chunked = False

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.body = Body(self)

    def write(self, data: bytes) -> None:
        if data:
            self.body.feed(data)

    def buffered(self) -> int:
        return self.body.buffered

    def end(self) -> None:
        self.body.finish()

    def abort(self) -> None:
        self.body.fail(DisconnectedError("the stream was cut by its writer"))

    def wanted(self) -> None:
        """Nobody waits to be asked: what is written comes."""

    def pause(self) -> None:
        self.stream.paused = True

    def resume(self) -> None:
        self.stream.paused = False

    def abandon(self) -> None:
        self.stream.lost()
