"""Reading and writing a Pod: our class beside a bare msgspec Struct, pydantic and the official client's models.

The Pod is one a cluster serves, about 3 KB; a second one carries its managed fields too. The bare Structs and the
pydantic models are made from the fields of our own classes, so that all read the same document into the same tree;
what they do not do is keep unknown fields, know what was set, and read a Quantity as a number.
"""

import json
from functools import partial
from typing import Any, Optional

import msgspec
import pydantic
from kubernetes.client import ApiClient
from msgspec import Raw

import kubewright as kw
from bench.measure import report, seconds_per_call
from kubewright.k8s.core.v1 import Pod
from kubewright.model.meta import fields_of
from kubewright.model.quantity import Quantity
from kubewright.model.shape import Choice, ListOf, MapOf, Scalar, Shape, StructOf

__all__ = ["main", "pod"]


def main() -> None:
    """Print the tables."""
    bare, validated, official = bare_struct(Pod, {}), pydantic_model(Pod, {}), ApiClient()
    decoder = msgspec.json.Decoder(bare)
    for title, document in (
        ("A Pod", pod()),
        ("A Pod with its managed fields", {**pod(), "metadata": {**pod()["metadata"], **MANAGED}}),
    ):
        data = msgspec.json.encode(document)
        times = seconds_per_call(
            {
                "msgspec Struct": partial(decoder.decode, data),
                "kw.decode(data, Pod)": partial(kw.decode, data, Pod),
                "kw.decode(data, PartialObjectMetadata)": partial(kw.decode, data, kw.PartialObjectMetadata),
                "pydantic": partial(validated.model_validate_json, data),
                "official client": partial(official.deserialize, data.decode(), "V1Pod", "application/json"),
                "json.loads": partial(json.loads, data),
            }
        )
        report(f"{title}, {len(data)} bytes, read (aims: Pod 1.4, metadata 0.4)", times, "msgspec Struct")
    _write(msgspec.json.encode(pod()), bare, official)


def _write(data: bytes, bare: Any, official: ApiClient) -> None:
    plain = msgspec.json.decode(data, type=bare)
    written: Any = official.sanitize_for_serialization
    theirs = official.deserialize(data.decode(), "V1Pod", "application/json")
    read = kw.decode(data, Pod)
    changed = kw.decode(data, Pod)
    changed.metadata.labels["changed"] = "yes"
    built = Pod(metadata=changed.metadata, spec=changed.spec, status=changed.status)
    times = seconds_per_call(
        {
            "msgspec Struct": lambda: msgspec.json.encode(plain),
            "kw.encode, as it was read": lambda: kw.encode(read),
            "kw.encode, one label changed": lambda: kw.encode(changed),
            "kw.encode, built here": lambda: kw.encode(built),
            "official client": lambda: json.dumps(written(theirs)),
        }
    )
    report("The same Pod, written", times, "msgspec Struct")
    times = seconds_per_call(
        {
            "msgspec Struct": lambda: plain.metadata.name,
            "kw": lambda: read.metadata.name,
            "official client": lambda: theirs.metadata.name,
        }
    )
    report("pod.metadata.name", times, "msgspec Struct")


def bare_struct(model: Any, made: dict[Any, Any]) -> Any:
    """The msgspec Struct with the fields of a Model."""
    if model not in made:
        fields: list[Any] = [
            (field.name, Raw, Raw()) if field.name == "fields_v1" else (field.name, Optional[kind], None)  # noqa: UP045
            for field in fields_of(model)
            for kind in [_plain(field.shape, made, bare_struct)]
        ]
        names = {field.name: field.wire for field in fields_of(model)}
        made[model] = msgspec.defstruct(model.__name__, fields, rename=names)
    return made[model]


def pydantic_model(model: Any, made: dict[Any, Any]) -> Any:
    """The pydantic model with the fields of a Model."""
    if model not in made:
        fields: dict[str, Any] = {
            field.name: (
                Optional[_plain(field.shape, made, pydantic_model)],  # noqa: UP045
                pydantic.Field(default=None, alias=field.wire),
            )
            for field in fields_of(model)
        }
        made[model] = pydantic.create_model(model.__name__, **fields)
    return made[model]


def _plain(shape: Shape, made: dict[Any, Any], make: Any) -> Any:
    if isinstance(shape, StructOf):
        return make(shape.model, made)
    if isinstance(shape, ListOf):
        return list[_plain(shape.item, made, make)]  # type: ignore[misc]
    if isinstance(shape, MapOf):
        return dict[str, _plain(shape.value, made, make)]  # type: ignore[misc]
    if isinstance(shape, Choice):
        return type(shape.values[0])
    assert isinstance(shape, Scalar)
    if shape.python is Quantity:
        return int | str
    if shape.python is Raw and make is pydantic_model:
        return Any
    return shape.python


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


if __name__ == "__main__":
    main()
