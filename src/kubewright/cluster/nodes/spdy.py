"""SPDY/3.1 frames, as far as port-forwarding needs them. Pure: bytes in, frames out, and the reverse.

kubectl multiplexes the connections that it forwards with SPDY, of which nothing else is left in the world; it comes in
the messages of a WebSocket. Windows are not kept: neither does the client.
"""

import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from kubewright.errors import KubewrightError

__all__ = ["FIN", "Frame", "FrameError", "Frames"]

FIN: Final = 1
_VERSION: Final = 0x8003
SYN_STREAM, SYN_REPLY, RST_STREAM, PING, GOAWAY = 1, 2, 3, 6, 7
#: A data frame has no type of its own.
DATA: Final = 0
#: Longer ones are refused.
_LONGEST: Final = 4 * 1024 * 1024

#: What headers are compressed against: words of HTTP, each after its length, and what often stands in their values.
_WORDS: Final = (
    "options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow "
    "authorization cache-control connection content-base content-encoding content-language content-length "
    "content-location content-md5 content-range content-type date etag expect expires from host if-match "
    "if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma "
    "proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade "
    "user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie "
    "keep-alive origin"
)
_VALUES: Final = (
    "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505"
    "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden"
    "404 Not Found500 Internal Server Error501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug "
    "Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,"
    "application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdch"
    "charset=utf-8charset=iso-8859-1,utf-,*,enq=0."
)
DICTIONARY: Final = (
    b"".join(struct.pack(">I", len(word)) + word.replace("_", " ").encode() for word in _WORDS.split())
    + _VALUES.encode()
)


class FrameError(KubewrightError):
    """Bytes that are no SPDY."""


@dataclass(frozen=True)
class Frame:
    """One frame: `kind` is that of a control frame, 0 for data."""

    kind: int
    stream: int = 0
    flags: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    data: bytes = b""


class Frames:
    """One end of a connection: what arrives, taken apart, and what is sent, put together."""

    def __init__(self) -> None:
        self._rest = b""
        self._inflate = zlib.decompressobj(zdict=DICTIONARY)
        self._deflate = zlib.compressobj(zdict=DICTIONARY)

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that are complete with this."""
        self._rest += data
        while len(self._rest) >= 8:
            head, length = struct.unpack(">II", self._rest[:8])
            flags, length = length >> 24, length & 0xFFFFFF
            if length > _LONGEST:
                raise FrameError(f"a frame of {length} bytes is too long.")
            if len(self._rest) < 8 + length:
                return
            body, self._rest = self._rest[8 : 8 + length], self._rest[8 + length :]
            if not head >> 31:
                yield Frame(DATA, head, flags, data=body)
            elif head >> 16 == _VERSION:
                yield self._control(head & 0xFFFF, flags, body)
            else:
                raise FrameError(f"version {head >> 16 & 0x7FFF} of SPDY is not spoken here.")

    def _control(self, kind: int, flags: int, body: bytes) -> Frame:
        stream = int.from_bytes(body[:4]) & 0x7FFFFFFF
        skipped = {SYN_STREAM: 10, SYN_REPLY: 4}.get(kind)
        headers = self._read(body[skipped:]) if skipped is not None else {}
        return Frame(kind, stream, flags, headers, body)

    def _read(self, block: bytes) -> dict[str, str]:
        try:
            text = self._inflate.decompress(block)
            (count,) = struct.unpack_from(">I", text)
            at, headers = 4, {}
            for _ in range(count):
                pair = []
                for _ in range(2):
                    (length,) = struct.unpack_from(">I", text, at)
                    pair.append(text[at + 4 : at + 4 + length].decode())
                    at += 4 + length
                headers[pair[0].lower()] = pair[1]
        except (zlib.error, struct.error, UnicodeDecodeError) as error:
            raise FrameError(f"a block of headers cannot be read: {error}.") from error
        return headers

    def encode(self, frame: Frame) -> bytes:
        """A frame as it is sent."""
        if frame.kind == DATA:
            return struct.pack(">II", frame.stream, frame.flags << 24 | len(frame.data)) + frame.data
        body = frame.data
        if frame.kind in (SYN_STREAM, SYN_REPLY):
            block = struct.pack(">I", len(frame.headers))
            for pair in frame.headers.items():
                block += b"".join(struct.pack(">I", len(word.encode())) + word.encode() for word in pair)
            packed = self._deflate.compress(block) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
            more = b"\x00" * 6 if frame.kind == SYN_STREAM else b""
            body = struct.pack(">I", frame.stream) + more + packed
        return struct.pack(">II", _VERSION << 16 | frame.kind, frame.flags << 24 | len(body)) + body
