from typing import Any

import pytest

from kubewright.cluster.registry.kinds.scale import BuiltinScale
from kubewright.cluster.registry.scale import Sizes, scale_document

SCALE = BuiltinScale()


@pytest.mark.parametrize(
    ("selector", "text"),
    [
        ({"matchLabels": {"b": "2", "a": "1"}}, "a=1,b=2"),
        ({"matchExpressions": [{"key": "k", "operator": "In", "values": ["y", "x"]}]}, "k in (x,y)"),
        ({"matchExpressions": [{"key": "k", "operator": "NotIn", "values": ["x"]}]}, "k notin (x)"),
        ({"matchExpressions": [{"key": "k", "operator": "DoesNotExist"}, {"key": "a", "operator": "Exists"}]}, "a,!k"),
        ({"app": "x"}, "app=x"),
        ({"matchLabels": "odd"}, "matchLabels=odd"),
        ({}, ""),
    ],
)
def test_a_selector_is_told_as_a_text(selector: dict[str, Any], text: str) -> None:
    assert SCALE.read({"spec": {"selector": selector}}).selector == text


def test_an_object_that_does_not_say_wants_one_replica() -> None:
    assert SCALE.read({"spec": {}}) == Sizes(1, 0, "")


def test_a_negative_size_is_refused() -> None:
    [error] = SCALE.check({"metadata": {"name": "a", "namespace": "n"}, "spec": {"replicas": -1}})
    assert str(error) == "spec.replicas: Invalid value: -1: must be greater than or equal to 0"


def test_a_scale_tells_of_metadata_only_who_it_is() -> None:
    obj = {"metadata": {"name": "a", "uid": "u", "labels": {"x": "y"}}}
    assert scale_document(obj, Sizes(2, 1, "")) == {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": {"name": "a", "uid": "u"},
        "spec": {"replicas": 2},
        "status": {"replicas": 1},
    }


def test_metadata_that_goes_nowhere_has_to_be_right() -> None:
    meta = {"name": "a", "namespace": "n", "labels": {"a b": "x"}, "finalizers": ["x"]}
    errors = SCALE.check({"metadata": meta, "spec": {}})
    assert [error.field for error in errors] == ["metadata.labels", "metadata.finalizers[0]"]
