"""Leases and events."""

from tests.referee.kinds.kind import Kind, kind

__all__ = ["KINDS"]

KINDS: dict[str, Kind] = {
    "Lease": kind(
        "{leases}",
        "coordination.k8s.io/v1",
        "Lease",
        apart={"create": 3, "update": 3, "patch": 3},
        spec={
            "holderIdentity": "me",
            "leaseDurationSeconds": 15,
            "leaseTransitions": 1,
            "acquireTime": "2020-01-01T00:00:00.000000Z",
            "renewTime": "2020-01-01T00:00:00.000000Z",
        },
    ),
    "Event": kind(
        "{events}",
        "v1",
        "Event",
        apart={"create": 8, "update": 11, "patch": 8},
        involvedObject={"kind": "Pod", "name": "p", "namespace": "{ns}", "apiVersion": "v1"},
        reason="Because",
        message="It is so.",
        type="Normal",
        count=1,
        firstTimestamp="2020-01-01T00:00:00Z",
        lastTimestamp="2020-01-01T00:00:00Z",
        source={"component": "me"},
    ),
}
