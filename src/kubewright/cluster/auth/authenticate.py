"""Credentials become a user: a client certificate, a bearer token, or nobody in particular.

A certificate was checked against the cluster's authority when the connection was made; its common name is the user and
its organisations are the groups. A token is one that the cluster was given, or one of a service account. A credential
that is not good is refused, even where none would have done.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kubewright.cluster.auth.certificate import names
from kubewright.cluster.auth.token import AUDIENCES, BadToken, Identity
from kubewright.cluster.auth.user import ANONYMOUS, User, authenticated
from kubewright.cluster.wire.status import unauthorized
from kubewright.http import Request

if TYPE_CHECKING:
    from kubewright.cluster.auth.accounts import Accounts

__all__ = ["Authenticator"]

_CREDENTIAL: Final = "authentication.kubernetes.io/credential-id"
_KEPT: Final = 10_000
_SPACE: Final = "the provided Authorization header contains extra space before the bearer token, and is ignored"


class Authenticator:
    """Knows the tokens, and the user of whoever needs no credentials; `accounts` gives who knows those of accounts."""

    def __init__(self, tokens: Mapping[str, User], plain: User, accounts: "Callable[[], Accounts]") -> None:
        self._tokens = {token: Identity(authenticated(user), AUDIENCES) for token, user in tokens.items()}
        #: Who comes over a connection that cannot carry credentials: a plain port of this machine, or this process.
        self._plain = authenticated(plain)
        self._accounts = accounts
        self._certificates: dict[bytes, User] = {}
        #: What headers say that came before.
        self._headers: dict[bytes, str] = {}

    def user(self, request: Request, warnings: list[str]) -> User:
        """Who sent a request; a `Failure` if he cannot be who he says. What he should know is added to `warnings`."""
        peer = request.peer
        if peer.certificate is not None:
            return self._of_certificate(peer.certificate)
        header = request.headers.get(b"authorization")
        if header is not None:
            token = self._headers.get(header)
            known = token is not None
            if token is None:
                token = _token(header.decode("latin-1"), warnings)
            if token:
                try:
                    found = self.identify(token, AUDIENCES)
                except BadToken:
                    raise unauthorized() from None
                # Only what was good once is kept: anybody may send what is not.
                if not known and len(self._headers) < _KEPT:
                    self._headers[header] = token
                return found.user
        if request.upgrade and (user := self._of_protocols(request)) is not None:
            return user
        return ANONYMOUS if peer.secure else self._plain

    def _of_protocols(self, request: Request) -> User | None:
        """Who says so by a subprotocol of the WebSocket that he asks for."""
        # Loaded when it is needed: hardly any client asks for it.
        from kubewright.cluster.auth.subprotocol import take_token

        try:
            token, rest = take_token(request.headers)
            if not token:
                return None
            user = self.identify(token, AUDIENCES).user
        except BadToken:
            raise unauthorized() from None
        request.headers = rest
        return user

    def review(self, token: str, audiences: Sequence[str]) -> Identity:
        """Whose a token would be if it came in a header: one that says nothing is nobody's. `BadToken` if it lies."""
        found = _token(f"Bearer {token}", [])
        return self.identify(found, audiences) if found else Identity(ANONYMOUS, tuple(audiences))

    def identify(self, token: str, audiences: Sequence[str]) -> Identity:
        """Whose a token is; `BadToken` if nobody's."""
        given = self._tokens.get(token)
        if given is not None:
            if audiences is AUDIENCES:
                return given
            if meant := tuple(each for each in audiences if each in AUDIENCES):
                return Identity(given.user, meant)
        invalid = "invalid bearer token"
        try:
            found = self._accounts().identify(token, audiences)
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


def _token(header: str, warnings: list[str]) -> str:
    """The token of an `Authorization` header; empty if it has none."""
    scheme, *rest = header.strip().split(" ", 2)
    if not rest or scheme.lower() != "bearer":
        return ""
    if not rest[0] and len(rest) > 1:
        warnings.append(_SPACE)
    return rest[0]


def _read(certificate: bytes) -> User:
    found = names(certificate)
    if not found.common or not found.common[0]:
        return ANONYMOUS
    identifier = f"X509SHA256={hashlib.sha256(certificate).hexdigest()}"
    return authenticated(User(found.common[0], found.organizations, extra=((_CREDENTIAL, (identifier,)),)))
