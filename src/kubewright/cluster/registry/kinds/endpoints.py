"""Endpoints: addresses behind a service, as clients knew them before there were slices."""

from collections.abc import Iterator
from typing import Any

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.service.judge import PROTOCOLS
from kubewright.cluster.registry.rules.addresses import address_warnings, check_address
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.labels import check_key
from kubewright.cluster.registry.rules.names import check_label, check_subdomain
from kubewright.cluster.registry.rules.numbers import check_range
from kubewright.cluster.registry.rules.ranges import check_destination
from kubewright.schema.walk.errors import FieldError, not_supported, required

__all__ = ["EndpointsStrategy"]

Document = dict[str, Any]

_LISTS = ("addresses", "notReadyAddresses")


class EndpointsStrategy(PlainStrategy):
    """What is particular to endpoints."""

    def default(self, obj: Document) -> None:
        for subset in obj.get("subsets") or ():
            for port in subset.get("ports") or ():
                port["protocol"] = port.get("protocol") or "TCP"

    def check(self, obj: Document) -> list[FieldError]:
        return [
            error
            for index, subset in enumerate(obj.get("subsets") or ())
            for error in _subset(subset, f"subsets[{index}]")
        ]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = [*self.check_meta_update(obj, old), *self.check_meta(obj)]
        # Older servers took more: what nobody changed may stay.
        return errors if same(obj.get("subsets"), old.get("subsets")) else [*errors, *self.check(obj)]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        return [
            warning
            for index, subset in enumerate(obj.get("subsets") or ())
            for name in _LISTS
            for at, address in enumerate(subset.get(name) or ())
            for warning in address_warnings(address["ip"], f"subsets[{index}].{name}[{at}].ip")
        ]


def _subset(subset: Document, path: str) -> Iterator[FieldError]:
    if not any(subset.get(name) for name in _LISTS):
        yield required(path, "must specify `addresses` or `notReadyAddresses`")
    for name in _LISTS:
        for index, address in enumerate(subset.get(name) or ()):
            yield from _address(address, f"{path}.{name}[{index}]")
    ports: list[Document] = subset.get("ports") or []
    for index, port in enumerate(ports):
        yield from _port(port, f"{path}.ports[{index}]", alone=len(ports) == 1)


def _address(address: Document, path: str) -> Iterator[FieldError]:
    yield from check_address(address["ip"], f"{path}.ip")
    if host := address.get("hostname"):
        yield from check_label(host, f"{path}.hostname")
    if (node := address.get("nodeName")) is not None:
        yield from check_subdomain(node, f"{path}.nodeName")
    yield from check_destination(address["ip"], f"{path}.ip")


def _port(port: Document, path: str, *, alone: bool) -> Iterator[FieldError]:
    if name := port.get("name"):
        yield from check_label(name, f"{path}.name")
    elif not alone:
        yield required(f"{path}.name")
    yield from check_range(port.get("port", 0), f"{path}.port", 1, 65535)
    if port["protocol"] not in PROTOCOLS:
        yield not_supported(f"{path}.protocol", port["protocol"], PROTOCOLS)
    if (protocol := port.get("appProtocol")) is not None:
        yield from check_key(protocol, f"{path}.appProtocol")
