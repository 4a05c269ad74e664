"""What is wrong with an autoscaler."""

from typing import Any

import pytest

from kubewright.cluster.registry.kinds.autoscaler.rules import check_spec, leniency

AIM, UP = "spec.metrics[0].resource.target", "spec.behavior.scaleUp"
TARGET = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}


def spec(*metrics: Any, **fields: Any) -> dict[str, Any]:
    return {"scaleTargetRef": TARGET, "maxReplicas": 3, "metrics": [*metrics], **fields}


def judged(obj: dict[str, Any], old: dict[str, Any] | None = None) -> list[str]:
    return [str(error) for error in check_spec(obj, leniency(obj, old))]


def resource(name: str = "cpu", **target: Any) -> dict[str, Any]:
    return {"type": "Resource", "resource": {"name": name, "target": {"type": "Utilization", **target}}}


@pytest.mark.parametrize(
    ("obj", "said"),
    [
        (spec(resource(averageUtilization=50)), []),
        (spec(maxReplicas=0), ["spec.maxReplicas: Required value: must be set and greater than 0"]),
        (
            spec(minReplicas=5),
            ["spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`"],
        ),
        (
            spec(scaleTargetRef={"kind": "X", "name": "a/b", "apiVersion": "v1"}),
            [
                "spec.scaleTargetRef.name: Invalid value: \"a/b\": may not contain '/'",
                'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
            ],
        ),
        (spec(scaleTargetRef={"kind": "ReplicationController", "name": "r", "apiVersion": "v1"}), []),
        (
            spec(resource()),
            [f"{AIM}.averageUtilization: Required value: must set either a target raw value or a target utilization"],
        ),
        (
            spec(resource(averageUtilization=0)),
            [f"{AIM}.averageUtilization: Invalid value: 0: must be greater than 0"],
        ),
        (
            spec({"type": "Resource"}),
            ["spec.metrics[0].resource: Required value: must populate information for the given metric source"],
        ),
        (
            spec(behavior={"scaleUp": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 1801}]}}),
            [f"{UP}.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800"],
        ),
    ],
)
def test_a_spec_is_judged(obj: dict[str, Any], said: list[str]) -> None:
    assert judged(obj) == said


def test_what_was_there_before_is_let_pass() -> None:
    odd = spec(scaleTargetRef={"kind": "X", "name": "x", "apiVersion": ""})
    assert judged(odd, odd) == []
    assert judged(odd) != []
