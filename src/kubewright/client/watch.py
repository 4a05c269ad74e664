"""The stream of a watch becomes events.

A watch is one JSON object a line, `{"type": …, "object": …}`, in pieces that end anywhere. `Frames` puts the lines
together; the object of an event stays raw bytes, for whoever reads it knows as what. An `ERROR` event is the server's
last word and is raised as the `ApiError` it is, after every event before it was given out.

    async with client.watch("/api/v1/pods", resourceVersion="0") as watch:
        async for event in watch: …

The connection belongs to the watch: it is let go when the block ends, on `close()`, when nobody holds the watch, and
when waiting for an event is cancelled.
"""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Generic, NamedTuple, Self, TypeVar

import msgspec

from kubewright.client.answer import check_answer
from kubewright.client.endpoint import Endpoint
from kubewright.client.errors import error_from
from kubewright.errors import KubewrightError
from kubewright.http import HttpError, Response

__all__ = ["Event", "Frames", "TypedEvent", "TypedWatch", "Watch", "WatchError"]

T = TypeVar("T")

#: A line longer than the largest object and its envelope is no event.
_LIMIT = 64 * 1024 * 1024


class WatchError(KubewrightError):
    """What came on a watch is no event."""


class Event(msgspec.Struct, frozen=True):
    """One change: `type` is ADDED, MODIFIED, DELETED or BOOKMARK."""

    type: str
    object: msgspec.Raw


class TypedEvent(NamedTuple, Generic[T]):
    """One change, its object read. Of a BOOKMARK's object only the resourceVersion means something."""

    type: str
    object: T


_read = msgspec.json.Decoder(Event).decode


class Frames:
    """Puts lines together; pure."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now."""
        if self._rest:
            self._rest += data
            if b"\n" not in data:
                self._check(len(self._rest))
                return []
            data = bytes(self._rest)
        elif data.find(b"\n") == len(data) - 1 and data:  # one whole line, as most pieces are
            return [] if data.isspace() else [data[:-1]]
        *lines, rest = data.split(b"\n")
        self._check(len(rest))
        self._rest = bytearray(rest)
        return [line for line in lines if line and not line.isspace()]

    def end(self) -> list[bytes]:
        """Nothing more comes: the last line, if only its end is missing; half a line is an event that was lost."""
        rest, self._rest = bytes(self._rest), bytearray()
        if not rest.strip():
            return []
        try:
            _read(rest)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise WatchError(f"a watch ended in the middle of an event, after {rest[-40:]!r}.") from None
        return [rest]

    def _check(self, size: int) -> None:
        if size > _LIMIT:
            raise WatchError(f"an event has more than {_LIMIT:,} bytes; the stream is no watch.")


class Watch:
    """The events of a watch, until the server ends it. It begins with the first event that is asked for."""

    def __init__(self, begin: Callable[[], Awaitable[Response]]) -> None:
        self._begin: Callable[[], Awaitable[Response]] | None = begin
        self._response: Response | None = None
        self._pieces: AsyncIterator[bytes] | None = None
        self._frames = Frames()
        self._events: deque[Event] = deque()
        self._error: KubewrightError | None = None
        self._closed = False

    async def batch(self) -> list[Event]:
        """All events that have come, one at least; none once the server has ended the watch."""
        while not self._events:
            if not await self._receive():
                return []
        batch = list(self._events)
        self._events.clear()
        return batch

    async def start(self) -> None:
        """Ask the server now: a refusal is raised here, and what changes from here on is told."""
        if self._begin is not None:
            begin, self._begin = self._begin, None
            response = await begin()
            if self._closed:  # meanwhile
                response.close()
            else:
                self._response, self._pieces = response, aiter(response)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        while not self._events:
            if not await self._receive():
                raise StopAsyncIteration
        return self._events.popleft()

    def close(self) -> None:
        """Let go of the connection. What has not been given out is lost."""
        self._closed = True
        self._begin = self._pieces = None
        self._events.clear()
        self._error = None
        if self._response is not None:
            self._response.close()
            self._response = None

    def __del__(self) -> None:
        self.close()

    async def _receive(self) -> bool:
        """Take in the next piece; False at the end."""
        if self._error is not None:
            error, self._error = self._error, None
            self.close()
            raise error
        await self.start()
        if self._pieces is None:
            return False
        try:
            piece = await anext(self._pieces)
        except StopAsyncIteration:
            if self._closed:
                return False
            self.close()
            self._take(self._frames.end())
            return bool(self._events) or self._error is not None
        except BaseException as error:
            if self._closed and isinstance(error, HttpError):
                return False  # somebody closed it while we waited: that the connection ends is our doing
            # Also when cancelled: what is raised holds us, and who knows for how long it is kept.
            self.close()
            raise
        if self._closed:
            return False
        try:
            self._take(self._frames.feed(piece))
        except WatchError as error:  # what came before it is given out first
            self._error = error
        return True

    def _take(self, lines: list[bytes]) -> None:
        try:
            for line in lines:
                self._events.append(_event(line))
        except KubewrightError as error:  # what came before it is given out first
            self._error = error


def _event(line: bytes) -> Event:
    try:
        event = _read(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WatchError(f"a watch sent {line[:80]!r}, which is no event: {error}.") from error
    if event.type == "ERROR":
        raise error_from(0, bytes(event.object), "watch")
    return event


class TypedWatch(Generic[T]):
    """The events of a watch with their objects read."""

    def __init__(self, watch: Watch, endpoint: Endpoint[T]) -> None:
        self.raw = watch
        self._endpoint = endpoint

    async def start(self) -> None:
        """Ask the server now: a refusal is raised here, and what changes from here on is told."""
        await self.raw.start()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.raw.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> TypedEvent[T]:
        event = await anext(self.raw)
        raw, about = bytes(event.object), f"an event of {self._endpoint.plural}"
        check_answer(self._endpoint, raw, about)
        return TypedEvent(event.type, self._endpoint.read(raw, about))

    def close(self) -> None:
        """Let go of the connection."""
        self.raw.close()
