"""Autoscalers of v1 and v2 are the same objects."""

from typing import Any

import pytest
from hypothesis import given
from tests.cluster.wire.protobuf.draw import objects

from kubewright.cluster.registry.kinds.autoscaler.convert import from_stored, to_stored
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.model.resource import GroupVersionKind

V2 = GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler")
TOLD = "autoscaling.alpha.kubernetes.io"
CPU = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}
PODS = {"type": "Pods", "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1k"}}}


def v1(annotations: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    meta = {"name": "a", "annotations": {f"{TOLD}/{name}": text for name, text in (annotations or {}).items()}}
    return {"apiVersion": "autoscaling/v1", "kind": V2.kind, "metadata": meta, "spec": spec, "status": {}}


def v2(metrics: list[Any], status: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "autoscaling/v2",
        "kind": V2.kind,
        "metadata": {"name": "a"},
        "spec": {"metrics": metrics, **spec},
        "status": status or {},
    }


def test_who_says_nothing_goes_by_the_processor() -> None:
    assert to_stored(v1())["spec"]["metrics"] == [CPU]


def test_a_percentage_is_a_metric() -> None:
    [metric] = to_stored(v1(targetCPUUtilizationPercentage=5))["spec"]["metrics"]
    assert metric["resource"]["target"]["averageUtilization"] == 5
    assert from_stored(v2([metric]))["spec"] == {"targetCPUUtilizationPercentage": 5}


def test_other_metrics_stand_in_an_annotation() -> None:
    seen = from_stored(v2([CPU, PODS]))
    assert seen["metadata"]["annotations"] == {
        f"{TOLD}/metrics": '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1k"}}]'
    }
    assert to_stored(seen)["spec"]["metrics"] == [PODS, CPU]
    assert "annotations" not in to_stored(seen)["metadata"]


def test_behaviour_is_told_with_the_names_of_go() -> None:
    rules = {"selectPolicy": "Max", "policies": [{"type": "Pods", "value": 1, "periodSeconds": 5}]}
    seen = from_stored(v2([CPU], behavior={"scaleUp": rules}))
    assert seen["metadata"]["annotations"][f"{TOLD}/behavior"] == (
        '{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max",'
        '"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":5}],"Tolerance":null},"ScaleDown":null}'
    )
    assert to_stored(seen)["spec"]["behavior"] == {"scaleUp": rules}


@pytest.mark.parametrize("text", ["", "nonsense", "7", '{"a": 1}', '[{"type": 7}]', "[" * 5000])
def test_an_annotation_that_cannot_be_read_is_dropped(text: str) -> None:
    names = ("metrics", "current-metrics", "conditions", "behavior")
    made = to_stored(v1(dict.fromkeys(names, text)))
    assert made["spec"]["metrics"] == [CPU]
    assert made["status"] == {}
    assert "annotations" not in made["metadata"]


def test_beside_an_average_the_value_zero_is_none() -> None:
    text = '[{"type":"Object","object":{"target":{"kind":"S","name":"s"},"metricName":"m","averageValue":"3"}}]'
    [metric, *_] = to_stored(v1({"metrics": text}))["spec"]["metrics"]
    assert metric["object"]["target"] == {"type": "AverageValue", "averageValue": "3"}


def test_the_status_is_told_in_both() -> None:
    used = {"averageUtilization": 3, "averageValue": "1"}
    current = [{"type": "Resource", "resource": {"name": "cpu", "current": used}}]
    conditions = [{"type": "AbleToScale", "status": "True", "lastTransitionTime": None}]
    seen = from_stored(v2([CPU], {"currentMetrics": current, "conditions": conditions}))
    assert seen["status"] == {"currentCPUUtilizationPercentage": 3}
    assert to_stored(seen)["status"] == {"currentMetrics": current, "conditions": conditions}


@given(objects(V2))
def test_whatever_v2_has_can_be_told_in_v1_and_back(drawn: tuple[GroupVersionKind, Any]) -> None:
    obj = builtin_codec(*V2).read(drawn[1]).object
    seen = from_stored(obj)
    builtin_codec("autoscaling", "v1", V2.kind).write(seen)
    again = from_stored(to_stored(seen))
    assert from_stored(to_stored(again)) == again
