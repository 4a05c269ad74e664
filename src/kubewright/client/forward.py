"""A way to the port of a pod.

forward = api.port_forward("web", 80)
async with forward.listening() as port:     # every connection to 127.0.0.1:port is led to the pod
    ...
async with await forward.open() as line:    # or one connection, without a socket
    await line.write(b"GET / HTTP/1.0\\r\\n\\r\\n")
    answer = await line.read()
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Final, Self

from kubewright.errors import KubewrightError
from kubewright.http.websocket import ClosedError, WebSocket

__all__ = ["PROTOCOLS", "ForwardError", "Line", "PortForward"]

PROTOCOLS: Final = ("v4.channel.k8s.io",)
_DATA, _ERROR = 0, 1
_PIECE: Final = 64 * 1024


class ForwardError(KubewrightError):
    """A port that could not be reached."""


class Line:
    """One connection to a port."""

    def __init__(self, socket: WebSocket, where: str) -> None:
        self._socket = socket
        self._where = where
        #: The first message on each channel only says which port it is.
        self._new = {_DATA, _ERROR}

    async def read(self) -> bytes:
        """What comes next; nothing at the end."""
        try:
            while True:
                message = await self._socket.receive()
                data = message if isinstance(message, bytes) else message.encode()
                channel = data[0] if data else -1
                if channel in self._new:
                    self._new.discard(channel)
                elif channel == _DATA and len(data) > 1:
                    return data[1:]
                elif channel == _ERROR and len(data) > 1:
                    raise ForwardError(f"{self._where}: {data[1:].decode(errors='replace')}")
        except ClosedError:
            return b""

    async def write(self, data: bytes) -> None:
        """Send."""
        if data:
            await self._socket.send(bytes([_DATA]) + data)

    async def close(self) -> None:
        """End it."""
        await self._socket.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self.close()


class PortForward:
    """Connections to one port of a pod."""

    def __init__(self, connect: Callable[[], Awaitable[WebSocket]], where: str) -> None:
        self._connect = connect
        self._where = where

    async def open(self) -> Line:
        """One connection."""
        return Line(await self._connect(), self._where)

    @contextlib.asynccontextmanager
    async def listening(self, port: int = 0, host: str = "127.0.0.1") -> AsyncIterator[int]:
        """Lead every connection to a port of this machine there; the port, a free one if 0 was asked for."""
        server = await asyncio.start_server(self._serve, host, port)
        try:
            yield int(server.sockets[0].getsockname()[1])
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with await self.open() as line:
                going = asyncio.ensure_future(_forth(reader, line))
                try:
                    while data := await line.read():
                        writer.write(data)
                        await writer.drain()
                finally:
                    going.cancel()
                    await asyncio.gather(going, return_exceptions=True)
        except (KubewrightError, OSError):
            pass  # the connection ends, which is all that can be told there
        finally:
            writer.close()


async def _forth(reader: asyncio.StreamReader, line: Line) -> None:
    while data := await reader.read(_PIECE):
        await line.write(data)
