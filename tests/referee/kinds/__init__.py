"""The kinds of which requests are drawn."""

from tests.referee.kinds import (
    coordination,
    core,
    custom,
    network,
    nodes,
    pod,
    policy,
    rbac,
    registration,
    statuses,
    storage,
    workloads,
)
from tests.referee.kinds.kind import Kind

__all__ = ["KINDS", "Kind"]

KINDS: dict[str, Kind] = {
    name: kind._replace(status=statuses.STATUSES.get(name, {}))
    for module in (core, custom, coordination, network, storage, nodes, workloads, policy, pod, rbac, registration)
    for name, kind in module.KINDS.items()
}
