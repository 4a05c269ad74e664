"""Credentials become a user: a client certificate, a bearer token, or nobody in particular.

A certificate was checked against the cluster's authority when the connection was made; its common name is the user and
its organisations are the groups. A token is one that the cluster was given, or one of a service account. A credential
that is not good is refused, even where none would have done.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from kubewright.cluster.auth.accounts import ISSUER, Accounts, BadToken, Identity
from kubewright.cluster.auth.certificate import names
from kubewright.cluster.auth.user import ANONYMOUS, User, authenticated
from kubewright.cluster.verbs.status import unauthorized
from kubewright.http import Request

__all__ = ["AUDIENCES", "Authenticator"]

#: For whom a token must be meant that is shown to this server.
AUDIENCES: Final = (ISSUER,)
_CREDENTIAL: Final = "authentication.kubernetes.io/credential-id"
_SPACE: Final = "the provided Authorization header contains extra space before the bearer token, and is ignored"


class Authenticator:
    """Knows the tokens, and the user of whoever needs no credentials."""

    def __init__(self, tokens: Mapping[str, User], plain: User, accounts: Accounts) -> None:
        self._tokens = {token: authenticated(user) for token, user in tokens.items()}
        #: Who comes over a connection that cannot carry credentials: a plain port of this machine, or this process.
        self._plain = authenticated(plain)
        self._accounts = accounts
        self._certificates: dict[bytes, User] = {}

    def user(self, request: Request, warnings: list[str]) -> User:
        """Who sent a request; a `Failure` if he cannot be who he says. What he should know is added to `warnings`."""
        peer = request.peer
        if peer.certificate is not None:
            return self._of_certificate(peer.certificate)
        header = request.headers.get(b"authorization")
        if header is not None:
            try:
                found = self.identify(header.decode("latin-1"), AUDIENCES, warnings)
            except BadToken:
                raise unauthorized() from None
            if found is not None:
                return found.user
        return ANONYMOUS if peer.secure else self._plain

    def identify(self, header: str, audiences: Sequence[str], warnings: list[str]) -> Identity | None:
        """Who an `Authorization` header is of; None if it says nothing, `BadToken` if it lies."""
        scheme, *rest = header.strip().split(" ", 2)
        if not rest or scheme.lower() != "bearer":
            return None
        token = rest[0]
        if not token:
            warnings += [_SPACE] if len(rest) > 1 else []
            return None
        user = self._tokens.get(token)
        if user is not None and (meant := tuple(each for each in audiences if each in AUDIENCES)):
            return Identity(user, meant)
        invalid = "invalid bearer token"
        try:
            found = self._accounts.identify(token, audiences)
        except BadToken as error:
            raise BadToken(f"[{invalid}, {error}]") from None
        if found is None:
            raise BadToken(invalid)
        return found

    def _of_certificate(self, certificate: bytes) -> User:
        user = self._certificates.get(certificate)
        if user is None:
            user = self._certificates[certificate] = _read(certificate)
        return user


def _read(certificate: bytes) -> User:
    found = names(certificate)
    if not found.common or not found.common[0]:
        return ANONYMOUS
    identifier = f"X509SHA256={hashlib.sha256(certificate).hexdigest()}"
    return authenticated(User(found.common[0], found.organizations, extra=((_CREDENTIAL, (identifier,)),)))
