"""Which trouble an exception is, for the machine to decide by; and which is none, but the end."""

import asyncio

import msgspec

from kubewright.cache.header import UnreadableError
from kubewright.cache.machine import Failed, Trouble
from kubewright.client.answer import AnswerError
from kubewright.client.errors import (
    ApiError,
    BadRequest,
    Forbidden,
    Gone,
    Invalid,
    MethodNotAllowed,
    NotAcceptable,
    NotFound,
    TooManyRequests,
    Unauthorized,
    UnsupportedMediaType,
)
from kubewright.client.watch import WatchError
from kubewright.errors import KubewrightError
from kubewright.http import ConnectError, HttpError, ProtocolError, TimedOutError
from kubewright.model.documents import DocumentError

__all__ = ["RestoredError", "failure", "is_end", "is_trouble"]

_REFUSALS: tuple[tuple[type[ApiError], Trouble], ...] = (
    (Gone, Trouble.EXPIRED),
    (Unauthorized, Trouble.UNAUTHORIZED),
    (Forbidden, Trouble.FORBIDDEN),
    (NotFound, Trouble.MISSING),
    (TooManyRequests, Trouble.THROTTLED),
    (BadRequest, Trouble.UNSUPPORTED),
    (Invalid, Trouble.UNSUPPORTED),
    (MethodNotAllowed, Trouble.UNSUPPORTED),
    (NotAcceptable, Trouble.UNSUPPORTED),
    (UnsupportedMediaType, Trouble.UNSUPPORTED),
)


class RestoredError(KubewrightError):
    """The server is at an earlier revision than it was."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the server is at an earlier revision of {what} than it was: it was restored")


#: What may go wrong between a reflector and a server; anything else is a fault of ours.
is_trouble = (KubewrightError, msgspec.DecodeError, UnicodeDecodeError, TimeoutError)


def failure(error: BaseException, lasted: float = 0.0, events: int = 0) -> Failed:
    """The signal for an exception, after a request or stream that lasted so many seconds and told so many events."""
    pause = (error.retry_after or 0.0) if isinstance(error, ApiError) else 0.0
    return Failed(_trouble(error), lasted, events, pause)


def _trouble(error: BaseException) -> Trouble:
    if isinstance(error, ApiError):
        if error.caused_by("ResourceVersionTooLarge"):
            return Trouble.EXPIRED
        return next((trouble for kind, trouble in _REFUSALS if isinstance(error, kind)), Trouble.FAILING)
    if isinstance(error, RestoredError):
        return Trouble.EXPIRED
    if isinstance(error, WatchError | AnswerError | DocumentError | UnreadableError | ProtocolError):
        return Trouble.GARBAGE
    if isinstance(error, msgspec.DecodeError | UnicodeDecodeError):
        return Trouble.GARBAGE
    if isinstance(error, TimeoutError):
        return Trouble.STALLED
    if isinstance(error, ConnectError | TimedOutError):
        return Trouble.UNREACHABLE
    return Trouble.BROKEN if isinstance(error, HttpError) else Trouble.FAILING


def is_end(error: BaseException) -> bool:
    """Whether the program, or the task that is being run, is to end; else a function has merely raised it.

    A `CancelledError` may come from a helper task of that function's own: only one that was meant for us ends us.
    """
    if isinstance(error, Exception):
        return False
    if isinstance(error, KeyboardInterrupt):
        return True
    try:
        task = asyncio.current_task()
    except RuntimeError:  # the loop has ended before the task, which is thrown away now
        return True
    return task is None or (isinstance(error, asyncio.CancelledError) and task.cancelling() > 0)
