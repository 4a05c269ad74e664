"""Who asks, as whom, and may he: the three questions before every request, in this order."""

from collections.abc import Mapping

from kubewright.cluster.auth.accounts import Accounts
from kubewright.cluster.auth.authenticate import Authenticator
from kubewright.cluster.auth.authorize import Authorizer
from kubewright.cluster.auth.impersonate import Impersonation
from kubewright.cluster.auth.jwt import Key
from kubewright.cluster.auth.policy import Policy
from kubewright.cluster.auth.user import User
from kubewright.cluster.front.intent import Intent
from kubewright.cluster.store import Store
from kubewright.http import Request

__all__ = ["Access"]


class Access:
    """Lets requests in. `plain` is who comes over connections that carry no credentials."""

    def __init__(self, store: Store, key: Key, tokens: Mapping[str, User], plain: User) -> None:
        self.accounts = Accounts(store, key)
        self.authenticator = Authenticator(tokens, plain, self.accounts)
        self.authorizer = Authorizer(Policy(store))
        self._impersonation = Impersonation(self.authorizer)

    def admit(self, request: Request, intent: Intent, warnings: list[str]) -> User:
        """As whom a request is done; a `Failure` if he may not. What he should know is added to `warnings`."""
        user = self.authenticator.user(request, warnings)
        for name in request.headers.index:
            if name[:12] == b"impersonate-":
                user = self._impersonation.user(user, intent, request.headers)
                break
        self.authorizer.authorize(user, intent)
        return user
