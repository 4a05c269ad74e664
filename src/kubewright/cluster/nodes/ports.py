"""What listens on the ports of a pod.

Settings hold a document in YAML, from ports to what is there:

    8080: 127.0.0.1:3000     # something on this machine
    9000: echo               # what is sent comes back
    80: hello                # an HTTP server that answers with this text

A port that a container declares, or any if none declares one, has an HTTP server that tells which pod it is.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import Any, Final, Protocol

from kubewright.errors import KubewrightError
from kubewright.model.yaml import load_yaml

__all__ = ["Line", "find_port", "read_ports", "serve_port"]

Document = dict[str, Any]

_ADDRESS: Final = re.compile(r"([A-Za-z0-9.-]+|\[[0-9a-f:]+\]):(\d{1,5})")
_PIECE: Final = 64 * 1024


class Line(Protocol):
    """The end of a connection that was made to a pod."""

    async def read(self) -> bytes | None:
        """What comes next; None if nothing more does."""

    async def write(self, data: bytes) -> None:
        """Send."""


def read_ports(text: str) -> Mapping[int, str]:
    """What settings say."""
    said = load_yaml(text.encode(), "kubewright.dev/ports") if text else {}
    if not isinstance(said, dict):
        raise KubewrightError("kubewright.dev/ports is a document from ports to what listens there.")
    found = {}
    for port, what in said.items():
        if not str(port).isdecimal() or not 0 < int(port) < 65536 or not isinstance(what, str):
            raise KubewrightError(
                f"kubewright.dev/ports: {port!r}: {what!r} is no port with echo, host:port or a text."
            )
        found[int(port)] = what
    return found


def find_port(pod: Document, port: int, listening: Mapping[int, str]) -> str | None:
    """What listens on a port; None if nobody does."""
    if port in listening:
        return listening[port]
    containers = pod["spec"]["containers"]
    declared = {each["containerPort"] for container in containers for each in container.get("ports") or ()}
    if declared and port not in declared:
        return None
    meta = pod["metadata"]
    images = ", ".join(container.get("image", "") for container in containers)
    return f"pod {meta['namespace']}/{meta['name']}, {images}, port {port}"


async def serve_port(line: Line, what: str) -> None:
    """Be what listens there, for one connection, until its end."""
    if what == "echo":
        while (data := await line.read()) is not None:
            await line.write(data)
    elif (address := _ADDRESS.fullmatch(what)) is not None:
        await _relay(line, address[1].strip("[]"), int(address[2]))
    else:
        await _tell(line, what)


async def _tell(line: Line, text: str) -> None:
    """Answer one request."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        data = await line.read()
        if data is None:
            return
        heard += data
    body = text.encode() + b"\n"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    await line.write(head.encode() + (b"" if heard.startswith(b"HEAD ") else body))


async def _relay(line: Line, host: str, port: int) -> None:
    reader, writer = await asyncio.open_connection(host, port)

    async def forth() -> None:
        while (data := await line.read()) is not None:
            writer.write(data)
            await writer.drain()
        writer.write_eof()

    going = asyncio.ensure_future(forth())
    try:
        while data := await reader.read(_PIECE):
            await line.write(data)
    finally:
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)
        writer.close()
