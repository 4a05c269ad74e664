"""What is wrong with a service, new or changed."""

from collections.abc import Iterator
from typing import Final

from kubewright.cluster.registry.kinds.service.families import check_addresses
from kubewright.cluster.registry.kinds.service.form import (
    Document,
    has_health_check,
    is_balanced,
    is_external,
    is_headless,
    is_reachable,
)
from kubewright.cluster.registry.rules.addresses import check_address, sloppy_address
from kubewright.cluster.registry.rules.inner import inner_text
from kubewright.cluster.registry.rules.labels import check_key, check_labels
from kubewright.cluster.registry.rules.names import check_label, check_subdomain
from kubewright.cluster.registry.rules.numbers import check_port, check_range
from kubewright.cluster.registry.rules.ranges import check_destination, check_range_of_addresses
from kubewright.schema.walk.errors import DUPLICATE, FieldError, duplicate, forbidden, invalid, not_supported, required

__all__ = ["POLICIES", "PROTOCOLS", "check_balancer", "check_class", "check_host", "check_service"]

PROTOCOLS: Final = ("SCTP", "TCP", "UDP")
_TYPES: Final = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
POLICIES: Final = ("Cluster", "Local")
_DISTRIBUTIONS: Final = ("PreferClose", "PreferSameZone", "PreferSameNode")
_LONGEST_AFFINITY: Final = 86400
_SOURCES: Final = "service.beta.kubernetes.io/load-balancer-source-ranges"
_HINTS: Final = "service.kubernetes.io/topology-aware-hints"
_MODE: Final = "service.kubernetes.io/topology-mode"
_BALANCED_ONLY: Final = "may only be used when `type` is 'LoadBalancer'"


def check_service(obj: Document, old: Document | None) -> Iterator[FieldError]:
    """What is wrong with a service, metadata apart, but for annotations that mean something."""
    spec, before = obj["spec"], old["spec"] if old is not None else {}
    annotations: dict[str, str] = obj["metadata"].get("annotations") or {}
    if _MODE in annotations and _HINTS in annotations and annotations[_MODE] != annotations[_HINTS]:
        why = f"must match annotations[{_HINTS}] when both are specified"
        yield invalid(f"metadata.annotations[{_MODE}]", annotations[_MODE], why)
    ports: list[Document] = spec.get("ports") or []
    if not ports and not is_headless(spec) and not is_external(spec):
        yield required("spec.ports")
    yield from _typed(spec)
    names: set[str] = set()
    for index, port in enumerate(ports):
        yield from _port(port, f"spec.ports[{index}]", names, alone=len(ports) == 1)
    yield from check_labels(spec.get("selector"), "spec.selector")
    yield from _affinity(spec)
    yield from check_addresses(spec, old["spec"] if old is not None else None)
    kept = {*(before.get("externalIPs") or ())}
    for index, address in enumerate(spec.get("externalIPs") or ()):
        place = f"spec.externalIPs[{index}]"
        yield from [*check_address(address, place, kept)] or check_destination(address, place)
    kind = spec.get("type", "")
    if kind not in _TYPES:
        yield not_supported("spec.type", kind, _TYPES)
    yield from _repeated(kind, ports)
    yield from _sources(obj, annotations, old)
    yield from _balanced(spec)
    yield from _external(spec)
    yield from _internal(spec)


def _typed(spec: Document) -> Iterator[FieldError]:
    kind = spec.get("type", "")
    if kind in ("LoadBalancer", "NodePort") and is_headless(spec):
        yield invalid("spec.clusterIPs[0]", "None", f"may not be set to 'None' for {kind} services")
    if not is_external(spec):
        return
    for name in ("clusterIPs", "ipFamilies", "ipFamilyPolicy"):
        if spec.get(name) or (name == "ipFamilyPolicy" and name in spec):
            yield forbidden(f"spec.{name}", "may not be set for ExternalName services")
    name = spec.get("externalName", "").removesuffix(".")
    if name:
        yield from check_subdomain(name, "spec.externalName")
    else:
        yield required("spec.externalName")


def _port(port: Document, path: str, names: set[str], *, alone: bool) -> Iterator[FieldError]:
    name = port.get("name", "")
    if name:
        yield from check_label(name, f"{path}.name")
        if name in names:
            yield duplicate(f"{path}.name", name)
        names.add(name)
    elif not alone:
        yield required(f"{path}.name")
    yield from check_range(port.get("port", 0), f"{path}.port", 1, 65535)
    if port["protocol"] not in PROTOCOLS:
        yield not_supported(f"{path}.protocol", port["protocol"], PROTOCOLS)
    yield from check_port(port["targetPort"], f"{path}.targetPort")
    if (protocol := port.get("appProtocol")) is not None:
        yield from check_key(protocol, f"{path}.appProtocol")


def _affinity(spec: Document) -> Iterator[FieldError]:
    affinity = spec["sessionAffinity"]
    if affinity not in ("ClientIP", "None"):
        yield not_supported("spec.sessionAffinity", affinity, ("ClientIP", "None"))
    if affinity == "ClientIP":
        seconds = spec["sessionAffinityConfig"]["clientIP"]["timeoutSeconds"]
        if not 0 < seconds <= _LONGEST_AFFINITY:
            why = f"must be greater than 0 and less than {_LONGEST_AFFINITY}"
            yield invalid("spec.sessionAffinityConfig.clientIP.timeoutSeconds", seconds, why)


def _repeated(kind: str, ports: list[Document]) -> Iterator[FieldError]:
    for index, port in enumerate(ports):
        if kind == "ClusterIP" and port.get("nodePort"):
            yield forbidden(f"spec.ports[{index}].nodePort", "may not be used when `type` is 'ClusterIP'")
    seen: set[tuple[str, int]] = set()
    for index, port in enumerate(ports):
        if node_port := port.get("nodePort"):
            if (port["protocol"], node_port) in seen:
                yield duplicate(f"spec.ports[{index}].nodePort", node_port)
            seen.add((port["protocol"], node_port))
    seen = set()
    for index, port in enumerate(ports):
        key = (port["protocol"], port.get("port", 0))
        if key in seen:
            shown = inner_text({"protocol": key[0], "port": key[1], "targetPort": 0}, "core/v1.ServicePort")
            yield FieldError(DUPLICATE, f"spec.ports[{index}]", f"Duplicate value: {shown}")
        seen.add(key)


def _sources(obj: Document, annotations: dict[str, str], old: Document | None) -> Iterator[FieldError]:
    """From where a load balancer is reached: a field, or an annotation that is older."""
    spec = obj["spec"]
    if sources := spec.get("loadBalancerSourceRanges"):
        place = "spec.LoadBalancerSourceRanges"
        if not is_balanced(spec):
            yield forbidden(place, _BALANCED_ONLY)
        kept = {text.strip() for text in (old["spec"] if old else {}).get("loadBalancerSourceRanges") or ()}
        for index, text in enumerate(sources):
            yield from check_range_of_addresses(text.strip(), f"{place}[{index}]", kept)
    elif (given := annotations.get(_SOURCES)) is not None:
        place = f"metadata.annotations[{_SOURCES}]"
        if not is_balanced(spec):
            yield forbidden(place, _BALANCED_ONLY)
        before = (old["metadata"].get("annotations") or {}).get(_SOURCES) if old is not None else None
        if before != given and given.strip():
            for text in given.strip().split(","):
                yield from check_range_of_addresses(text.strip(), place)


def _balanced(spec: Document) -> Iterator[FieldError]:
    if "allocateLoadBalancerNodePorts" in spec and not is_balanced(spec):
        yield forbidden("spec.allocateLoadBalancerNodePorts", _BALANCED_ONLY)
    yield from check_class(spec)


def check_class(spec: Document) -> Iterator[FieldError]:
    """What is wrong with the class of a load balancer."""
    name = spec.get("loadBalancerClass")
    if name is None:
        return
    if is_balanced(spec):
        yield from check_key(name, "spec.loadBalancerClass")
    else:
        yield forbidden("spec.loadBalancerClass", _BALANCED_ONLY)


def _external(spec: Document) -> Iterator[FieldError]:
    policy = spec.get("externalTrafficPolicy", "")
    if not is_reachable(spec):
        if policy:
            yield invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services")
    elif policy not in POLICIES:
        yield not_supported("spec.externalTrafficPolicy", policy, POLICIES)
    port = spec.get("healthCheckNodePort", 0)
    if has_health_check(spec):
        yield from check_range(port, "spec.healthCheckNodePort", 1, 65535)
    elif port:
        why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
        yield invalid("spec.healthCheckNodePort", port, why)


def _internal(spec: Document) -> Iterator[FieldError]:
    policy = spec.get("internalTrafficPolicy")
    if policy is not None and policy not in POLICIES:
        yield not_supported("spec.internalTrafficPolicy", policy, POLICIES)
    distribution = spec.get("trafficDistribution")
    if distribution is not None and distribution not in _DISTRIBUTIONS:
        yield not_supported("spec.trafficDistribution", distribution, _DISTRIBUTIONS)


def check_balancer(status: Document, old: Document, spec: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with what a load balancer tells of itself."""
    listed: list[Document] = status.get("ingress") or []
    if listed and not is_balanced(spec):
        yield forbidden(f"{path}.ingress", "may only be used when `spec.type` is 'LoadBalancer'")
        return
    kept = {each.get("ip", "") for each in old.get("ingress") or ()}
    for index, each in enumerate(listed):
        place, address, mode = f"{path}.ingress[{index}]", each.get("ip", ""), each.get("ipMode")
        if address:
            yield from check_address(address, f"{place}.ip", kept)
        if mode is None and address:
            yield required(f"{place}.ipMode", "must be specified when `ip` is set")
        elif mode is not None and not address:
            yield forbidden(f"{place}.ipMode", "may not be specified when `ip` is not set")
        elif mode is not None and mode not in ("Proxy", "VIP"):
            yield not_supported(f"{place}.ipMode", mode, ("Proxy", "VIP"))
        yield from check_host(each.get("hostname", ""), f"{place}.hostname")


def check_host(name: str, path: str) -> Iterator[FieldError]:
    """What is wrong with the name under which a load balancer is reached, if it has one."""
    if name:
        yield from check_subdomain(name, path)
        if sloppy_address(name) is not None:
            yield invalid(path, name, "must be a DNS name, not an IP address")
