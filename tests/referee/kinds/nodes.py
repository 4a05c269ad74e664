"""Nodes."""

from tests.referee.kinds.kind import META, Kind, kind

__all__ = ["KINDS"]

KINDS: dict[str, Kind] = {
    "Node": kind(
        "/api/v1/nodes",
        "v1",
        "Node",
        cluster=True,
        metadata=META | {"labels": {"node-role.kubernetes.io/worker": ""}},
        spec={
            "podCIDR": "10.1.0.0/24",
            "podCIDRs": ["10.1.0.0/24"],
            "providerID": "x://y",
            "unschedulable": True,
            "taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}],
        },
        status={
            "capacity": {"cpu": "4", "memory": "8Gi", "pods": "110"},
            "conditions": [{"type": "Ready", "status": "True", "reason": "r", "message": "m"}],
            "addresses": [{"type": "InternalIP", "address": "10.1.0.1"}],
            "nodeInfo": {"kubeletVersion": "v1.36.3", "osImage": "o", "kernelVersion": "k", "architecture": "amd64"},
        },
        variants=({}, {"spec": {"podCIDRs": ["10.1.0.0/24", "2001:db8::/64"]}}, {"spec": {"externalID": "x"}}),
    ),
}
