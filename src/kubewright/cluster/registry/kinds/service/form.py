"""What a service is, read off its type and its fields. All take the spec."""

from typing import Any

__all__ = [
    "Document",
    "has_health_check",
    "is_balanced",
    "is_external",
    "is_headless",
    "is_reachable",
    "node_ports",
]

Document = dict[str, Any]


def is_external(spec: Document) -> bool:
    """Whether it is only a name for something outside."""
    return spec.get("type") == "ExternalName"


def is_balanced(spec: Document) -> bool:
    """Whether a load balancer stands before it."""
    return spec.get("type") == "LoadBalancer"


def is_headless(spec: Document) -> bool:
    """Whether it wants no address."""
    return spec.get("clusterIPs") == ["None"]


def is_reachable(spec: Document) -> bool:
    """Whether it can be reached from outside the cluster."""
    kind = spec.get("type")
    return kind in ("LoadBalancer", "NodePort") or (kind == "ClusterIP" and bool(spec.get("externalIPs")))


def has_health_check(spec: Document) -> bool:
    """Whether a load balancer asks each node whether it has pods of it."""
    return is_balanced(spec) and spec.get("externalTrafficPolicy") == "Local"


def node_ports(spec: Document) -> list[int]:
    """The ports of nodes that it has."""
    return [port["nodePort"] for port in spec.get("ports") or () if port.get("nodePort")]
