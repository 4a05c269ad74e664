"""What the server fills in by itself where a field of its own kinds is absent, and does not say in its schema.

A null there is the same as nothing: it is owned, and the server fills it in all the same. Some values depend on the
object: those are functions of it as it is. What an update keeps if it is not said, an address or a port that was
allocated, is whatever is there. What is in doubt is left out: then it is sent once more.
"""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["FILLED"]

Document = dict[str, Any]

#: The mode of files in volumes.
_MODE: Final = 0o644
_FILES: Final = {"defaultMode": _MODE}
_RBAC: Final = {"apiGroup": "rbac.authorization.k8s.io"}


def _pull_policy(container: Document) -> str | None:
    name, _, tag = container.get("image", "").rpartition("/")[2].partition(":")
    if not name or "@" in name + tag:
        return None  # a digest has rules of its own
    return "Always" if tag in ("", "latest") else "IfNotPresent"


def _directions(policy: Document) -> list[str]:
    return ["Ingress", "Egress"] if policy.get("egress") else ["Ingress"]


_CONTAINER: Final = {
    "imagePullPolicy": _pull_policy,
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}
_WEBHOOK: Final = {
    "failurePolicy": "Fail",
    "matchPolicy": "Equivalent",
    "namespaceSelector": {},
    "objectSelector": {},
    "timeoutSeconds": 10,
}

#: By the name of a type and a field: the value, or a function that tells it of the object which has the field.
FILLED: Final[Mapping[str, Mapping[str, Any]]] = {
    # Pods.
    "PodSpec": {
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "terminationGracePeriodSeconds": 30,
    },
    "Container": _CONTAINER,
    "EphemeralContainer": _CONTAINER,
    "Probe": {"failureThreshold": 3, "periodSeconds": 10, "successThreshold": 1, "timeoutSeconds": 1},
    "HTTPGetAction": {"path": "/", "scheme": "HTTP"},
    "ObjectFieldSelector": {"apiVersion": "v1"},
    "ConfigMapVolumeSource": _FILES,
    "DownwardAPIVolumeSource": _FILES,
    "ProjectedVolumeSource": _FILES,
    "SecretVolumeSource": _FILES,
    "ServiceAccountTokenProjection": {"expirationSeconds": 3600},
    # Workloads.
    "DeploymentSpec": {"progressDeadlineSeconds": 600, "replicas": 1, "revisionHistoryLimit": 10},
    "DeploymentStrategy": {"type": "RollingUpdate"},
    "RollingUpdateDeployment": {"maxSurge": "25%", "maxUnavailable": "25%"},
    "StatefulSetSpec": {"podManagementPolicy": "OrderedReady", "replicas": 1, "revisionHistoryLimit": 10},
    "StatefulSetUpdateStrategy": {"type": "RollingUpdate"},
    "RollingUpdateStatefulSetStrategy": {"partition": 0},
    "StatefulSetPersistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
    "DaemonSetSpec": {"revisionHistoryLimit": 10},
    "DaemonSetUpdateStrategy": {"type": "RollingUpdate"},
    "RollingUpdateDaemonSet": {"maxSurge": 0, "maxUnavailable": 1},
    "ReplicaSetSpec": {"replicas": 1},
    "JobSpec": {"completionMode": "NonIndexed", "manualSelector": False, "parallelism": 1, "suspend": False},
    "PodFailurePolicyOnPodConditionsPattern": {"status": "True"},
    "CronJobSpec": {
        "concurrencyPolicy": "Allow",
        "failedJobsHistoryLimit": 1,
        "successfulJobsHistoryLimit": 3,
        "suspend": False,
    },
    "HorizontalPodAutoscalerSpec": {"minReplicas": 1},
    # Networks.
    "ServiceSpec": {
        "allocateLoadBalancerNodePorts": True,
        "clusterIP": lambda spec: spec.get("clusterIP"),
        "clusterIPs": lambda spec: spec.get("clusterIPs"),
        "externalTrafficPolicy": "Cluster",
        "internalTrafficPolicy": "Cluster",
        "sessionAffinity": "None",
        "type": "ClusterIP",
    },
    "ServicePort": {"nodePort": lambda port: port.get("nodePort"), "targetPort": lambda port: port.get("port")},
    "ClientIPConfig": {"timeoutSeconds": 10800},
    "NetworkPolicySpec": {"policyTypes": _directions},
    "NetworkPolicyPort": {"protocol": "TCP"},
    # Storage.
    "PersistentVolumeClaim": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "status": {"phase": "Pending"}},
    "PersistentVolumeClaimSpec": {"volumeMode": "Filesystem"},
    "PersistentVolumeSpec": {"persistentVolumeReclaimPolicy": "Retain", "volumeMode": "Filesystem"},
    "StorageClass": {"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"},
    # Others.
    "Secret": {"type": "Opaque"},
    "PriorityClass": {"preemptionPolicy": "PreemptLowerPriority"},
    "RoleRef": _RBAC,
    "Subject": _RBAC,  # of users and groups; service accounts have none
    "MutatingWebhook": {**_WEBHOOK, "reinvocationPolicy": "Never"},
    "ValidatingWebhook": _WEBHOOK,
    "RuleWithOperations": {"scope": "*"},
    "ServiceReference": {"port": 443},
}
