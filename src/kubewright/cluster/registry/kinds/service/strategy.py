"""Services, in the order in which all of it happens: defaults, addresses and ports, then the judgement."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from kubewright.cluster.registry.kinds.plain import PlainStatus, PlainStrategy
from kubewright.cluster.registry.kinds.service.allocate import allocate, release
from kubewright.cluster.registry.kinds.service.carry import drop_useless, keep_given, match_addresses
from kubewright.cluster.registry.kinds.service.change import check_change
from kubewright.cluster.registry.kinds.service.defaults import fill_in
from kubewright.cluster.registry.kinds.service.form import Document, is_balanced, is_external
from kubewright.cluster.registry.kinds.service.judge import POLICIES, check_balancer, check_service
from kubewright.cluster.registry.kinds.service.pools import Taken
from kubewright.cluster.registry.rules.addresses import address_warnings
from kubewright.cluster.registry.rules.ranges import range_warnings
from kubewright.cluster.store import Store
from kubewright.entropy import SYSTEM, Entropy
from kubewright.schema.walk.errors import FieldError
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import namespace_name

__all__ = ["ServiceStatus", "ServiceStrategy"]

_HINTS = "service.kubernetes.io/topology-aware-hints"
_MODE = "service.kubernetes.io/topology-mode"


class ServiceStrategy(PlainStrategy):
    """What is particular to services."""

    name_rule = staticmethod(namespace_name)

    def default(self, obj: Document) -> None:
        fill_in(obj)

    def allocating(
        self, obj: Document, old: Document | None, store: Store, entropy: Entropy, dry_run: bool
    ) -> AbstractContextManager[None]:
        return _allocating(obj, old, Taken(store, entropy, dry_run=dry_run))

    def gone(self, obj: Document, store: Store) -> None:
        # Whoever makes a service of the same name must not find the endpoints of this one.
        meta = obj["metadata"]
        record = store.get(f"/endpoints/{meta['namespace']}/{meta['name']}")
        if record is not None:
            store.commit(record.key, record.revision, None)
        taken = Taken(store, SYSTEM, dry_run=False)
        release(obj, taken)
        taken.settle(done=True)

    def prepare_create(self, obj: Document) -> None:
        super().prepare_create(obj)
        _forget_policy(obj["spec"])

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        drop_useless(obj["spec"], old["spec"])
        _forget_policy(obj["spec"])
        if not is_balanced(obj["spec"]):
            obj["status"] = {**old["status"], "loadBalancer": {}}

    def validate(self, obj: Document) -> list[FieldError]:
        return [*self.check_meta(obj), *check_service(obj, None)]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [
            *self.check_meta_update(obj, old),
            *check_change(obj["spec"], old["spec"]),
            *check_service(obj, old),
        ]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        return [*_warnings(obj)]


def _forget_policy(spec: Document) -> None:
    """A name for something outside has no traffic of its own. The server keeps a policy for it and never shows it."""
    if is_external(spec) and spec.get("internalTrafficPolicy") in POLICIES:
        del spec["internalTrafficPolicy"]


@contextmanager
def _allocating(obj: Document, old: Document | None, taken: Taken) -> Iterator[None]:
    done = False
    try:
        if old is not None:
            keep_given(obj["spec"], old["spec"])
        match_addresses(obj["spec"], old["spec"] if old is not None else None)
        allocate(obj, old, taken)
        yield
        done = True
    finally:
        taken.settle(done=done)


def _warnings(obj: Document) -> Iterator[str]:
    spec = obj["spec"]
    if _HINTS in (obj["metadata"].get("annotations") or {}):
        yield f"annotation {_HINTS} is deprecated, please use {_MODE} instead"
    outside: list[str] = spec.get("externalIPs") or []
    headless = spec.get("type") == "ClusterIP" and spec.get("clusterIP") == "None"
    if spec.get("clusterIP", "None") != "None":
        for index, address in enumerate(spec.get("clusterIPs") or ()):
            yield from address_warnings(address, f"spec.clusterIPs[{index}]")
    if headless:
        for name, ignored in (
            ("loadBalancerIP", spec.get("loadBalancerIP")),
            ("externalIPs", outside),
            ("SessionAffinity", spec["sessionAffinity"] != "None"),
        ):
            if ignored:
                yield f"spec.{name} is ignored for headless services"
    for index, address in enumerate(outside):
        yield from address_warnings(address, f"spec.externalIPs[{index}]")
    if outside and not headless and not is_external(spec):
        yield "spec.externalIPs is deprecated and may no longer be implemented in some clusters"
    if address := spec.get("loadBalancerIP"):
        yield from address_warnings(address, "spec.loadBalancerIP")
    for index, text in enumerate(spec.get("loadBalancerSourceRanges") or ()):
        yield from range_warnings(text, f"spec.loadBalancerSourceRanges[{index}]")
    external = quote("ExternalName")
    if is_external(spec) and outside:
        yield f"spec.externalIPs is ignored when spec.type is {external}"
    if not is_external(spec) and spec.get("externalName"):
        yield f"spec.externalName is ignored when spec.type is not {external}"
    if spec.get("trafficDistribution") == "PreferClose":
        yield f"spec.trafficDistribution: {quote('PreferClose')} is deprecated; use {quote('PreferSameZone')}"


class ServiceStatus(PlainStatus):
    """The status of a service: what its load balancer tells."""

    name_rule = staticmethod(namespace_name)

    def default(self, obj: Document) -> None:
        fill_in(obj)

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        balancer, before = (each["status"].get("loadBalancer") or {} for each in (obj, old))
        return [
            *self.check_meta_update(obj, old),
            *check_balancer(balancer, before, obj["spec"], "status.loadBalancer"),
        ]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        found: list[str] = []
        for index, each in enumerate((obj["status"].get("loadBalancer") or {}).get("ingress") or ()):
            if each.get("ip"):
                found += address_warnings(each["ip"], f"status.loadBalancer.ingress[{index}]")
        return found
