"""The stream of a watch becomes events.

A watch is one JSON object a line, `{"type": …, "object": …}`, in pieces that end anywhere. `Frames` puts the lines
together; the object of an event stays raw bytes, for whoever reads it knows as what. An `ERROR` event is the server's
last word and is raised as the `ApiError` it is.
"""

from collections.abc import AsyncIterable, AsyncIterator, Iterator

import msgspec

from kubewright.client.errors import error_from
from kubewright.errors import KubewrightError

__all__ = ["Event", "Frames", "WatchError", "events"]

#: A line longer than the largest object and its envelope is no event.
_LIMIT = 64 * 1024 * 1024


class WatchError(KubewrightError):
    """What came on a watch is no event."""


class Event(msgspec.Struct, frozen=True):
    """One change: `type` is ADDED, MODIFIED, DELETED or BOOKMARK."""

    type: str
    object: msgspec.Raw


_read = msgspec.json.Decoder(Event).decode


class Frames:
    """Puts lines together; pure."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that are complete now."""
        self._rest += data
        *lines, rest = bytes(self._rest).split(b"\n") if b"\n" in data else [bytes(self._rest)]
        if len(rest) > _LIMIT:
            raise WatchError(f"an event has more than {_LIMIT:,} bytes; the stream is no watch.")
        self._rest = bytearray(rest)
        return (line for line in lines if line.strip())


async def events(pieces: AsyncIterable[bytes]) -> AsyncIterator[Event]:
    """The events of a watch, until the server ends it."""
    frames = Frames()
    async for piece in pieces:
        for line in frames.feed(piece):
            try:
                event = _read(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise WatchError(f"a watch sent {line[:80]!r}, which is no event: {error}.") from error
            if event.type == "ERROR":
                raise error_from(0, bytes(event.object), "watch")
            yield event
