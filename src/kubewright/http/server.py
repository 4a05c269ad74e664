"""A server: listeners, and an end that loses nothing it has begun.

    async def hello(request: Request) -> Response:
        return Response(200, body=b"hello")

    server = Server(hello)
    port = await server.listen("127.0.0.1", 0)
    ...
    await server.stop(grace=5)

One handler serves every listener; whether a request came over TLS and with which client certificate is in
`request.peer`. For client certificates give a context whose `verify_mode` is `CERT_OPTIONAL` and that knows the
authority: a certificate of another one ends the handshake.
"""

import asyncio
import ssl
from typing import Final

from kubewright.http.connection import Connection
from kubewright.http.limits import ServerLimits
from kubewright.http.service import Handler, Service
from kubewright.http.tls import Tls

__all__ = ["Handler", "Server"]

#: Turns of the loop until what was just accepted is a connection that can be closed; one that the loop itself has to
#: clean up is complained of at its end.
_ACCEPTING: Final = 3


class Server:
    """Serves HTTP/1.1 with one handler on any number of addresses. Belongs to the loop that is running."""

    def __init__(self, handler: Handler, limits: ServerLimits | None = None) -> None:
        self._service = Service(handler, limits or ServerLimits(), asyncio.get_running_loop())
        self._listeners: list[asyncio.Server] = []

    async def listen(self, host: str, port: int, context: ssl.SSLContext | None = None, backlog: int = 4096) -> int:
        """Accept connections at `host`; the port, which is a free one if 0 was asked for."""
        if context is not None:
            context.set_alpn_protocols(["http/1.1"])
        listener = await self._service.loop.create_server(lambda: self._accept(context), host, port, backlog=backlog)
        self._listeners.append(listener)
        return int(listener.sockets[0].getsockname()[1])

    def _accept(self, context: ssl.SSLContext | None) -> asyncio.Protocol:
        connection = Connection(self._service)
        if context is None:
            return connection
        return Tls(connection, context, server_side=True, patience=self._service.limits.head_time)

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self._service.connections)

    async def stop(self, grace: float = 10.0) -> None:
        """Accept nothing more, let what runs end within `grace` seconds, then cut the rest and cancel its handlers.

        Streams are closed, as their end is for us to say; idle connections too. A connection that was taken over is
        its protocol's: it has the grace like every other, and a WebSocket is then closed with 1001.
        """
        service = self._service
        service.stopping = True
        for listener in self._listeners:
            listener.close()
        try:
            for _ in range(_ACCEPTING):
                await asyncio.sleep(0)
        finally:
            for connection in tuple(service.connections):
                connection.stop()
        if await self._ended(grace):
            return
        for connection in tuple(service.connections):
            connection.kill()
        await self._ended(None)

    async def _ended(self, within: float | None) -> bool:
        if not self._service.connections:
            return True
        try:
            async with asyncio.timeout(within):
                await self._service.empty.wait()
        except TimeoutError:
            return False
        return True
