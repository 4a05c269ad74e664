"""The verbs, on paths and documents: what all typed access stands on.

A path is that of the API (`/api/v1/namespaces/default/pods`), a document plain JSON values. A refusal is raised as the
`ApiError` of its kind, a connection that fails as an `HttpError`; whoever needs the bytes takes them from `ask`.

One way leads through `_send`: the time limit around everything, then attempt by attempt the gate, the transport, the
observer; whether there is another attempt is `retry`'s to say, and by default there is none. A request that is
cancelled, or too late, leaves no connection half used.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypedDict, Unpack
from urllib.parse import quote_plus, urlencode

from kubewright.client.errors import HeldBack, error_from
from kubewright.client.keywords import check_keywords
from kubewright.client.kubeconfig import Access
from kubewright.client.notices import Notices
from kubewright.client.observer import Attempt, Observer
from kubewright.client.plugin import PluginError, blamed_plugin
from kubewright.client.retry import NEVER, Retry, retry_after
from kubewright.client.transport import HttpTransport, Transport, Upgrading
from kubewright.client.watch import Watch
from kubewright.errors import KubewrightError
from kubewright.http import Body, Headers, HttpError, Request, Response, TimedOutError, TimeLimit, TimeLimits
from kubewright.model.documents import UnsayableError, dump_json, load_json
from kubewright.version import VERSION

if TYPE_CHECKING:
    from kubewright.http.websocket import WebSocket

__all__ = ["JSON", "METADATA", "METADATA_LIST", "PATCHES", "Client", "PatchType", "Query", "Settings"]

Words = Sequence[tuple[str, str]]
Query = Mapping[str, str | int | bool | None]
PatchType = Literal["json", "merge", "strategic", "apply"]

PATCHES: Final[dict[PatchType, bytes]] = {
    "json": b"application/json-patch+json",
    "merge": b"application/merge-patch+json",
    "strategic": b"application/strategic-merge-patch+json",
    "apply": b"application/apply-patch+yaml",
}
JSON: Final = b"application/json"
#: What to accept to get the metadata of an object, or of a list of them, and nothing else.
METADATA: Final = b"application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
METADATA_LIST: Final = b"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

#: Seconds a request may take with all its attempts, as long as the server itself gives one.
_TIME = 60.0


class Settings(TypedDict, total=False):
    """What one client may have different from another on the same transport."""

    user_agent: str
    #: The namespace that is meant where none is said.
    namespace: str
    #: Seconds for a request; for a stream, until it begins. None: no limit.
    timeout: float | None
    retry: Retry
    observer: Observer | None
    #: Asked directly before a write is sent, each time; what it raises is the outcome, and nothing was sent. After a
    #: `HeldBack` that says when it is asked again.
    gate: Callable[[], None] | None
    #: Log nothing of what the server warns of.
    quiet: bool
    #: Never wait for requests of others to end, however many there are: a lease does not wait either.
    urgent: bool


def _seconds(timeout: object) -> float | None:
    if timeout is None or (isinstance(timeout, int | float) and not isinstance(timeout, bool) and timeout >= 0):
        return timeout
    raise KubewrightError(f"timeout={timeout!r:.60} must be seconds, 0 or more, or None for no limit.")


class Client:
    """Asks an API through a transport."""

    def __init__(self, transport: Transport, **settings: Unpack[Settings]) -> None:
        check_keywords(settings, Settings.__annotations__, "a client")
        self._transport = transport
        self._settings = settings
        self._agent = settings.get("user_agent", f"kubewright/{VERSION}").encode()
        self.namespace = settings.get("namespace", "default")
        self._timeout = _seconds(settings.get("timeout", _TIME))
        self._limits = TimeLimits(self._timeout)
        self._retry = settings.get("retry", NEVER)
        self._observer = settings.get("observer")
        self._gate = settings.get("gate")
        self._quiet = settings.get("quiet", False)
        self._urgent = settings.get("urgent", False)
        self._notices = Notices()
        self._headers: dict[tuple[bytes, bytes], Headers] = {}

    @property
    def observer(self) -> Observer | None:
        """Who is told of every attempt."""
        return self._observer

    @classmethod
    def connect(cls, access: Access, **settings: Unpack[Settings]) -> Self:
        """A client of the server that a kubeconfig describes."""
        own: Settings = {"namespace": access.namespace}
        own.update(settings)
        return cls(HttpTransport(access), **own)

    def but(self, **settings: Unpack[Settings]) -> Self:
        """A client on the same transport, with these settings different. Closing either closes the transport."""
        own = self._settings.copy()
        own.update(settings)
        other = type(self)(self._transport, **own)
        other._notices = self._notices
        return other

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
        return await self._document("POST", path, query, dump_json(document))

    async def update(self, path: str, document: Mapping[str, Any], **query: str | int | bool | None) -> Any:
        """Replace an object."""
        return await self._document("PUT", path, query, dump_json(document))

    async def patch(self, path: str, kind: PatchType, patch: Any, **query: str | int | bool | None) -> Any:
        """Change an object by a patch of that kind."""
        if kind not in PATCHES:
            raise KubewrightError(f"PATCH {path}: a patch is of the kind {', '.join(PATCHES)}, not {kind!r:.40}.")
        return await self._document("PATCH", path, query, dump_json(patch), PATCHES[kind])

    async def delete(
        self, path: str, options: Mapping[str, Any] | None = None, **query: str | int | bool | None
    ) -> Any:
        """Delete an object, or the collection."""
        return await self._document("DELETE", path, query, dump_json(options) if options else b"")

    def watch(self, path: str, query: Query | None = None, *, accept: bytes = JSON, **words: str | int | bool) -> Watch:
        """The changes of a collection or an object, until the server ends the watch; close it to end it before."""
        asked = {**(query or {}), **words, "watch": True}
        return Watch(lambda: self.open("GET", path, asked, accept=accept))

    async def ask(
        self,
        method: str,
        path: str,
        query: Query | None = None,
        body: bytes = b"",
        content_type: bytes = JSON,
        *,
        accept: bytes = JSON,
    ) -> bytes:
        """Any request; the whole answer as it came, if it is a good one."""
        response = await self._send(method, path, query, body, content_type, accept, whole=True)
        assert isinstance(response.body, bytes)
        return response.body

    async def open(
        self,
        method: str,
        path: str,
        query: Query | None = None,
        body: bytes = b"",
        content_type: bytes = JSON,
        *,
        accept: bytes = JSON,
    ) -> Response:
        """Any request; a good answer, to be read piece by piece and closed."""
        return await self._send(method, path, query, body, content_type, accept, whole=False)

    async def socket(self, path: str, query: Words, subprotocols: Sequence[str]) -> "WebSocket":
        """A WebSocket at a path. `query` may say a word several times."""
        # Loaded when it is wanted: most clients never want one.
        from kubewright.http.websocket import ask, take

        transport = self._transport
        if not isinstance(transport, Upgrading):
            raise KubewrightError(f"GET {path}: a WebSocket cannot be had over {type(transport).__name__}.")
        target = f"{path}?{urlencode(query)}" if query else path
        request = ask(target, Headers([(b"User-Agent", self._agent)]), subprotocols)
        request.gate = self._gate  # what is done by it is no less done than by a write
        try:
            async with asyncio.timeout(self._timeout):
                response, hand_over = await transport.upgrade(request)
                if response.status != 101:
                    raise error_from(response.status, await response.read(), f"GET {path}")
        except TimeoutError as late:
            raise self._late("GET", path, late) from None
        socket = take(request, response)
        hand_over(socket)
        return socket

    async def request(
        self, method: str, path: str, query: Query | None = None, body: bytes = b"", content_type: bytes = JSON
    ) -> Response:
        """Any request, sent once, and whatever is answered."""
        request = self._request(method, path, query, body, content_type, JSON)
        request.lasting = True  # nobody knows when whoever has the answer will have read it
        try:
            async with asyncio.timeout(self._timeout):
                return await self._attempt(asyncio.get_running_loop(), request, 1, whole=False)
        except TimeoutError as late:
            raise self._late(method, path, late) from None

    async def _document(
        self, method: str, path: str, query: Query, body: bytes = b"", content_type: bytes = JSON
    ) -> Any:
        return load_json(await self.ask(method, path, query, body, content_type), f"the answer to {method} {path}")

    async def _send(
        self,
        method: str,
        path: str,
        query: Query | None,
        body: bytes,
        content_type: bytes,
        accept: bytes,
        *,
        whole: bool,
    ) -> Response:
        try:
            with self._limits.start() as limit:
                loop, number = self._limits.loop, 0
                assert loop is not None, "it was just entered there"
                while True:
                    number += 1
                    # A request is made anew each time: the transport puts credentials on it.
                    request = self._request(method, path, query, body, content_type, accept)
                    if not whole or self._urgent:
                        request.lasting = True
                    try:
                        response = await self._attempt(loop, request, number, whole=whole)
                    except HeldBack as error:
                        pause = error.again
                        if pause is None or _too_late(limit, pause):
                            raise
                        number -= 1  # it was no attempt
                    except HttpError as error:
                        pause = self._retry.after_failure(method, error, number)
                        if pause is None or _too_late(limit, pause):
                            raise
                    else:
                        if b"warning" in response.headers and not self._quiet:
                            self._notices.take(response.headers.all(b"warning"), f"{method} {path}")
                        if response.status < 300:
                            return response
                        told = await response.read()
                        pause = self._retry.after_answer(response.status, response.headers, number)
                        if pause is None or _too_late(limit, pause):
                            after = retry_after(response.headers)
                            raise error_from(
                                response.status, told, f"{method} {path}", after, response.headers.get(b"location")
                            )
                    await asyncio.sleep(pause)
        except TimeoutError as late:
            raise self._late(method, path, late) from None

    def _late(self, method: str, path: str, late: TimeoutError) -> KubewrightError:
        """What to say of a request whose time is over: whether it may have been done is the point."""
        plugin = blamed_plugin(late)
        if plugin is None:
            return TimedOutError(f"{method} {path}: not answered within {self._timeout:g} seconds")
        return PluginError(
            f"{method} {path}: not sent, because the exec plugin {plugin} of the kubeconfig gave no credentials within "
            f"{self._timeout:g} seconds."
        )

    async def _attempt(
        self, loop: asyncio.AbstractEventLoop, request: Request, number: int, *, whole: bool
    ) -> Response:
        observer, sent = self._observer, request.body
        started = loop.time()
        code = received = 0
        try:
            response = await self._transport.send(request)
            body = response.body
            # What is refused is always read: a Status is short, and whoever streams wants to know why there is none.
            if not isinstance(body, bytes) and (whole or response.status >= 300):
                body = await _read(response)
            code = response.status
            received = len(body) if isinstance(body, bytes) else 0
            return response
        except HeldBack:
            observer = None  # nothing went over the transport
            raise
        finally:
            if observer is not None:
                size = len(sent) if isinstance(sent, bytes) else 0
                taken = loop.time() - started
                observer(Attempt(request.method, self._transport.host, code, taken, size, received, number))

    def _request(
        self, method: str, path: str, query: Query | None, body: bytes, content_type: bytes, accept: bytes
    ) -> Request:
        kind = (accept, content_type if body else b"")
        headers = self._headers.get(kind)
        if headers is None:
            pairs = [(b"Accept", accept), (b"User-Agent", self._agent)]
            headers = self._headers[kind] = Headers(pairs + ([(b"Content-Type", content_type)] if body else []))
        if query:
            if None in query.values():
                query = {key: value for key, value in query.items() if value is not None}
            if query:
                path = f"{path}?{'&'.join(map(_word, query, query.values()))}"
        request = Request(method, path, headers, body)
        if self._gate is not None and method != "GET":
            request.gate = self._gate
        return request


@lru_cache(4096, typed=True)
def _word(key: str, value: str | int | bool) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    try:
        return f"{quote_plus(key)}={quote_plus(text)}"
    except UnicodeEncodeError:
        raise UnsayableError(f"{key!r}, {text!r:.60}: a lone surrogate is no character, and cannot be sent.") from None


async def _read(response: Response) -> bytes:
    """Have the body of an answer whole."""
    body = response.body.taken() if isinstance(response.body, Body) else None
    try:
        response.body = body = await response.read() if body is None else body
    except BaseException:
        response.close()
        raise
    return body


def _too_late(limit: TimeLimit, pause: float) -> bool:
    return asyncio.get_running_loop().time() + pause >= limit.at
