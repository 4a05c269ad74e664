"""Commands over a WebSocket, as `v5.channel.k8s.io` and `v4.channel.k8s.io` have it: a byte before each message says
which stream it belongs to.

| channel | from          | what                                                           |
|---------|---------------|----------------------------------------------------------------|
| 0       | the client    | standard input                                                 |
| 1, 2    | the container | standard output and error                                      |
| 3       | the container | a Status, at the end                                           |
| 4       | the client    | the size of its terminal; nobody here wants to know            |
| 255     | either        | the channel that follows has ended; only v5 can say that       |
"""

from typing import Any, Final

import msgspec

from kubewright.http.websocket import ClosedError, WebSocket

__all__ = ["PROTOCOLS", "Channels", "status_of"]

Document = dict[str, Any]

PROTOCOLS: Final = ("v5.channel.k8s.io", "v4.channel.k8s.io")
STDIN, STDOUT, STDERR, ERROR = range(4)
CLOSE: Final = 255


class Channels:
    """The container's end."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    async def greet(self, channel: int) -> None:
        """Say that somebody is there."""
        await self._socket.send(bytes([channel]))

    async def read(self) -> bytes | None:
        """The next of what is put in; None after the end of it."""
        try:
            while True:
                message = await self._socket.receive()
                data = message if isinstance(message, bytes) else message.encode()
                if data[:1] == b"\x00" and len(data) > 1:
                    return data[1:]
                if data[:2] == bytes([CLOSE, STDIN]):
                    return None
        except ClosedError:
            return None

    async def left(self) -> None:
        """Wait until the client is gone."""
        async for _ in self._socket:
            pass

    async def write(self, channel: int, data: bytes) -> None:
        """Put something out."""
        if data:
            await self._socket.send(bytes([channel]) + data)

    async def finish(self, code: int) -> None:
        """Say how it ended."""
        await self._socket.send(bytes([ERROR]) + msgspec.json.encode(status_of(code)))


def status_of(code: int) -> Document:
    """How a command ended, as a Status."""
    if not code:
        return {"metadata": {}, "status": "Success"}
    return {
        "metadata": {},
        "status": "Failure",
        "message": f"command terminated with non-zero exit code: exit status {code}",
        "reason": "NonZeroExitCode",
        "details": {"causes": [{"reason": "ExitCode", "message": str(code)}]},
    }
