"""The order of ports and subsets: kube-controller-manager sorts them by a hash, and so do we, to be compared. Pure.

The hash is FNV-1a, of 128 bits, over the text that Go's `%#v` in go-spew's form makes of a value. So that text is made
here, of the few types that are sorted.
"""

from collections.abc import Iterable
from typing import Any, Final

__all__ = ["port_order", "sort_ports", "sort_subsets"]

Document = dict[str, Any]

_OFFSET: Final = 0x6C62272E07BB014262B821756295C58D
_PRIME: Final = 0x0000000001000000000000000000013B
_MASK: Final = (1 << 128) - 1


def _hash(text: str) -> bytes:
    value = _OFFSET
    for byte in text.encode():
        value = (value ^ byte) * _PRIME & _MASK
    return value.to_bytes(16, "big")


def port_order(port: Document) -> bytes:
    """Where a port of a slice comes."""
    application = port.get("appProtocol", "<nil>")
    return _hash(
        f"(v1.EndpointPort){{Name:(*string){port['name']} Protocol:(*v1.Protocol){port['protocol']} "
        f"Port:(*int32){port['port']} AppProtocol:(*string){application}}}"
    )


def sort_ports(ports: list[Document]) -> list[Document]:
    """The ports of a subset, sorted."""
    return sorted(ports, key=lambda port: _hash(f"(v1.EndpointPort){_port(port)}")) if len(ports) > 1 else ports


def sort_subsets(subsets: list[Document]) -> list[Document]:
    """The subsets of Endpoints, sorted; what they have is so already."""
    return sorted(subsets, key=lambda subset: _hash(_subset(subset))) if len(subsets) > 1 else subsets


def _port(port: Document) -> str:
    return (
        f"{{Name:(string){port.get('name', '')} Port:(int32){port['port']} Protocol:(v1.Protocol){port['protocol']} "
        f"AppProtocol:(*string){port.get('appProtocol', '<nil>')}}}"
    )


def _subset(subset: Document) -> str:
    ready = _list("v1.EndpointAddress", map(_address, subset.get("addresses", ())))
    unready = _list("v1.EndpointAddress", map(_address, subset.get("notReadyAddresses", ())))
    ports = _list("v1.EndpointPort", map(_port, subset.get("ports", ())))
    return f"(v1.EndpointSubset){{Addresses:{ready} NotReadyAddresses:{unready} Ports:{ports}}}"


def _list(kind: str, values: Iterable[str]) -> str:
    texts = " ".join(values)
    return f"([]{kind})[{texts}]" if texts else f"([]{kind})<nil>"


def _address(address: Document) -> str:
    target = address["targetRef"]
    return (
        f"{{IP:(string){address['ip']} Hostname:(string){address.get('hostname', '')} "
        f"NodeName:(*string){address.get('nodeName', '<nil>')} TargetRef:(*v1.ObjectReference){{"
        f"Kind:(string){target['kind']} Namespace:(string){target['namespace']} Name:(string){target['name']} "
        f"UID:(types.UID){target['uid']} APIVersion:(string) ResourceVersion:(string) FieldPath:(string)}}}}"
    )
