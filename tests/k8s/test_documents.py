"""Documents as clusters serve them: read, used by their types, written back with nothing lost."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from bench.pod import MANAGED, pod

import kubewright as kw
from kubewright.k8s.apiextensions.v1 import CustomResourceDefinition
from kubewright.k8s.apps.v1 import Deployment, DeploymentSpec
from kubewright.k8s.autoscaling.v2 import HorizontalPodAutoscaler
from kubewright.k8s.coordination.v1 import Lease
from kubewright.k8s.core.v1 import (
    Container,
    ContainerPort,
    EnvVar,
    Pod,
    PodSpec,
    PodTemplateSpec,
    ResourceRequirements,
    Secret,
    Service,
    ServicePort,
    ServiceSpec,
)
from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.k8s.networking.v1 import Ingress
from kubewright.k8s.rbac.v1 import ClusterRole, PolicyRule
from kubewright.schema.types import schema_of

POD = {**pod(), "metadata": {**pod()["metadata"], **MANAGED}}
DEPLOYMENT: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {
        "name": "checkout",
        "namespace": "shop",
        "generation": 4,
        "annotations": {"deployment.kubernetes.io/revision": "4"},
    },
    "spec": {
        "replicas": 3,
        "progressDeadlineSeconds": 600,
        "selector": {"matchLabels": {"app": "checkout"}, "matchExpressions": [{"key": "tier", "operator": "Exists"}]},
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}},
        "template": {"metadata": {"creationTimestamp": None, "labels": {"app": "checkout"}}, "spec": pod()["spec"]},
        "futureKnob": {"level": 11},
    },
    "status": {
        "observedGeneration": 4,
        "replicas": 3,
        "readyReplicas": 2,
        "conditions": [
            {
                "type": "Available",
                "status": "True",
                "reason": "MinimumReplicasAvailable",
                "lastUpdateTime": "2025-03-18T07:41:12Z",
                "lastTransitionTime": "2025-03-18T07:41:12Z",
                "futureNote": "kept",
            }
        ],
    },
}
SECRET: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {"name": "checkout"},
    "type": "Opaque",
    "immutable": False,
    "data": {"token": "aHVudGVyMg==", "empty": "", "raw": "/+8A"},
}
LEASE: dict[str, Any] = {
    "apiVersion": "coordination.k8s.io/v1",
    "kind": "Lease",
    "metadata": {"name": "scheduler", "namespace": "kube-system"},
    "spec": {
        "holderIdentity": "node-1_7c0e",
        "leaseDurationSeconds": 15,
        "acquireTime": "2025-03-18T07:00:00.000000Z",
        "renewTime": "2025-03-18T07:41:12.123456Z",
        "leaseTransitions": 2,
    },
}
CRD: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "trees.garden.example.com"},
    "spec": {
        "group": "garden.example.com",
        "scope": "Namespaced",
        "names": {"kind": "Tree", "listKind": "TreeList", "plural": "trees", "singular": "tree"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "x-kubernetes-validations": [{"rule": "self.height > 0", "message": "trees grow"}],
                                "properties": {
                                    "height": {"type": "number", "minimum": 0.5, "default": 1.5},
                                    "branches": {
                                        "type": "array",
                                        "items": {"type": "string", "enum": ["left", "right"]},
                                        "x-kubernetes-list-type": "set",
                                    },
                                    "not": {"not": {"type": "string"}},
                                },
                                "additionalProperties": False,
                            }
                        },
                    }
                },
                "subresources": {"status": {}},
            }
        ],
    },
}
INGRESS: dict[str, Any] = {
    "apiVersion": "networking.k8s.io/v1",
    "kind": "Ingress",
    "metadata": {"name": "shop"},
    "spec": {
        "ingressClassName": "edge",
        "tls": [{"hosts": ["shop.example.com"], "secretName": "shop-tls"}],
        "rules": [
            {
                "host": "shop.example.com",
                "http": {
                    "paths": [
                        {
                            "path": "/",
                            "pathType": "Prefix",
                            "backend": {"service": {"name": "checkout", "port": {"number": 80}}},
                        }
                    ]
                },
            }
        ],
    },
    "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.7", "ports": [{"port": 443, "protocol": "TCP"}]}]}},
}
HPA: dict[str, Any] = {
    "apiVersion": "autoscaling/v2",
    "kind": "HorizontalPodAutoscaler",
    "metadata": {"name": "checkout"},
    "spec": {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "checkout"},
        "minReplicas": 2,
        "maxReplicas": 20,
        "metrics": [
            {
                "type": "Resource",
                "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}},
            },
            {
                "type": "Pods",
                "pods": {"metric": {"name": "requests"}, "target": {"type": "AverageValue", "averageValue": "1500m"}},
            },
        ],
        "behavior": {"scaleDown": {"stabilizationWindowSeconds": 300, "policies": []}},
    },
}


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        (POD, Pod),
        (DEPLOYMENT, Deployment),
        (SECRET, Secret),
        (LEASE, Lease),
        (CRD, CustomResourceDefinition),
        (INGRESS, Ingress),
        (HPA, HorizontalPodAutoscaler),
    ],
    ids=lambda each: getattr(each, "kind", ""),
)
def test_a_document_that_was_read_is_written_as_it_was(document: dict[str, Any], kind: type[kw.Resource]) -> None:
    assert kw.to_dict(kw.from_dict(document, kind)) == document


def test_a_pod_is_read_by_its_types() -> None:
    read = kw.from_dict(POD, Pod)
    [container] = read.spec.containers
    assert container.resources is not None
    assert container.resources.limits["memory"] == kw.Quantity("1024Mi")
    assert container.readiness_probe is not None
    assert container.readiness_probe.http_get is not None
    assert container.readiness_probe.http_get.port == "http"
    assert read.status.pod_ips[0].ip == read.status.pod_ip == "10.42.17.93"
    assert read.status.start_time == datetime(2025, 3, 18, 7, 41, 9, tzinfo=UTC)
    assert read.metadata.owner_references[0].controller
    assert read.spec.init_containers == []
    assert read.status.conditions[0].last_probe_time is None


def test_unknown_fields_survive_a_change_beside_them() -> None:
    read = kw.from_dict(DEPLOYMENT, Deployment)
    read.spec.replicas = 5
    read.status.conditions[0].status = "False"
    written = kw.to_dict(read)
    assert written["spec"]["replicas"] == 5
    assert written["spec"]["futureKnob"] == {"level": 11}
    assert written["status"]["conditions"][0]["futureNote"] == "kept"


def test_secrets_are_bytes_in_python_and_base64_on_the_wire() -> None:
    read = kw.from_dict(SECRET, Secret)
    assert read.data == {"token": b"hunter2", "empty": b"", "raw": b"\xff\xef\x00"}
    read.data["token"] = b"hunter3"
    assert kw.to_dict(read)["data"]["token"] == "aHVudGVyMw=="


def test_a_lease_is_renewed_to_the_microsecond() -> None:
    read = kw.from_dict(LEASE, Lease)
    read.spec.renew_time = datetime(2025, 3, 18, 8, 0, 0, tzinfo=UTC)
    assert kw.to_dict(read)["spec"]["renewTime"] == "2025-03-18T08:00:00.000000Z"


def test_a_schema_inside_a_crd_is_a_schema_all_the_way_down() -> None:
    read = kw.from_dict(CRD, CustomResourceDefinition)
    validation = read.spec.versions[0].schema
    assert validation is not None
    assert validation.open_api_v3_schema is not None
    spec = validation.open_api_v3_schema.properties["spec"]
    assert spec.x_kubernetes_validations[0].rule == "self.height > 0"
    assert spec.properties["height"].minimum == 0.5
    assert spec.properties["height"].default == 1.5
    negated = spec.properties["not"].not_
    assert negated is not None
    assert negated.type == "string"
    assert spec.additional_properties is False


def test_only_what_is_set_is_sent() -> None:
    wanted = Deployment(
        metadata=kw.ObjectMeta(name="web"),
        spec=DeploymentSpec(
            replicas=0,
            selector=LabelSelector(match_labels={"app": "web"}),
            template=PodTemplateSpec(
                metadata=kw.ObjectMeta(labels={"app": "web"}),
                spec=PodSpec(
                    containers=[
                        Container(
                            name="web",
                            image="web:1",
                            env=[EnvVar(name="A", value="")],
                            ports=[ContainerPort(container_port=80)],
                            resources=ResourceRequirements(limits={"cpu": kw.Quantity("500m")}),
                        )
                    ]
                ),
            ),
        ),
    )
    assert kw.to_dict(wanted) == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {
            "replicas": 0,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {
                    "containers": [
                        {
                            "name": "web",
                            "image": "web:1",
                            "env": [{"name": "A", "value": ""}],
                            "ports": [{"containerPort": 80}],
                            "resources": {"limits": {"cpu": "500m"}},
                        }
                    ]
                },
            },
        },
    }


def test_reading_what_is_absent_sends_nothing() -> None:
    made = Pod(metadata=kw.ObjectMeta(name="a"))
    assert made.spec.containers == []
    assert made.status.conditions == []
    assert made.spec.node_selector == {}
    assert kw.to_dict(made) == {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}


def test_a_part_can_be_filled_in_place() -> None:
    made = Service()
    made.metadata.labels["app"] = "web"
    made.spec.ports.append(ServicePort(port=80, target_port="http"))
    assert kw.to_dict(made) == {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"labels": {"app": "web"}},
        "spec": {"ports": [{"port": 80, "targetPort": "http"}]},
    }


def test_an_empty_list_that_was_set_is_sent() -> None:
    assert kw.to_dict(ClusterRole(rules=[]))["rules"] == []
    assert kw.to_dict(PolicyRule(verbs=["get"], api_groups=[""])) == {"verbs": ["get"], "apiGroups": [""]}


def test_a_required_field_raises_only_when_it_is_read() -> None:
    container = kw.decode(b'{"image":"web:1"}', Container)
    assert container.image == "web:1"
    with pytest.raises(kw.MissingField, match=r"Container\.name is required"):
        _ = container.name


def test_a_default_of_the_server_is_no_value_here() -> None:
    port = ContainerPort(container_port=80)
    assert port.protocol is None
    assert "protocol" not in kw.to_dict(port)
    assert schema_of(ContainerPort)["properties"]["protocol"] == {"type": "string", "default": "TCP"}


def test_what_the_server_requires_is_required_in_the_schema_of_a_type_that_holds_it() -> None:
    assert schema_of(PodSpec)["required"] == ["containers"]
    assert schema_of(ServiceSpec)["properties"]["ports"]["x-kubernetes-list-map-keys"] == ["port", "protocol"]


def test_encoding_is_json() -> None:
    assert json.loads(kw.encode(kw.from_dict(SECRET, Secret))) == SECRET
