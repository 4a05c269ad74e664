"""Services, pods and nodes for tests of what is pure."""

from typing import Any

from kubewright.k8s.core.v1 import Node, Pod, Service
from kubewright.model.codec import from_dict

__all__ = ["make_node", "make_pod", "make_service"]

PORTS = [{"name": "http", "port": 80, "targetPort": "http", "protocol": "TCP"}]


def make_service(name: str = "web", labels: dict[str, str] | None = None, uid: str = "s", **spec: Any) -> Service:
    """A Service as the server has it."""
    whole = {"selector": {"app": "web"}, "clusterIP": "10.0.0.7", "ipFamilies": ["IPv4"], "ports": PORTS, **spec}
    meta = {"name": name, "namespace": "default", "uid": uid, "labels": labels or {}}
    return from_dict({"metadata": meta, "spec": whole}, Service)


def make_pod(
    name: str,
    *ips: str,
    ready: bool = True,
    deleted: bool = False,
    phase: str = "Running",
    port: int = 8080,
    node: str = "n1",
    since: str = "2026-01-01T12:00:00Z",
    **spec: Any,
) -> Pod:
    """A pod that runs at these addresses."""
    container = {"name": "main", "ports": [{"name": "http", "containerPort": port, "protocol": "TCP"}]}
    meta: dict[str, Any] = {"name": name, "namespace": "default", "uid": f"uid-{name}", "labels": {"app": "web"}}
    if deleted:
        meta["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    status = {
        "phase": phase,
        "podIPs": [{"ip": ip} for ip in ips],
        "conditions": [{"type": "Ready", "status": "True" if ready else "False", "lastTransitionTime": since}],
    }
    whole = {"containers": [container], "nodeName": node, **spec}
    return from_dict({"metadata": meta, "spec": whole, "status": status}, Pod)


def make_node(zone: str = "") -> Node:
    """A node, in a zone if one is given."""
    labels = {"topology.kubernetes.io/zone": zone} if zone else {}
    return from_dict({"metadata": {"name": "n1", "labels": labels}}, Node)
