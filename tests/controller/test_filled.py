"""What the server fills in: each entry of the table is asked of a server, as a null that it fills."""

from typing import Any

import msgspec
import pytest
from tests.cluster.stage import Stage, play

from kubewright.client import endpoint_of
from kubewright.controller.filled import FILLED
from kubewright.controller.unchanged import unchanged
from kubewright.k8s.admissionregistration.v1 import MutatingWebhookConfiguration, ValidatingWebhookConfiguration
from kubewright.k8s.apps.v1 import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kubewright.k8s.autoscaling.v2 import HorizontalPodAutoscaler
from kubewright.k8s.batch.v1 import CronJob, Job
from kubewright.k8s.core.v1 import PersistentVolume, PersistentVolumeClaim, Secret, Service
from kubewright.k8s.networking.v1 import NetworkPolicy
from kubewright.k8s.rbac.v1 import RoleBinding
from kubewright.k8s.scheduling.v1 import PriorityClass
from kubewright.k8s.storage.v1 import StorageClass
from kubewright.model.meta import fields_of
from kubewright.model.shape import ListOf, MapOf, Shape, StructOf

SELECTOR = {"matchLabels": {"app": "x"}}
CONTAINER: dict[str, Any] = {
    "name": "c",
    "image": "i",
    "env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
    "livenessProbe": {"httpGet": {"port": 80}},
}
TOKEN = {"sources": [{"serviceAccountToken": {"path": "t"}}]}
FILE = {"items": [{"path": "p", "fieldRef": {"fieldPath": "metadata.name"}}]}
VOLUMES: dict[str, Any] = {
    "configMap": {"name": "x"},
    "downwardAPI": FILE,
    "projected": TOKEN,
    "secret": {"secretName": "x"},
}
POD: dict[str, Any] = {
    "containers": [CONTAINER, {"name": "tagged", "image": "example.com:5000/i:1"}],
    "volumes": [{"name": name.lower(), name: source} for name, source in VOLUMES.items()],
}
SCALED = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"}
TEMPLATE = {"metadata": {"labels": {"app": "x"}}, "spec": POD}
ONCE = {"template": {"spec": {**POD, "restartPolicy": "Never"}}}
CLAIM: dict[str, Any] = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
FAILED = {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}
RULE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
HOOK: dict[str, Any] = {
    "name": "x.example.com",
    "admissionReviewVersions": ["v1"],
    "sideEffects": "None",
    "rules": [RULE],
    "clientConfig": {"service": {"name": "x", "namespace": "default"}},
}
HOST = {
    "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}}
}

#: An object of each kind, with all that is filled in within it left out.
SAMPLES: list[tuple[Any, dict[str, Any]]] = [
    (Deployment, {"spec": {"selector": SELECTOR, "template": TEMPLATE, "strategy": {"rollingUpdate": {}}}}),
    (
        StatefulSet,
        {
            "spec": {
                "serviceName": "x",
                "selector": SELECTOR,
                "template": TEMPLATE,
                "updateStrategy": {"rollingUpdate": {}},
                "persistentVolumeClaimRetentionPolicy": {},
                "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": CLAIM}],
            }
        },
    ),
    (DaemonSet, {"spec": {"selector": SELECTOR, "template": TEMPLATE, "updateStrategy": {"rollingUpdate": {}}}}),
    (ReplicaSet, {"spec": {"selector": SELECTOR, "template": TEMPLATE}}),
    (Job, {"spec": {**ONCE, "podFailurePolicy": FAILED}}),
    (CronJob, {"spec": {"schedule": "* * * * *", "jobTemplate": {"spec": {"parallelism": 2, **ONCE}}}}),
    (HorizontalPodAutoscaler, {"spec": {"maxReplicas": 2, "scaleTargetRef": SCALED}}),
    (Service, {"spec": {"ports": [{"port": 80, "protocol": "TCP"}]}}),
    (
        Service,
        {
            "spec": {
                "type": "LoadBalancer",
                "ports": [{"port": 80, "protocol": "TCP"}],
                "sessionAffinity": "ClientIP",
                "sessionAffinityConfig": {"clientIP": {}},
            }
        },
    ),
    (NetworkPolicy, {"spec": {"podSelector": {}, "egress": [{"ports": [{"port": 53}]}]}}),
    (PersistentVolumeClaim, {"spec": CLAIM}),
    (
        PersistentVolume,
        {"spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "local": {"path": "/x"}, **HOST}},
    ),
    (StorageClass, {"provisioner": "example.com/x"}),
    (Secret, {"data": {"a": "YQ=="}}),
    (PriorityClass, {"value": 1}),
    (RoleBinding, {"roleRef": {"kind": "Role", "name": "x"}, "subjects": [{"kind": "User", "name": "x"}]}),
    (MutatingWebhookConfiguration, {"webhooks": [HOOK]}),
    (ValidatingWebhookConfiguration, {"webhooks": [HOOK]}),
]
#: What is in no object that may be applied.
ELSEWHERE = {"EphemeralContainer"}


def nulled(value: Any, shape: Shape | None, met: set[str]) -> Any:
    """A document with a null wherever the table has something to fill in."""
    if isinstance(value, list):
        return [nulled(each, shape.item if isinstance(shape, ListOf) else None, met) for each in value]
    if not isinstance(value, dict):
        return value
    if not isinstance(shape, StructOf):
        below = shape.value if isinstance(shape, MapOf) else None
        return {name: nulled(each, below, met) for name, each in value.items()}
    shapes = {field.wire: field.shape for field in fields_of(shape.annotation)}
    name = shape.annotation.__name__
    met.add(name)
    inner = {each: nulled(below, shapes.get(each), met) for each, below in value.items()}
    return dict.fromkeys(FILLED.get(name, {})) | inner


@pytest.mark.parametrize(("model", "sample"), SAMPLES, ids=lambda given: getattr(given, "__name__", ""))
def test_a_null_that_the_server_has_filled_in_is_found_unchanged(model: Any, sample: dict[str, Any]) -> None:
    endpoint, shape = endpoint_of(model), StructOf(annotation=model)
    document = {"apiVersion": endpoint.api_version, "kind": endpoint.kind, "metadata": {"name": "x"}, **sample}
    config = nulled(document, shape, set()) | {"apiVersion": endpoint.api_version, "kind": endpoint.kind}
    path = endpoint.path("default" if endpoint.namespaced else None, "x")

    async def story(stage: Stage) -> None:
        kind = {"content-type": "application/apply-patch+yaml"}
        code, live = await stage.ask("PATCH", f"{path}?fieldManager=us&force=true", config, kind)
        assert code < 300, live
        _, again = await stage.ask("PATCH", f"{path}?fieldManager=us&force=true", config, kind)
        assert again["metadata"]["resourceVersion"] == live["metadata"]["resourceVersion"]
        ours = live["metadata"].pop("managedFields")[0]["fieldsV1"]
        assert unchanged(config, live, msgspec.json.encode(ours), shape)

    play(story)


def test_every_type_of_the_table_is_among_the_samples() -> None:
    met: set[str] = set()
    for model, sample in SAMPLES:
        nulled({**sample, "metadata": {}}, StructOf(annotation=model), met)
    assert FILLED.keys() - met == ELSEWHERE
