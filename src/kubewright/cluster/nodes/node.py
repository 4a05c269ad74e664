"""Nodes that are none: what they say of themselves. Pure.

They have more than anybody asks for, unless told otherwise, so that what is scheduled does not depend on the machine.
A server reaches the kubelet of a node under its first address that it prefers, the host name: that is this machine's
loopback, and the port of the one endpoint that answers for all nodes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kubewright.cluster.nodes.moments import spell_moment
from kubewright.version import KUBERNETES

__all__ = ["LEASE_LASTS", "MOST_NODES", "Shape", "make_lease", "make_node", "node_name", "node_status"]

Document = dict[str, Any]

#: So many there may be.
MOST_NODES: Final = 10_000
#: Seconds for which a lease is good.
LEASE_LASTS: Final = 40
#: Whoever has this speaks WebSocket with clients itself, and the server hands their connections on as they are.
_FEATURES: Final = ["ExtendWebSocketsToKubelet"]
_CONDITIONS: Final = (
    ("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    ("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    ("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    ("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
)
#: Nodes have addresses from here on, and so many pods each that they need a network of sixteen bits.
_HOSTS: Final = "172.30"
_PODS: Final = 10, 128
_MOST: Final = 126


@dataclass(frozen=True)
class Shape:
    """What a node has and is called by."""

    cpu: str = "4096"
    memory: str = "16Ti"
    pods: str = "50000"
    storage: str = "64Ti"
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[Mapping[str, str], ...] = ()

    @property
    def amounts(self) -> dict[str, str]:
        """As capacity is written."""
        return {"cpu": self.cpu, "memory": self.memory, "pods": self.pods, "ephemeral-storage": self.storage}


def node_name(index: int) -> str:
    """Of the nodes from 0 on."""
    return f"node-{index}"


def host_address(index: int) -> str:
    """Of a node."""
    return f"{_HOSTS}.{(index + 2) // 256}.{(index + 2) % 256}"


def pod_network(index: int) -> str:
    """The addresses of a node's pods."""
    first, second = _PODS
    return f"{first}.{second + index % _MOST}.0.0/16"


def make_node(index: int, shape: Shape) -> Document:
    """A node as it registers."""
    name = node_name(index)
    labels = {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "beta.kubernetes.io/arch": "amd64",
        "type": "kubewright",
        **shape.labels,
    }
    network = pod_network(index)
    spec: Document = {"podCIDR": network, "podCIDRs": [network], "providerID": f"kubewright://{name}"}
    if shape.taints:
        spec["taints"] = [dict(taint) for taint in shape.taints]
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": spec}


def node_status(index: int, shape: Shape, now: float, port: int) -> Document:
    """The status of a node that is ready. `port` is that of the kubelet endpoint; 0 if there is none."""
    moment = spell_moment(now)
    status: Document = {
        "capacity": shape.amounts,
        "allocatable": shape.amounts,
        "addresses": [
            {"type": "InternalIP", "address": host_address(index)},
            {"type": "Hostname", "address": "localhost"},
        ],
        "conditions": [
            {
                "type": kind,
                "status": status,
                "lastHeartbeatTime": moment,
                "lastTransitionTime": moment,
                "reason": reason,
                "message": message,
            }
            for kind, status, reason, message in _CONDITIONS
        ],
        "nodeInfo": {
            "machineID": "",
            "systemUUID": "",
            "bootID": "",
            "kernelVersion": "",
            "osImage": "kubewright",
            "containerRuntimeVersion": "kubewright://",
            "kubeletVersion": f"v{KUBERNETES}",
            "kubeProxyVersion": "",
            "operatingSystem": "linux",
            "architecture": "amd64",
        },
        "declaredFeatures": _FEATURES,
    }
    if port:
        status["daemonEndpoints"] = {"kubeletEndpoint": {"Port": port}}
    return status


def make_lease(name: str, uid: str, moment: str) -> Document:
    """The lease of a node, which belongs to it."""
    owner = {"apiVersion": "v1", "kind": "Node", "name": name, "uid": uid}
    return {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": name, "ownerReferences": [owner]},
        "spec": {"holderIdentity": name, "leaseDurationSeconds": LEASE_LASTS, "renewTime": moment},
    }
