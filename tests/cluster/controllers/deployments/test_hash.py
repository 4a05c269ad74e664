"""The hash of a template, as kube-controller-manager 1.36.3 computes it."""

from typing import Any

import pytest

from kubewright.cluster.controllers.deployments.hash import hash_template, print_template


def template(quantity: str) -> dict[str, Any]:
    container = {"name": "c", "resources": {"limits": {"cpu": quantity}}}
    return {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [container]}}


RICH: dict[str, Any] = {
    "metadata": {"creationTimestamp": None, "labels": {"app": "web", "b": "c"}},
    "spec": {
        "containers": [
            {
                "name": "c",
                "image": "nginx:1",
                "resources": {
                    "limits": {"cpu": "1500m", "memory": "12Gi", "x.io/a": "8"},
                    "requests": {"cpu": "1", "memory": "8Gi", "ephemeral-storage": "1k"},
                },
                "ports": [{"containerPort": 80, "protocol": "TCP"}],
                "livenessProbe": {"httpGet": {"path": "/", "port": "http", "scheme": "HTTP"}, "periodSeconds": 10},
                "readinessProbe": {"tcpSocket": {"port": 80}},
                "env": [
                    {"name": "A", "value": "ü b"},
                    {"name": "B", "valueFrom": {"configMapKeyRef": {"name": "m", "key": "k", "optional": True}}},
                ],
                "volumeMounts": [{"name": "v", "mountPath": "/v"}],
                "securityContext": {"runAsUser": 1000, "capabilities": {"drop": ["ALL"]}},
                "imagePullPolicy": "Always",
                "terminationMessagePath": "/dev/termination-log",
                "terminationMessagePolicy": "File",
            }
        ],
        "restartPolicy": "Always",
        "terminationGracePeriodSeconds": 30,
        "dnsPolicy": "ClusterFirst",
        "securityContext": {},
        "schedulerName": "default-scheduler",
        "volumes": [
            {"name": "v", "emptyDir": {"sizeLimit": "1Gi"}},
            {
                "name": "p",
                "projected": {
                    "defaultMode": 420,
                    "sources": [
                        {
                            "downwardAPI": {
                                "items": [{"path": "a", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}]
                            }
                        }
                    ],
                },
            },
            {
                "name": "e",
                "ephemeral": {
                    "volumeClaimTemplate": {
                        "metadata": {},
                        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1e3"}}},
                    }
                },
            },
        ],
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [{"matchExpressions": [{"key": "k", "operator": "In", "values": ["a", "b"]}]}]
                }
            }
        },
        "tolerations": [{"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}],
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "topologyKey": "z",
                "whenUnsatisfiable": "DoNotSchedule",
                "labelSelector": {"matchLabels": {"a": "b"}},
                "minDomains": 2,
            }
        ],
        "hostAliases": [{"ip": "1.2.3.4", "hostnames": ["a"]}],
        "overhead": {"cpu": "0"},
        "nodeSelector": {"z": "1", "a": "2"},
    },
}


@pytest.mark.parametrize(
    ("quantity", "expected"),
    [
        ("0", "779f5f76d9"),
        ("1", "7dbb95b89c"),
        ("1.5", "77c86d54c7"),
        ("1500m", "694d98fbbb"),
        ("0.1", "584b85bf76"),
        ("1000", "7b96bf4976"),
        ("2000m", "679f4d46c"),
        ("8Mi", "d6c96b754"),
        ("1Mi", "84f7cf55c5"),
        ("100Gi", "84bb85f5fc"),
        ("1e3", "5f8c4bf96c"),
        ("1E", "69fdc56c65"),
        ("5u", "559f6db87"),
        ("1Ei", "546f8989bf"),
        ("100Ti", "bcb7cd988"),
        ("0.3Gi", "65ff58c464"),
        ("9Ei", "64c4b8c4c7"),
        ("-1", "59b96c5b9"),
    ],
)
def test_quantities_are_printed_as_go_keeps_them(quantity: str, expected: str) -> None:
    assert hash_template(template(quantity)) == expected


def test_all_sorts_of_fields_are_printed() -> None:
    assert hash_template(RICH) == "5864ddc877"


def test_what_is_absent_null_or_empty_is_the_same() -> None:
    plain = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c"}]}}
    wordy = {
        "metadata": {"creationTimestamp": None, "labels": {"a": "b"}, "annotations": {}},
        "spec": {"containers": [{"name": "c", "command": [], "resources": {}, "stdin": False}], "volumes": None},
    }
    assert hash_template(plain) == hash_template(wordy)


def test_a_pointer_to_nothing_is_not_nothing() -> None:
    plain = {"spec": {"containers": [{"name": "c"}]}}
    assert hash_template(plain) != hash_template({"spec": {**plain["spec"], "securityContext": {}}})


def test_a_collision_makes_another_hash() -> None:
    hashes = {hash_template(template("1"), collisions) for collisions in (None, 0, 1, 2)}
    assert len(hashes) == 4


def test_a_template_is_printed_with_the_names_of_its_types() -> None:
    printed = print_template(template("1"))
    assert printed.startswith("(v1.PodTemplateSpec){ObjectMeta:(v1.ObjectMeta){Name:(string) GenerateName:(string) ")
    assert "Labels:(map[string]string)map[a:b] " in printed
    assert " TerminationGracePeriodSeconds:(*int64)<nil> " in printed
