"""The time that a request grants the server, `?timeout=30s`.

Who reads and has to wait, for a revision that is still to come or for a webhook that converts, waits no longer than
that. A write is not cut short: once begun it is never torn. A request that is meant to last (a watch, a log, a command)
is not asked.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

from kubewright.cluster.auth.intent import Intent
from kubewright.cluster.wire.status import bad_request
from kubewright.http import Headers, Response
from kubewright.model.duration import Duration, DurationError

__all__ = ["in_time", "read_timeout"]

_HEADERS: Final = Headers([(b"Cache-Control", b"no-cache, private"), (b"Content-Type", b"text/plain; charset=utf-8")])
#: What the server says that gives up for another part of itself; that it is a Status it does not say.
_TOO_LATE: Final = (
    b'{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout",'
    b'"reason":"Timeout","details":{},"code":504}\n'
)
_LASTING: Final = frozenset({"attach", "exec", "proxy", "log", "portforward"})


def read_timeout(intent: Intent, text: str) -> float | None:
    """For how many seconds the answer may be waited for; None for as long as it takes. What is no time is refused."""
    if not text or intent.verb == "watch" or intent.subresource in _LASTING:
        return None
    try:
        seconds = Duration(text).seconds
    except DurationError as error:
        why, _, _ = str(error).rpartition("; ")  # behind it stands what a developer may do
        raise bad_request(f"invalid timeout specified in the request URL - {why}") from None
    return seconds if seconds > 0 and intent.verb in ("get", "list") else None


async def in_time(coming: Coroutine[Any, Any, Response], seconds: float) -> Response:
    """An answer, if it comes in time."""
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await coming
    except TimeoutError:
        if not limit.expired():
            raise
        return Response(504, _HEADERS, _TOO_LATE)
