"""kube-controller-manager: the built-in controllers that are kubewright controllers, run as one operator."""

import importlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubewright.cluster.controllers.sleeper import Kind
from kubewright.entropy import Entropy

if TYPE_CHECKING:
    from kubewright.client import Client
    from kubewright.controller.declaration import Controller

__all__ = ["MANAGER", "MEMBERS", "Member", "manage"]

MANAGER: Final = "kube-controller-manager"


class Member(NamedTuple):
    """A controller: where it is declared, or what makes it, and the kinds that it is woken by."""

    places: tuple[str, ...]
    kinds: tuple[Kind, ...]

    def load(self) -> "Iterator[Controller[Any, Any]]":
        """The declarations; loaded when they are wanted."""
        from kubewright.controller.declaration import Controller

        for place in self.places:
            module, _, name = place.partition(":")
            found = getattr(importlib.import_module(f"{__package__}.{module}"), name)
            yield found if isinstance(found, Controller) else found()


_JOBS: Final = (("batch", "jobs"),)
_SERVICES: Final = (("", "services"),)
#: By kube-controller-manager's names.
MEMBERS: Final = {
    "replicaset-controller": Member(("replicasets.controller:replicaset_controller",), (("apps", "replicasets"),)),
    "deployment-controller": Member(("deployments.controller:deployment_controller",), (("apps", "deployments"),)),
    "job-controller": Member(("jobs.controller:job_controller", "jobs.orphans:job_orphan_pods"), _JOBS),
    "ttl-after-finished-controller": Member(("jobs.ttl:ttl_after_finished_controller",), _JOBS),
    "endpointslice-controller": Member(("endpoints.controller:endpointslice_controller",), _SERVICES),
    "endpoints-controller": Member(("endpoints.controller:endpoints_controller",), _SERVICES),
}


async def manage(client: "Client", names: Sequence[str], entropy: Entropy) -> None:
    """Run controllers, until cancelled."""
    from kubewright.controller.news import COUNT
    from kubewright.operator import Operator

    operator = Operator(
        MANAGER,
        [each for name in names for each in MEMBERS[name].load()],
        field_manager=MANAGER,
        events=COUNT,
        grace=2.0,
        watchdog=False,
    )
    async with operator.running(client.but(user_agent=MANAGER, quiet=True), entropy=entropy) as running:
        await running.wait()
