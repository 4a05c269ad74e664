"""Columns of what runs: pods, and what makes pods."""

from datetime import datetime
from typing import Any, Final

from kubewright.cluster.registry.age import age, duration, moment
from kubewright.cluster.registry.columns import Columns, Document, Printer
from kubewright.cluster.registry.printers.lookup import (
    at,
    created,
    format_labels,
    format_selector,
    is_true,
    layout,
    selector_text,
    table,
)
from kubewright.cluster.registry.printers.pod import pod, pod_conditions

__all__ = ["PRINTERS"]


def _count(obj: Document, *path: str) -> int:
    count: int = at(obj, *path, default=0)
    return count


def _containers(obj: Document) -> list[str]:
    return layout(at(obj, "spec", "template", "spec", "containers"))


def _deployment(obj: Document, now: datetime) -> list[Any]:
    return [
        f"{_count(obj, 'status', 'readyReplicas')}/{_count(obj, 'spec', 'replicas')}",
        _count(obj, "status", "updatedReplicas"),
        _count(obj, "status", "availableReplicas"),
        created(obj, now),
        *_containers(obj),
        selector_text(at(obj, "spec", "selector")),
    ]


def _replicas(obj: Document, now: datetime) -> list[Any]:
    return [
        _count(obj, "spec", "replicas"),
        _count(obj, "status", "replicas"),
        _count(obj, "status", "readyReplicas"),
        created(obj, now),
        *_containers(obj),
    ]


def _replica_set(obj: Document, now: datetime) -> list[Any]:
    return [*_replicas(obj, now), format_selector(at(obj, "spec", "selector"))]


def _replication_controller(obj: Document, now: datetime) -> list[Any]:
    return [*_replicas(obj, now), format_labels(at(obj, "spec", "selector", default={}))]


def _stateful_set(obj: Document, now: datetime) -> list[Any]:
    ready = f"{_count(obj, 'status', 'readyReplicas')}/{_count(obj, 'spec', 'replicas')}"
    return [ready, created(obj, now), *_containers(obj)]


def _daemon_set(obj: Document, now: datetime) -> list[Any]:
    numbers = ("desiredNumberScheduled", "currentNumberScheduled", "numberReady", "updatedNumberScheduled")
    return [
        *[_count(obj, "status", name) for name in (*numbers, "numberAvailable")],
        format_labels(at(obj, "spec", "template", "spec", "nodeSelector", default={})),
        created(obj, now),
        *_containers(obj),
        format_selector(at(obj, "spec", "selector")),
    ]


def _controller_revision(obj: Document, now: datetime) -> list[Any]:
    owner = next((each for each in at(obj, "metadata", "ownerReferences", default=[]) if each.get("controller")), None)
    name = "<none>"
    if owner is not None:
        group = owner["apiVersion"].rpartition("/")[0]
        kind = f"{owner['kind']}.{group}" if group else owner["kind"]
        name = f"{kind.lower()}/{owner['name']}"
    return [name, obj.get("revision", 0), created(obj, now)]


def _job(obj: Document, now: datetime) -> list[Any]:
    succeeded, wanted = _count(obj, "status", "succeeded"), at(obj, "spec", "completions")
    completions = f"{succeeded}/{1 if wanted is None else wanted}"
    if wanted is None and (together := _count(obj, "spec", "parallelism")) > 1:
        completions += f" of {together}"
    took = ""
    if started := moment(at(obj, "status", "startTime", default="")):
        ended = moment(at(obj, "status", "completionTime", default="")) or now
        took = duration((ended - started).total_seconds())
    return [
        _job_state(obj),
        completions,
        took,
        created(obj, now),
        *_containers(obj),
        format_selector(at(obj, "spec", "selector")),
    ]


def _job_state(obj: Document) -> str:
    conditions = at(obj, "status", "conditions", default=[])
    for kind in ("Complete", "Failed"):
        if is_true(conditions, kind):
            return kind
    if at(obj, "metadata", "deletionTimestamp"):
        return "Terminating"
    for kind in ("Suspended", "FailureTarget", "SuccessCriteriaMet"):
        if is_true(conditions, kind):
            return kind
    return "Running"


def _cron_job(obj: Document, now: datetime) -> list[Any]:
    last, suspend = at(obj, "status", "lastScheduleTime"), at(obj, "spec", "suspend")
    template = at(obj, "spec", "jobTemplate", default={})
    return [
        at(obj, "spec", "schedule", default=""),
        at(obj, "spec", "timeZone", default="<none>"),
        "<unset>" if suspend is None else str(bool(suspend)),
        len(at(obj, "status", "active", default=[])),
        "<none>" if last is None else age(last, now),
        created(obj, now),
        *_containers(template),
        format_selector(at(template, "spec", "selector")),
    ]


def _autoscaler(obj: Document, now: datetime) -> list[Any]:
    target = at(obj, "spec", "scaleTargetRef", default={})
    least = at(obj, "spec", "minReplicas")
    return [
        f"{target.get('kind', '')}/{target.get('name', '')}",
        _targets(obj),
        "<unset>" if least is None else str(least),
        _count(obj, "spec", "maxReplicas"),
        _count(obj, "status", "currentReplicas"),
        created(obj, now),
    ]


def _targets(obj: Document) -> str:
    """What an autoscaler aims at, beside what it measures: `cpu: 12%/80%`."""
    if (percent := at(obj, "spec", "targetCPUUtilizationPercentage")) is not None:  # autoscaling/v1
        current = at(obj, "status", "currentCPUUtilizationPercentage")
        return f"cpu: {'<unknown>' if current is None else f'{current}%'}/{percent}%"
    specs, statuses = at(obj, "spec", "metrics", default=[]), at(obj, "status", "currentMetrics", default=[])
    texts = [_target(spec, statuses[index] if index < len(statuses) else {}) for index, spec in enumerate(specs)]
    shown = ", ".join(texts[:2])
    return (f"{shown} + {len(texts) - 2} more..." if len(texts) > 2 else shown) or "<none>"


def _target(spec: Document, status: Document) -> str:
    kind = spec.get("type", "")
    field = kind[:1].lower() + kind[1:]
    if field not in ("external", "pods", "object", "resource", "containerResource"):
        return "<unknown type>"
    aim = at(spec, field, "target", default={})
    current = at(status, field, "current", default={})
    if field in ("resource", "containerResource"):
        before = f"{at(spec, field, 'name', default='')}: "
        if "averageValue" in aim:
            return f"{before}{current.get('averageValue', '<unknown>')}/{aim['averageValue']}"
        used, wanted = current.get("averageUtilization"), aim.get("averageUtilization")
        return f"{before}{'<unknown>' if used is None else f'{used}%'}/{'<auto>' if wanted is None else f'{wanted}%'}"
    if field == "pods" or "averageValue" in aim:
        after = "" if field == "pods" else " (avg)"
        return f"{current.get('averageValue', '<unknown>')}/{aim.get('averageValue', '0')}{after}"
    return f"{current.get('value', '<unknown>')}/{aim.get('value', '0')}"


def _scale(obj: Document, now: datetime) -> list[Any]:
    return [_count(obj, "spec", "replicas"), _count(obj, "status", "replicas"), created(obj, now)]


_POD: Final = table("Ready, Status, Restarts, Age, +IP, +Node, +Nominated Node, +Readiness Gates", pod)
_SCALE: Final = table("Desired:integer, Available:integer, Age", _scale)
_WIDE: Final = "+Containers, +Images, +Selector"
_REPLICAS: Final = f"Desired:integer, Current:integer, Ready:integer, Age, {_WIDE}"
_NUMBERS: Final = "Desired:integer, Current:integer, Ready:integer, Up-to-date:integer, Available:integer"
PRINTERS: Final[dict[tuple[str, str], Columns]] = {
    ("", "Pod"): Printer(_POD.definitions, _POD.fill, of_row=pod_conditions),
    ("", "ReplicationController"): table(_REPLICAS, _replication_controller),
    ("apps", "ControllerRevision"): table("Controller, Revision, Age", _controller_revision),
    ("apps", "DaemonSet"): table(f"{_NUMBERS}, Node Selector, Age, {_WIDE}", _daemon_set),
    ("apps", "Deployment"): table(f"Ready, Up-to-date, Available, Age, {_WIDE}", _deployment),
    ("apps", "ReplicaSet"): table(_REPLICAS, _replica_set),
    ("apps", "StatefulSet"): table("Ready, Age, +Containers, +Images", _stateful_set),
    ("autoscaling", "HorizontalPodAutoscaler"): table(
        "Reference, Targets, MinPods, MaxPods, Replicas, Age", _autoscaler
    ),
    # The name is a word among others there.
    ("autoscaling", "Scale"): Printer([{**_SCALE.definitions[0], "format": ""}, *_SCALE.definitions[1:]], _SCALE.fill),
    ("batch", "CronJob"): table(
        f"Schedule, Timezone, Suspend:boolean, Active:integer, Last Schedule, Age, {_WIDE}", _cron_job
    ),
    ("batch", "Job"): table(f"Status, Completions, Duration, Age, {_WIDE}", _job),
}
