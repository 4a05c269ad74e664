"""Every request is told, once it is answered or has failed: what metrics are counted from.

    client = client.but(observer=lambda attempt: print(attempt.verb, attempt.code, attempt.seconds))

A repeated request is told once for each attempt (`number` 1, 2 …), as client-go counts them.
"""

from collections.abc import Callable
from functools import partial

import msgspec

__all__ = ["Attempt", "Observer", "both"]


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """One request as it went over the transport."""

    #: The HTTP method: GET, POST, PUT, PATCH, DELETE.
    verb: str
    #: Whom it was sent to, `127.0.0.1:6443`.
    host: str
    #: The HTTP status; 0 where none came (client-go's metrics say `<error>`).
    code: int
    #: From the sending to the last byte of the answer; for a stream, to its first.
    seconds: float
    #: Bytes of the request's body.
    sent: int
    #: Bytes of the answer's body; 0 for a stream.
    received: int
    #: 1 for the first attempt of a request; more were repeated.
    number: int


#: Called in the loop, for every attempt: it must be quick and must not raise.
Observer = Callable[[Attempt], None]


def both(one: Observer | None, other: Observer) -> Observer:
    """Tell the one, if there is one, and the other."""

    def tell(attempt: Attempt, first: Observer) -> None:
        first(attempt)
        other(attempt)

    return partial(tell, first=one) if one is not None else other
