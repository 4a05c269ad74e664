"""A refusal of the API becomes an exception of its own kind.

The server says what went wrong in a Status: the reason picks the class, the code does where there is no reason, and the
message is passed on as it is. An answer that is no Status (a proxy's page, a plain 404) still becomes an `ApiError`
with what could be made out.
"""

from collections.abc import Mapping
from typing import Any

from kubewright.errors import KubewrightError
from kubewright.model.documents import DocumentError, load_json

__all__ = [
    "AlreadyExists",
    "ApiError",
    "BadRequest",
    "Conflict",
    "Expired",
    "Forbidden",
    "Gone",
    "HeldBack",
    "InternalError",
    "Invalid",
    "MethodNotAllowed",
    "NotAcceptable",
    "NotFound",
    "RequestTooLarge",
    "ServerTimeout",
    "ServiceUnavailable",
    "StorageReadError",
    "TimedOut",
    "TooManyRequests",
    "Unauthorized",
    "UnsupportedMediaType",
    "error_from",
    "error_of",
]


class HeldBack(KubewrightError):
    """A gate let a write not pass: nothing was sent. `again`: after how many seconds it may; None: it never will."""

    def __init__(self, message: str, again: float | None = None) -> None:
        super().__init__(message)
        self.again = again


class ApiError(KubewrightError):
    """The API refused a request. `status` is the whole Status it answered."""

    def __init__(self, message: str, status: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.status = dict(status)

    @property
    def code(self) -> int:
        """The HTTP status."""
        code = self.status.get("code")
        return code if isinstance(code, int) else 0

    @property
    def reason(self) -> str:
        """The machine's word for it, `NotFound`; empty where the server gave none."""
        return str(self.status.get("reason") or "")

    @property
    def passes(self) -> bool:
        """Whether the same may well be taken later: the server is to blame, has too much to do, or does not know us."""
        return not 400 <= self.code < 500 or self.code in (401, 429)

    @property
    def causes(self) -> list[dict[str, str]]:
        """The single faults of an object that is not valid: reason, message and field of each."""
        causes = self._details.get("causes")
        return [cause for cause in causes if isinstance(cause, dict)] if isinstance(causes, list) else []

    def caused_by(self, reason: str) -> bool:
        """Whether one of the causes has that reason: `NamespaceTerminating`, `ResourceVersionTooLarge` …"""
        return any(cause.get("reason") == reason for cause in self.causes)

    @property
    def uid(self) -> str:
        """The uid of the object it is about; empty where the server does not say."""
        return str(self._details.get("uid") or "")

    @property
    def name(self) -> str:
        """The name of the object it is about; empty where it is about none, as when the kind is not served."""
        return str(self._details.get("name") or "")

    @property
    def go_on(self) -> str:
        """With a list whose pages have expired: what continues it with the objects as they are now."""
        meta = self.status.get("metadata")
        return str(meta.get("continue") or "") if isinstance(meta, dict) else ""

    @property
    def retry_after(self) -> float | None:
        """How many seconds to wait before trying again, if the server said so."""
        seconds = self._details.get("retryAfterSeconds")
        return float(seconds) if isinstance(seconds, int | float) and seconds else None

    @property
    def _details(self) -> dict[str, Any]:
        details = self.status.get("details")
        return details if isinstance(details, dict) else {}


class BadRequest(ApiError):
    """400: the request makes no sense."""


class Unauthorized(ApiError):
    """401: the credentials are not good."""


class Forbidden(ApiError):
    """403: not for this user, or not now."""


class NotFound(ApiError):
    """404: there is no such object or resource."""


class MethodNotAllowed(ApiError):
    """405: the resource has no such verb."""


class NotAcceptable(ApiError):
    """406: the answer cannot be given in a form that was asked for."""


class AlreadyExists(ApiError):
    """409: there is such an object already."""


class Conflict(ApiError):
    """409: the object is not as the writer thinks; read it again."""


class Gone(ApiError):
    """410: what was asked for is no more."""


class Expired(Gone):
    """410: the version or page that was asked for is forgotten; read the newest."""


class RequestTooLarge(ApiError):
    """413: the body is longer than the server takes."""


class UnsupportedMediaType(ApiError):
    """415: the body is in a form the server does not read."""


class Invalid(ApiError):
    """422: the object is not valid; `causes` says what is wrong."""


class TooManyRequests(ApiError):
    """429: the server has too much to do; wait for `retry_after`."""


class InternalError(ApiError):
    """500: something is broken that the client cannot put right."""


class ServerTimeout(ApiError):
    """500: the server could not finish in time; try again."""


class StorageReadError(ApiError):
    """500: some of what is stored cannot be read."""


class ServiceUnavailable(ApiError):
    """503: the server cannot answer now."""


class TimedOut(ApiError):
    """504: it took too long."""


_BY_REASON: dict[str, type[ApiError]] = {
    "AlreadyExists": AlreadyExists,
    "BadRequest": BadRequest,
    "Conflict": Conflict,
    "Expired": Expired,
    "Forbidden": Forbidden,
    "Gone": Gone,
    "InternalError": InternalError,
    "Invalid": Invalid,
    "MethodNotAllowed": MethodNotAllowed,
    "NotAcceptable": NotAcceptable,
    "NotFound": NotFound,
    "RequestEntityTooLarge": RequestTooLarge,
    "ServerTimeout": ServerTimeout,
    "ServiceUnavailable": ServiceUnavailable,
    "StorageReadError": StorageReadError,
    "Timeout": TimedOut,
    "TooManyRequests": TooManyRequests,
    "Unauthorized": Unauthorized,
    "UnsupportedMediaType": UnsupportedMediaType,
}
_BY_CODE: dict[int, type[ApiError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    405: MethodNotAllowed,
    406: NotAcceptable,
    409: Conflict,
    410: Gone,
    413: RequestTooLarge,
    415: UnsupportedMediaType,
    422: Invalid,
    429: TooManyRequests,
    500: InternalError,
    503: ServiceUnavailable,
    504: TimedOut,
}


def error_of(status: Mapping[str, Any]) -> ApiError:
    """The exception for a Status."""
    code = status.get("code")
    kind = _BY_REASON.get(str(status.get("reason"))) or (_BY_CODE.get(code) if isinstance(code, int) else None)
    message = str(status.get("message") or "") or f"the server answered {code} and did not say why"
    return (kind or ApiError)(message, status)


def error_from(
    code: int, body: bytes, what: str, retry_after: float | None = None, location: bytes | None = None
) -> ApiError:
    """The exception for an answer that is no success; `what` is the request, for answers that say nothing.

    `retry_after` is what a header said, for answers whose Status does not; `location` is where a redirect leads.
    """
    try:
        status = load_json(body)
    except DocumentError:
        status = None
    if isinstance(status, dict) and status.get("kind") == "Status":
        error = error_of({"code": code, **status})
    else:
        text = " ".join(body.decode(errors="replace").split())[:200]
        told = f"{what}: the server answered {code}{': ' + text if text else ''}"
        if location and 300 <= code < 400:
            there = location.decode(errors="replace")[:200]
            told = f"{what}: the server answered {code} and leads to {there}, where credentials are not sent; if that "
            told += "is the API, have the kubeconfig name it"
        error = error_of({"code": code, "message": told})
    if retry_after and error.retry_after is None:
        details = error.status.get("details")
        error.status["details"] = (details if isinstance(details, dict) else {}) | {"retryAfterSeconds": retry_after}
    return error
