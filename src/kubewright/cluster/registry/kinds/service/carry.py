"""What an update keeps though the client left it out, and what goes with the type that needed it.

The fields of a service hang together: whoever changes one seldom means to say something of the others. So what the
server gave (addresses, node ports) stays if nothing is said of it, and goes if the new type has no use for it, unless
the client changed it as well: then it is told off.
"""

from kubewright.cluster.registry.kinds.service.form import (
    Document,
    has_health_check,
    is_balanced,
    is_external,
    is_reachable,
    node_ports,
)

__all__ = ["drop_useless", "keep_given", "match_addresses"]


def keep_given(spec: Document, old: Document) -> None:
    """Keep what was given, where nothing is said of it."""
    if not is_external(old) and not is_external(spec):
        if not spec.get("clusterIP") and old.get("clusterIP"):
            spec["clusterIP"] = old["clusterIP"]
        if not spec.get("clusterIPs") and old.get("clusterIPs"):
            spec["clusterIPs"] = [*old["clusterIPs"]]
    if _gets_node_ports(old) and _gets_node_ports(spec):
        used = {*node_ports(old)} & {*node_ports(spec)}
        by_name = {port.get("name", ""): port.get("nodePort", 0) for port in old.get("ports") or ()}
        for port in spec.get("ports") or ():
            before = by_name.get(port.get("name", ""), 0)
            if not port.get("nodePort") and before and before not in used:
                port["nodePort"] = before
    if has_health_check(old) and has_health_check(spec) and not spec.get("healthCheckNodePort"):
        _move(spec, old, "healthCheckNodePort")


def _gets_node_ports(spec: Document) -> bool:
    return spec.get("type") == "NodePort" or (is_balanced(spec) and spec.get("allocateLoadBalancerNodePorts", True))


def _move(spec: Document, old: Document, name: str) -> None:
    if old.get(name):
        spec[name] = old[name]


def match_addresses(spec: Document, old: Document | None) -> None:
    """Make the list of addresses match the first one, which alone older clients know."""
    first, several = spec.get("clusterIP", ""), spec.get("clusterIPs") or []
    if old is None:
        if first and not several:
            spec["clusterIPs"] = [first]
        return
    first_before, before = old.get("clusterIP", ""), old.get("clusterIPs") or []
    if before and not several and first_before == first:
        several = spec["clusterIPs"] = [*before]
    if first_before != first and several == before:
        if first:
            spec["clusterIPs"] = [first]
        else:
            spec.pop("clusterIPs", None)


def drop_useless(spec: Document, old: Document) -> None:
    """Drop what the type before needed and the new one does not, where the client did not change it."""
    if not is_external(old) and is_external(spec):
        if _same(spec, old, "clusterIP") and _same(spec, old, "clusterIPs"):
            _drop(spec, "clusterIP", "clusterIPs")
        for name in ("ipFamilies", "ipFamilyPolicy"):
            if _same(spec, old, name):
                _drop(spec, name)
    noded = ("LoadBalancer", "NodePort")
    if old.get("type") in noded and spec.get("type") not in noded and {*node_ports(spec)} <= {*node_ports(old)}:
        for port in spec.get("ports") or ():
            port.pop("nodePort", None)
    if has_health_check(old) and not has_health_check(spec) and _same(spec, old, "healthCheckNodePort"):
        _drop(spec, "healthCheckNodePort")
    if is_balanced(old) and not is_balanced(spec):
        for name in ("allocateLoadBalancerNodePorts", "loadBalancerClass"):
            if _same(spec, old, name):
                _drop(spec, name)
    if is_reachable(old) and not is_reachable(spec) and _same(spec, old, "externalTrafficPolicy"):
        _drop(spec, "externalTrafficPolicy")


def _same(spec: Document, old: Document, name: str) -> bool:
    return (spec.get(name) or None) == (old.get(name) or None)


def _drop(spec: Document, *names: str) -> None:
    for name in names:
        spec.pop(name, None)
