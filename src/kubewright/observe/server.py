"""The small server that metrics and health are read from.

    server = Server(":8080", {"/metrics": metrics.answer}, guard=Guard(client))
    probes = Server(":8081", {"/healthz": health.answer, "/livez": health.answer, "/readyz": health.answer})
    await server.start()
    ...
    await server.stop()

A route is a path and what lies below it. With `tls` it speaks TLS alone; a `guard` stands before every route. It is a
number of listeners in the running loop and no more: it installs no signal handlers, and several live in one process.
"""

import contextlib
import errno
import logging
import os
import ssl
from collections.abc import Coroutine, Mapping
from types import TracebackType
from typing import Any, NamedTuple, Self

from kubewright.errors import KubewrightError
from kubewright.http import Handler, Headers, Request, Response
from kubewright.http import Server as HttpServer
from kubewright.observe.certificates import Certificates
from kubewright.observe.guard import Guard

__all__ = ["Address", "AddressError", "Server", "parse_address"]

_log = logging.getLogger("kubewright.server")
_TEXT = Headers([(b"Content-Type", b"text/plain; charset=utf-8"), (b"X-Content-Type-Options", b"nosniff")])


class AddressError(KubewrightError):
    """An address that cannot be listened at."""


class Address(NamedTuple):
    """Where to listen; an empty host is every address of this machine, port 0 a free one."""

    host: str
    port: int


def parse_address(text: str) -> Address | None:
    """Read `:8080`, `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`; None for `0`, which is nowhere."""
    if text == "0":
        return None
    host, colon, port = text.rpartition(":") if isinstance(text, str) else ("", "", "")
    bracketed = host.startswith("[") and host.endswith("]")
    if not colon or not port.isascii() or not port.isdigit() or int(port) > 65535 or (":" in host and not bracketed):
        raise AddressError(f"{text!r} is no address to listen at: write ':8080', '127.0.0.1:8080', or '0' for nowhere.")
    return Address(host[1:-1] if bracketed else host, int(port))


class Server:
    """Serves routes at an address, or nowhere if the address is `0`."""

    def __init__(
        self,
        address: str,
        routes: Mapping[str, Handler],
        *,
        tls: Certificates | None = None,
        guard: Guard | None = None,
    ) -> None:
        self._address = parse_address(address)
        self._routes = dict(routes)
        self._tls = tls
        self._guard = guard
        self._server: HttpServer | None = None
        self.port: int | None = None  # once it listens

    async def start(self) -> None:
        """Listen; when this returns, it answers."""
        if self._address is None or self._server is not None:
            return
        host, port = self._address
        server = HttpServer(self._answer)
        context = self._tls.start() if self._tls is not None else None
        try:
            self.port = await _listen(server, host, port, context)
        except OSError as error:
            if self._tls is not None:
                await self._tls.stop()
            pages, why = ", ".join(sorted(self._routes)), os.strerror(error.errno) if error.errno else str(error)
            raise AddressError(
                f"cannot listen at {host or '*'}:{port} for {pages}: {why}; name another address, or 0 for none."
            ) from error
        self._server = server
        scheme = "https" if context is not None else "http"
        _log.info("Listening at %s://%s:%d for %s", scheme, host or "*", self.port, ", ".join(sorted(self._routes)))

    async def stop(self, grace: float = 5.0) -> None:
        """Accept nothing more and let what runs end within `grace` seconds."""
        server, self._server = self._server, None
        if server is not None:
            try:
                await server.stop(grace)
            finally:
                if self._tls is not None:
                    await self._tls.stop()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self.stop()

    def _answer(self, request: Request) -> Response | Coroutine[Any, Any, Response]:
        handler = self._find(request.path)
        if handler is None:
            return Response(404, _TEXT, b"404 page not found\n")
        if request.method not in ("GET", "HEAD"):
            return Response(405, _TEXT.plus((b"Allow", b"GET, HEAD")), b"Method Not Allowed\n")
        if self._guard is not None:
            return self._guarded(self._guard, handler, request)
        return handler(request)

    async def _guarded(self, guard: Guard, handler: Handler, request: Request) -> Response:
        refusal = await guard.refusal(request)
        if refusal is not None:
            return refusal
        answer = handler(request)
        return answer if isinstance(answer, Response) else await answer

    def _find(self, path: str) -> Handler | None:
        while path:
            with contextlib.suppress(KeyError):
                return self._routes[path]
            path = path.rpartition("/")[0]
        return None


async def _listen(server: HttpServer, host: str, port: int, context: ssl.SSLContext | None) -> int:
    if host or port == 0:  # a free port is one of IPv4: IPv6 would have another
        return await server.listen(host or "0.0.0.0", port, context)
    try:
        # For asyncio None is every address, of IPv4 and IPv6; an empty name is not.
        return await server.listen(None, port, context)  # type: ignore[arg-type]
    except OSError as error:
        if error.errno != errno.EADDRNOTAVAIL:
            raise
        # Where IPv6 is switched off, it is there all the same until one listens.
        return await server.listen("0.0.0.0", port, context)
