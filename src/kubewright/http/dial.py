"""Making a connection: name, TCP, the proxy's consent, TLS; or one sentence that says which of them failed."""

import asyncio
import socket
import ssl

from kubewright.http.errors import ConnectError, HttpError, TimedOutError
from kubewright.http.exchange import Exchange
from kubewright.http.limits import ClientLimits, Timeouts
from kubewright.http.message import Request
from kubewright.http.origin import Origin, Proxy
from kubewright.http.socks import Socks
from kubewright.http.tls import Tls

__all__ = ["dial"]


async def dial(origin: Origin, proxy: Proxy | None, limits: ClientLimits, timeouts: Timeouts) -> Exchange:
    """A new connection to `origin`."""
    by = f" by way of the proxy {proxy.url}" if proxy is not None else ""
    try:
        async with asyncio.timeout(timeouts.connect):
            if proxy is None:
                return await _connect(origin, origin, limits)
            if proxy.socks is not None:
                return await _pass_through(origin, proxy, *proxy.socks, limits)
            exchange = await _connect(origin, proxy.origin, limits)
            if origin.context is None:
                exchange.proxied = proxy.headers
                return exchange
            return await _tunnel(exchange, origin, proxy, limits)
    except TimeoutError:
        raise TimedOutError(f"connecting to {origin.url}{by} took more than {timeouts.connect:g} seconds") from None
    except ssl.SSLCertVerificationError as error:
        problem = f"its certificate is not trusted: {error.verify_message.rstrip('.')}"
        raise ConnectError(f"cannot connect to {origin.url}{by}: {problem}") from error
    except (OSError, UnicodeError) as error:
        raise ConnectError(f"cannot connect to {origin.url}{by}: {error}") from error


async def _connect(origin: Origin, first: Origin, limits: ClientLimits) -> Exchange:
    loop = asyncio.get_running_loop()
    exchange = Exchange(origin, limits, loop)
    tls = _tls(exchange, first) if first.context is not None else None
    transport, _ = await loop.create_connection(lambda: tls or exchange, first.host, first.port)
    _watch(transport.get_extra_info("socket"), limits)
    if tls is not None:
        await tls.greeted()
    return exchange


async def _tunnel(exchange: Exchange, origin: Origin, proxy: Proxy, limits: ClientLimits) -> Exchange:
    """Have the proxy connect, and speak TLS through it."""
    loop = asyncio.get_running_loop()
    asked = Exchange(proxy.origin, limits, loop)
    asked.url = ""  # what is asked for is no path of the proxy's
    by = f"the proxy {proxy.origin.url}"
    asked.connection_made(exchange.transport)
    exchange.transport.set_protocol(asked)
    try:
        request = Request("CONNECT", origin.address, proxy.headers.plus((b"Host", origin.address.encode())))
        answer = await asked.send(request, Timeouts(head=None))
        if answer.status != 200:
            raise ConnectError(
                f"cannot connect to {origin.url}: {by} answered {answer.status}, not 200{_hint(answer.status, proxy)}"
            )
        tls = _tls(exchange, origin)
        asked.transport.set_protocol(tls)
        tls.connection_made(asked.transport)
        await tls.greeted()
    except BaseException as error:
        exchange.transport.abort()
        if isinstance(error, HttpError) and not isinstance(error, ConnectError):
            raise ConnectError(f"cannot connect to {origin.url} by way of {by}: {error}") from error
        raise
    return exchange


async def _pass_through(origin: Origin, proxy: Proxy, user: str, password: str, limits: ClientLimits) -> Exchange:
    """Have a SOCKS5 proxy connect."""
    loop = asyncio.get_running_loop()
    exchange = Exchange(origin, limits, loop)
    socks = Socks(f"the proxy {proxy.url}")
    transport, _ = await loop.create_connection(lambda: socks, proxy.origin.host, proxy.origin.port)
    _watch(transport.get_extra_info("socket"), limits)
    try:
        await socks.ask(origin.host, origin.port, user, password)
        tls = _tls(exchange, origin) if origin.context is not None else None
        transport.set_protocol(tls or exchange)
        (tls or exchange).connection_made(transport)
        if tls is not None:
            await tls.greeted()
    except BaseException as error:
        transport.abort()
        if isinstance(error, ConnectError):
            raise ConnectError(f"cannot connect to {origin.url}: {error}") from error
        raise
    return exchange


def _hint(status: int, proxy: Proxy) -> str:
    """What to do about a proxy's refusal, where it is known."""
    if status != 407:
        return ""
    if b"proxy-authorization" in proxy.headers:
        return ": it does not take the user and password of its URL"
    return ": it wants a user and password; write them into its URL, as in http://user:password@host:port"


def _tls(exchange: Exchange, to: Origin) -> Tls:
    assert to.context is not None
    return Tls(exchange, to.context, server_name=to.server_name or to.host)


def _watch(connected: socket.socket, limits: ClientLimits) -> None:
    """Let TCP find out that a peer has gone without a word; a watch may wait for hours."""
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        ("TCP_KEEPIDLE", limits.keep_alive_time),
        ("TCP_KEEPINTVL", limits.keep_alive_time),
        ("TCP_KEEPCNT", 3),
        ("TCP_USER_TIMEOUT", int(limits.user_timeout * 1000)),
    ):
        if hasattr(socket, option):  # not every platform has every one
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
