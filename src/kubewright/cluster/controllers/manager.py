"""kube-controller-manager: the built-in controllers that are kubewright controllers.

They form crews. A crew is one operator, with caches of its own, that sleeps until something concerns one of its members
(`sleeper`): who makes ConfigMaps only never wakes those who look after Deployments. What it needs and is not there yet
is loaded then, a module at a time (`preload`), so that nobody else waits for that.
"""

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubewright.cluster.controllers.furnish import account_wakers, certificate_wakers
from kubewright.cluster.controllers.graph import concerns
from kubewright.cluster.controllers.sleeper import Sleeper, Waker, is_there
from kubewright.cluster.controllers.terminate import is_ending
from kubewright.cluster.preload import in_turns, load
from kubewright.cluster.store import Record, Store
from kubewright.entropy import Entropy

if TYPE_CHECKING:
    from kubewright.client import Client
    from kubewright.cluster.controllers.empty import Survey
    from kubewright.cluster.controllers.garbage import Tell
    from kubewright.controller.declaration import Controller
    from kubewright.controller.rover import Rover
    from kubewright.model.model import Model

__all__ = ["MANAGER", "MEMBERS", "Means", "Member", "crews"]

MANAGER: Final = "kube-controller-manager"


class Means(NamedTuple):
    """What a cluster gives to its controllers."""

    store: Store
    #: Makes a client, an administrator's.
    connect: "Callable[[], Client]"
    entropy: Entropy
    #: Of the cluster's authority, as pods are to know it.
    certificate: str
    #: Of which resources a namespace has objects.
    survey: "Survey"
    #: Tells of which resources an object concerns the garbage collector, and that kinds come or go.
    tell: "Tell"


class Member(NamedTuple):
    """A controller: its crew; where it is declared, or made; what wakes it, which may depend on what the cluster gives.

    A place is a module of this package and a name in it: a controller, or a function that makes one. The function is
    called with those of the cluster's `Means` that `given` names.
    """

    crew: str
    places: tuple[str, ...]
    wakers: tuple[Waker, ...] | Callable[[Means], Iterable[Waker]]
    given: tuple[str, ...] = ()

    def wakers_in(self, means: Means) -> Iterable[Waker]:
        """What wakes it in a cluster."""
        return self.wakers(means) if callable(self.wakers) else self.wakers

    @property
    def modules(self) -> Iterator[str]:
        """The modules of its places, in their order."""
        return (f"{__package__}.{place.partition(':')[0]}" for place in self.places)

    def load(self, means: Means) -> "Iterator[Controller[Any, Any] | Rover]":
        """The declarations; loaded when they are wanted."""
        from kubewright.controller.declaration import Controller

        for place, module in zip(self.places, self.modules, strict=True):
            found = getattr(importlib.import_module(module), place.partition(":")[2])
            yield found if isinstance(found, Controller) else found(*(getattr(means, each) for each in self.given))


def _is_a_service(record: Record) -> bool:
    # The Service of the API server itself selects no pods, so it is nobody's work.
    return is_there(record) and record.key != "/services/default/kubernetes"


_FRAMEWORK: Final = ("kubewright.operator", "kubewright.controller.news")
_NAMESPACES: Final = "namespaces"
_WORKLOADS: Final = "workloads"
_JOBS: Final = (Waker("/jobs.batch/"),)
_SERVICES: Final = (Waker("/services/", _is_a_service),)
#: By kube-controller-manager's names.
MEMBERS: Final = {
    "root-ca-certificate-publisher-controller": Member(
        _NAMESPACES,
        ("accounts:root_certificate_publisher",),
        lambda means: certificate_wakers(means.store, means.certificate),
        given=("certificate",),
    ),
    "serviceaccount-controller": Member(
        _NAMESPACES, ("accounts:service_account_controller",), lambda means: account_wakers(means.store)
    ),
    "garbage-collector-controller": Member(
        "garbage", ("garbage:garbage_collector",), (Waker("/", concerns),), given=("tell",)
    ),
    "namespace-controller": Member(
        _NAMESPACES, ("namespaces:namespace_controller",), (Waker("/namespaces/", is_ending),), given=("survey",)
    ),
    "replicaset-controller": Member(
        _WORKLOADS, ("replicasets.controller:replicaset_controller",), (Waker("/replicasets.apps/"),)
    ),
    "deployment-controller": Member(
        _WORKLOADS, ("deployments.controller:deployment_controller",), (Waker("/deployments.apps/"),)
    ),
    "job-controller": Member(_WORKLOADS, ("jobs.controller:job_controller", "jobs.orphans:job_orphan_pods"), _JOBS),
    "ttl-after-finished-controller": Member(_WORKLOADS, ("jobs.ttl:ttl_after_finished_controller",), _JOBS),
    "endpointslice-controller": Member(_WORKLOADS, ("endpoints.controller:endpointslice_controller",), _SERVICES),
    "endpoints-controller": Member(_WORKLOADS, ("endpoints.controller:endpoints_controller",), _SERVICES),
}


def crews(names: Iterable[str], means: Means) -> Iterator[Sleeper]:
    """Those of these controllers that are members of a crew, crew by crew, asleep."""
    chosen: dict[str, list[Member]] = {}
    for name in names:
        if (member := MEMBERS.get(name)) is not None:
            chosen.setdefault(member.crew, []).append(member)
    for crew, members in chosen.items():
        wakers = [waker for member in members for waker in member.wakers_in(means)]
        yield Sleeper(f"{MANAGER} ({crew})", means.store, wakers, partial(_manage, members, means))


async def _manage(members: Sequence[Member], means: Means) -> None:
    """Run controllers, until cancelled."""
    await load(*_FRAMEWORK, *(module for member in members for module in member.modules))
    from kubewright.controller.news import COUNT
    from kubewright.model.codec import prepare_in_steps
    from kubewright.operator import Operator

    controllers = [each for member in members for each in member.load(means)]
    for model in _models(controllers):
        await in_turns(prepare_in_steps(model))
    operator = Operator(
        MANAGER,
        controllers,
        field_manager=MANAGER,
        events=COUNT,
        grace=2.0,
        watchdog=False,
    )
    client = means.connect().but(user_agent=MANAGER, quiet=True)
    async with operator.running(client, entropy=means.entropy) as running:
        await running.wait()


def _models(controllers: "Sequence[Controller[Any, Any] | Rover]") -> "Iterator[type[Model]]":
    """The types that they read objects as, which take their time when they are first used."""
    from kubewright.client.endpoint import endpoint_of
    from kubewright.controller.declaration import Controller
    from kubewright.model.model import Model

    for each in controllers:
        if isinstance(each, Controller):
            watched = [endpoint_of(watch.kind) for watch in each.watches]
            for endpoint in (each.endpoint, *each.owns, *each.reads, *watched):
                if isinstance(endpoint.model, type) and issubclass(endpoint.model, Model):
                    yield endpoint.model
