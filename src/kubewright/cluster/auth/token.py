"""What is found out about a token, whoever signed it."""

from typing import Final, NamedTuple

from kubewright.cluster.auth.user import User

__all__ = ["AUDIENCES", "ISSUER", "BadToken", "Identity"]

#: Who signs the tokens of service accounts.
ISSUER: Final = "https://kubernetes.default.svc"
#: For whom a token must be meant that is shown to this server.
AUDIENCES: Final = (ISSUER,)


class BadToken(Exception):
    """A token that is refused; the text says why."""


class Identity(NamedTuple):
    """Who a token is of, and for which of the audiences asked for it is good."""

    user: User
    audiences: tuple[str, ...]
