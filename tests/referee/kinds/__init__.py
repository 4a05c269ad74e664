"""The kinds of which requests are drawn."""

from tests.referee.kinds import coordination, core, custom, network, pod, rbac, workloads
from tests.referee.kinds.kind import Kind

__all__ = ["KINDS", "Kind"]

KINDS: dict[str, Kind] = {
    name: kind
    for module in (core, custom, coordination, network, workloads, pod, rbac)
    for name, kind in module.KINDS.items()
}
