"""Asking a conversion webhook.

A webhook in the cluster is named by its service; where that is, the cluster says (`Resolve`). Its certificate is
judged by the bundle of the CRD, or by the system's authorities where there is none.
"""

import asyncio
import base64
import ssl
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from kubewright.client.certificates import Pem, trusting
from kubewright.cluster.registry.custom.review import ask, read_answer, spelled_kind
from kubewright.cluster.registry.view import ConversionFailed
from kubewright.cluster.wire.body import decode
from kubewright.cluster.wire.media import YAML
from kubewright.cluster.wire.unreadable import Unreadable
from kubewright.entropy import Entropy
from kubewright.http import (
    ConnectError,
    DisconnectedError,
    Headers,
    HttpError,
    Origin,
    Pool,
    Request,
    Response,
    TimedOutError,
    Timeouts,
)

__all__ = ["Address", "Resolve", "Webhook"]

Document = dict[str, Any]
#: Host and port.
Address = tuple[str, int]
#: Where a service is, by namespace, name and port; None if nobody knows.
Resolve = Callable[[str, str, int], Address | None]

_TIMEOUT: Final = 30.0
_HEADERS: Final = Headers([(b"Content-Type", b"application/json"), (b"Accept", b"application/json, */*")])


class Webhook:
    """The conversion webhook of one CRD."""

    def __init__(self, conversion: Document, chance: Entropy, pool: Callable[[], Pool], resolve: Resolve) -> None:
        webhook = conversion["webhook"]
        self._reviews: list[str] = webhook.get("conversionReviewVersions") or []
        self._client: Document = webhook["clientConfig"]
        self._chance = chance
        self._pool = pool
        self._resolve = resolve

    async def convert(self, objects: Sequence[Document], wanted: str) -> list[Document]:
        """The objects in another version; `ConversionFailed` if they cannot be had."""
        question = ask(self._chance.uid(), objects, wanted, self._reviews)
        try:
            response, content = await self._post(msgspec.json.encode(question))
            answer = _read(response, content)
        except _Refused as refused:
            raise ConversionFailed(f"conversion webhook for {spelled_kind(objects[0])} failed: {refused}") from None
        return read_answer(answer, question)

    async def _post(self, body: bytes) -> tuple[Response, bytes]:
        request = Request("POST", f"{urlsplit(self._url).path or '/'}?timeout=30s", self._host_headers, body)
        where = f'Post "{self._url}?timeout=30s"'
        if (origin := self._origin()) is None:
            raise _Refused(f'{where}: service "{self._client["service"]["name"]}" not found')
        try:
            async with (
                asyncio.timeout(_TIMEOUT),
                await self._pool().request(origin, request, Timeouts(connect=_TIMEOUT)) as response,
            ):
                return response, await response.read()
        except (HttpError, OSError) as error:
            raise _Refused(f"{where}: {_spelled(error, origin)}") from None

    @cached_property
    def _url(self) -> str:
        """The address, as messages have it."""
        url: str | None = self._client.get("url")
        if url is not None:
            return url
        service = self._client["service"]
        path: str = service.get("path") or "/"
        host = f"{service['name']}.{service['namespace']}.svc"
        return f"https://{host}:{service.get('port', 443)}{path if path.startswith('/') else '/' + path}"

    @cached_property
    def _host_headers(self) -> Headers:
        return _HEADERS.plus((b"Host", urlsplit(self._url).netloc.encode()))

    def _origin(self) -> Origin | None:
        """Where to go; None if nobody knows where the service is."""
        service = self._client.get("service")
        if service is None:
            return Origin.of(self._url, self._context)
        name = f"{service['name']}.{service['namespace']}.svc"
        place = self._resolve(service["namespace"], service["name"], service.get("port", 443))
        return Origin(*place, context=self._context, server_name=name) if place is not None else None

    @cached_property
    def _context(self) -> ssl.SSLContext:
        bundle = base64.b64decode(self._client.get("caBundle") or "").strip()
        return trusting(Pem(bundle, "caBundle") if bundle else None)


class _Refused(Exception):
    """The webhook cannot be reached, or what it says is no answer; the text is the server's."""


def _read(response: Response, content: bytes) -> Document:
    """The review that was answered."""
    if response.status // 100 != 2:
        raise _Refused(_refusal(response.status, content))
    if not content:
        media = (response.headers.get(b"content-type") or b"").decode("latin-1")
        raise _Refused(f"0-length response with status code: {response.status} and content type: {media}")
    try:
        answer: object = msgspec.json.decode(content)
    except msgspec.DecodeError:
        answer = None
    if isinstance(answer, dict):
        return answer
    try:
        return decode(content, YAML).document
    except Unreadable as error:
        raise _Refused(str(error)) from None


def _refusal(status: int, content: bytes) -> str:
    """What Go's client makes of an answer that is a refusal."""
    text = content.decode("utf-8", "replace").strip() or "unknown"
    if status == 403:
        return text
    if status == 500:
        return f'an error on the server ("{text}") has prevented the request from succeeding'
    return _REFUSALS.get(
        status, f"the server responded with the status code {status} but did not return more information"
    )


_REFUSALS: Final = {
    400: "the server rejected our request for an unknown reason",
    401: "the server has asked for the client to provide credentials",
    404: "the server could not find the requested resource",
    405: "the server does not allow this method on the requested resource",
    503: "the server is currently unable to handle the request",
    504: "the server was unable to return a response in the time allotted, but may still be processing the request",
}


def _spelled(error: Exception, origin: Origin) -> str:
    """What Go's client says of a failure; where it has no words that we know, ours."""
    if isinstance(error, TimedOutError | TimeoutError):
        return "context deadline exceeded"
    cause = error.__cause__ if isinstance(error, ConnectError) else error
    if isinstance(cause, ConnectionRefusedError):
        return f"dial tcp {origin.address}: connect: connection refused"
    if isinstance(cause, ssl.SSLCertVerificationError):
        unknown = cause.verify_code in _UNKNOWN_AUTHORITY
        why = "certificate signed by unknown authority" if unknown else cause.verify_message
        return f"tls: failed to verify certificate: x509: {why}"
    return "EOF" if isinstance(error, DisconnectedError) else str(error)


#: What OpenSSL calls a certificate whose authority it does not know: self-signed, or no issuer found.
_UNKNOWN_AUTHORITY: Final = frozenset({18, 19, 20, 21})
