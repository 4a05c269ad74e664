"""What a status may say, for each kind that has one at a path of its own: each part that is worth mutating."""

from typing import Any

from tests.referee.objects import Document

__all__ = ["STATUSES"]

_TIME = "2024-01-02T03:04:05Z"


def _conditions(kind: str, **more: Any) -> list[Document]:
    """One condition."""
    made = {"type": kind, "status": "True", "reason": "R", "message": "m", "lastTransitionTime": _TIME}
    return [{**made, **more}]


STATUSES: dict[str, Document] = {
    "Namespace": {
        "phase": "Active",
        "conditions": _conditions("NamespaceDeletionContentFailure"),
    },
    "Pod": {
        "phase": "Running",
        "conditions": _conditions("Ready", lastProbeTime=_TIME, observedGeneration=1),
        "message": "m",
        "reason": "r",
        "nominatedNodeName": "n",
        "hostIP": "1.2.3.4",
        "hostIPs": [{"ip": "1.2.3.4"}],
        "podIP": "10.0.0.1",
        "podIPs": [{"ip": "10.0.0.1"}, {"ip": "::1"}],
        "startTime": _TIME,
        "qosClass": "Burstable",
        "containerStatuses": [
            {
                "name": "a",
                "image": "i",
                "imageID": "x",
                "ready": True,
                "restartCount": 1,
                "started": True,
                "containerID": "docker://a",
                "state": {"running": {"startedAt": _TIME}},
                "lastState": {
                    "terminated": {
                        "exitCode": 1,
                        "reason": "E",
                        "startedAt": _TIME,
                        "finishedAt": _TIME,
                        "containerID": "docker://b",
                    }
                },
                "allocatedResources": {"cpu": "1"},
                "resources": {"requests": {"cpu": "1"}},
                "volumeMounts": [{"name": "v", "mountPath": "/x", "readOnly": True, "recursiveReadOnly": "Disabled"}],
                "user": {"linux": {"uid": 1, "gid": 2, "supplementalGroups": [3]}},
                "allocatedResourcesStatus": [
                    {"name": "claim:a", "resources": [{"resourceID": "x", "health": "Healthy"}]}
                ],
                "stopSignal": "SIGTERM",
            }
        ],
        "initContainerStatuses": [],
        "ephemeralContainerStatuses": [],
        "resize": "Proposed",
        "resourceClaimStatuses": [{"name": "c", "resourceClaimName": "d"}],
        "observedGeneration": 1,
    },
    "Service": {
        "loadBalancer": {
            "ingress": [{"ip": "1.2.3.4", "ipMode": "VIP", "ports": [{"port": 80, "protocol": "TCP", "error": "E"}]}]
        },
        "conditions": _conditions("X", observedGeneration=1),
    },
    "LoadBalancerService": {
        "loadBalancer": {
            "ingress": [
                {"ip": "1.2.3.4", "ipMode": "VIP", "ports": [{"port": 80, "protocol": "TCP", "error": "E"}]},
                {"hostname": "h.x"},
            ]
        },
        "conditions": _conditions("X", observedGeneration=1),
    },
    "Ingress": {
        "loadBalancer": {
            "ingress": [
                {"ip": "1.2.3.4", "ports": [{"port": 80, "protocol": "TCP", "error": "E"}]},
                {"hostname": "h.x"},
            ]
        },
    },
    "PersistentVolume": {
        "phase": "Available",
        "message": "m",
        "reason": "r",
        "lastPhaseTransitionTime": _TIME,
    },
    "PersistentVolumeClaim": {
        "phase": "Bound",
        "accessModes": ["ReadWriteOnce"],
        "capacity": {"storage": "1Gi"},
        "conditions": _conditions("Resizing", lastProbeTime=_TIME),
        "allocatedResources": {"storage": "1Gi"},
        "allocatedResourceStatuses": {"storage": "ControllerResizeInProgress"},
        "currentVolumeAttributesClassName": "c",
        "modifyVolumeStatus": {"targetVolumeAttributesClassName": "c", "status": "Pending"},
    },
    "Node": {
        "capacity": {"cpu": "4"},
        "allocatable": {"cpu": "4"},
        "phase": "Running",
        "conditions": _conditions("Ready", lastHeartbeatTime=_TIME),
        "addresses": [{"type": "InternalIP", "address": "1.2.3.4"}],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
        "nodeInfo": {
            "machineID": "m",
            "systemUUID": "s",
            "bootID": "b",
            "kernelVersion": "k",
            "osImage": "o",
            "containerRuntimeVersion": "c",
            "kubeletVersion": "v1",
            "kubeProxyVersion": "v1",
            "operatingSystem": "linux",
            "architecture": "amd64",
            "swap": {"capacity": 1},
        },
        "images": [{"names": ["a"], "sizeBytes": 5}],
        "volumesInUse": ["v"],
        "volumesAttached": [{"name": "v", "devicePath": "/d"}],
        "config": {
            "error": "e",
            "assigned": {
                "configMap": {
                    "namespace": "a",
                    "name": "b",
                    "kubeletConfigKey": "k",
                    "uid": "u",
                    "resourceVersion": "1",
                }
            },
        },
        "runtimeHandlers": [{"name": "r", "features": {"recursiveReadOnlyMounts": True, "userNamespaces": False}}],
        "features": {"supplementalGroupsPolicy": True},
    },
    "Deployment": {
        "observedGeneration": 1,
        "replicas": 3,
        "updatedReplicas": 2,
        "readyReplicas": 2,
        "availableReplicas": 1,
        "unavailableReplicas": 1,
        "terminatingReplicas": 0,
        "conditions": _conditions("Available", lastUpdateTime=_TIME),
        "collisionCount": 1,
    },
    "ReplicaSet": {
        "replicas": 3,
        "fullyLabeledReplicas": 2,
        "readyReplicas": 2,
        "availableReplicas": 1,
        "terminatingReplicas": 0,
        "observedGeneration": 1,
        "conditions": _conditions("ReplicaFailure"),
    },
    "StatefulSet": {
        "observedGeneration": 1,
        "replicas": 3,
        "readyReplicas": 2,
        "currentReplicas": 2,
        "updatedReplicas": 2,
        "currentRevision": "a",
        "updateRevision": "b",
        "collisionCount": 1,
        "conditions": _conditions("X"),
        "availableReplicas": 1,
    },
    "DaemonSet": {
        "currentNumberScheduled": 1,
        "numberMisscheduled": 1,
        "desiredNumberScheduled": 1,
        "numberReady": 1,
        "observedGeneration": 1,
        "updatedNumberScheduled": 1,
        "numberAvailable": 1,
        "numberUnavailable": 1,
        "collisionCount": 1,
        "conditions": _conditions("X"),
    },
    "Job": {
        "conditions": _conditions("Suspended", lastProbeTime=_TIME),
        "startTime": _TIME,
        "active": 1,
        "succeeded": 0,
        "failed": 1,
        "terminating": 1,
        "completedIndexes": "",
        "failedIndexes": "1",
        "uncountedTerminatedPods": {"succeeded": ["u1"], "failed": ["u2"]},
        "ready": 1,
    },
    "CronJob": {
        "active": [{"apiVersion": "batch/v1", "kind": "Job", "name": "j", "namespace": "n", "uid": "u"}],
        "lastScheduleTime": _TIME,
        "lastSuccessfulTime": _TIME,
    },
    "ReplicationController": {
        "replicas": 3,
        "fullyLabeledReplicas": 2,
        "readyReplicas": 2,
        "availableReplicas": 1,
        "observedGeneration": 1,
        "conditions": _conditions("ReplicaFailure"),
    },
    "PodDisruptionBudget": {
        "observedGeneration": 1,
        "disruptedPods": {"p": _TIME},
        "disruptionsAllowed": 1,
        "currentHealthy": 2,
        "desiredHealthy": 1,
        "expectedPods": 2,
        "conditions": _conditions("DisruptionAllowed", observedGeneration=1),
    },
    "ResourceQuota": {
        "hard": {"pods": "5"},
        "used": {"pods": "1"},
    },
    "HorizontalPodAutoscaler": {
        "observedGeneration": 1,
        "lastScaleTime": _TIME,
        "currentReplicas": 1,
        "desiredReplicas": 2,
        "currentMetrics": [
            {
                "type": "Resource",
                "resource": {"name": "cpu", "current": {"averageValue": "1", "averageUtilization": 5}},
            },
            {"type": "External", "external": {"metric": {"name": "m"}, "current": {"value": "1"}}},
        ],
        "conditions": _conditions("AbleToScale"),
    },
    "HorizontalPodAutoscalerV1": {
        "observedGeneration": 1,
        "lastScaleTime": _TIME,
        "currentReplicas": 1,
        "desiredReplicas": 2,
        "currentCPUUtilizationPercentage": 4,
    },
    "CustomResourceDefinition": {
        "conditions": _conditions("X"),
        "acceptedNames": {
            "plural": "things",
            "kind": "Thing",
            "singular": "thing",
            "listKind": "ThingList",
            "shortNames": ["t"],
            "categories": ["all"],
        },
        "storedVersions": ["v1"],
    },
    "APIService": {
        "conditions": _conditions("Available"),
    },
    "ValidatingAdmissionPolicy": {
        "observedGeneration": 1,
        "typeChecking": {"expressionWarnings": [{"fieldRef": "f", "warning": "w"}]},
        "conditions": _conditions("X", observedGeneration=1),
    },
    "Widget": {
        "conditions": _conditions("X", observedGeneration=1),
    },
}
