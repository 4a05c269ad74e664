"""What makes pods. Nothing here makes any: replicas are none, rollouts are paused and jobs suspended.

What is counted as answered otherwise are refusals that show `{}` or `[]` where such was sent: once read, that is
nothing to us. And the real server fails on an indexed Job that has a policy of success and no completions.
"""

from tests.referee.kinds.kind import Kind, kind

__all__ = ["KINDS"]

_PODS = {"containers": [{"name": "c", "image": "i:1"}]}
_TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": _PODS}
_SELECTOR = {"matchLabels": {"a": "b"}}
_CHOICE = {
    "matchLabels": {"a": "b"},
    "matchExpressions": [
        {"key": "a", "operator": "In", "values": ["b", "c"]},
        {"key": "x", "operator": "NotIn", "values": ["y"]},
        {"key": "a", "operator": "Exists"},
        {"key": "z", "operator": "DoesNotExist"},
    ],
}
_ONCE = {"spec": _PODS | {"restartPolicy": "Never"}}
_CLAIM = {
    "metadata": {"name": "data", "labels": {"a": "b"}},
    "spec": {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "1Gi"}},
        "storageClassName": "fast",
    },
}
_MOUNTED = {"containers": [{"name": "c", "image": "i:1", "volumeMounts": [{"name": "data", "mountPath": "/d"}]}]}
_JOB = {
    "parallelism": 2,
    "completions": 3,
    "activeDeadlineSeconds": 60,
    "backoffLimit": 4,
    "backoffLimitPerIndex": 1,
    "maxFailedIndexes": 2,
    "ttlSecondsAfterFinished": 10,
    "completionMode": "Indexed",
    "suspend": True,
    "podReplacementPolicy": "Failed",
    "podFailurePolicy": {
        "rules": [
            {"action": "FailJob", "onExitCodes": {"containerName": "c", "operator": "In", "values": [1, 42]}},
            {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
        ]
    },
    "successPolicy": {"rules": [{"succeededIndexes": "0-1,2", "succeededCount": 2}]},
    "template": _ONCE,
}


KINDS: dict[str, Kind] = {
    "Deployment": kind(
        "{deployments}",
        "apps/v1",
        "Deployment",
        spec={
            "replicas": 0,
            "paused": True,
            "minReadySeconds": 5,
            "revisionHistoryLimit": 2,
            "progressDeadlineSeconds": 60,
            "selector": _CHOICE,
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}},
            "template": _TEMPLATE,
        },
        variants=(
            {"spec": {"selector": _SELECTOR, "template": _TEMPLATE}},
            {"spec": {"selector": _SELECTOR, "template": _TEMPLATE, "strategy": {"type": "Recreate"}}},
        ),
    ),
    "ReplicaSet": kind(
        "/apis/apps/v1/namespaces/{ns}/replicasets",
        "apps/v1",
        "ReplicaSet",
        spec={"replicas": 0, "minReadySeconds": 5, "selector": _SELECTOR, "template": _TEMPLATE},
        variants=({"spec": {"selector": _SELECTOR, "template": _TEMPLATE}},),
    ),
    "StatefulSet": kind(
        "/apis/apps/v1/namespaces/{ns}/statefulsets",
        "apps/v1",
        "StatefulSet",
        spec={
            "replicas": 0,
            "serviceName": "s",
            "podManagementPolicy": "Parallel",
            "minReadySeconds": 5,
            "revisionHistoryLimit": 2,
            "ordinals": {"start": 1},
            "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete", "whenScaled": "Retain"},
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1, "maxUnavailable": "50%"}},
            "selector": _SELECTOR,
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": _MOUNTED},
            "volumeClaimTemplates": [_CLAIM],
        },
        variants=(
            {"spec": {"selector": _SELECTOR, "template": _TEMPLATE}},
            {"spec": {"selector": _SELECTOR, "template": _TEMPLATE, "updateStrategy": {"type": "OnDelete"}}},
        ),
    ),
    "DaemonSet": kind(
        "/apis/apps/v1/namespaces/{ns}/daemonsets",
        "apps/v1",
        "DaemonSet",
        spec={
            "minReadySeconds": 5,
            "revisionHistoryLimit": 2,
            "selector": _SELECTOR,
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": "10%"}},
            "template": _TEMPLATE,
        },
        variants=(
            {"spec": {"selector": _SELECTOR, "template": _TEMPLATE}},
            {"spec": {"selector": _SELECTOR, "template": _TEMPLATE, "updateStrategy": {"type": "OnDelete"}}},
            {
                "spec": {
                    "selector": _SELECTOR,
                    "template": _TEMPLATE,
                    "updateStrategy": {"rollingUpdate": {"maxSurge": "5%", "maxUnavailable": 0}},
                }
            },
        ),
    ),
    "ControllerRevision": kind(
        "/apis/apps/v1/namespaces/{ns}/controllerrevisions",
        "apps/v1",
        "ControllerRevision",
        # The server keeps its text: were there anything in it, the blanks in that would have to stay, too.
        data={},
        revision=3,
        variants=(
            {"data": {"spec": {"x": 1}, "apiVersion": "v1", "kind": "Thing"}, "revision": 0},
            {"data": {"b": [1, None, {}], "a": "é<"}, "revision": 1},
        ),
    ),
    "Job": kind(
        "/apis/batch/v1/namespaces/{ns}/jobs",
        "batch/v1",
        "Job",
        # The real server stumbles over an indexed Job without completions, and hangs up.
        apart={"create": 2, "update": 2, "patch": 1},
        spec=_JOB,
        variants=(
            {"spec": {"template": _ONCE}},
            {"spec": {"template": {"spec": _PODS | {"restartPolicy": "OnFailure"}}, "suspend": True}},
            {
                "spec": {
                    "template": _ONCE | {"metadata": {"labels": {"a": "b"}}},
                    "manualSelector": True,
                    "selector": _SELECTOR,
                }
            },
            {"spec": {"template": _ONCE, "managedBy": "example.com/me", "completions": 2}},
        ),
    ),
    "CronJob": kind(
        "/apis/batch/v1/namespaces/{ns}/cronjobs",
        "batch/v1",
        "CronJob",
        spec={
            "schedule": "*/5 0-12 1,15 jan-mar mon",
            "timeZone": "Europe/Berlin",
            "startingDeadlineSeconds": 30,
            "concurrencyPolicy": "Forbid",
            "suspend": True,
            "successfulJobsHistoryLimit": 2,
            "failedJobsHistoryLimit": 0,
            "jobTemplate": {
                "metadata": {"labels": {"l": "m"}, "annotations": {"n": "o"}},
                "spec": {"backoffLimit": 1, "parallelism": 2, "template": _ONCE},
            },
        },
        variants=({"spec": {"schedule": "@hourly", "jobTemplate": {"spec": {"template": _ONCE}}}},),
    ),
    "ReplicationController": kind(
        "/api/v1/namespaces/{ns}/replicationcontrollers",
        "v1",
        "ReplicationController",
        spec={"replicas": 0, "minReadySeconds": 5, "selector": {"a": "b"}, "template": _TEMPLATE},
        variants=({"spec": {"template": _TEMPLATE}},),
    ),
    "PodTemplate": kind("/api/v1/namespaces/{ns}/podtemplates", "v1", "PodTemplate", template=_TEMPLATE),
}
