"""What bounds workloads: budgets of disruption, priorities, quotas and limits."""

from typing import Any

from tests.referee.language import Step, delete, edited, get, patch, post, put, script
from tests.referee.objects import Document

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
BUDGETS = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets"
CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses"
QUOTAS = "/api/v1/namespaces/{ns}/resourcequotas"
LIMITS = "/api/v1/namespaces/{ns}/limitranges"


def named(name: str, **fields: Any) -> Document:
    return {"metadata": {"name": name}, **fields}


def budget(name: str, **spec: Any) -> Document:
    return named(name, spec=spec)


def quota(hard: Document, **spec: Any) -> Document:
    return named("a", spec={"hard": hard, **spec})


def limits(*items: Document) -> Document:
    return named("a", spec={"limits": [*items]})


def tried(path: str, *changes: Document, only: str | tuple[str, ...] = ()) -> tuple[Step, ...]:
    """Each change by itself, none of which stays."""
    return tuple(patch(f"{path}?dryRun=All", "merge", change, only=only) for change in changes)


def created(path: str, *bodies: Document, only: str | tuple[str, ...] = "spec") -> tuple[Step, ...]:
    """Each object by itself, none of which stays."""
    return tuple(post(f"{path}?dryRun=All", body, only=only, unordered="details causes") for body in bodies)


SELECTOR: Document = {"matchLabels": {"a": "b"}}
CONDITION: Document = {
    "type": "DisruptionAllowed",
    "status": "True",
    "reason": "Enough",
    "message": "m",
    "lastTransitionTime": "2020-01-01T00:00:00Z",
}

SCRIPTS = (
    script(
        "a budget of disruption",
        "UPD-1 UPD-4 ERR-1",
        post(BUDGETS, budget("a", minAvailable=1, selector=SELECTOR), keep="a"),
        put(f"{BUDGETS}/a", budget("a", minAvailable=2, selector=SELECTOR)),
        put(f"{BUDGETS}/a", edited("a", {"spec": {"minAvailable": "30%"}})),
        *tried(
            f"{BUDGETS}/a",
            {"spec": {"minAvailable": None, "maxUnavailable": "20%"}},
            {"spec": {"maxUnavailable": "20%"}},
            {"spec": {"minAvailable": "101%"}},
            {"spec": {"minAvailable": -1}},
            {"spec": {"minAvailable": "x"}},
            {"spec": {"selector": {"matchLabels": {"c": "d"}}}},
            {"spec": {"selector": None}},
            {"spec": {"selector": {"matchExpressions": [{"key": "A B", "operator": "Odd"}]}}},
            {"spec": {"unhealthyPodEvictionPolicy": "Odd"}},
            {"spec": None},
            {"metadata": {"labels": {"x": "A B"}}},
            {"metadata": {"finalizers": ["odd"]}},
            only=("spec", "metadata generation", "metadata finalizers"),
        ),
        put(f"{BUDGETS}/a/status", {**named("a"), "status": {"currentHealthy": 3}}),
        patch(
            f"{BUDGETS}/a/status",
            "merge",
            {
                "spec": {"minAvailable": 9},
                "status": {
                    "currentHealthy": 4,
                    "desiredHealthy": 3,
                    "disruptionsAllowed": 1,
                    "expectedPods": 5,
                    "observedGeneration": 2,
                    "disruptedPods": {"p": "2020-01-01T00:00:00Z"},
                    "conditions": [CONDITION],
                },
            },
            only=("spec", "status", "metadata generation"),
        ),
        get(f"{BUDGETS}/a", accept=TABLE),
        *tried(
            f"{BUDGETS}/a/status",
            {"status": {"currentHealthy": -1, "desiredHealthy": -1, "disruptionsAllowed": -1, "expectedPods": -1}},
            {"status": {"conditions": [CONDITION, CONDITION]}},
            {"status": {"conditions": [{**CONDITION, "type": "A B", "status": "Odd", "reason": "A B"}]}},
            {"status": {"conditions": [{"type": "A", "status": "True"}]}},
            {"status": {"conditions": [{**CONDITION, "observedGeneration": -1}]}},
            {"status": None},
            only="status",
        ),
        *created(BUDGETS, named("b"), named("B C"), budget("b", minAvailable=1, maxUnavailable=1), only="spec"),
        delete(f"{BUDGETS}/a"),
    ),
    script(
        "a class of priority",
        "UPD-1 ERR-1",
        post(CLASSES, named("{own}", value=5, description="five"), keep="a"),
        patch(f"{CLASSES}/{{own}}", "merge", {"value": 6}),
        patch(f"{CLASSES}/{{own}}", "merge", {"preemptionPolicy": "Never"}),
        patch(f"{CLASSES}/{{own}}", "merge", {"preemptionPolicy": None}),
        patch(f"{CLASSES}/{{own}}", "merge", {"description": "six"}),
        patch(f"{CLASSES}/{{own}}", "merge", {"metadata": {"labels": {"x": "y"}}}, only="metadata generation"),
        get(f"{CLASSES}/{{own}}", accept=TABLE),
        *created(
            CLASSES,
            named("{own}-b", value=1_000_000_000),
            named("{own}-b", value=1_000_000_001),
            named("{own}-b", value=-2_147_483_648),
            named("{own}-b", value=1, preemptionPolicy="Odd"),
            named("{own}-b", value=1, preemptionPolicy=""),
            named("{own}-b"),
            named("system-mine", value=1),
            named("system-node-critical", value=1),
            named("system-cluster-critical", value=2_000_000_000, globalDefault=True),
            only=("value", "preemptionPolicy"),
        ),
        delete(f"{CLASSES}/{{own}}"),
    ),
    script(
        "the server's own classes of priority",
        "NS-2",
        get(f"{CLASSES}/system-node-critical", masked="metadata managedFields"),
        get(f"{CLASSES}/system-cluster-critical", masked="metadata managedFields"),
        get(f"{CLASSES}/system-cluster-critical", accept=TABLE, masked="rows * object metadata managedFields"),
        patch(f"{CLASSES}/system-cluster-critical?dryRun=All", "merge", {"value": 1}),
        patch(
            f"{CLASSES}/system-cluster-critical?dryRun=All",
            "merge",
            {"metadata": {"labels": {"x": "y"}}},
            only="metadata labels",
        ),
        delete(f"{CLASSES}/system-cluster-critical?dryRun=All"),
    ),
    script(
        "a quota",
        "UPD-1 UPD-4 ERR-1",
        post(QUOTAS, quota({"pods": 3, "requests.cpu": "1.5", "limits.memory": "1.5Gi"}, scopes=["NotTerminating"])),
        *tried(
            f"{QUOTAS}/a",
            {"spec": {"hard": {"pods": "5"}}},
            {"spec": {"hard": {"pods": "-5"}}},
            {"spec": {"hard": {"pods": "1500m"}}},
            {"spec": {"hard": {"odd": "1"}}},
            {"spec": {"hard": {"persistentvolumeclaims": "1"}}},
            {"spec": {"hard": None}},
            {"spec": {"scopes": ["BestEffort"]}},
            {"spec": {"scopes": None}},
            {"spec": {"scopes": ["NotTerminating", "NotTerminating"]}},
            {"spec": {"scopes": ["NotTerminating", "Terminating"]}},
            {"spec": {"scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "Exists"}]}}},
            only=("spec", "metadata generation"),
        ),
        patch(
            f"{QUOTAS}/a/status",
            "merge",
            {
                "spec": {"hard": {"pods": "9"}},
                "status": {
                    "hard": {"pods": "3", "requests.cpu": "1500m", "limits.memory": "1536Mi"},
                    "used": {"pods": "1", "requests.cpu": "250m", "limits.memory": "0"},
                },
            },
            only=("spec", "status"),
        ),
        get(f"{QUOTAS}/a", accept=TABLE),
        *tried(
            f"{QUOTAS}/a/status",
            {"status": {"hard": {"odd": "1"}}},
            {"status": {"used": {"pods": "-1"}}},
            {"status": {"used": {"pods": "500m"}}},
            {"status": {"used": {"A B": "1"}}},
            {"status": None},
            only="status",
        ),
        put(f"{QUOTAS}/a/status", named("a", status={"used": {"pods": "2"}}), only="status"),
        delete(f"{QUOTAS}/a", only=("kind", "metadata name")),
    ),
    script(
        "quotas that are none",
        "ERR-1 CREATE-1",
        *created(
            QUOTAS,
            quota({"cpu": "1", "memory": "1Gi", "ephemeral-storage": "1Gi", "storage": "1Gi"}),
            quota({"requests.cpu": "1", "limits.cpu": "500m", "memory": "2Gi", "limits.memory": "1Gi"}),
            quota({"requests.storage": "1Gi", "services.nodeports": "1", "services.loadbalancers": "2"}),
            quota({"gold.storageclass.storage.k8s.io/requests.storage": "1Gi"}),
            quota({"count/deployments.apps": "5", "count/pods": "1.5"}),
            quota({"requests.example.com/gpu": "1.5"}),
            quota({"example.com/gpu": "1.5"}),
            quota({"hugepages-2Mi": "2Mi", "requests.hugepages-1Gi": "1Gi", "limits.hugepages-1Gi": "1Gi"}),
            quota({"A B": "1"}),
            quota({"": "1"}),
            quota({"cpu": "1n", "memory": "0.1"}),
            quota({"pods": "x"}),
            quota({"pods": "1"}, scopes=["Odd"]),
            quota({"pods": "1"}, scopes=["BestEffort", "NotBestEffort"]),
            quota({"pods": "1", "cpu": "1"}, scopes=["BestEffort"]),
            quota({"pods": "1", "services": "1"}, scopes=["PriorityClass"]),
            quota({"pods": "1"}, scopes=["CrossNamespacePodAffinity"]),
            quota({"persistentvolumeclaims": "1", "pods": "1"}, scopes=["VolumeAttributesClass"]),
            *(
                quota({"pods": "1"}, scopeSelector={"matchExpressions": [expression]})
                for expression in (
                    {"scopeName": "Odd", "operator": "Exists"},
                    {"scopeName": "Terminating", "operator": "In", "values": ["x"]},
                    {"scopeName": "PriorityClass", "operator": "In"},
                    {"scopeName": "PriorityClass", "operator": "Exists", "values": ["x"]},
                    {"scopeName": "PriorityClass", "operator": "Odd"},
                    {"scopeName": "PriorityClass", "operator": "NotIn", "values": ["x", "y"]},
                    {"scopeName": "VolumeAttributesClass", "operator": "Exists"},
                )
            ),
            quota(
                {"pods": "1"},
                scopeSelector={
                    "matchExpressions": [
                        {"scopeName": "BestEffort", "operator": "Exists"},
                        {"scopeName": "NotBestEffort", "operator": "Exists"},
                    ]
                },
            ),
        ),
    ),
    script(
        "a range of limits",
        "UPD-1 CREATE-2",
        put(f"{LIMITS}/a", limits({"type": "Container", "max": {"cpu": "2"}, "min": {"memory": "1Mi"}})),
        get(f"{LIMITS}/a", accept=TABLE),
        patch(f"{LIMITS}/a", "merge", {"spec": {"limits": None}}),
        patch(f"{LIMITS}/a", "merge", {"spec": {"limits": [{"type": "Pod", "max": {"cpu": "3"}}]}}),
        patch(f"{LIMITS}/a", "merge", {"spec": {"limits": [{"type": "Pod", "default": {"cpu": "3"}}]}}),
        patch(f"{LIMITS}/a", "merge", {"metadata": {"labels": {"x": "y"}, "finalizers": ["odd"]}}),
        delete(f"{LIMITS}/a"),
    ),
    script(
        "limits that are none",
        "ERR-1 CREATE-1",
        *created(
            LIMITS,
            *(
                limits({"type": "Container", **item})
                for item in (
                    {"min": {"cpu": "2"}, "max": {"cpu": "1"}},
                    {"min": {"cpu": "2"}, "defaultRequest": {"cpu": "1"}},
                    {"min": {"cpu": "2"}, "default": {"cpu": "1"}},
                    {"max": {"cpu": "1"}, "defaultRequest": {"cpu": "2"}},
                    {"max": {"cpu": "1"}, "default": {"cpu": "2"}},
                    {"default": {"cpu": "1"}, "defaultRequest": {"cpu": "2"}},
                    {"maxLimitRequestRatio": {"cpu": "500m"}},
                    {"maxLimitRequestRatio": {"cpu": "3"}, "min": {"cpu": "1"}, "max": {"cpu": "2500m"}},
                    {"maxLimitRequestRatio": {"memory": "3"}, "min": {"memory": "1Gi"}, "max": {"memory": "2Gi"}},
                    {"maxLimitRequestRatio": {"cpu": "3"}, "min": {"cpu": "0"}, "max": {"cpu": "2"}},
                    {"default": {"example.com/gpu": "1"}, "defaultRequest": {"example.com/gpu": "500m"}},
                    {"default": {"hugepages-2Mi": "4Mi"}, "defaultRequest": {"hugepages-2Mi": "2Mi"}},
                    {"max": {"storage": "1Gi"}},
                    {"max": {"pods": "1"}},
                    {"max": {"A B": "1"}},
                    {"max": {"requests.example.com/gpu": "1"}},
                    {"max": {"kubernetes.io/odd": "1"}},
                    {"max": {"cpu": "1n"}},
                )
            ),
            limits({"type": "Pod", "default": {"cpu": "1"}, "defaultRequest": {"cpu": "1"}}),
            limits({"type": "Odd"}),
            limits({"type": "A B"}),
            limits({}),
            limits({"type": "example.com/Thing", "max": {"odd": "1"}}),
            limits({"type": "PersistentVolumeClaim"}),
            limits({"type": "PersistentVolumeClaim", "min": {"storage": "2Gi"}, "max": {"storage": "1Gi"}}),
            limits({"type": "Pod"}, {"type": "Pod"}),
            limits(),
        ),
        post(f"{LIMITS}?dryRun=All", {"spec": {"limits": [{"type": "Pod"}]}}, masked="metadata name"),
    ),
)
