"""Credentials become a user: a client certificate, a bearer token, or nobody in particular.

A certificate was checked against the cluster's authority when the connection was made; its common name is the user and
its organisations are the groups. Tokens are a table. A credential that is not good is refused, even where none would
have done.
"""

from collections.abc import Mapping

from kubewright.cluster.auth.certificate import names
from kubewright.cluster.auth.user import ANONYMOUS, User
from kubewright.cluster.verbs.status import unauthorized
from kubewright.http import Request

__all__ = ["Authenticator"]

_AUTHENTICATED = "system:authenticated"


class Authenticator:
    """Knows the tokens, and the user of whoever needs no credentials."""

    def __init__(self, tokens: Mapping[str, User], plain: User) -> None:
        self._tokens = {token.encode(): _authenticated(user) for token, user in tokens.items()}
        #: Who comes over a connection that cannot carry credentials: a plain port of this machine, or this process.
        self._plain = _authenticated(plain)
        self._certificates: dict[bytes, User] = {}

    def user(self, request: Request) -> User:
        """Who sent a request; a `Failure` if he cannot be who he says."""
        peer = request.peer
        if peer.certificate is not None:
            return self._of_certificate(peer.certificate)
        header = request.headers.get(b"authorization")
        if header is not None:
            scheme, _, token = header.partition(b" ")
            if scheme.lower() == b"bearer" and token.strip():
                user = self._tokens.get(token.strip())
                if user is None:
                    raise unauthorized()
                return user
        return ANONYMOUS if peer.secure else self._plain

    def _of_certificate(self, certificate: bytes) -> User:
        user = self._certificates.get(certificate)
        if user is None:
            user = self._certificates[certificate] = _authenticated(_read(certificate))
        return user


def _authenticated(user: User) -> User:
    return User(user.name, (*user.groups, _AUTHENTICATED))


def _read(certificate: bytes) -> User:
    found = names(certificate)
    return User(found.common[0] if found.common else "", found.organizations)
