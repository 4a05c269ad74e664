"""HTTP/1.1, both ways, on asyncio and llhttp.

One layer for the client, the API server's front, webhooks and metrics: requests and responses as values, a server, a
pool of connections, endless streams, WebSockets (`kubewright.http.websocket`, imported by who needs it). It knows
nothing of Kubernetes. Not for the open internet: no HTTP/2, no virtual hosts, no cookies.
"""

from kubewright.http.body import Body
from kubewright.http.errors import (
    ClientClosedError,
    ConnectError,
    DisconnectedError,
    HttpError,
    ProtocolError,
    RefusedError,
    TimedOutError,
)
from kubewright.http.headers import Headers
from kubewright.http.limits import ClientLimits, ServerLimits, Timeouts
from kubewright.http.message import Peer, Request, Response, Takeover
from kubewright.http.origin import Origin, Proxy
from kubewright.http.pool import Pool
from kubewright.http.server import Handler, Server
from kubewright.http.stream import Chunk, Stream
from kubewright.http.timelimit import TimeLimit, TimeLimits

__all__ = [
    "Body",
    "Chunk",
    "ClientClosedError",
    "ClientLimits",
    "ConnectError",
    "DisconnectedError",
    "Handler",
    "Headers",
    "HttpError",
    "Origin",
    "Peer",
    "Pool",
    "ProtocolError",
    "Proxy",
    "RefusedError",
    "Request",
    "Response",
    "Server",
    "ServerLimits",
    "Stream",
    "Takeover",
    "TimeLimit",
    "TimeLimits",
    "TimedOutError",
    "Timeouts",
]
