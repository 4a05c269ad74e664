"""Tokens of clients that cannot send headers, browsers with a WebSocket: one of the subprotocols that they offer is it.

    Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.<token in base64>, <another one>

The other is spoken; the one that holds the token is taken off, for it is not to be sent back.
"""

import binascii
from base64 import urlsafe_b64decode
from typing import Final

from kubewright.cluster.auth.token import BadToken
from kubewright.http import Headers

__all__ = ["take_token"]

_FIELD: Final = b"sec-websocket-protocol"
_PREFIX: Final = b"base64url.bearer.authorization.k8s.io."


def take_token(headers: Headers) -> tuple[str, Headers]:
    """The token among the subprotocols, empty if there is none, and the headers without it. `BadToken` if it is bad."""
    offered = [name.strip() for line in headers.all(_FIELD) for name in line.split(b",")]
    tokens = [name[len(_PREFIX) :] for name in offered if name.startswith(_PREFIX)]
    if not tokens:
        return "", headers
    if len(tokens) > 1:
        raise BadToken("multiple base64.bearer.authorization tokens specified")
    try:
        token = urlsafe_b64decode(tokens[0] + b"=" * (-len(tokens[0]) % 4)).decode()
    except (binascii.Error, ValueError):
        raise BadToken("invalid base64.bearer.authorization token encoding") from None
    others = [name for name in offered if not name.startswith(_PREFIX)]
    if token and not others:
        raise BadToken("missing additional subprotocol")
    rest = [pair for pair in headers.pairs if pair[0].lower() != _FIELD]
    return token, Headers([*rest, (_FIELD, b",".join(others))])
