"""Who may read the metrics: whoever the cluster says may `get` that path.

Metrics tell much of what runs where. Behind a `Guard` a request needs a bearer token; the API is asked whose it is
(TokenReview) and whether he may (SubjectAccessReview on the path, as a non-resource URL), as Go's metrics servers do.
The operator needs `create` on both reviews, the reader a role with

    nonResourceURLs: ["/metrics"]
    verbs: ["get"]

Answers are kept for a while, with controller-runtime's times, so that a scrape does not cost two requests each time.
"""

import hashlib
import logging
from collections import OrderedDict
from typing import Any, Final, Generic, TypeVar

from kubewright import clock
from kubewright.client import Client
from kubewright.client.errors import ApiError
from kubewright.http import Headers, HttpError, Request, Response

__all__ = ["Guard"]

_log = logging.getLogger("kubewright.guard")
_TEXT: Final = Headers([(b"Content-Type", b"text/plain; charset=utf-8"), (b"X-Content-Type-Options", b"nosniff")])
_TOKENS: Final = "/apis/authentication.k8s.io/v1/tokenreviews"
_ACCESSES: Final = "/apis/authorization.k8s.io/v1/subjectaccessreviews"

#: Seconds for which an answer is believed.
_WHO, _MAY, _MAY_NOT = 60.0, 300.0, 30.0
#: Answers that are kept; who tries out tokens must not fill the memory with them.
_KEPT: Final = 1024

Value = TypeVar("Value")


class _Answers(Generic[Value]):
    """Answers that are good for a while; the oldest go when there are too many."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, tuple[float, Value]] = OrderedDict()

    def get(self, key: bytes) -> Value | None:
        until, value = self._known.get(key, (0.0, None))
        return value if clock.monotonic() < until else None

    def put(self, key: bytes, value: Value, seconds: float) -> None:
        self._known[key] = (clock.monotonic() + seconds, value)
        self._known.move_to_end(key)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)


class Guard:
    """Lets requests pass that the cluster lets pass."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._users: _Answers[dict[str, Any]] = _Answers()
        self._verdicts: _Answers[bool] = _Answers()

    async def refusal(self, request: Request) -> Response | None:
        """The answer to whoever may not; None lets him pass."""
        scheme, _, token = (request.headers.get(b"authorization") or b"").partition(b" ")
        token = token.strip()
        if scheme.lower() != b"bearer" or not token:
            return _refuse(401, "Unauthorized")
        # The token itself is not kept: whoever reads our memory shall not find it.
        known = hashlib.sha256(token).digest()
        try:
            user = await self._who(known, token)
        except (ApiError, HttpError) as error:
            _log.error("A reader of metrics could not be authenticated: %s", error)
            return _refuse(500, "Authentication failed")
        if user is None:
            return _refuse(401, "Unauthorized")
        name = user.get("username", "")
        try:
            allowed = await self._may(known, user, request)
        except (ApiError, HttpError) as error:
            _log.error("Whether %s may read metrics could not be found out: %s", name, error)
            return _refuse(500, f"Authorization for user {name} failed")
        return None if allowed else _refuse(403, f"Authorization denied for user {name}")

    async def _who(self, known: bytes, token: bytes) -> dict[str, Any] | None:
        user = self._users.get(known)
        if user is None:
            review = {
                "apiVersion": "authentication.k8s.io/v1",
                "kind": "TokenReview",
                "spec": {"token": token.decode("latin-1")},
            }
            status = (await self._client.create(_TOKENS, review)).get("status") or {}
            if not status.get("authenticated"):
                return None
            user = status.get("user") or {}
            self._users.put(known, user, _WHO)
        return user

    async def _may(self, known: bytes, user: dict[str, Any], request: Request) -> bool:
        verb, path = request.method.lower(), request.path
        key = b"%b %b %b" % (known, verb.encode(), path.encode())
        allowed = self._verdicts.get(key)
        if allowed is None:
            review = {
                "apiVersion": "authorization.k8s.io/v1",
                "kind": "SubjectAccessReview",
                "spec": {
                    "user": user.get("username"),
                    "uid": user.get("uid"),
                    "groups": user.get("groups") or [],
                    "extra": user.get("extra") or {},
                    "nonResourceAttributes": {"path": path, "verb": verb},
                },
            }
            status = (await self._client.create(_ACCESSES, review)).get("status") or {}
            allowed = bool(status.get("allowed")) and not status.get("denied")
            self._verdicts.put(key, allowed, _MAY if allowed else _MAY_NOT)
        return allowed


def _refuse(code: int, words: str) -> Response:
    return Response(code, _TEXT, f"{words}\n".encode())
