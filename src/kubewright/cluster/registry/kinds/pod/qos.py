"""How well a pod is served when a node runs short: guaranteed, burstable, or by what is left."""

from typing import Any, Final

from kubewright.cluster.registry.rules.quantities import quantity
from kubewright.model.quantity import Quantity

__all__ = ["quality"]

Document = dict[str, Any]
Amounts = dict[str, Quantity]

_COUNTED: Final = ("cpu", "memory")


def quality(spec: Document) -> str:
    """The class of a pod: what it says as a whole counts, or else what its containers say."""
    requests: Amounts = {}
    limits: Amounts = {}
    if (whole := spec.get("resources")) is not None:
        _add(requests, whole.get("requests"))
        guaranteed = not whole.get("limits") or _add(limits, whole["limits"]) == 2
    else:
        guaranteed = True
        for container in (*(spec.get("containers") or ()), *(spec.get("initContainers") or ())):
            _add(requests, container["resources"].get("requests"))
            if _add(limits, container["resources"].get("limits")) != 2:
                guaranteed = False
    if not requests and not limits:
        return "BestEffort"
    return "Guaranteed" if guaranteed and requests == limits else "Burstable"


def _add(to: Amounts, amounts: dict[str, str] | None) -> int:
    """Add what counts and is more than nothing, and say of how many resources there is any."""
    found = 0
    for name in _COUNTED if amounts else ():
        amount = quantity((amounts or {}).get(name, "0"))
        if amount > 0:
            to[name] = to[name] + amount if name in to else amount
            found += 1
    return found
