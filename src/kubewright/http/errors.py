"""What can go wrong between two peers that speak HTTP.

Each is one sentence that names the peer or the URL. Which class it is tells the caller what it may do next: after
`ConnectError` nothing was sent, after `DisconnectedError` and `TimedOutError` the outcome of a write is unknown.
"""

from kubewright.errors import KubewrightError

__all__ = [
    "ClientClosedError",
    "ConnectError",
    "DisconnectedError",
    "HttpError",
    "ProtocolError",
    "RefusedError",
    "TimedOutError",
]


class HttpError(KubewrightError):
    """The root of everything this layer raises."""


class ConnectError(HttpError):
    """No connection could be made: name, address, TLS or proxy; nothing was sent."""


class ClientClosedError(ConnectError):
    """This client was closed by whoever has it; nothing was sent, and nothing will be."""


class DisconnectedError(HttpError):
    """The peer went away before the message was whole."""


class TimedOutError(HttpError):
    """The peer took longer than it was given."""


class ProtocolError(HttpError):
    """What the peer sent is not HTTP, or not within the limits."""


class RefusedError(HttpError):
    """A request that is not served, with the status that says why: the server answers it and closes the connection.

    A handler meets it when it reads a body that is too long (413) or broken (400), and may answer in its own words.
    """

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
