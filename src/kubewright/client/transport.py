"""The seam between a client and an API: a request goes in, a response or a stream comes out.

Over HTTP it is a pool of connections with the credentials put on; in one process it is the server's handler itself,
with no socket between. Whoever holds a `Transport` cannot tell which, and tests and trials use the second.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import Protocol, runtime_checkable
from urllib.parse import urlsplit

from kubewright.client.credentials import Credentials
from kubewright.client.kubeconfig import Access, KubeconfigError
from kubewright.client.plugin import Grant
from kubewright.client.proxy import find_proxy
from kubewright.errors import KubewrightError
from kubewright.http import ClientLimits, Handler, Headers, Origin, Pool, Request, Response, Takeover, Timeouts
from kubewright.http.pipe import End, pipe

__all__ = ["HandOver", "HttpTransport", "LocalTransport", "NoLoopError", "Transport", "Upgrading"]

_log = logging.getLogger("kubewright.client")

#: Gives a connection to the protocol that is spoken on it from then on.
HandOver = Callable[[asyncio.Protocol], None]

#: How long an answer may take is the client's to say; one that connects for ever is none.
_TIMES = Timeouts(head=None)
#: A peer that has gone without a word is found after 20 seconds, whether it was to speak (a watch) or to listen: it is
#: asked after 10 of silence, and given up when nothing has come for 20.
_LIMITS = ClientLimits(keep_alive_time=10, user_timeout=20.0)


class Transport(Protocol):
    """Carries requests to an API."""

    @property
    def host(self) -> str:
        """Whom it asks, as metrics name it: `127.0.0.1:6443`."""
        ...

    async def send(self, request: Request) -> Response:
        """The response; its body may still be coming."""
        ...

    async def close(self) -> None:
        """Let go of whatever is held."""


@runtime_checkable
class Upgrading(Protocol):
    """A transport on which other protocols can be spoken, too."""

    async def upgrade(self, request: Request) -> tuple[Response, "HandOver"]:
        """Ask for another protocol. If the response is a `101`, the connection can be handed to who speaks it."""
        ...


class NoLoopError(KubewrightError, RuntimeError):
    """A client was made where no loop runs, or was asked in another loop than its own."""


class HttpTransport:
    """To a server, over HTTP/1.1. Belongs to the loop that is running."""

    def __init__(self, access: Access, limits: ClientLimits | None = None, timeouts: Timeouts | None = None) -> None:
        self._loop, self._thread = _running_loop(), threading.get_ident()
        self._access = access
        self._credentials = Credentials(access)
        # For a server behind a path of another one, as management platforms have it.
        self._prefix = urlsplit(access.server).path.rstrip("/")
        self._worn = Grant(None, access.certificate, access.key)
        self._believed = access.authority
        self._origin = Origin.of(access.server, access.tls(), access.server_name)
        self._pool = Pool(limits or _LIMITS, timeouts or _TIMES, find_proxy(access.server, access.proxy))
        self._dressed: dict[int, tuple[Headers, Grant, Headers]] = {}
        self.host = self._origin.address
        if access.insecure and access.server.startswith("https://"):
            _log.warning("%s is not checked to be who it says (insecure-skip-tls-verify).", access.server)

    async def send(self, request: Request) -> Response:
        """Send a request with our credentials on it; with newer ones once more if the server does not take them."""
        self._check_loop()
        grant = self._credentials.ready() or await self._credentials.get()
        bare = request.headers
        if self._prefix:
            request.target = self._prefix + request.target
        request.headers = self._dress(bare, grant)
        response = await self._pool.request(self._origin_for(grant), request)
        if response.status != 401 or not isinstance(request.body, bytes):
            return response
        # Whoever is not known has not been listened to: this is safe for any request.
        response.body = await response.read()
        renewed = await self._credentials.renew(grant)
        if renewed is None:
            return response
        request.headers = self._dress(bare, renewed)
        return await self._pool.request(self._origin_for(renewed), request)

    async def upgrade(self, request: Request) -> tuple[Response, HandOver]:
        """Ask for another protocol, with our credentials."""
        self._check_loop()
        grant = self._credentials.ready() or await self._credentials.get()
        request.target = self._prefix + request.target
        request.headers = self._dress(request.headers, grant)
        response, exchange = await self._pool.upgrade(self._origin_for(grant), request)
        return response, exchange.hand_over

    async def close(self) -> None:
        """Close every connection."""
        await self._credentials.close()
        await self._pool.close()

    def _check_loop(self) -> None:
        # A connection that another loop has opened would hang whoever takes it next, and end with that loop. To ask
        # which loop runs takes a system call; in this thread one that does not run has no task.
        if threading.get_ident() != self._thread or asyncio.current_task(self._loop) is None:
            raise NoLoopError(
                f"this client of {self.host} belongs to another loop than the one that asks it: make one in each, or "
                "take SyncApi, which needs none; in a reconciler that is a plain `def`, ctx.wait(ctx.live.get(…)) asks "
                "in the client's own."
            )

    def _dress(self, bare: Headers, grant: Grant) -> Headers:
        """Headers with our credentials. A client has few sets of headers and sends each thousands of times."""
        found = self._dressed.get(id(bare))
        if found is not None and found[0] is bare and found[1] is grant:
            return found[2]
        more = list(self._access.impersonation)
        if grant.token and b"authorization" not in bare:
            more.append((b"Authorization", b"Bearer " + grant.token.encode()))
        try:
            dressed = bare.plus(*more) if more else bare
        except ValueError:  # what it is, is not said: it is a secret
            raise KubeconfigError(
                f"the credentials for {self._access.server} have a line break or another control character in the "
                "token or in who is impersonated; no request can say that."
            ) from None
        if len(self._dressed) > 32:
            self._dressed.clear()
        self._dressed[id(bare)] = bare, grant, dressed
        return dressed

    def _origin_for(self, grant: Grant) -> Origin:
        """The server, with the certificates that are good now: others need other connections."""
        worn = self._worn
        if grant is not worn:
            authority = grant.authority or self._access.authority
            if (grant.certificate, grant.key, authority) != (worn.certificate, worn.key, self._believed):
                same = (grant.certificate, grant.key) == (worn.certificate, worn.key)
                self._believed = authority
                try:
                    context = self._access.tls(grant.certificate, grant.key, authority)
                except KubeconfigError as error:
                    if not same:
                        raise
                    _log.warning("%s The one before is believed until there is a good one.", error)  # half written
                else:
                    self._origin = Origin.of(self._access.server, context, self._access.server_name)
            self._worn = grant
        return self._origin


class LocalTransport:
    """To a handler in this process."""

    def __init__(self, handler: Handler, headers: Headers | None = None) -> None:
        self.host = "local"
        self._handler = handler
        self._headers = headers or Headers()
        self._talks: set[asyncio.Future[None]] = set()

    async def send(self, request: Request) -> Response:
        """Hand a request over."""
        if self._headers.pairs:
            request.headers = request.headers.plus(*self._headers.pairs)
        await asyncio.sleep(0)  # as over a connection, others run meanwhile
        if request.gate is not None:
            request.gate()
        answer = self._handler(request)
        response = answer if isinstance(answer, Response) else await answer
        if request.method == "HEAD":  # what a connection would not have carried
            response.close()
            response.body = b""
        return response

    async def upgrade(self, request: Request) -> tuple[Response, HandOver]:
        """Hand a request over; whoever takes the connection over is at the other end of a pipe."""
        request.upgrade = True
        response = await self.send(request)
        here, there = pipe()
        takeover = response.body
        if isinstance(takeover, Takeover):
            there.attach(takeover.protocol)
            if takeover.talk is not None:
                task = asyncio.ensure_future(_talk(takeover.talk, there))
                self._talks.add(task)
                task.add_done_callback(self._talks.discard)
        return response, here.attach

    async def close(self) -> None:
        """There is nothing to let go of."""


def _running_loop() -> asyncio.AbstractEventLoop:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise NoLoopError(
            "a client belongs to the loop that runs, and none does: make it in a coroutine that `asyncio.run` runs, "
            "or take SyncApi, which needs no loop."
        ) from None


async def _talk(talk: Callable[[], Awaitable[None]], end: End) -> None:
    """What runs on a connection that was taken over; it ends with it."""
    try:
        await talk()
    finally:
        end.close()
