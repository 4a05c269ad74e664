"""What the connections of one server share: the handler, the limits, and who is still there."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol

from kubewright.http.head import Date
from kubewright.http.limits import ServerLimits
from kubewright.http.message import Request, Response

__all__ = ["Handler", "Service"]


class Handler(Protocol):
    """Answers requests: a coroutine function, or a plain one that answers at once or returns a coroutine."""

    def __call__(self, request: Request, /) -> Response | Coroutine[Any, Any, Response]:
        """The answer."""


class Open(Protocol):
    """A connection, as far as a service ends it."""

    def stop(self) -> None:
        """Finish what has begun, begin nothing."""

    def kill(self) -> None:
        """End at once."""


class Service:
    """What the connections of one server share."""

    def __init__(self, handler: Handler, limits: ServerLimits, loop: asyncio.AbstractEventLoop) -> None:
        self.handler = handler
        self.limits = limits
        self.loop = loop
        self.date = Date(loop)
        self.stopping = False
        self.connections: set[Open] = set()
        self.empty = asyncio.Event()  # set when the last connection of a stopping server has gone

    def gone(self, connection: Open) -> None:
        """A connection is closed and its handler has ended."""
        self.connections.discard(connection)
        if self.stopping and not self.connections:
            self.empty.set()
