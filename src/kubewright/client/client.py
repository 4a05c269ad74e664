"""The verbs, on paths and documents: what all typed access stands on.

A path is that of the API (`/api/v1/namespaces/default/pods`), a document plain JSON values. A refusal is raised as the
`ApiError` of its kind. Nothing is repeated here: whether a request may be is for the caller to know.
"""

from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import urlencode

import msgspec

from kubewright.client.errors import error_from
from kubewright.client.kubeconfig import Access
from kubewright.client.transport import HttpTransport, Transport
from kubewright.client.watch import Event, events
from kubewright.http import Headers, Request, Response
from kubewright.model.documents import load_json
from kubewright.version import VERSION

__all__ = ["Client", "PatchType"]

Query = Mapping[str, str | int | bool | None]
PatchType = Literal["json", "merge", "strategic", "apply"]

_PATCHES: dict[PatchType, bytes] = {
    "json": b"application/json-patch+json",
    "merge": b"application/merge-patch+json",
    "strategic": b"application/strategic-merge-patch+json",
    "apply": b"application/apply-patch+yaml",
}
_JSON = b"application/json"


class Client:
    """Asks an API through a transport."""

    def __init__(self, transport: Transport, *, user_agent: str = f"kubewright/{VERSION}") -> None:
        self._transport = transport
        self._headers = Headers([(b"Accept", _JSON), (b"User-Agent", user_agent.encode())])

    @classmethod
    def connect(cls, access: Access) -> Self:
        """A client of the server that a kubeconfig describes."""
        return cls(HttpTransport(access))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the transport."""
        await self._transport.close()

    async def get(self, path: str, **query: str | int | bool | None) -> Any:
        """Read an object, or a list of them."""
        return await self._document("GET", path, query)

    async def create(self, path: str, document: Mapping[str, Any], **query: str | int | bool | None) -> Any:
        """Make an object in a collection."""
        return await self._document("POST", path, query, msgspec.json.encode(document))

    async def update(self, path: str, document: Mapping[str, Any], **query: str | int | bool | None) -> Any:
        """Replace an object."""
        return await self._document("PUT", path, query, msgspec.json.encode(document))

    async def patch(self, path: str, kind: PatchType, patch: Any, **query: str | int | bool | None) -> Any:
        """Change an object by a patch of that kind."""
        return await self._document("PATCH", path, query, msgspec.json.encode(patch), _PATCHES[kind])

    async def delete(
        self, path: str, options: Mapping[str, Any] | None = None, **query: str | int | bool | None
    ) -> Any:
        """Delete an object, or the collection."""
        return await self._document("DELETE", path, query, msgspec.json.encode(options) if options else b"")

    async def watch(self, path: str, **query: str | int | bool | None) -> AsyncIterator[Event]:
        """The changes of a collection or an object, until the server ends the watch; close it to end it before."""
        response = await self._checked("GET", path, {**query, "watch": True})
        async for event in events(response):
            yield event

    async def request(
        self, method: str, path: str, query: Query | None = None, body: bytes = b"", content_type: bytes = _JSON
    ) -> Response:
        """Any request, and whatever is answered."""
        words = {
            key: str(value).lower() if isinstance(value, bool) else str(value)
            for key, value in (query or {}).items()
            if value is not None
        }
        target = f"{path}?{urlencode(words)}" if words else path
        headers = self._headers.plus((b"Content-Type", content_type)) if body else self._headers
        return await self._transport.send(Request(method, target, headers, body))

    async def _checked(
        self, method: str, path: str, query: Query, body: bytes = b"", content_type: bytes = _JSON
    ) -> Response:
        response = await self.request(method, path, query, body, content_type)
        if response.status >= 300:
            raise error_from(response.status, await response.read(), f"{method} {path}")
        return response

    async def _document(
        self, method: str, path: str, query: Query, body: bytes = b"", content_type: bytes = _JSON
    ) -> Any:
        response = await self._checked(method, path, query, body, content_type)
        return load_json(await response.read(), f"the answer to {method} {path}")
