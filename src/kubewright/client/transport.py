"""The seam between a client and an API: a request goes in, a response or a stream comes out.

Over HTTP it is a pool of connections with the credentials put on; in one process it is the server's handler itself,
with no socket between. Whoever holds a `Transport` cannot tell which, and tests and trials use the second.
"""

import asyncio
from pathlib import Path
from typing import Protocol

from kubewright.client.kubeconfig import Access, KubeconfigError
from kubewright.http import ClientLimits, Handler, Headers, Origin, Pool, Proxy, Request, Response, Timeouts

__all__ = ["HttpTransport", "LocalTransport", "Transport"]


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


class HttpTransport:
    """To a server, over HTTP/1.1. Belongs to the loop that is running."""

    def __init__(self, access: Access, limits: ClientLimits | None = None, timeouts: Timeouts | None = None) -> None:
        self._origin = Origin.of(access.server, access.tls(), access.server_name)
        proxy = Proxy(Origin.of(access.proxy)) if access.proxy else None
        self._pool = Pool(limits, timeouts, proxy)
        self.host = self._origin.address
        self._token = access.token
        self._token_file = access.token_file

    async def send(self, request: Request) -> Response:
        """Send a request with our credentials on it."""
        token = _read_token(self._token_file) if self._token_file else self._token
        if token:
            request.headers = request.headers.plus((b"Authorization", b"Bearer " + token.encode()))
        return await self._pool.request(self._origin, request)

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.close()


class LocalTransport:
    """To a handler in this process."""

    def __init__(self, handler: Handler, headers: Headers | None = None) -> None:
        self.host = "local"
        self._handler = handler
        self._headers = headers or Headers()

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

    async def close(self) -> None:
        """There is nothing to let go of."""


def _read_token(path: Path) -> str:
    """Read anew for each request: tokens of pods are replaced under way, and the file is tiny."""
    try:
        return path.read_text().strip()
    except OSError as error:
        raise KubeconfigError(f"the token file {path} cannot be read: {error.strerror}.") from error
