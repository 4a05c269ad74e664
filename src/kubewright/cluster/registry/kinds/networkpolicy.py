"""NetworkPolicies: who may talk to whom."""

from collections.abc import Container, Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.rules.labels import check_selector
from kubewright.cluster.registry.rules.numbers import check_port, check_range
from kubewright.cluster.registry.rules.ranges import check_range_of_addresses, range_warnings, sloppy_range
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported, required

__all__ = ["NetworkPolicyStrategy"]

Document = dict[str, Any]

#: A direction, as its rules are listed, and where traffic comes from or goes to.
_DIRECTIONS: Final = (("ingress", "from"), ("egress", "to"))
_TYPES: Final = ("Ingress", "Egress")
#: In the order in which they are told.
_PROTOCOLS: Final = ("TCP", "UDP", "SCTP")


class NetworkPolicyStrategy(PlainStrategy):
    """What is particular to policies of a network."""

    def default(self, obj: Document) -> None:
        spec = obj["spec"]
        if not spec.get("policyTypes"):
            spec["policyTypes"] = ["Ingress", "Egress"] if spec.get("egress") else ["Ingress"]
        for direction, _ in _DIRECTIONS:
            for rule in spec.get(direction) or ():
                for port in rule.get("ports") or ():
                    port.setdefault("protocol", "TCP")

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj["spec"], ())]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        kept = {text for _, block in _blocks(old["spec"]) for text in (block["cidr"], *(block.get("except") or ()))}
        return [*self.check_meta_update(obj, old), *_check(obj["spec"], kept)]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        found: list[str] = []
        for path, block in _blocks(obj["spec"]):
            found += range_warnings(block["cidr"], f"{path}.cidr")
            for index, text in enumerate(block.get("except") or ()):
                found += range_warnings(text, f"{path}.except[{index}]")
        return found


def _blocks(spec: Document) -> Iterator[tuple[str, Document]]:
    """Every range of addresses, and where it stands."""
    for direction, side in _DIRECTIONS:
        for index, rule in enumerate(spec.get(direction) or ()):
            for at, peer in enumerate(rule.get(side) or ()):
                if (block := peer.get("ipBlock")) is not None:
                    yield f"spec.{direction}[{index}].{side}[{at}].ipBlock", block


def _check(spec: Document, kept: Container[str]) -> Iterator[FieldError]:
    yield from check_selector(spec.get("podSelector"), "spec.podSelector")
    for direction, side in _DIRECTIONS:
        for index, rule in enumerate(spec.get(direction) or ()):
            path = f"spec.{direction}[{index}]"
            for at, port in enumerate(rule.get("ports") or ()):
                yield from _port(port, f"{path}.ports[{at}]")
            for at, peer in enumerate(rule.get(side) or ()):
                yield from _peer(peer, f"{path}.{side}[{at}]", kept)
    types: list[str] = spec.get("policyTypes") or []
    if len(types) > len(_TYPES):
        yield invalid("spec.policyTypes", types, "may not specify more than two policyTypes")
        return
    for index, name in enumerate(types):
        if name not in _TYPES:
            yield not_supported(f"spec.policyTypes[{index}]", name, _TYPES)


def _port(port: Document, path: str) -> Iterator[FieldError]:
    if port["protocol"] not in _PROTOCOLS:
        yield not_supported(f"{path}.protocol", port["protocol"], _PROTOCOLS)
    first, last = port.get("port"), port.get("endPort")
    if first is None:
        if last is not None:
            yield invalid(f"{path}.endPort", last, "may not be specified when `port` is not specified")
        return
    if isinstance(first, str) and last is not None:
        yield invalid(f"{path}.endPort", last, "may not be specified when `port` is non-numeric")
    yield from check_port(first, f"{path}.port")
    if isinstance(first, int) and last is not None:
        if last < first:
            yield invalid(f"{path}.endPort", first, "must be greater than or equal to `port`")
        yield from check_range(last, f"{path}.endPort", 1, 65535)


def _peer(peer: Document, path: str, kept: Container[str]) -> Iterator[FieldError]:
    given = [name for name in ("podSelector", "namespaceSelector", "ipBlock") if peer.get(name) is not None]
    for name in given[:2]:
        if name != "ipBlock":
            yield from check_selector(peer[name], f"{path}.{name}")
    if "ipBlock" in given:
        yield from _block(peer["ipBlock"], f"{path}.ipBlock", kept)
    if not given:
        yield required(path, "must specify a peer")
    elif len(given) > 1 and "ipBlock" in given:
        yield forbidden(path, "may not specify both ipBlock and another peer")


def _block(block: Document, path: str, kept: Container[str]) -> Iterator[FieldError]:
    if not block["cidr"]:
        yield required(f"{path}.cidr")
        return
    yield from check_range_of_addresses(block["cidr"], f"{path}.cidr", kept)
    whole = sloppy_range(block["cidr"])
    if whole is None:
        return
    for index, text in enumerate(block.get("except") or ()):
        place = f"{path}.except[{index}]"
        yield from check_range_of_addresses(text, place, kept)
        part = sloppy_range(text)
        if part is None:
            continue
        inside = part.version == whole.version and part.network_address in whole
        if not inside or whole.prefixlen >= part.prefixlen:
            yield invalid(place, text, "must be a strict subset of `cidr`")
