"""Who asks, as whom, and may he: the three questions before every request, in this order.

What answers the second and the third is loaded when it is first needed: who starts a cluster is its administrator, and
need not wait for that.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from kubewright.cluster.auth.authenticate import Authenticator
from kubewright.cluster.auth.intent import Intent
from kubewright.cluster.auth.user import MASTERS, User
from kubewright.cluster.store import Store
from kubewright.http import Request

if TYPE_CHECKING:
    from kubewright.cluster.auth.accounts import Accounts
    from kubewright.cluster.auth.authorize import Authorizer
    from kubewright.cluster.auth.impersonate import Impersonation

__all__ = ["Access"]


class Access:
    """Lets requests in.

    - `key`: gives the key by which tokens of accounts are signed, PEM-encoded.
    - `tokens`: other tokens, and whose they are.
    - `plain`: who comes over connections that carry no credentials.
    """

    def __init__(self, store: Store, key: Callable[[], bytes], tokens: Mapping[str, User], plain: User) -> None:
        self._store = store
        self._key = key
        self.authenticator = Authenticator(tokens, plain, lambda: self.accounts)

    def admit(self, request: Request, intent: Intent, warnings: list[str]) -> User:
        """As whom a request is done; a `Failure` if he may not. What he should know is added to `warnings`."""
        user = self.authenticator.user(request, warnings)
        for name in request.headers.index:
            if name[:12] == b"impersonate-":
                user = self._impersonation.user(user, intent, request.headers)
                break
        if MASTERS not in user.groups:
            self.authorizer.authorize(user, intent)
        return user

    def keys(self) -> bytes:
        """The public keys of who signs the tokens of accounts, as JSON."""
        return self.accounts.keys()

    @cached_property
    def accounts(self) -> "Accounts":
        """The tokens of service accounts."""
        from kubewright.cluster.auth.accounts import Accounts
        from kubewright.cluster.auth.jwt import Key

        return Accounts(self._store, Key(self._key))

    @cached_property
    def authorizer(self) -> "Authorizer":
        """Who decides."""
        from kubewright.cluster.auth.authorize import Authorizer
        from kubewright.cluster.auth.policy import Policy

        return Authorizer(Policy(self._store))

    @cached_property
    def _impersonation(self) -> "Impersonation":
        from kubewright.cluster.auth.impersonate import Impersonation

        return Impersonation(self.authorizer)
