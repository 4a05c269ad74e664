from typing import Annotated, Any

import pytest

import kubewright as kw
from kubewright.model.meta import fields_of


@pytest.mark.parametrize("marker", [kw.Default([1]), kw.Example({"a": {}}), kw.Fragment({"not": {"enum": [1]}})])
def test_a_marker_that_carries_json_can_stand_in_a_union(marker: Any) -> None:
    class Spec(kw.Model):
        value: Annotated[Any, marker] | None = None

    [field] = fields_of(Spec)
    assert field.shape.markers == (marker,)


def test_a_default_of_false_is_not_one_of_zero() -> None:
    class Spec(kw.Model):
        number: Annotated[Any, kw.Default(0)] | None = None
        flag: Annotated[Any, kw.Default(False)] | None = None

    assert [repr(field.shape.markers[0]) for field in fields_of(Spec)] == ["Default(value=0)", "Default(value=False)"]
