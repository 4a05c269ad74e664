"""What bounds workloads: budgets, priorities, quotas and limits. The quota is of what nobody asks for."""

from tests.referee.kinds.kind import Kind, kind

__all__ = ["KINDS"]

_SELECTOR = {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "c", "operator": "In", "values": ["d"]}]}

KINDS: dict[str, Kind] = {
    "PodDisruptionBudget": kind(
        "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
        "policy/v1",
        "PodDisruptionBudget",
        spec={"minAvailable": "50%", "selector": _SELECTOR, "unhealthyPodEvictionPolicy": "AlwaysAllow"},
        variants=({}, {"spec": {"selector": {}, "maxUnavailable": 1}}, {"spec": {"minAvailable": 0}}),
    ),
    "PriorityClass": kind(
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        "scheduling.k8s.io/v1",
        "PriorityClass",
        cluster=True,
        value=5,
        globalDefault=False,
        description="five",
        preemptionPolicy="Never",
        variants=({"value": -5},),
    ),
    "ResourceQuota": kind(
        "/api/v1/namespaces/{ns}/resourcequotas",
        "v1",
        "ResourceQuota",
        spec={
            "hard": {"pods": "10", "requests.cpu": "1500m", "limits.memory": "1Gi"},
            "scopes": ["NotBestEffort"],
            "scopeSelector": {
                "matchExpressions": [
                    {"scopeName": "PriorityClass", "operator": "In", "values": ["p"]},
                    {"scopeName": "NotTerminating", "operator": "Exists"},
                ]
            },
        },
        variants=(
            {},
            {
                "spec": {
                    "hard": {"count/widgets.example.com": 3, "requests.example.com/gpu": "2", "hugepages-2Mi": "4Mi"}
                }
            },
            {"spec": {"hard": {"requests.cpu": "2", "limits.cpu": "1", "requests.storage": "1Gi"}}},
        ),
    ),
    "LimitRange": kind(
        "/api/v1/namespaces/{ns}/limitranges",
        "v1",
        "LimitRange",
        spec={
            "limits": [
                {
                    "type": "Container",
                    "max": {"cpu": "2", "memory": "1Gi"},
                    "min": {"cpu": "100m"},
                    "default": {"cpu": "1"},
                    "defaultRequest": {"cpu": "500m"},
                    "maxLimitRequestRatio": {"cpu": "10"},
                },
                {"type": "PersistentVolumeClaim", "max": {"storage": "1Ti"}},
                {"type": "Pod", "max": {"cpu": "4"}},
            ]
        },
        variants=(
            {},
            {"spec": {"limits": [{"type": "Container", "max": {"cpu": "1"}, "min": {"memory": "1Mi"}}]}},
            {"spec": {"limits": [{"type": "example.com/x", "default": {"example.com/y": "1"}}]}},
        ),
    ),
}
