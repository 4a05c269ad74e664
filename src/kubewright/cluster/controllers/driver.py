"""The controllers of a cluster, chosen by name, started and stopped together.

Their names are kube-controller-manager's. Without a controller the API stays as a bare kube-apiserver would leave it:
namespaces and finalizers wait for somebody who never comes.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from kubewright.cluster.call import Api
from kubewright.cluster.controllers.aggregation import RoleAggregator
from kubewright.cluster.controllers.bootstrap import NAMESPACES
from kubewright.cluster.controllers.furnish import account, certificate_map, furnish
from kubewright.cluster.controllers.graph import concerns
from kubewright.cluster.controllers.internal import Internal
from kubewright.cluster.controllers.kinds import Kinds, tell_kinds
from kubewright.cluster.controllers.manager import MANAGER, MEMBERS, Means, crews
from kubewright.cluster.controllers.protection import ClaimProtection, ClassProtection, VolumeProtection
from kubewright.cluster.controllers.tokens import TokenController
from kubewright.entropy import SYSTEM, Entropy
from kubewright.errors import KubewrightError

if TYPE_CHECKING:
    from kubewright.client import Client
    from kubewright.cluster.auth.accounts import Accounts

__all__ = ["NAMES", "Controllers", "UnknownController", "choose"]

_ALIASES: Final = {
    "namespace": "namespace-controller",
    "gc": "garbage-collector-controller",
    "serviceaccount": "serviceaccount-controller",
    "root-ca": "root-ca-certificate-publisher-controller",
    "serviceaccount-token": "serviceaccount-token-controller",
    "clusterrole-aggregation": "clusterrole-aggregation-controller",
    "pvc-protection": "persistentvolumeclaim-protection-controller",
    "pv-protection": "persistentvolume-protection-controller",
    "deployment": "deployment-controller",
    "replicaset": "replicaset-controller",
    "job": "job-controller",
    "ttl-after-finished": "ttl-after-finished-controller",
    "endpointslice": "endpointslice-controller",
    "endpoints": "endpoints-controller",
}
#: In the order in which they are started.
NAMES: Final = (
    "serviceaccount-token-controller",
    "clusterrole-aggregation-controller",
    "persistentvolumeclaim-protection-controller",
    "persistentvolume-protection-controller",
    "volumeattributesclass-protection-controller",
    *MEMBERS,
)


class UnknownController(KubewrightError):
    """There is no controller of that name."""


class Controller(Protocol):
    """Follows the store, and acts on what it sees."""

    def start(self) -> None:
        """Begin: with what is there, then with what happens."""

    async def stop(self) -> None:
        """End."""


def choose(names: str | Iterable[str]) -> list[str]:
    """The controllers that are meant by `all`, `none`, `a,b` or several names."""
    words = names.split(",") if isinstance(names, str) else list(names)
    wanted = [_ALIASES.get(word.strip(), word.strip()) for word in words if word.strip()]
    if wanted == ["all"]:
        return list(NAMES)
    if wanted == ["none"]:
        return []
    for name in wanted:
        if name not in NAMES:
            known = ", ".join(["all", "none", *NAMES])
            raise UnknownController(f"there is no controller {name!r}; choose from {known}.")
    return [name for name in NAMES if name in wanted]


class Controllers:
    """The controllers of a cluster.

    `accounts` gives who signs tokens; `certificate` is of the cluster's authority, as pods are to know it; `connect`
    makes the client and `entropy` the names of those that are an operator.
    """

    def __init__(
        self,
        api: Api,
        accounts: "Callable[[], Accounts]",
        names: str | Iterable[str] = "all",
        certificate: str = "",
        *,
        connect: "Callable[[], Client]",
        entropy: Entropy = SYSTEM,
    ) -> None:
        client, kinds = Internal(api, MANAGER), Kinds(api.registry)
        made: dict[str, Callable[[], Controller]] = {
            "serviceaccount-token-controller": lambda: TokenController(client, accounts, certificate),
            "clusterrole-aggregation-controller": lambda: RoleAggregator(client),
            "persistentvolumeclaim-protection-controller": lambda: ClaimProtection(client),
            "persistentvolume-protection-controller": lambda: VolumeProtection(client),
            "volumeattributesclass-protection-controller": lambda: ClassProtection(client),
        }
        chosen = choose(names)
        api.accounts = "serviceaccount-controller" in chosen
        self._client = client
        self._furniture = [
            *([account()] if api.accounts else []),
            *([certificate_map(certificate)] if "root-ca-certificate-publisher-controller" in chosen else []),
        ]
        self._controllers: list[Controller] = [made[name]() for name in chosen if name in made]
        survey, tell = partial(kinds.held, api.store), partial(tell_kinds, api.store, concerns)
        means = Means(api.store, connect, entropy, certificate, survey, tell)
        self._controllers += crews(chosen, means)

    async def start(self) -> None:
        """Start them; what they find to do is done while others run."""
        await furnish(self._client, NAMESPACES, self._furniture)
        for controller in self._controllers:
            controller.start()

    async def stop(self) -> None:
        """Stop them, the last one first; what is left undone is found by whoever starts anew."""
        for controller in reversed(self._controllers):
            await controller.stop()
