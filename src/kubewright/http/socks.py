"""SOCKS5: a proxy that connects to where it is asked to, and passes on whatever follows (RFC 1928, passwords RFC 1929).

    which ways to log in do I know ──► one of them ──► user and password, if it is that ──► where to ──► connected

Names are sent as names: to look them up where we cannot is mostly what such a proxy is for.
"""

import asyncio
from ipaddress import ip_address
from typing import Final, cast

from kubewright.http.errors import ConnectError

__all__ = ["Socks"]

_VERSION: Final = 5
_NOTHING, _PASSWORD = 0, 2  # ways to log in
_CONNECT: Final = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_PROBLEMS: Final = {
    1: "something is wrong with it",
    2: "its rules do not allow that",
    3: "there is no way to that network",
    4: "there is no way to that host",
    5: "nobody listens there",
    6: "it took too long",
    7: "it makes no connections",
    8: "it does not know that sort of address",
}


class Socks(asyncio.Protocol):
    """Our end of the connection until it leads to the server; `by` is what errors call the proxy."""

    def __init__(self, by: str) -> None:
        self._by = by
        self._coming = bytearray()
        self._ended = False
        self._waiter: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport = cast("asyncio.Transport", None)  # until connection_made

    async def ask(self, host: str, port: int, user: str, password: str) -> None:
        """Have it connect; raises `ConnectError` with what it says if it does not."""
        ways = bytes((_NOTHING, _PASSWORD)) if user else bytes((_NOTHING,))
        self._transport.write(bytes((_VERSION, len(ways))) + ways)
        way = (await self._answer(2))[1]
        if way == _PASSWORD and user:
            self._transport.write(b"\x01" + _counted(user.encode()) + _counted(password.encode()))
            if (await self._take(2))[1] != 0:
                raise ConnectError(f"{self._by} does not take the user and password of its URL")
        elif way != _NOTHING:
            wants = "a user and password; write them into its URL" if not user else "to know who asks in another way"
            raise ConnectError(f"{self._by} wants {wants}")
        self._transport.write(bytes((_VERSION, _CONNECT, 0)) + _place(host) + port.to_bytes(2, "big"))
        _, problem, _, kind = await self._answer(4)
        if problem:
            raise ConnectError(f"{self._by} does not connect: {_PROBLEMS.get(problem, f'its answer is {problem}')}")
        # From where it connects is of no use to us, and as long as it says.
        length = (await self._take(1))[0] if kind == _NAME else {_IPV4: 4, _IPV6: 16}.get(kind, 0)
        await self._take(length + 2)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._coming += data
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        self._ended = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _answer(self, size: int) -> bytes:
        taken = await self._take(size)
        if taken[0] != _VERSION:
            raise ConnectError(f"{self._by} is none that speaks SOCKS5: it answers {taken!r}")
        return taken

    async def _take(self, size: int) -> bytes:
        while len(self._coming) < size:
            if self._ended:
                raise ConnectError(f"{self._by} closed the connection")
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        taken = bytes(self._coming[:size])
        del self._coming[:size]
        return taken


def _place(host: str) -> bytes:
    try:
        address = ip_address(host)
    except ValueError:
        return bytes((_NAME,)) + _counted(host.encode("idna"))
    return bytes((_IPV4 if address.version == 4 else _IPV6,)) + address.packed


def _counted(text: bytes) -> bytes:
    return bytes((len(text),)) + text
