"""Built-in kinds that are served in several versions or groups, and stored in one."""

from typing import Any

from tests.referee.language import close, delete, edited, events, get, patch, post, put, script, watch

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
TOLD = "autoscaling.alpha.kubernetes.io"
CORE = "{events}"
NEW = "/apis/events.k8s.io/v1/namespaces/{ns}/events"
V1 = "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers"
V2 = "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers"


def _old(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": name, "labels": {"l": name}},
        "involvedObject": {"kind": "Pod", "name": "p", "namespace": "{ns}", "apiVersion": "v1", "uid": "u"},
        "reason": "Because",
        "message": "It is so.",
        "type": "Normal",
        "count": 2,
        "firstTimestamp": "2020-01-01T00:00:00Z",
        "lastTimestamp": "2020-01-01T00:00:05Z",
        "source": {"component": "me", "host": "h"},
        **fields,
    }


def _new(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {"name": name},
        "regarding": {"kind": "Pod", "name": "q", "namespace": "{ns}"},
        "related": {"kind": "Node", "name": "n"},
        "reason": "Because",
        "action": "Binding",
        "note": "It is so.",
        "type": "Warning",
        "eventTime": "2020-01-01T00:00:00.000001Z",
        "reportingController": "example.com/me",
        "reportingInstance": "me-1",
        **fields,
    }


def _scaler(version: str, name: str, **spec: Any) -> dict[str, Any]:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}
    return {
        "apiVersion": f"autoscaling/{version}",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name},
        "spec": {"scaleTargetRef": target, "maxReplicas": 3, **spec},
    }


_METRICS = [
    {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}}},
    {"type": "Pods", "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1k"}}},
    {
        "type": "Object",
        "object": {
            "describedObject": {"kind": "Service", "name": "s", "apiVersion": "v1"},
            "metric": {"name": "m", "selector": {"matchLabels": {"a": "b"}}},
            "target": {"type": "AverageValue", "averageValue": "2"},
        },
    },
]
_STATUS = {
    "currentReplicas": 1,
    "desiredReplicas": 2,
    "lastScaleTime": "2020-01-01T00:00:00Z",
    "currentMetrics": [
        {
            "type": "Resource",
            "resource": {"name": "cpu", "current": {"averageUtilization": 30, "averageValue": "10m"}},
        },
        {"type": "Pods", "pods": {"metric": {"name": "m"}, "current": {"averageValue": "5"}}},
    ],
    "conditions": [{"type": "AbleToScale", "status": "True", "lastTransitionTime": "2020-01-01T00:00:00Z"}],
}

SCRIPTS = (
    script(
        "events of both groups are the same objects",
        "EVT-1",
        watch("core", f"{CORE}?watch=1"),
        watch("new", f"{NEW}?watch=1"),
        post(CORE, _old("a")),
        get(f"{NEW}/a", keep="a"),
        post(NEW, _new("b")),
        get(f"{CORE}/b", keep="b"),
        get(CORE),
        get(NEW),
        put(f"{CORE}/b", edited("b", {"count": 3, "message": "It is otherwise."})),
        get(f"{NEW}/b"),
        put(f"{NEW}/a", edited("a", {"metadata": {"labels": {"x": "y"}}})),
        put(f"{NEW}/a", edited("a", {"note": "no", "deprecatedCount": 9, "metadata": {"resourceVersion": None}})),
        patch(f"{CORE}/a", "strategic", {"count": 5, "lastTimestamp": "2020-01-01T01:00:00Z"}),
        patch(f"{NEW}/b", "merge", {"series": {"count": 5, "lastObservedTime": "2020-01-01T01:00:00.000000Z"}}),
        patch(f"{NEW}/b", "merge", {"series": {"count": 1}}),
        patch(f"{NEW}/b", "json", [{"op": "replace", "path": "/note", "value": "x"}]),
        delete(f"{NEW}/a"),
        get(f"{CORE}/a"),
        get(f"{NEW}/a"),
        delete(CORE, only="kind"),
        events("core", 8),
        events("new", 8),
        close("core"),
        close("new"),
        post(NEW, _old("c")),
        post(CORE, _new("c")),
        put(f"{NEW}/nope", _new("nope")),
        put(f"{CORE}/other", _old("other")),
    ),
    script(
        "events are selected by the names of each group",
        "EVT-1",
        post(CORE, _old("a"), only="kind"),
        post(NEW, _new("b"), only="kind"),
        *(
            get(f"{CORE}?fieldSelector={selector}", only="items * metadata name")
            for selector in (
                "involvedObject.name=p",
                "involvedObject.kind=Pod,involvedObject.name!=p",
                "involvedObject.uid=u",
                "involvedObject.namespace={ns}",
                "reason=Because",
                "type=Warning",
                "source=me",
                "source=example.com/me",
                "reportingComponent=example.com/me",
                "metadata.name=b",
                "regarding.name=p",
                "reportingController=me",
                "message=x",
            )
        ),
        *(
            get(f"{NEW}?fieldSelector={selector}", only="items * metadata name")
            for selector in (
                "regarding.name=p",
                "regarding.kind=Pod,regarding.name!=p",
                "regarding.uid=u",
                "reason=Because",
                "type=Warning",
                "reportingController=example.com/me",
                "metadata.name=b",
                "involvedObject.name=p",
                "reportingComponent=me",
                "source=me",
            )
        ),
        get(f"{NEW}?labelSelector=l=a", only="items * metadata name"),
        get(CORE, accept=TABLE, masked="rows * cells *", only=("columnDefinitions * name", "rows * object kind")),
        get(NEW, accept=TABLE, masked="rows * cells *", only=("columnDefinitions * name", "rows * object apiVersion")),
    ),
    script(
        "autoscalers of both versions are the same objects",
        "HPA-1",
        watch("one", f"{V1}?watch=1"),
        post(V2, _scaler("v2", "a", metrics=_METRICS, behavior={"scaleDown": {"selectPolicy": "Min"}})),
        get(f"{V1}/a", keep="a"),
        put(f"{V1}/a", edited("a", {"spec": {"targetCPUUtilizationPercentage": 70}})),
        get(f"{V2}/a"),
        post(V1, _scaler("v1", "b", targetCPUUtilizationPercentage=50)),
        get(f"{V2}/b"),
        post(V1, _scaler("v1", "c")),
        get(f"{V2}/c"),
        patch(f"{V2}/c", "merge", {"spec": {"metrics": _METRICS[1:]}}),
        get(f"{V1}/c"),
        patch(f"{V2}/c/status", "merge", {"status": _STATUS}),
        get(f"{V1}/c", keep="c"),
        put(
            f"{V1}/c", edited("c", {"metadata": {"annotations": {"autoscaling.alpha.kubernetes.io/conditions": "[]"}}})
        ),
        patch(f"{V1}/c/status", "merge", {"status": {"currentReplicas": 2, "currentCPUUtilizationPercentage": 9}}),
        get(f"{V2}/c"),
        patch(f"{V1}/c/status", "merge", {"status": {"currentReplicas": -2}}),
        patch(f"{V1}/c", "merge", {"metadata": {"annotations": None}}),
        get(f"{V2}/c"),
        get(V1, only="items * metadata name"),
        get(V2, accept=TABLE, only=("columnDefinitions * name", "rows * cells")),
        get(V1, accept=TABLE, only=("columnDefinitions * name", "rows * cells")),
        delete(f"{V1}/a"),
        events("one", 8),
        close("one"),
    ),
    script(
        "who wrote what is told in the version that he wrote",
        "SSA-1 EVT-1",
        post(f"{CORE}?fieldManager=one", _old("a"), only="metadata managedFields"),
        get(f"{NEW}/a", only="metadata managedFields"),
        patch(
            f"{NEW}/a?fieldManager=two", "merge", {"metadata": {"labels": {"x": "y"}}}, only="metadata managedFields"
        ),
        patch(f"{CORE}/a?fieldManager=two", "merge", {"count": 7, "reason": "No"}, only="metadata managedFields"),
        post(f"{V1}?fieldManager=one", _scaler("v1", "s"), only="metadata managedFields"),
        get(f"{V2}/s", only="metadata managedFields"),
        patch(f"{V2}/s?fieldManager=two", "merge", {"spec": {"maxReplicas": 9}}, only="metadata managedFields"),
        patch(f"{V1}/s?fieldManager=three", "merge", {"spec": {"minReplicas": 2}}, only="metadata managedFields"),
        patch(
            f"{V2}/s?fieldManager=four",
            "apply",
            {
                "apiVersion": "autoscaling/v2",
                "kind": "HorizontalPodAutoscaler",
                "metadata": {"name": "s"},
                "spec": {"maxReplicas": 4, "scaleTargetRef": {"kind": "Deployment", "name": "d"}},
            },
        ),
        patch(f"{V2}/s?fieldManager=two", "merge", {"spec": {"metrics": _METRICS}}, only="metadata managedFields"),
        get(f"{V1}/s", only="metadata managedFields"),
    ),
)
