"""Gzip for answers, when the client takes it and there is enough to win.

Done in slices: compressing a list of some megabytes in one go would hold the loop for tens of milliseconds.
"""

import asyncio
import zlib

from kubewright.http.headers import Headers
from kubewright.http.message import Response

__all__ = ["THRESHOLD", "accepts_gzip", "compressed"]

THRESHOLD = 128 * 1024  # kube-apiserver's: below it, time is worth more than bytes
SLICE = 256 * 1024
LEVEL = 1


def accepts_gzip(headers: Headers) -> bool:
    """Whether a request's Accept-Encoding names gzip, read as kube-apiserver reads it: without weights."""
    return b"gzip" in [token.strip() for token in (headers.get(b"accept-encoding") or b"").split(b",")]


async def compressed(headers: Headers, response: Response, threshold: int = THRESHOLD) -> Response:
    """`response`, compressed if the request with `headers` accepts it and its body is bytes, more than `threshold`."""
    body = response.body
    if not isinstance(body, bytes) or len(body) <= threshold or not accepts_gzip(headers):
        return response
    gzip = zlib.compressobj(LEVEL, wbits=zlib.MAX_WBITS | 16)
    pieces = []
    for start in range(0, len(body), SLICE):
        pieces.append(gzip.compress(body[start : start + SLICE]))
        await asyncio.sleep(0)
    pieces.append(gzip.flush())
    more = response.headers.plus((b"Content-Encoding", b"gzip"), (b"Vary", b"Accept-Encoding"))
    return Response(response.status, more, b"".join(pieces))
