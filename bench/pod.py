"""A Pod as a cluster serves it, some 3 KB of JSON, and the managed fields such a Pod carries."""

from typing import Any

__all__ = ["MANAGED", "pod"]


def pod() -> dict[str, Any]:
    """A Pod of a web shop, as it runs."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "checkout-6d5f9c7b8d-x2xkq",
            "generateName": "checkout-6d5f9c7b8d-",
            "namespace": "shop",
            "uid": "0f6c3a8e-52b1-4a57-9d53-5f0e4a1f7c11",
            "resourceVersion": "18823417",
            "generation": 1,
            "creationTimestamp": "2025-03-18T07:41:09Z",
            "labels": {"app": "checkout", "pod-template-hash": "6d5f9c7b8d", "team": "payments", "tier": "backend"},
            "annotations": {"prometheus.io/scrape": "true", "prometheus.io/port": "9102"},
            "ownerReferences": [
                {
                    "apiVersion": "apps/v1",
                    "kind": "ReplicaSet",
                    "name": "checkout-6d5f9c7b8d",
                    "uid": "b1d7c6de-96cc-4a44-8f6b-2f2f0f6c0e0a",
                    "controller": True,
                    "blockOwnerDeletion": True,
                }
            ],
        },
        "spec": {
            "volumes": [
                {"name": "settings", "configMap": {"name": "checkout-settings", "defaultMode": 420}},
                {
                    "name": "kube-api-access-7wq2m",
                    "projected": {
                        "sources": [
                            {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
                            {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
                        ],
                        "defaultMode": 420,
                    },
                },
            ],
            "containers": [
                {
                    "name": "checkout",
                    "image": "registry.example.com/shop/checkout:4.17.2",
                    "args": ["--listen=:8080", "--metrics=:9102"],
                    "ports": [
                        {"name": "http", "containerPort": 8080, "protocol": "TCP"},
                        {"name": "metrics", "containerPort": 9102, "protocol": "TCP"},
                    ],
                    "env": [
                        {"name": "LOG_LEVEL", "value": "info"},
                        {
                            "name": "POD_IP",
                            "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "status.podIP"}},
                        },
                        {"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "checkout", "key": "token"}}},
                    ],
                    "resources": {
                        "limits": {"cpu": "2", "memory": "1Gi"},
                        "requests": {"cpu": "250m", "memory": "512Mi"},
                    },
                    "volumeMounts": [
                        {"name": "settings", "mountPath": "/etc/checkout", "readOnly": True},
                        {
                            "name": "kube-api-access-7wq2m",
                            "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount",
                            "readOnly": True,
                        },
                    ],
                    "readinessProbe": {
                        "httpGet": {"path": "/ready", "port": "http", "scheme": "HTTP"},
                        "timeoutSeconds": 1,
                        "periodSeconds": 5,
                        "successThreshold": 1,
                        "failureThreshold": 3,
                    },
                    "terminationMessagePath": "/dev/termination-log",
                    "terminationMessagePolicy": "File",
                    "imagePullPolicy": "IfNotPresent",
                }
            ],
            "restartPolicy": "Always",
            "terminationGracePeriodSeconds": 30,
            "dnsPolicy": "ClusterFirst",
            "serviceAccountName": "checkout",
            "serviceAccount": "checkout",
            "nodeName": "node-17",
            "securityContext": {"runAsNonRoot": True},
            "schedulerName": "default-scheduler",
            "tolerations": [
                {
                    "key": "node.kubernetes.io/not-ready",
                    "operator": "Exists",
                    "effect": "NoExecute",
                    "tolerationSeconds": 300,
                },
                {
                    "key": "node.kubernetes.io/unreachable",
                    "operator": "Exists",
                    "effect": "NoExecute",
                    "tolerationSeconds": 300,
                },
            ],
            "priority": 0,
            "enableServiceLinks": True,
            "preemptionPolicy": "PreemptLowerPriority",
        },
        "status": {
            "phase": "Running",
            "conditions": [
                {"type": kind, "status": "True", "lastProbeTime": None, "lastTransitionTime": "2025-03-18T07:41:12Z"}
                for kind in ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
            ],
            "hostIP": "10.0.3.17",
            "hostIPs": [{"ip": "10.0.3.17"}],
            "podIP": "10.42.17.93",
            "podIPs": [{"ip": "10.42.17.93"}],
            "startTime": "2025-03-18T07:41:09Z",
            "containerStatuses": [
                {
                    "name": "checkout",
                    "state": {"running": {"startedAt": "2025-03-18T07:41:11Z"}},
                    "lastState": {},
                    "ready": True,
                    "restartCount": 0,
                    "image": "registry.example.com/shop/checkout:4.17.2",
                    "imageID": "registry.example.com/shop/checkout@sha256:" + "3f" * 32,
                    "containerID": "containerd://" + "9a" * 32,
                    "started": True,
                }
            ],
            "qosClass": "Burstable",
        },
    }


def _fields(*names: str) -> dict[str, Any]:
    return {f"f:{name}": {} for name in names}


MANAGED: dict[str, Any] = {
    "managedFields": [
        {
            "manager": "kube-controller-manager",
            "operation": "Update",
            "apiVersion": "v1",
            "time": "2025-03-18T07:41:09Z",
            "fieldsType": "FieldsV1",
            "fieldsV1": {
                "f:metadata": {
                    "f:annotations": {".": {}, **_fields("prometheus.io/port", "prometheus.io/scrape")},
                    "f:generateName": {},
                    "f:labels": {".": {}, **_fields("app", "pod-template-hash", "team", "tier")},
                    "f:ownerReferences": {".": {}, 'k:{"uid":"b1d7c6de-96cc-4a44-8f6b-2f2f0f6c0e0a"}': {}},
                },
                "f:spec": {
                    "f:containers": {
                        'k:{"name":"checkout"}': {
                            ".": {},
                            **_fields("args", "env", "image", "imagePullPolicy", "name", "ports", "resources"),
                            **_fields("terminationMessagePath", "terminationMessagePolicy", "volumeMounts"),
                        }
                    },
                    **_fields("dnsPolicy", "enableServiceLinks", "restartPolicy", "schedulerName", "securityContext"),
                    **_fields("serviceAccount", "serviceAccountName", "terminationGracePeriodSeconds", "volumes"),
                },
            },
        },
        {
            "manager": "kubelet",
            "operation": "Update",
            "apiVersion": "v1",
            "time": "2025-03-18T07:41:12Z",
            "fieldsType": "FieldsV1",
            "fieldsV1": {
                "f:status": {
                    "f:conditions": {
                        f'k:{{"type":"{kind}"}}': _fields("status", "type") for kind in ("Initialized", "Ready")
                    },
                    **_fields("containerStatuses", "hostIP", "hostIPs", "phase", "podIP", "podIPs", "startTime"),
                }
            },
            "subresource": "status",
        },
    ]
}
