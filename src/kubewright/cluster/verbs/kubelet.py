"""The way to the kubelet of a node: into this process if its node is ours, over TLS otherwise.

Kubelets mint their own certificates, and who they are is not checked, as the server that we take after does not unless
it is told how.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator
from typing import Any, Final, cast

from kubewright.cluster.call import Api
from kubewright.cluster.wire.status import broken
from kubewright.http import Headers, HttpError, Origin, Pool, Request, Response, Takeover

__all__ = ["ask_kubelet"]

Document = dict[str, Any]

#: Which of a node's addresses is taken.
_PREFERRED: Final = ("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP")


async def ask_kubelet(api: Api, node: Document, request: Request) -> Response:
    """What the kubelet of a node answers; a connection that it takes over is then the client's."""
    local = api.kubelets.get(node["metadata"]["name"])
    if local is not None:
        answer = local(request)
        return answer if isinstance(answer, Response) else await answer
    origin = _origin(node)
    pool = Pool()
    try:
        if not request.upgrade:
            return _closing(await pool.request(origin, request), pool)
        response, exchange = await pool.upgrade(origin, request)
        if response.status != 101:
            return _closing(response, pool)
    except HttpError as error:
        await pool.close()
        raise broken(f"Get {origin.url}{request.path}: {error}") from error
    here, there = _Relay(), _Relay()
    here.other, there.other = there, here
    exchange.hand_over(there)
    return Response(101, response.headers, Takeover(here, here.over.wait))  # type: ignore[arg-type]  # of what it gives nothing is wanted


def _origin(node: Document) -> Origin:
    status = node.get("status") or {}
    addresses = {each["type"]: each["address"] for each in reversed(status.get("addresses") or [])}
    host = next((addresses[kind] for kind in _PREFERRED if kind in addresses), None)
    if host is None:
        raise broken("no preferred addresses found; known addresses: []")
    port = ((status.get("daemonEndpoints") or {}).get("kubeletEndpoint") or {}).get("Port") or 10250
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return Origin(host, port, context)


def _closing(response: Response, pool: Pool) -> Response:
    """An answer whose connection ends with it."""

    async def pieces() -> AsyncIterator[bytes]:
        try:
            async for piece in response:
                yield piece
        finally:
            response.close()
            await pool.close()

    return Response(response.status, Headers(response.headers.pairs), pieces())


class _Relay(asyncio.Protocol):
    """One end of a connection that goes through us: what comes here goes out at the other."""

    def __init__(self) -> None:
        self.other: _Relay = self
        self.over = asyncio.Event()
        self._transport: asyncio.Transport | None = None
        self._early: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        for data in self._early:
            self._transport.write(data)
        self._early.clear()
        if self.other.over.is_set():
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        self.other._pass(data)

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, error: Exception | None) -> None:
        self.over.set()
        if self.other._transport is not None:
            self.other._transport.close()

    def pause_writing(self) -> None:
        if self.other._transport is not None:
            self.other._transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other._transport is not None:
            self.other._transport.resume_reading()

    def _pass(self, data: bytes) -> None:
        if self._transport is None:
            self._early.append(data)
        else:
            self._transport.write(data)
