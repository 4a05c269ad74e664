"""Pods: one with most of what a pod can say, and many that each say one thing more."""

from typing import Any

from tests.referee.kinds.kind import Kind, kind

__all__ = ["KINDS"]

Document = dict[str, Any]

_PROBE = {"initialDelaySeconds": 1, "timeoutSeconds": 2, "periodSeconds": 3, "successThreshold": 1}
_TERM = {"labelSelector": {"matchLabels": {"a": "b"}}, "topologyKey": "zone", "namespaces": ["n"]}
_CONTAINER: Document = {
    "name": "c",
    "image": "i:1",
    "args": ["x"],
    "env": [
        {"name": "A", "value": "1"},
        {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
    ],
    "envFrom": [{"prefix": "p", "configMapRef": {"name": "m", "optional": True}}],
    "ports": [{"name": "http", "containerPort": 80, "protocol": "TCP", "hostPort": 8080}],
    "resources": {"requests": {"cpu": "100m"}, "limits": {"cpu": "1", "memory": "1Gi"}},
    "volumeMounts": [{"name": "e", "mountPath": "/e", "readOnly": True}],
    "readinessProbe": {"httpGet": {"path": "/x", "port": "http"}, **_PROBE},
    "lifecycle": {"preStop": {"exec": {"command": ["x"]}}},
    "imagePullPolicy": "Always",
    "securityContext": {"runAsUser": 1, "privileged": False},
}
_POD: Document = {
    "automountServiceAccountToken": False,
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 5,
    "activeDeadlineSeconds": 100,
    "nodeSelector": {"a": "b"},
    "serviceAccountName": "default",
    "hostname": "h",
    "dnsPolicy": "ClusterFirst",
    "schedulerName": "s",
    "securityContext": {"runAsUser": 1, "fsGroup": 2},
    "tolerations": [{"key": "k", "operator": "Equal", "value": "v", "effect": "NoExecute", "tolerationSeconds": 5}],
    "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [_TERM]}},
    "volumes": [{"name": "e", "emptyDir": {"sizeLimit": "1Gi"}}],
    "initContainers": [{"name": "i", "image": "i:1"}],
    "containers": [_CONTAINER],
}


def _pod(**spec: Any) -> Document:
    """The least there can be, and something more."""
    spec = {"automountServiceAccountToken": False, "containers": [{"name": "c", "image": "i"}], **spec}
    return {"spec": spec}


def _with(*containers: Document) -> Document:
    """A pod of containers that each say something."""
    return _pod(containers=[{"name": f"c{at}", "image": "i", **each} for at, each in enumerate(containers)])


def _volumes(*sources: Document) -> Document:
    """A pod with volumes, of which it mounts the first."""
    mounted = [{"name": "c", "image": "i", "volumeMounts": [{"name": "v0", "mountPath": "/v"}]}]
    return _pod(volumes=[{"name": f"v{at}", **each} for at, each in enumerate(sources)], containers=mounted)


_SOURCES: tuple[Document, ...] = (
    {"emptyDir": {"medium": "Memory"}},
    {"hostPath": {"path": "/x", "type": "Directory"}},
    {"gitRepo": {"repository": "r", "directory": "d"}},
    {"gcePersistentDisk": {"pdName": "p", "partition": 1}},
    {"awsElasticBlockStore": {"volumeID": "v", "partition": 1}},
    {"secret": {"secretName": "s", "items": [{"key": "k", "path": "p", "mode": 256}], "defaultMode": 256}},
    {"nfs": {"server": "s", "path": "/x"}},
    {
        "iscsi": {
            "targetPortal": "p:1",
            "iqn": "iqn.2001-04.com.example:x",
            "lun": 1,
            "initiatorName": "iqn.2001-04.a:b",
        }
    },
    {"glusterfs": {"endpoints": "e", "path": "p"}},
    {"flocker": {"datasetName": "d"}},
    {"persistentVolumeClaim": {"claimName": "c", "readOnly": True}},
    {"rbd": {"monitors": ["m"], "image": "i"}},
    {"cinder": {"volumeID": "v", "secretRef": {"name": "s"}}},
    {"cephfs": {"monitors": ["m"], "path": "/x"}},
    {"quobyte": {"registry": "r:1,q:2", "volume": "v", "tenant": "t"}},
    {
        "downwardAPI": {
            "items": [
                {"path": "p", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.labels['x']"}, "mode": 256},
                {"path": "q", "resourceFieldRef": {"containerName": "c", "resource": "limits.cpu", "divisor": "1m"}},
            ],
            "defaultMode": 256,
        }
    },
    {"fc": {"targetWWNs": ["w"], "lun": 1}},
    {"flexVolume": {"driver": "d", "options": {"a": "b"}}},
    {"configMap": {"name": "m", "items": [{"key": "k", "path": "p"}], "optional": True}},
    {"azureFile": {"secretName": "s", "shareName": "h"}},
    {"vsphereVolume": {"volumePath": "p"}},
    {"photonPersistentDisk": {"pdID": "p"}},
    {"portworxVolume": {"volumeID": "v"}},
    {"azureDisk": {"diskName": "d", "diskURI": "https://x", "cachingMode": "None", "kind": "Shared"}},
    {"storageos": {"volumeName": "v", "volumeNamespace": "n", "secretRef": {"name": "s"}}},
    {"scaleIO": {"gateway": "g", "system": "s", "volumeName": "v", "secretRef": {"name": "s"}}},
    {"csi": {"driver": "d.example.com", "nodePublishSecretRef": {"name": "s"}, "volumeAttributes": {"a": "b"}}},
    {"image": {"reference": "r:latest", "pullPolicy": "Never"}},
    {
        "projected": {
            "sources": [
                {"secret": {"name": "s", "items": [{"key": "k", "path": "a"}]}},
                {"configMap": {"name": "m", "items": [{"key": "k", "path": "b"}]}},
                {"downwardAPI": {"items": [{"path": "c", "fieldRef": {"fieldPath": "metadata.uid"}}]}},
                {"serviceAccountToken": {"path": "t", "expirationSeconds": 700, "audience": "u"}},
                {"clusterTrustBundle": {"name": "n", "path": "d"}},
            ]
        }
    },
    {
        "ephemeral": {
            "volumeClaimTemplate": {
                "metadata": {"labels": {"a": "b"}, "annotations": {"a": "b"}},
                "spec": {
                    "accessModes": ["ReadWriteOnce"],
                    "resources": {"requests": {"storage": "1Gi"}},
                    "storageClassName": "s",
                    "volumeMode": "Filesystem",
                    "selector": {"matchExpressions": [{"key": "k", "operator": "In", "values": ["v"]}]},
                    "dataSourceRef": {"apiGroup": "g.io", "kind": "K", "name": "n"},
                },
            }
        }
    },
)
_ACTIONS: tuple[Document, ...] = (
    {"livenessProbe": {"exec": {"command": ["x"]}, "terminationGracePeriodSeconds": 3}},
    {"startupProbe": {"tcpSocket": {"port": 80, "host": "h"}, "failureThreshold": 3}},
    {"readinessProbe": {"grpc": {"port": 80, "service": "s"}}},
    {"livenessProbe": {"httpGet": {"port": 80, "scheme": "HTTPS", "httpHeaders": [{"name": "X", "value": "y"}]}}},
    {
        "lifecycle": {
            "postStart": {"httpGet": {"port": 80, "host": "h"}},
            "preStop": {"sleep": {"seconds": 3}},
            "stopSignal": "SIGTERM",
        }
    },
    {"lifecycle": {"preStop": {"tcpSocket": {"port": "x"}}}},
    {"livenessProbe": {"exec": {"command": ["x"]}, "tcpSocket": {"port": 1}}},
)
_CONTAINERS: tuple[Document, ...] = (
    {
        "env": [
            {"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": True}}},
            {"name": "B", "valueFrom": {"configMapKeyRef": {"name": "m", "key": "k"}}},
            {"name": "C", "valueFrom": {"resourceFieldRef": {"resource": "requests.memory", "divisor": "1Mi"}}},
            {"name": "D", "valueFrom": {"fieldRef": {"fieldPath": "metadata.annotations['x']"}}},
            {"name": "D", "value": "again"},
        ],
        "envFrom": [{"secretRef": {"name": "s"}}],
    },
    {"resources": {"limits": {"hugepages-2Mi": "4Mi", "memory": "1Mi"}, "requests": {"memory": "512Ki"}}},
    {"resources": {"limits": {"example.com/gpu": "2", "ephemeral-storage": "1Gi"}}},
    {"resources": {"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "1", "memory": "1Gi"}}},
    {
        "securityContext": {
            "capabilities": {"add": ["NET_ADMIN"], "drop": ["ALL"]},
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "runAsNonRoot": True,
            "runAsGroup": 3,
            "procMount": "Default",
            "seccompProfile": {"type": "Localhost", "localhostProfile": "p"},
            "appArmorProfile": {"type": "RuntimeDefault"},
            "seLinuxOptions": {"level": "l"},
        }
    },
    {"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}]},
    {
        "restartPolicy": "Never",
        "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}],
    },
    {
        "ports": [
            {"containerPort": 80, "hostIP": "127.0.0.1"},
            {"containerPort": 80, "protocol": "UDP", "name": "a"},
            {"containerPort": 80, "protocol": "TCP", "name": "b"},
        ]
    },
    {"terminationMessagePolicy": "FallbackToLogsOnError", "terminationMessagePath": "/x", "workingDir": "/w"},
    {"stdin": True, "stdinOnce": True, "tty": True, "command": ["a"]},
)
_SPREAD = {
    "maxSkew": 1,
    "topologyKey": "zone",
    "whenUnsatisfiable": "DoNotSchedule",
    "minDomains": 2,
    "nodeAffinityPolicy": "Honor",
    "nodeTaintsPolicy": "Ignore",
    "labelSelector": {"matchExpressions": [{"key": "k", "operator": "Exists"}]},
    "matchLabelKeys": ["a"],
}
_NODE_TERM = {
    "matchExpressions": [{"key": "k", "operator": "In", "values": ["v"]}],
    "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}],
}
_AFFINITY = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [_NODE_TERM]},
        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": _NODE_TERM}],
    },
    "podAffinity": {
        "preferredDuringSchedulingIgnoredDuringExecution": [
            {
                "weight": 1,
                "podAffinityTerm": {
                    "labelSelector": {"matchExpressions": [{"key": "k", "operator": "NotIn", "values": ["v"]}]},
                    "namespaceSelector": {"matchLabels": {"a": "b"}},
                    "topologyKey": "zone",
                    "matchLabelKeys": ["a"],
                    "mismatchLabelKeys": ["c"],
                },
            }
        ]
    },
}
_SIDECAR = {
    "name": "s",
    "image": "i",
    "restartPolicy": "Always",
    "livenessProbe": {"exec": {"command": ["x"]}},
    "lifecycle": {"preStop": {"exec": {"command": ["x"]}}},
    "ports": [{"containerPort": 1, "hostPort": 2}],
    "resizePolicy": [{"resourceName": "memory", "restartPolicy": "RestartContainer"}],
}
_SPECS: tuple[Document, ...] = (
    {"affinity": _AFFINITY},
    {"topologySpreadConstraints": [_SPREAD]},
    {
        "tolerations": [
            {"operator": "Exists"},
            {"key": "k", "operator": "Exists", "effect": "NoSchedule"},
            {"key": "k", "value": "v", "effect": "PreferNoSchedule"},
            {"key": "k", "operator": "Gt", "value": "1"},
        ]
    },
    {
        "dnsPolicy": "None",
        "dnsConfig": {
            "nameservers": ["10.1.2.3", "fd00::1"],
            "searches": ["a.b", "_x.y."],
            "options": [{"name": "n", "value": "v"}],
        },
    },
    {"hostAliases": [{"ip": "1.2.3.4", "hostnames": ["h.x"]}, {"ip": "1.2.3.4"}], "subdomain": "s"},
    {"hostNetwork": True, "containers": [{"name": "c", "image": "i", "ports": [{"containerPort": 80}]}]},
    {"hostUsers": False, "hostPID": False, "shareProcessNamespace": True, "setHostnameAsFQDN": True},
    {"hostPID": True, "hostIPC": True, "hostnameOverride": "h.x"},
    {
        "securityContext": {
            "runAsGroup": 1,
            "runAsNonRoot": True,
            "supplementalGroups": [1],
            "supplementalGroupsPolicy": "Strict",
            "fsGroupChangePolicy": "OnRootMismatch",
            "sysctls": [{"name": "net.core.somaxconn", "value": "1"}],
            "seccompProfile": {"type": "RuntimeDefault"},
            "appArmorProfile": {"type": "Localhost", "localhostProfile": "p"},
            "seLinuxChangePolicy": "Recursive",
            "seLinuxOptions": {"user": "u"},
        }
    },
    {
        "os": {"name": "windows"},
        "hostNetwork": True,
        "securityContext": {
            "windowsOptions": {"runAsUserName": "d\\u", "hostProcess": True, "gmsaCredentialSpecName": "g"}
        },
        "containers": [{"name": "c", "image": "i", "securityContext": {"windowsOptions": {"gmsaCredentialSpec": "g"}}}],
    },
    {"os": {"name": "linux"}},
    {"initContainers": [_SIDECAR, {"name": "i", "image": "i", "resources": {"requests": {"cpu": "1"}}}]},
    {"readinessGates": [{"conditionType": "example.com/g"}], "schedulingGates": [{"name": "example.com/g"}]},
    {"resources": {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}}},
    {"overhead": {"cpu": "1m"}, "preemptionPolicy": "PreemptLowerPriority", "priority": 0},
    {
        "resourceClaims": [{"name": "r", "resourceClaimName": "c"}],
        "containers": [{"name": "c", "image": "i", "resources": {"claims": [{"name": "r", "request": "q"}]}}],
    },
    {"imagePullSecrets": [{"name": "s"}, {"name": "s"}], "enableServiceLinks": False, "nodeName": "n"},
    {
        "ephemeralContainers": [{"name": "e", "image": "i", "targetContainerName": "c"}],
        "restartPolicy": "OnFailure",
    },
    {
        "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}],
        "containers": [{"name": "c", "image": "i", "volumeDevices": [{"name": "v", "devicePath": "/d"}]}],
    },
    {
        "volumes": [{"name": "f", "emptyDir": {}}],
        "containers": [
            {
                "name": "c",
                "image": "i",
                "env": [{"name": "A", "valueFrom": {"fileKeyRef": {"volumeName": "f", "path": "p", "key": "K"}}}],
                "volumeMounts": [
                    {
                        "name": "f",
                        "mountPath": "/f",
                        "subPath": "s",
                        "readOnly": True,
                        "mountPropagation": "None",
                        "recursiveReadOnly": "IfPossible",
                    },
                    {"name": "f", "mountPath": "/g", "subPathExpr": "$(A)"},
                ],
            },
            {"name": "d", "image": "j"},
        ],
    },
)
KINDS: dict[str, Kind] = {
    "Pod": kind(
        "{pods}",
        "v1",
        "Pod",
        spec=_POD,
        variants=(
            _pod(),
            *(_volumes(*_SOURCES[at : at + 4]) for at in range(0, len(_SOURCES), 4)),
            *(_with(*_ACTIONS[at : at + 2]) for at in range(0, len(_ACTIONS), 2)),
            *(_with(*_CONTAINERS[at : at + 2]) for at in range(0, len(_CONTAINERS), 2)),
            *(_pod(**spec) for spec in _SPECS),
        ),
    ),
}
