"""Commands over a WebSocket: a byte before each message says which stream it belongs to.

| protocol                     | how                                                                     |
|------------------------------|-------------------------------------------------------------------------|
| `v5.channel.k8s.io`          | all of the below                                                        |
| `v4.channel.k8s.io`          | nobody can say that a channel has ended                                 |
| `channel.k8s.io`, or none    | nor is there a Status at the end: of a failure the text, else nothing   |
| `[v4.]base64.channel.k8s.io` | messages are text: the digit of the channel, and what is said in base64 |

| channel | from          | what                                                           |
|---------|---------------|----------------------------------------------------------------|
| 0       | the client    | standard input                                                 |
| 1, 2    | the container | standard output and error                                      |
| 3       | the container | a Status, at the end                                           |
| 4       | the client    | the size of its terminal; nobody here wants to know            |
| 255     | either        | the channel that follows has ended; only v5 can say that       |
"""

import base64
from collections.abc import Collection
from typing import Any, Final

import msgspec

from kubewright.http.websocket import ClosedError, WebSocket

__all__ = ["PROTOCOLS", "Channels", "status_of"]

Document = dict[str, Any]

PROTOCOLS: Final = (
    "v5.channel.k8s.io",
    "v4.channel.k8s.io",
    "v4.base64.channel.k8s.io",
    "channel.k8s.io",
    "base64.channel.k8s.io",
)
STDIN, STDOUT, STDERR, ERROR = range(4)
CLOSE: Final = 255


class Channels:
    """The container's end. Of `heard`, what is put out, the client wants to hear; of the rest it does not."""

    def __init__(self, socket: WebSocket, heard: Collection[int] = (STDOUT, STDERR)) -> None:
        protocol = socket.subprotocol or ""
        self._socket = socket
        self._heard = {*heard, ERROR}
        self._base64 = "base64." in protocol
        self._status = protocol.startswith(("v4.", "v5."))

    async def greet(self) -> None:
        """Say that somebody is there."""
        await self._send(min(self._heard), b"")

    async def read(self) -> bytes | None:
        """The next of what is put in; None after the end of it."""
        try:
            while True:
                message = await self._socket.receive()
                data = message if isinstance(message, bytes) else message.encode()
                if data[:2] == bytes([CLOSE, STDIN]):
                    return None
                if self._base64:
                    data = _decoded(data)
                if data[:1] == bytes([STDIN]) and len(data) > 1:
                    return data[1:]
        except ClosedError:
            return None

    async def write(self, channel: int, data: bytes) -> None:
        """Put something out."""
        if data and channel in self._heard:
            await self._send(channel, data)

    async def finish(self, code: int) -> None:
        """Say how it ended."""
        status = status_of(code)
        if self._status:
            await self._send(ERROR, msgspec.json.encode(status))
        elif code:
            await self._send(ERROR, status["message"].encode())

    async def _send(self, channel: int, data: bytes) -> None:
        if self._base64:
            await self._socket.send(f"{channel}{base64.b64encode(data).decode()}")
        else:
            await self._socket.send(bytes([channel]) + data)


def _decoded(message: bytes) -> bytes:
    """What a message in base64 says; nothing if it is none."""
    try:
        return bytes([message[0] - ord("0")]) + base64.b64decode(message[1:], validate=True)
    except (IndexError, ValueError):
        return b""


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
