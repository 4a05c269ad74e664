"""Commands in containers, run to their end.

done = await api.exec("web", ["cat", "/etc/hostname"])
print(done.code, done.output)
"""

from typing import Any, NamedTuple

import msgspec

from kubewright.errors import KubewrightError
from kubewright.http.websocket import ClosedError, WebSocket

__all__ = ["PROTOCOLS", "Done", "ExecError", "converse"]

#: With the first, the end of the input can be told.
PROTOCOLS = ("v5.channel.k8s.io", "v4.channel.k8s.io")
_STDIN, _STDOUT, _STDERR, _ERROR = range(4)
_CLOSE = 255


class ExecError(KubewrightError):
    """A command that could not be run, or of whose end nobody told."""


class Done(NamedTuple):
    """What came of a command."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def output(self) -> str:
        """What it printed, as text."""
        return self.stdout.decode(errors="replace")


async def converse(socket: WebSocket, stdin: bytes | None, where: str) -> Done:
    """Put `stdin` in, take all that comes out."""
    parts: dict[int, bytearray] = {_STDOUT: bytearray(), _STDERR: bytearray(), _ERROR: bytearray()}
    try:
        if stdin is not None:
            if stdin:
                await socket.send(bytes([_STDIN]) + stdin)
            if socket.subprotocol == PROTOCOLS[0]:
                await socket.send(bytes([_CLOSE, _STDIN]))
        while True:
            message = await socket.receive()
            data = message if isinstance(message, bytes) else message.encode()
            if data and data[0] in parts:
                parts[data[0]] += data[1:]
    except ClosedError as closed:
        if not parts[_ERROR]:
            raise ExecError(f"{where}: the connection was closed before the command ended: {closed}.") from closed
    finally:
        socket.abort()
    return Done(_code(bytes(parts[_ERROR]), where), bytes(parts[_STDOUT]), bytes(parts[_STDERR]))


def _code(told: bytes, where: str) -> int:
    try:
        status: dict[str, Any] = msgspec.json.decode(told, type=dict)
    except msgspec.DecodeError:
        raise ExecError(f"{where}: {told.decode(errors='replace')}") from None
    if status.get("status") == "Success":
        return 0
    for cause in (status.get("details") or {}).get("causes") or ():
        if cause.get("reason") == "ExitCode":
            return int(cause["message"])
    raise ExecError(f"{where}: {status.get('message', 'it failed')}")
