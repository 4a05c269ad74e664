"""A connection without a socket: two ends in one loop, for protocols that would speak over one.

    here, there = pipe()
    there.attach(server_protocol)
    here.attach(client_protocol)

What is written at one end arrives at the other in the next turn of the loop, as it would from a socket; who is not
ready (`pause_reading`) has it kept, and the writer is asked to pause when that is much.
"""

import asyncio
from collections import deque

__all__ = ["End", "pipe"]

#: So many bytes wait before the writer is asked to pause.
HIGH = 256 * 1024


class End(asyncio.Transport):
    """One end: the transport of the protocol that is attached to it."""

    def __init__(self) -> None:
        super().__init__()
        self.other: End = self
        self._loop = asyncio.get_running_loop()
        self._protocol: asyncio.Protocol | None = None
        self._arrived: deque[bytes] = deque()
        self._waiting = 0
        self._held = False
        self._paused = False
        self._closing = False
        self._lost = False
        self._ready = False

    def attach(self, protocol: asyncio.Protocol) -> None:
        """Have a protocol speak here."""
        self._protocol = protocol
        protocol.connection_made(self)
        self._wake()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send."""
        if data and not self._closing and not self._lost:
            self.other._arrived.append(bytes(data))
            self.other._waiting += len(data)
            if self.other._waiting > HIGH and self._protocol is not None and not self._paused:
                self._paused = True
                self._protocol.pause_writing()
            self.other._wake()

    def get_write_buffer_size(self) -> int:
        """How many bytes the other end has not taken."""
        return self.other._waiting

    def pause_reading(self) -> None:
        """Keep what comes."""
        self._held = True

    def resume_reading(self) -> None:
        """Take what was kept, and what comes."""
        self._held = False
        self._wake()

    def is_closing(self) -> bool:
        """Whether the end is near."""
        return self._closing or self._lost

    def close(self) -> None:
        """End, after what was written has arrived."""
        self._closing = True
        self._wake()
        self.other._wake()

    def abort(self) -> None:
        """End at once."""
        self._arrived.clear()
        self.other._arrived.clear()
        self._waiting = self.other._waiting = 0
        self.close()

    def _wake(self) -> None:
        if not self._ready:
            self._ready = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._ready = False
        protocol = self._protocol
        if protocol is None or self._lost:
            return
        while self._arrived and not self._held and not self._closing:
            data = self._arrived.popleft()
            self._waiting -= len(data)
            protocol.data_received(data)
            if self.other._paused and self._waiting <= HIGH // 2 and self.other._protocol is not None:
                self.other._paused = False
                self.other._protocol.resume_writing()
        if self._closing or ((self.other._closing or self.other._lost) and not self._arrived):
            self._lost = True
            protocol.connection_lost(None)
            self.other._wake()


def pipe() -> tuple[End, End]:
    """Two ends of one connection."""
    here, there = End(), End()
    here.other, there.other = there, here
    return here, there
