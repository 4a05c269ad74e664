"""Requests and responses, the same values on both sides of a connection and where there is none.

A client makes a `Request` and gets a `Response`; a server's handler gets the one and makes the other; in one process a
request can be handed to a handler with no socket between. A target stays as it was sent: nothing is unquoted, joined or
normalised here, because two readers that normalise differently are a hole.
"""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import msgspec

from kubewright.http.body import Body
from kubewright.http.headers import EMPTY, Headers
from kubewright.http.stream import Stream

__all__ = ["Link", "Peer", "Request", "Response", "Takeover"]


@dataclass(frozen=True, slots=True)
class Peer:
    """Who is at the other end of a server's connection."""

    address: tuple[str, int] | None
    certificate: bytes | None = None  # DER; verified against the context's authorities, or there is none
    secure: bool = False  # over TLS


_NOBODY = Peer(None)


class Link(Protocol):
    """What a request knows of the connection it came on."""

    @property
    def peer(self) -> Peer:
        """Who asks."""

    @property
    def lost(self) -> asyncio.Event:
        """Set once the peer has gone, or has said that it sends no more."""


class Request(msgspec.Struct, eq=False):
    """What is asked: `target` is path and query as sent, `body` bytes, or a `Body` that is still arriving."""

    method: str
    target: str
    headers: Headers = EMPTY
    body: bytes | Body | AsyncIterable[bytes] = b""
    link: Link | None = None
    version: str = "1.1"
    keep_alive: bool = True
    upgrade: bool = False  # the peer asks to speak another protocol from here on
    expects: bool = False  # the peer waits for `100 Continue` before it sends the body
    #: Its answer may go on for ever, as that of a watch: it takes no place from those that end.
    lasting: bool = False
    #: Asked by whoever sends it, directly before, twice; what it raises keeps the request from being sent.
    gate: Callable[[], None] | None = None

    @property
    def path(self) -> str:
        """The target up to its query, without a scheme and authority; still percent-encoded."""
        return self._origin_form().partition("?")[0]

    @property
    def query(self) -> str:
        """What follows the first `?` of the target, still percent-encoded."""
        return self._origin_form().partition("?")[2]

    def _origin_form(self) -> str:
        if self.target.startswith("/") or "://" not in self.target:
            return self.target
        rest = self.target.partition("://")[2]
        start = min((at for at in (rest.find("/"), rest.find("?")) if at >= 0), default=len(rest))
        return rest[start:] if rest[start : start + 1] == "/" else "/" + rest[start:]

    @property
    def peer(self) -> Peer:
        """Who asks; nobody known where there is no connection."""
        return self.link.peer if self.link is not None else _NOBODY

    @property
    def disconnected(self) -> bool:
        """Whether whoever asked has gone."""
        return self.link is not None and self.link.lost.is_set()

    async def wait_disconnected(self) -> None:
        """Wait until whoever asked has gone; for ever where there is no connection."""
        lost = self.link.lost if self.link is not None else asyncio.Event()
        await lost.wait()

    async def read(self) -> bytes:
        """The whole body; `RefusedError` (413) when it is longer than the server takes."""
        body = self.body
        return body if isinstance(body, bytes) else await _read(body)

    def __repr__(self) -> str:
        return f"<Request {self.method} {self.target}>"


class Takeover:
    """The body of a `101`: from here on the connection belongs to `protocol`.

    The server calls it as a transport would, first with `connection_made`, and hands it what has arrived already.
    `talk`, if given, runs as a task of the connection; when it returns or fails the connection is closed.
    """

    __slots__ = ("protocol", "talk")

    def __init__(self, protocol: asyncio.Protocol, talk: Callable[[], Awaitable[None]] | None = None) -> None:
        self.protocol = protocol
        self.talk = talk


class Response(msgspec.Struct, eq=False):
    """What is answered: `body` is bytes, pieces to come, a `Stream` that others write, or a `Takeover`."""

    status: int
    headers: Headers = EMPTY
    body: bytes | Body | AsyncIterable[bytes] | Stream | Takeover = b""
    trailers: Headers = EMPTY  # known once the body was read to its end

    async def read(self) -> bytes:
        """The whole body, or what is left of it."""
        if isinstance(self.body, bytes):
            return self.body
        return await _read(aiter(self))

    def __aiter__(self) -> AsyncIterator[bytes]:
        body = self.body
        if isinstance(body, bytes):
            return _once(body)
        if isinstance(body, Stream):
            body = self.body = body.reader()
        if isinstance(body, Takeover):
            raise TypeError("the answer is a connection that was taken over: it has no body to read")
        return aiter(body)

    def close(self) -> None:
        """Give up what was not read; the connection is not used again if that is much."""
        if isinstance(self.body, Body):
            self.body.discard()
        elif isinstance(self.body, Stream):
            self.body.lost()

    async def __aenter__(self) -> "Response":
        return self

    async def __aexit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Response {self.status}>"


async def _read(body: AsyncIterable[bytes]) -> bytes:
    pieces = [piece async for piece in body]
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


async def _once(data: bytes) -> AsyncIterator[bytes]:
    if data:
        yield data
