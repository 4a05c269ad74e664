"""Gzip for answers, when the client takes it and there is enough to win.

Done in slices: compressing a list of some megabytes in one go would hold the loop for tens of milliseconds.
"""

import asyncio
import zlib
from collections.abc import AsyncGenerator, AsyncIterable

from kubewright.http.headers import Headers
from kubewright.http.message import Response

__all__ = ["THRESHOLD", "accepts_gzip", "compressed"]

THRESHOLD = 128 * 1024  # kube-apiserver's: below it, time is worth more than bytes
SLICE = 128 * 1024
LEVEL = 1


def accepts_gzip(headers: Headers) -> bool:
    """Whether a request's Accept-Encoding names gzip, read as kube-apiserver reads it: without weights."""
    return b"gzip" in [token.strip() for token in (headers.get(b"accept-encoding") or b"").split(b",")]


async def compressed(headers: Headers, response: Response, threshold: int = THRESHOLD) -> Response:
    """`response`, compressed if the request with `headers` accepts it and there is enough of it.

    That is more than `threshold` bytes, or pieces that are still being made: nobody would make pieces of a little.
    """
    body = response.body
    pieces: AsyncIterable[bytes]
    if isinstance(body, bytes) and len(body) > threshold:
        pieces = _slices(body)
    elif isinstance(body, AsyncGenerator):
        pieces = body
    else:
        return response
    if not accepts_gzip(headers):
        return response
    more = response.headers.plus((b"Content-Encoding", b"gzip"), (b"Vary", b"Accept-Encoding"))
    gzipped = _compressing(pieces)
    whole = b"".join([piece async for piece in gzipped]) if isinstance(body, bytes) else gzipped
    return Response(response.status, more, whole)


async def _compressing(pieces: AsyncIterable[bytes]) -> AsyncGenerator[bytes, None]:
    gzip = zlib.compressobj(LEVEL, wbits=zlib.MAX_WBITS | 16)
    async for piece in pieces:
        yield gzip.compress(piece)
    yield gzip.flush()


async def _slices(body: bytes) -> AsyncGenerator[bytes, None]:
    for start in range(0, len(body), SLICE):
        yield body[start : start + SLICE]
        await asyncio.sleep(0)
