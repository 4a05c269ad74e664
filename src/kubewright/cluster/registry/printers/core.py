"""Columns of the core group: what holds configuration, what happens, and nodes."""

from datetime import datetime
from typing import Any, Final

from kubewright.cluster.registry.age import age
from kubewright.cluster.registry.columns import Columns, Document
from kubewright.cluster.registry.printers.lookup import at, created, format_labels, is_true, layout, table

__all__ = ["PRINTERS"]

_ROLE: Final = "node-role.kubernetes.io/"


def _config_map(obj: Document, now: datetime) -> list[Any]:
    return [len(obj.get("data") or ()) + len(obj.get("binaryData") or ()), created(obj, now)]


def _secret(obj: Document, now: datetime) -> list[Any]:
    return [obj.get("type", ""), len(obj.get("data") or ()), created(obj, now)]


def _namespace(obj: Document, now: datetime) -> list[Any]:
    return [at(obj, "status", "phase", default=""), created(obj, now)]


def _age_alone(obj: Document, now: datetime) -> list[Any]:
    return [created(obj, now)]


def _event(obj: Document, now: datetime) -> list[Any]:
    """An event of either group: `events.k8s.io` calls several fields otherwise."""
    about = obj.get("involvedObject") or obj.get("regarding") or {}
    source = obj.get("source") or obj.get("deprecatedSource") or {}
    first = obj.get("firstTimestamp") or obj.get("deprecatedFirstTimestamp") or obj.get("eventTime")
    last = obj.get("lastTimestamp") or obj.get("deprecatedLastTimestamp") or first
    count = obj.get("count") or obj.get("deprecatedCount") or 1
    if (series := obj.get("series")) is not None:
        last, count = series.get("lastObservedTime"), series.get("count", 0)
    kind, name = about.get("kind", "").lower(), about.get("name", "")
    component = source.get("component") or obj.get("reportingComponent") or obj.get("reportingController") or ""
    instance = source.get("host") or obj.get("reportingInstance") or ""
    return [
        age(last, now),
        obj.get("type", ""),
        obj.get("reason", ""),
        f"{kind}/{name}" if name else kind,
        about.get("fieldPath", ""),
        f"{component}, {instance}" if instance else component,
        (obj.get("message") or obj.get("note") or "").strip(),
        age(first, now),
        count,
        at(obj, "metadata", "name", default=""),
    ]


def _node(obj: Document, now: datetime) -> list[Any]:
    conditions = at(obj, "status", "conditions", default=[])
    state = "Unknown"
    if any(each.get("type") == "Ready" for each in conditions):
        state = "Ready" if is_true(conditions, "Ready") else "NotReady"
    if at(obj, "spec", "unschedulable"):
        state += ",SchedulingDisabled"
    labels = at(obj, "metadata", "labels", default={})
    roles = {name.removeprefix(_ROLE) for name in labels if name.startswith(_ROLE)} | {labels.get("kubernetes.io/role")}
    info = at(obj, "status", "nodeInfo", default={})
    kernel = info.get("kernelVersion") or "<unknown>"
    if architecture := info.get("architecture"):
        kernel += f" ({architecture})"
    return [
        state,
        ",".join(sorted(role for role in roles if role)) or "<none>",
        created(obj, now),
        info.get("kubeletVersion", ""),
        _address(obj, "InternalIP"),
        _address(obj, "ExternalIP"),
        info.get("osImage") or "<unknown>",
        kernel,
        info.get("containerRuntimeVersion") or "<unknown>",
    ]


def _address(obj: Document, kind: str) -> str:
    addresses = at(obj, "status", "addresses", default=[])
    return next((each.get("address", "") for each in addresses if each.get("type") == kind), "<none>")


def _pod_template(obj: Document, now: datetime) -> list[Any]:
    containers = at(obj, "template", "spec", "containers")
    return [*layout(containers), format_labels(at(obj, "template", "metadata", "labels", default={}))]


def _resource_quota(obj: Document, now: datetime) -> list[Any]:
    hard, used = at(obj, "status", "hard", default={}), at(obj, "status", "used", default={})
    texts = {name: f"{name}: {used.get(name, '0')}/{hard[name]}" for name in sorted(hard)}
    limits = [text for name, text in texts.items() if name.startswith("limits.")]
    return [", ".join(text for text in texts.values() if text not in limits), ", ".join(limits), created(obj, now)]


def _component_status(obj: Document, now: datetime) -> list[Any]:
    healthy = next((each for each in obj.get("conditions") or () if each.get("type") == "Healthy"), None)
    if healthy is None:
        return ["Unknown", "", ""]
    state = "Healthy" if healthy.get("status") == "True" else "Unhealthy"
    return [state, healthy.get("message", ""), healthy.get("error", "")]


_EVENTS: Final = table(
    "Last Seen, Type, Reason, Object, +Subobject, +Source, Message, +First Seen, +Count, +Name", _event, own_name=True
)
_NODES: Final = table(
    "Status, Roles, Age, Version, +Internal-IP, +External-IP, +OS-Image, +Kernel-Version, +Container-Runtime", _node
)
PRINTERS: Final[dict[tuple[str, str], Columns]] = {
    ("", "ComponentStatus"): table("Status, Message, Error", _component_status),
    ("", "ConfigMap"): table("Data, Age", _config_map),
    ("", "Event"): _EVENTS,
    ("", "Namespace"): table("Status, Age", _namespace),
    ("", "Node"): _NODES,
    ("", "PodTemplate"): table("Containers, Images, Pod Labels", _pod_template),
    ("", "ResourceQuota"): table("Request, Limit, Age", _resource_quota),
    ("", "Secret"): table("Type, Data, Age", _secret),
    ("", "ServiceAccount"): table("Age", _age_alone),
    ("events.k8s.io", "Event"): _EVENTS,
    ("resource.k8s.io", "DeviceClass"): table("Age", _age_alone),
    ("resource.k8s.io", "ResourceClaimTemplate"): table("Age", _age_alone),
}
