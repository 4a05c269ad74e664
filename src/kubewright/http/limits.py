"""How much and how long: the bounds each side keeps, so that no peer can take memory or a place for nothing.

Times are seconds and pass on the running loop's clock. The defaults of the server are those of kube-apiserver where it
has one; a `None` time is no limit.
"""

from dataclasses import dataclass

__all__ = ["ClientLimits", "ServerLimits", "Timeouts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """What a server grants each connection."""

    target: int = 256 * 1024  # bytes of a request's target; longer is 414. Label selectors travel in it
    head: int = 1024 * 1024  # bytes of all header names and values; longer is 431
    headers: int = 4096  # header lines of one request; more is 431. Each group of an impersonated user has one
    body: int = 3 * 1024 * 1024  # bytes of a request's body; longer is 413 where the handler reads it
    pipelined: int = 16  # requests waiting on one connection before we stop reading from it
    head_time: float = 32.0  # from a head's first byte to its last; also the TLS handshake
    idle_time: float = 90.0  # between two requests of a connection
    body_time: float = 60.0  # between two pieces of a body
    write_time: float = 60.0  # a peer that takes nothing of what waits for it is cut off
    linger_time: float = 2.0  # a refused peer may go on sending this long, so that it gets to read why


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """What a client grants one request."""

    connect: float | None = 30.0  # name, TCP, proxy and TLS together
    head: float | None = 60.0  # from the request's last byte to the answer's head
    idle: float | None = None  # between two pieces of the answer's body; a watch may be silent for minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientLimits:
    """What a client keeps and accepts."""

    head: int = 256 * 1024  # bytes of all header names and values of an answer
    headers: int = 256  # header lines of one answer
    total: int = 100  # connections to one origin for requests that end; a further one waits. Streams are not counted
    # How long each is kept for the next request: less than the server does, or that would meet a closing door. To close
    # one earlier is no gain: to greet anew costs 1 ms.
    idle_time: float = 60.0
    # A dead peer is found after 24 seconds: TCP asks a silent one each `keep_alive_time`, and gives it up at the first
    # asking for which nothing was heard for `user_timeout`; also when what was sent is not acknowledged for so long.
    keep_alive_time: int = 8
    user_timeout: float = 20.0
