"""Leases, events and autoscalers."""

from typing import Any

from tests.referee.kinds.kind import META, Kind, kind

__all__ = ["KINDS"]

_TARGET = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}
_OBJECT = {
    "type": "Object",
    "object": {
        "describedObject": {"apiVersion": "v1", "kind": "Service", "name": "s"},
        "metric": {"name": "m", "selector": {"matchLabels": {"a": "b"}}},
        "target": {"type": "Value", "value": "10"},
    },
}
_PODS = {"type": "Pods", "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1500m"}}}
_EXTERNAL = {"type": "External", "external": {"metric": {"name": "m"}, "target": {"type": "Value", "value": "5"}}}
_MEMORY = {
    "type": "Resource",
    "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "1Gi"}},
}
_CONTAINER = {
    "type": "ContainerResource",
    "containerResource": {
        "name": "cpu",
        "container": "c",
        "target": {"type": "Utilization", "averageUtilization": 50},
    },
}
_BEHAVIOR = {
    "scaleUp": {
        "stabilizationWindowSeconds": 5,
        "selectPolicy": "Min",
        "policies": [{"type": "Pods", "value": 1, "periodSeconds": 10}],
        "tolerance": "0.1",
    },
    "scaleDown": {"selectPolicy": "Disabled"},
}
_V1_METRICS = (
    '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"10"}},'
    '{"type":"Object","object":{"target":{"kind":"Service","name":"s"},"metricName":"m","targetValue":"0",'
    '"averageValue":"3"}},{"type":"External","external":{"metricName":"m","targetAverageValue":"4"}},'
    '{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":50}}]'
)


def _v1(annotations: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    told = {f"autoscaling.alpha.kubernetes.io/{name}": text for name, text in (annotations or {}).items()}
    return {"metadata": {"annotations": told}, "spec": {"scaleTargetRef": _TARGET, "maxReplicas": 3, **spec}}


def _v2(*metrics: Any, **spec: Any) -> dict[str, Any]:
    return {"spec": {"scaleTargetRef": _TARGET, "maxReplicas": 3, "metrics": [*metrics], **spec}}


KINDS: dict[str, Kind] = {
    "Lease": kind(
        "{leases}",
        "coordination.k8s.io/v1",
        "Lease",
        variants=({}, {"spec": {"strategy": "OldestEmulationVersion", "preferredHolder": "you"}}),
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
        variants=(
            {"involvedObject": {"namespace": "{ns}"}},
            {
                "involvedObject": {"kind": "Pod", "namespace": "{ns}"},
                "eventTime": "2020-01-01T00:00:00.000001Z",
                "reportingComponent": "example.com/me",
                "reportingInstance": "me-1",
                "action": "Binding",
                "reason": "Because",
                "series": {"count": 1, "lastObservedTime": "2020-01-01T00:00:00.000000Z"},
                "related": {"kind": "Node", "name": "n"},
            },
        ),
        involvedObject={"kind": "Pod", "name": "p", "namespace": "{ns}", "apiVersion": "v1"},
        reason="Because",
        message="It is so.",
        type="Normal",
        count=1,
        firstTimestamp="2020-01-01T00:00:00Z",
        lastTimestamp="2020-01-01T00:00:00Z",
        source={"component": "me"},
    ),
    "EventsEvent": kind(
        "/apis/events.k8s.io/v1/namespaces/{ns}/events",
        "events.k8s.io/v1",
        "Event",
        metadata=META,
        variants=(
            {
                "regarding": {"namespace": "{ns}"},
                "eventTime": "2020-01-01T00:00:00.000001Z",
                "reportingController": "me",
                "reportingInstance": "me-1",
                "action": "Binding",
                "reason": "Because",
                "type": "Warning",
            },
            {"regarding": {"namespace": "{ns}"}, "deprecatedCount": 1, "deprecatedSource": {"component": "x"}},
        ),
        regarding={"kind": "Pod", "name": "p", "namespace": "{ns}", "apiVersion": "v1"},
        related={"kind": "Node", "name": "n"},
        reason="Because",
        action="Binding",
        note="It is so.",
        type="Normal",
        eventTime="2020-01-01T00:00:00.000001Z",
        series={"count": 2, "lastObservedTime": "2020-01-01T00:00:00.000000Z"},
        reportingController="example.com/me",
        reportingInstance="me-1",
    ),
    "HorizontalPodAutoscaler": kind(
        "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        # Of two sources that are too many the real server tells in any order.
        apart={"variants": 2},
        variants=(
            {"spec": {"scaleTargetRef": _TARGET, "maxReplicas": 1}},
            {"spec": {"scaleTargetRef": {"kind": "ReplicationController", "name": "r"}, "maxReplicas": 1}},
            _v2(_PODS),
            _v2(_EXTERNAL),
            _v2(_CONTAINER),
            _v2(_MEMORY, _CONTAINER, _PODS),
            _v2(behavior={}),
            _v2(behavior=_BEHAVIOR),
            _v2({"type": "Resource"}),
            _v2({**_PODS, **_OBJECT}),
            _v2({"type": "External", "external": {"metric": {"name": "m"}, "target": {"type": "Value"}}}),
            _v2(_OBJECT, minReplicas=0),
        ),
        spec={
            "scaleTargetRef": _TARGET,
            "minReplicas": 1,
            "maxReplicas": 3,
            "metrics": [
                {
                    "type": "Resource",
                    "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
                },
                _OBJECT,
            ],
            "behavior": _BEHAVIOR,
        },
    ),
    "HorizontalPodAutoscalerV1": kind(
        "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers",
        "autoscaling/v1",
        "HorizontalPodAutoscaler",
        variants=(
            _v1(),
            _v1({"metrics": _V1_METRICS}),
            _v1({"metrics": _V1_METRICS}, targetCPUUtilizationPercentage=50),
            _v1({"metrics": "nonsense", "behavior": "[]", "conditions": '{"a": 1}', "current-metrics": "7"}),
            _v1({"behavior": '{"ScaleUp":{"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":5}]}}'}),
            _v1({"behavior": '{"ScaleDown":{"SelectPolicy":"Nope"}}'}),
            _v1({"behavior": "{}", "scale-up-tolerance": "x"}),
            _v1({"conditions": '[{"type":"AbleToScale","status":"True"}]'}),
        ),
        spec={
            "scaleTargetRef": _TARGET,
            "minReplicas": 1,
            "maxReplicas": 3,
            "targetCPUUtilizationPercentage": 60,
        },
    ),
}
