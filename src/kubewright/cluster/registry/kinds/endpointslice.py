"""EndpointSlices: addresses behind a service, of one type, some at a time."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.service.judge import PROTOCOLS
from kubewright.cluster.registry.rules.addresses import address_warnings, check_address, sloppy_address
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.labels import check_key, check_labels, check_value
from kubewright.cluster.registry.rules.names import check_label, check_subdomain
from kubewright.cluster.registry.rules.ranges import check_destination
from kubewright.schema.walk.errors import FieldError, duplicate, invalid, not_supported, required, too_many
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import namespace_name, subdomain

__all__ = ["EndpointSliceStrategy"]

Document = dict[str, Any]

_TYPES: Final = ("FQDN", "IPv4", "IPv6")
_ENDPOINTS, _ADDRESSES, _PORTS, _LABELS, _HINTS = 1000, 100, 20000, 16, 8
_HOST: Final = "kubernetes.io/hostname"
_MANAGER: Final = "endpointslice.kubernetes.io/managed-by"
#: Whose addresses are known to be in order.
_CONTROLLERS: Final = ("endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io")


class EndpointSliceStrategy(PlainStrategy):
    """What is particular to slices of endpoints."""

    def default(self, obj: Document) -> None:
        for port in obj.get("ports") or ():
            port.setdefault("name", "")
            port.setdefault("protocol", "TCP")

    def prepare_create(self, obj: Document) -> None:
        super().prepare_create(obj)
        _drop_topology(obj, None)

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        if (obj["metadata"].get("labels") or {}) != (old["metadata"].get("labels") or {}):
            obj["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1
        _drop_topology(obj, old)

    def check(self, obj: Document) -> list[FieldError]:
        return [*_head(obj), *_endpoints(obj)]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = [*self.check_meta(obj), *_head(obj)]
        if not same(obj.get("endpoints"), old.get("endpoints")):
            errors += _endpoints(obj)
        if obj["addressType"] != old["addressType"]:
            errors.append(invalid("addressType", obj["addressType"], "field is immutable"))
        return errors

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        found = []
        if old is None and obj["addressType"] == "FQDN":
            found.append("spec.addressType: FQDN endpoints are deprecated")
        if (obj["metadata"].get("labels") or {}).get(_MANAGER) in _CONTROLLERS:
            return found
        for index, endpoint in enumerate(obj.get("endpoints") or ()):
            for at, address in enumerate(endpoint["addresses"] or ()):
                found += address_warnings(address, f"endpoints[{index}].addresses[{at}]")
        return found


def _drop_topology(obj: Document, old: Document | None) -> None:
    """In this version topology is only read; of it, the name of a node that was known has a field of its own."""
    before: list[Document] = (old or {}).get("endpoints") or []
    if old is not None and same(obj.get("endpoints"), before):
        return
    known = {(endpoint.get("deprecatedTopology") or {}).get(_HOST) for endpoint in before} - {None, ""}
    for endpoint in obj.get("endpoints") or ():
        topology = endpoint.pop("deprecatedTopology", None) or {}
        node: str = topology.get(_HOST, "")
        if "nodeName" not in endpoint and node in known and not subdomain(node):
            endpoint["nodeName"] = node


def _head(obj: Document) -> Iterator[FieldError]:
    kind = obj["addressType"]
    if not kind:
        yield required("addressType")
    elif kind not in _TYPES:
        yield not_supported("addressType", kind, _TYPES)
    ports: list[Document] = obj.get("ports") or []
    if len(ports) > _PORTS:
        yield too_many("ports", len(ports), _PORTS)
        return
    seen: set[str] = set()
    for index, port in enumerate(ports):
        path, name = f"ports[{index}]", port["name"]
        if name:
            yield from check_label(name, f"{path}.name")
        if name in seen:
            yield duplicate(f"{path}.name", name)
        seen.add(name)
        if port["protocol"] not in PROTOCOLS:
            yield not_supported(f"{path}.protocol", port["protocol"], PROTOCOLS)
        if (protocol := port.get("appProtocol")) is not None:
            yield from check_key(protocol, f"{path}.appProtocol")


def _endpoints(obj: Document) -> Iterator[FieldError]:
    endpoints: list[Document] = obj.get("endpoints") or []
    if len(endpoints) > _ENDPOINTS:
        yield too_many("endpoints", len(endpoints), _ENDPOINTS)
        return
    for index, endpoint in enumerate(endpoints):
        yield from _endpoint(endpoint, obj["addressType"], f"endpoints[{index}]")


def _endpoint(endpoint: Document, kind: str, path: str) -> Iterator[FieldError]:
    addresses: Sequence[str] = endpoint["addresses"] or ()
    if not addresses:
        yield required(f"{path}.addresses", "must contain at least 1 address")
    elif len(addresses) > _ADDRESSES:
        yield too_many(f"{path}.addresses", len(addresses), _ADDRESSES)
    for index, address in enumerate(addresses):
        yield from _address(address, kind, f"{path}.addresses", index)
    if (node := endpoint.get("nodeName")) is not None:
        yield from check_subdomain(node, f"{path}.nodeName")
    topology: dict[str, str] = endpoint.get("deprecatedTopology") or {}
    if len(topology) > _LABELS:
        yield too_many(f"{path}.deprecatedTopology", len(topology), _LABELS)
    yield from check_labels(topology, f"{path}.deprecatedTopology")
    if (host := endpoint.get("hostname")) is not None:
        yield from check_label(host, f"{path}.hostname")
    if hints := endpoint.get("hints"):
        yield from _hints(hints, f"{path}.hints")


def _address(address: str, kind: str, path: str, index: int) -> Iterator[FieldError]:
    place = f"{path}[{index}]"
    if kind == "FQDN":
        yield from _domain(address, place)
    elif kind in ("IPv4", "IPv6"):
        errors = [*check_address(address, place)]
        found = sloppy_address(address)
        if not errors and kind == "IPv6" and address != str(found):
            errors.append(invalid(place, address, f"must be in canonical form ({quote(str(found))})"))
        if not errors:
            if found is not None and f"IPv{found.version}" != kind:
                errors.append(invalid(path, address, f"must be an {kind} address"))
            errors += check_destination(address, place)
        yield from errors


def _domain(name: str, path: str) -> Iterator[FieldError]:
    if not name:
        yield required(path)
        return
    name = name.removesuffix(".")
    parts = name.split(".")
    if complaints := subdomain(name):
        yield invalid(path, name, ",".join(complaints))
    elif len(parts) < 2:
        yield invalid(path, name, "should be a domain with at least two segments separated by dots")
    else:
        bad = next((part for part in parts if namespace_name(part)), None)
        if bad is not None:
            yield invalid(path, bad, ",".join(namespace_name(bad)))


def _hints(hints: Document, path: str) -> Iterator[FieldError]:
    for list_name, rule in (("forZones", check_value), ("forNodes", check_subdomain)):
        listed: list[Document] = hints.get(list_name) or []
        if len(listed) > _HINTS:
            yield too_many(f"{path}.{list_name}", len(listed), _HINTS)
            return
        seen: set[str] = set()
        for index, each in enumerate(listed):
            place, name = f"{path}.{list_name}[{index}].name", each["name"]
            if name in seen:
                yield duplicate(place, name)
            seen.add(name)
            yield from rule(name, place)
