"""Where requests go: a host, a port, and how it is spoken to; and whether by way of a proxy.

Two requests share connections exactly when their origins are equal. A TLS context is equal to itself alone: whoever
brings another context (another client certificate, another authority) gets other connections.
"""

import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

from kubewright.http.errors import HttpError
from kubewright.http.headers import EMPTY, Headers

__all__ = ["Origin", "Proxy"]


@dataclass(frozen=True, slots=True)
class Origin:
    """A server; over TLS if it has a `context`. `server_name` is the name its certificate must have, if not `host`."""

    host: str
    port: int
    context: ssl.SSLContext | None = None
    server_name: str | None = None

    @classmethod
    def of(cls, url: str, context: ssl.SSLContext | None = None, server_name: str | None = None) -> "Origin":
        """The origin of an `http://` or `https://` URL; for https without a `context` the system's authorities."""
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError as error:
            raise HttpError(f"{url!r} is no URL of a server: {error}") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise HttpError(f"{url!r} is no URL of a server: write http://host:port or https://host:port")
        if parts.scheme == "http":
            return cls(parts.hostname, 80 if port is None else port)
        return cls(parts.hostname, 443 if port is None else port, context or ssl.create_default_context(), server_name)

    @property
    def url(self) -> str:
        """How it is written."""
        return f"{'http' if self.context is None else 'https'}://{self.authority}"

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = 80 if self.context is None else 443
        return host if self.port == usual else f"{host}:{self.port}"

    @property
    def address(self) -> str:
        """Host and port, whichever the port is: what a proxy is asked to connect to."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy: asked to CONNECT for https, given whole URLs for http. `headers` are for it alone."""

    origin: Origin
    headers: Headers = EMPTY
    #: It speaks SOCKS5 and not HTTP: the user and password that it may want, or two empty texts.
    socks: tuple[str, str] | None = None

    @property
    def url(self) -> str:
        """How it is written."""
        return self.origin.url if self.socks is None else f"socks5://{self.origin.authority}"
