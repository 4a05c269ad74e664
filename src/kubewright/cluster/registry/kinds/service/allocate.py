"""Which addresses and node ports one write of a service takes and gives back."""

from kubewright.cluster.registry.kinds.service.families import choose_families, is_settled
from kubewright.cluster.registry.kinds.service.form import (
    Document,
    has_health_check,
    is_external,
    is_headless,
    node_ports,
)
from kubewright.cluster.registry.kinds.service.pools import Addresses, NodePorts, Refused, Taken
from kubewright.cluster.registry.rules.addresses import sloppy_address
from kubewright.cluster.wire.status import Failure, Target, broken, internal
from kubewright.cluster.wire.status import invalid as invalid_object
from kubewright.schema.walk.errors import FieldError, invalid

__all__ = ["allocate", "release"]

_NODED = ("LoadBalancer", "NodePort")


def allocate(obj: Document, old: Document | None, taken: Taken) -> None:
    """Fill in, in place, the addresses and node ports of a service that is made, or replaces `old`."""
    spec, before = obj["spec"], old["spec"] if old is not None else None
    name = obj["metadata"].get("name", "")
    if errors := choose_families(spec, before):
        raise _refusal(name, *errors)
    namespace = obj["metadata"].get("namespace", "")
    addresses, ports = Addresses(taken, namespace, name), NodePorts(taken, namespace, name)
    _change_addresses(name, spec, before, addresses)
    if spec.get("type") in _NODED:
        if before is None:
            _new_ports(name, spec, ports)
        else:
            _change_ports(name, spec, before, ports)
    elif before is not None and before.get("type") in _NODED:
        for port in node_ports(before):
            ports.give_back(port)
    _change_health_check(spec, before, ports)


def release(obj: Document, taken: Taken) -> None:
    """Give back all that a service has."""
    spec, addresses, ports = obj["spec"], Addresses(taken, "", ""), NodePorts(taken, "", "")
    for address in spec.get("clusterIPs") or ():
        addresses.give_back(address)
    for port in node_ports(spec):
        ports.give_back(port)
    if has_health_check(spec) and (port := spec.get("healthCheckNodePort")):
        ports.give_back(port)


def _refusal(name: str, *errors: FieldError) -> Failure:
    return invalid_object(Target("", "services", "Service", name), list(errors))


# -- addresses


def _change_addresses(name: str, spec: Document, old: Document | None, addresses: Addresses) -> None:
    if is_settled(spec, old):
        return
    if old is None or is_external(old):
        if not is_external(spec) and not is_headless(spec):
            _take_addresses(name, spec, addresses)
    elif is_external(spec) and not is_headless(old):
        for address in old.get("clusterIPs") or ():
            addresses.give_back(address)


def _take_addresses(name: str, spec: Document, addresses: Addresses) -> None:
    """Take what is asked for, or what is free. There is one family, so there is one address."""
    given: list[str] = [*(spec.get("clusterIPs") or [""])]
    wanted = given[0]
    try:
        if wanted:
            found = sloppy_address(wanted)
            assert found is not None, "addresses were checked when the families were chosen"
            addresses.take(found)
        else:
            spec["clusterIP"] = given[0] = addresses.take_any()
            spec["clusterIPs"] = given
    except Refused as why:
        if wanted:
            error = invalid("spec.clusterIPs", given, f"failed to allocate IP {wanted}: {why}")
            raise _refusal(name, error) from None
        raise internal(f'failed to allocate a serviceIP for Service "{name}": {why}') from None


# -- ports


def _new_ports(name: str, spec: Document, ports: NodePorts) -> None:
    """Ports of one number share a node port, whatever their protocols."""
    chosen: dict[int, int] = {}
    listed: list[Document] = spec.get("ports") or []
    for index, port in enumerate(listed):
        asked = port.get("nodePort", 0)
        if not asked and not _wants_ports(spec):
            continue
        number = port.get("port", 0)
        if number not in chosen:
            wish = next((each["nodePort"] for each in listed if each.get("port", 0) == number and _noded(each)), 0)
            if wish:
                _take_port(name, index, wish, ports)
            chosen[number] = port["nodePort"] = wish or _any_port(ports)
        elif not asked:
            port["nodePort"] = chosen[number]
        elif asked != chosen[number]:
            _take_port(name, index, asked, ports)


def _change_ports(name: str, spec: Document, old: Document, ports: NodePorts) -> None:
    before = node_ports(old)
    seen: set[tuple[str, int]] = set()
    taken: set[int] = set()
    for index, port in enumerate(spec.get("ports") or ()):
        asked = port.get("nodePort", 0)
        if not asked and not _wants_ports(spec):
            continue
        if not asked:
            port["nodePort"] = asked = _any_port(ports)
        elif asked not in before and asked not in taken:
            _take_port(name, index, asked, ports)
            taken.add(asked)
        protocol = port.get("protocol", "")
        if (protocol, asked) in seen:
            raise broken(f"duplicate nodePort: {{{protocol} {asked}}}")
        seen.add((protocol, asked))
    now = node_ports(spec)
    for port in before:
        if port not in now:
            ports.give_back(port)


def _change_health_check(spec: Document, old: Document | None, ports: NodePorts) -> None:
    needed = old is not None and has_health_check(old)
    if has_health_check(spec) and not needed:
        wanted = spec.get("healthCheckNodePort", 0)
        try:
            if wanted:
                ports.take(wanted)
            else:
                spec["healthCheckNodePort"] = ports.take_any()
        except Refused as why:
            what = f"requested HealthCheck NodePort {wanted}" if wanted else "a HealthCheck NodePort 0"
            raise internal(f"failed to allocate {what}: {why}") from None
    elif needed and old is not None and not has_health_check(spec) and old.get("healthCheckNodePort"):
        ports.give_back(old["healthCheckNodePort"])


def _wants_ports(spec: Document) -> bool:
    return spec.get("type") == "NodePort" or bool(spec.get("allocateLoadBalancerNodePorts", True))


def _noded(port: Document) -> bool:
    return bool(port.get("nodePort"))


def _take_port(name: str, index: int, port: int, ports: NodePorts) -> None:
    try:
        ports.take(port)
    except Refused as why:
        raise _refusal(name, invalid(f"spec.ports[{index}].nodePort", port, str(why))) from None


def _any_port(ports: NodePorts) -> int:
    try:
        return ports.take_any()
    except Refused as why:
        raise internal(f"failed to allocate a nodePort: {why}") from None
