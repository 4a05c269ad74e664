"""A body on its way in: fed by whoever parses, read by one reader, and no more in memory than the reader is behind.

    OPEN ──finish──► WHOLE        what was fed can be read; then the end
      ├────fail────► BROKEN       what was fed can be read; then the error
      └───discard──► DROPPED      nobody reads: what is fed is thrown away

When more than `HIGH` bytes wait, the source is asked to pause; when the reader has taken them, to go on. Compressed
bodies are inflated on the reader's side, piece by piece, so that a small message cannot become a large one unread.
"""

import asyncio
import zlib
from collections import deque
from collections.abc import AsyncIterator
from typing import Protocol

from kubewright.http.errors import DisconnectedError, HttpError, ProtocolError

__all__ = ["Body", "Source"]

HIGH = 256 * 1024
#: As much is handed over at once, in however many pieces it came; of more, others want a turn between.
LITTLE = 16 * 1024
PIECE = 256 * 1024  # how much one piece of a compressed body may become at a time


class Source(Protocol):
    """Where a body comes from."""

    def wanted(self) -> None:
        """Somebody reads: a peer that waits for `100 Continue` is told now."""

    def pause(self) -> None:
        """Send no more for now."""

    def resume(self) -> None:
        """Send more."""

    def abandon(self) -> None:
        """Nobody will read the rest."""


class Body:
    """Bytes that are still arriving. One reader: `await read()`, or `async for piece in body`."""

    __slots__ = (
        "_broken",
        "_inflate",
        "_loop",
        "_paused",
        "_pieces",
        "_size",
        "_source",
        "_waiter",
        "dropped",
        "whole",
    )

    def __init__(self, source: Source | None = None) -> None:
        self.whole = False
        self.dropped = False
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._source = source
        self._paused = False
        self._broken: HttpError | None = None
        self._waiter: asyncio.Future[None] | None = None
        #: Where its reader waits; a watch does so thousands of times, and to ask for the loop takes a system call.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._inflate: zlib._Decompress | None = None

    def inflate(self) -> None:
        """Read it as gzip (or zlib) from here on."""
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32)

    # What the source calls.

    def feed(self, data: bytes) -> None:
        """More of it has come."""
        if self.dropped or self._broken is not None:
            return
        self._pieces.append(data)
        self._size += len(data)
        if self._waiter is not None:
            self._wake()
        if self._size > HIGH and not self._paused and self._source is not None:
            self._paused = True
            self._source.pause()

    def finish(self) -> None:
        """It has come whole: what is read next from there is not part of it, and not ours to hold."""
        self.whole = True
        self._go_on()
        self._wake()

    def fail(self, error: HttpError) -> None:
        """The rest will not come; whoever reads learns why. A body that is whole stays so."""
        if not self.whole and self._broken is None:
            self._broken = error
            self._wake()

    # What the reader calls.

    @property
    def broken(self) -> bool:
        """Whether the rest will not come."""
        return self._broken is not None

    @property
    def buffered(self) -> int:
        """How many bytes wait to be read."""
        return self._size

    def discard(self) -> None:
        """Nobody will read it: what comes is thrown away."""
        if not self.dropped:
            self.dropped = True
            self._pieces.clear()
            self._size = 0
            self._go_on()
            if self._source is not None and not self.whole and self._broken is None:
                self._source.abandon()
            if self._waiter is not None:  # another task of ours reads it
                self.fail(DisconnectedError("the answer was closed by whoever had asked for it"))

    def taken(self) -> bytes | None:
        """All of it, if it has come and nobody has begun to read it; else None, and `read` waits for it."""
        if not self.whole or self._broken is not None or self._inflate is not None or self.dropped:
            return None
        pieces = self._pieces
        whole = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        self._size = 0
        self._go_on()
        return whole

    async def read(self) -> bytes:
        """All of it, or what is left of it."""
        pieces = [piece async for piece in self]
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        while True:
            while self._pieces:
                if piece := self._take():
                    return piece
            if self.whole:
                if self._inflate is not None and not self._inflate.eof:
                    self._inflate = None
                    raise ProtocolError("a gzip body ended before its end; the peer or a proxy cut it short")
                raise StopAsyncIteration
            if self._broken is not None:
                raise self._broken
            if self._waiter is not None:
                raise RuntimeError("a body has one reader; this one is being read already")
            if self._source is not None:
                self._source.wanted()
            loop = self._loop = self._loop or asyncio.get_running_loop()
            self._waiter = loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None

    def _take(self) -> bytes:
        pieces = self._pieces
        if len(pieces) > 1 and self._size <= LITTLE and self._inflate is None:
            # All that has come since the reader last had a turn: where it was cut means nothing.
            piece = b"".join(pieces)
            pieces.clear()
        else:
            piece = pieces.popleft()
        self._size -= len(piece)
        if self._inflate is not None:
            piece = self._inflated(piece, self._inflate)
        if self._paused and self._size <= HIGH // 2:
            self._go_on()
        return piece

    def _inflated(self, piece: bytes, inflate: "zlib._Decompress") -> bytes:
        try:
            clear = inflate.decompress(piece, PIECE)
        except zlib.error as error:
            self._broken = ProtocolError(f"a body said to be gzip is not: {error}")
            self._pieces.clear()
            raise self._broken from error
        if inflate.unconsumed_tail:
            self._pieces.appendleft(inflate.unconsumed_tail)
            self._size += len(inflate.unconsumed_tail)
        return clear

    def _go_on(self) -> None:
        if self._paused and self._source is not None:
            self._paused = False
            self._source.resume()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
