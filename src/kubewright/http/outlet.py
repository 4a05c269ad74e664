"""What waits for a peer that reads more slowly than we write.

The transport buffers and says when it is too much; here is who may go on writing, who waits for his turn, and when a
peer that takes nothing at all is cut off. One that takes little, but takes, is not.
"""

import asyncio

__all__ = ["Outlet"]


class Outlet:
    """The writing side of one connection."""

    __slots__ = ("_loop", "_patience", "_resumed", "_timer", "_transport", "blocked")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, patience: float) -> None:
        self.blocked = False  # more waits than should
        self._transport = transport
        self._loop = loop
        self._patience = patience
        self._resumed: asyncio.Event | None = None
        self._timer: asyncio.TimerHandle | None = None

    def waiting(self) -> int:
        """How many bytes wait for the peer."""
        return self._transport.get_write_buffer_size()

    def pause(self) -> None:
        """The transport has enough."""
        self.blocked = True
        self._watch()

    def resume(self) -> None:
        """The transport takes more; or the connection is gone, and nobody need wait any longer."""
        self.blocked = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._resumed is not None:
            self._resumed.set()
            self._resumed = None

    async def open(self) -> None:
        """Wait until it makes sense to write."""
        while self.blocked:
            if self._resumed is None:
                self._resumed = asyncio.Event()
            await self._resumed.wait()

    def _watch(self, before: int | None = None) -> None:
        """Look from time to time whether the peer takes anything of what waits for it."""
        waiting = self.waiting()
        if before is not None and waiting >= before:
            self._transport.abort()
        else:
            self._timer = self._loop.call_later(self._patience, self._watch, waiting)
