"""A server under test and a client that speaks bytes, so that a test can send what no client would."""

import asyncio
import io
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPResponse
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from kubewright.http import Handler, Request, Response, Server, ServerLimits

__all__ = ["Answer", "Wire", "answers", "cut", "echo", "eventually", "exchange", "get", "mutated", "serving"]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


@asynccontextmanager
async def serving(
    handler: Handler, limits: ServerLimits | None = None, context: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """A server on loopback; its port."""
    server = Server(handler, limits)
    port = await server.listen("127.0.0.1", 0, context)
    try:
        yield port
    finally:
        await server.stop(grace=0)


async def echo(request: Request) -> Response:
    """Answer with what was asked."""
    body = await request.read()
    return Response(200, body=f"{request.method} {request.target} ".encode() + body)


class Wire:
    """One connection to the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, port: int, context: ssl.SSLContext | None = None) -> "Wire":
        name = "localhost" if context is not None else None
        return cls(*await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname=name))

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def until(self, end: bytes) -> bytes:
        return await self.reader.readuntil(end)

    async def rest(self) -> bytes:
        """Everything up to the end; a reset is an end."""
        found = b""
        try:
            while piece := await self.reader.read(65536):
                found += piece
        except ConnectionError:
            pass
        return found

    async def close(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    def abort(self) -> None:
        self.writer.transport.abort()

    async def __aenter__(self) -> "Wire":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()


async def exchange(port: int, data: bytes, context: ssl.SSLContext | None = None) -> bytes:
    """Send `data`, and everything that comes back until the server closes."""
    async with await Wire.open(port, context) as wire:
        wire.send(data)
        return await wire.rest()


def get(target: str = "/", *lines: str, method: str = "GET", version: str = "1.1", body: bytes = b"") -> bytes:
    """A request as bytes."""
    return "\r\n".join([f"{method} {target} HTTP/{version}", "Host: localhost", *lines, "", ""]).encode() + body


def answers(data: bytes, *methods: str) -> list[Answer]:
    """The answers in `data`, read by Python's own client."""
    return list(_answers(data, methods))


def _answers(data: bytes, methods: tuple[str, ...]) -> Iterator[Answer]:
    file = _Kept(data)
    asked = iter(methods)
    while file.tell() < len(data):
        response = HTTPResponse(_Socket(file), method=next(asked, "GET"))  # type: ignore[arg-type]  # as much as it needs
        response.begin()
        yield Answer(
            response.status, {name.lower(): value for name, value in response.headers.items()}, response.read()
        )


async def eventually(condition: Callable[[], bool]) -> None:
    """Wait for something that nobody announces."""
    while not condition():  # noqa: ASYNC110
        await asyncio.sleep(0.01)


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    """`data` in pieces."""
    bounds = sorted({0, len(data), *(at % (len(data) + 1) for at in cuts)})
    return [data[start:end] for start, end in pairwise(bounds)]


@st.composite
def mutated(draw: st.DrawFn, whole: bytes) -> bytes:
    """Valid bytes with something done to them."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["insert", "replace", "remove", "repeat"])):
            case "insert":
                data[at:at] = draw(st.sampled_from([b"\r\n", b"\n", b"\0", b":", b" ", b"0", b"\xff", b"GET "]))
            case "replace":
                data[at : at + 1] = draw(st.binary(max_size=3))
            case "remove":
                del data[at : at + draw(st.integers(1, 20))]
            case _:
                data[at:at] = data[at : at + draw(st.integers(1, 200))]
    return bytes(data)


class _Kept(io.BytesIO):
    def close(self) -> None:
        """Stay open: the next answer follows."""


class _Socket:
    def __init__(self, file: io.BytesIO) -> None:
        self.file = file

    def makefile(self, *_: Any) -> io.BytesIO:
        return self.file
