"""A pod's priority is a number, which its class says; the class may be left to the one that is the default."""

from typing import Any

import msgspec

from kubewright.cluster.admission.chain import refused
from kubewright.cluster.call import Call

__all__ = ["check_default", "give_priority"]

Document = dict[str, Any]

_CLASSES = "/priorityclasses.scheduling.k8s.io/"


def give_priority(call: Call, pod: Document, old: Document | None) -> None:
    """Set the priority of a pod by its class; an old one keeps what it has."""
    spec = pod["spec"]
    if old is not None:
        for name in ("priority", "preemptionPolicy"):
            if name in old["spec"]:
                spec.setdefault(name, old["spec"][name])
        return
    found = _class(call, pod)
    if found is not None:
        spec["priorityClassName"] = found["metadata"]["name"]
    priority = found.get("value", 0) if found is not None else 0
    given = spec.setdefault("priority", priority)
    if given != priority:
        raise refused(call, pod, _told("integer", "priority", given, priority))
    policy = found.get("preemptionPolicy") if found is not None else "PreemptLowerPriority"
    if policy is None:
        return
    given = spec.setdefault("preemptionPolicy", policy)
    if given != policy:
        raise refused(call, pod, _told("string", "PreemptionPolicy", given, policy))


def check_default(call: Call, new: Document, old: Document | None) -> None:
    """There is at most one class that is the default."""
    if not new.get("globalDefault"):
        return
    there = _default(call)
    if there is not None and (old is None or there["metadata"]["name"] != new["metadata"]["name"]):
        name = there["metadata"]["name"]
        raise refused(call, new, f"PriorityClass {name} is already marked as default. Only one default can exist")


def _told(kind: str, field: str, given: object, computed: object) -> str:
    return (
        f"the {kind} value of {field} ({given}) must not be provided in pod spec; "
        f"priority admission controller computed {computed} from the given PriorityClass name"
    )


def _class(call: Call, pod: Document) -> Document | None:
    name = pod["spec"].get("priorityClassName")
    if not name:
        return _default(call)
    record = call.api.store.get(_CLASSES + name)
    if record is None or record.value is None:
        raise refused(call, pod, f"no PriorityClass with name {name} was found")
    found: Document = msgspec.json.decode(record.value)
    return found


def _default(call: Call) -> Document | None:
    """The class that is the default, and of several the lowest."""
    values = [record.value for record in call.api.store.list(_CLASSES).records if record.value]
    found = [msgspec.json.decode(value) for value in values if b'"globalDefault":true' in value]
    return min(found, key=lambda each: int(each["value"]), default=None)
