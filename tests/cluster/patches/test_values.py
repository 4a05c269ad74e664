"""JSON values as Go sees them."""

import pytest

from kubewright.cluster.patches.errors import PanickingPatch
from kubewright.cluster.patches.values import equal, formatted, go_type, token


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (1, "int64"),
        (2**63, "float64"),
        (1.0, "float64"),
        (True, "bool"),
        ("", "string"),
        (None, "%!s(<nil>)"),
        ([], "[]interface {}"),
        ({}, "map[string]interface {}"),
    ],
)
def test_every_value_has_its_type(value: object, name: str) -> None:
    assert go_type(value) == name


def test_equality_knows_types() -> None:
    assert equal(1, 1)
    assert not equal(1, 1.0)
    assert not equal(1, True)
    assert not equal({}, [])
    with pytest.raises(PanickingPatch):
        equal([], [])


def test_objects_and_lists_are_no_keys() -> None:
    assert len({token(1), token(True), token(1.0), token("1")}) == 4
    with pytest.raises(PanickingPatch):
        token({})


def test_other_values_than_strings_are_formatted_with_their_types() -> None:
    value = {"b": [1, None, "x"], "a": True}
    assert formatted(value) == "map[a:%!s(bool=true) b:[%!s(int64=1) <nil> x]]"
    assert formatted(None) == "%!s(<nil>)"


def test_values_of_any_depth_can_be_formatted() -> None:
    deep: list[object] = [1]
    for _ in range(10_000):
        deep = [deep]
    assert formatted(deep) == "[" * 10_001 + "%!s(int64=1)" + "]" * 10_001
