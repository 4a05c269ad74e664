from typing import Any

import pytest

from kubewright.schema.walk.ratchet import Correlation
from kubewright.schema.walk.structure import read

TEXT = {"type": "string"}
RECORD: dict[str, Any] = {"type": "object", "properties": {"a": TEXT, "b": TEXT}}
MAP: dict[str, Any] = {
    "type": "array",
    "items": RECORD,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["a"],
}


def unchanged(schema: dict[str, Any], old: object, new: object) -> bool:
    return Correlation(new, old, read(schema)).unchanged()


def test_equal_values_did_not_change() -> None:
    assert unchanged(RECORD, {"a": "x"}, {"a": "x"})
    assert not unchanged(RECORD, {"a": "x"}, {"a": "y"})
    assert not unchanged(RECORD, {"a": "x"}, {"a": "x", "b": "y"})


def test_a_number_changes_with_its_type() -> None:
    assert not unchanged({"type": "number"}, 1, 1.0)


def test_null_is_equal_to_null() -> None:
    assert unchanged(TEXT, None, None)
    assert not unchanged(TEXT, None, "")


def test_properties_the_schema_does_not_describe_count_as_changed() -> None:
    assert not unchanged({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, {"z": 1}, {"z": 1})
    assert unchanged({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, {}, {})


def test_elements_of_a_map_are_paired_by_their_key() -> None:
    pair = Correlation([{"a": "2", "b": "y"}, {"a": "1"}], [{"a": "1"}, {"a": "2", "b": "x"}], read(MAP))
    first, second = pair.at(0), pair.at(1)
    assert first is not None
    assert second is not None
    assert not first.unchanged()
    assert second.unchanged()


def test_the_order_of_a_map_does_not_count() -> None:
    assert unchanged(MAP, [{"a": "1"}, {"a": "2"}], [{"a": "2"}, {"a": "1"}])


@pytest.mark.parametrize("element", [None, 5, {}, {"a": None}, {"a": {}}])
def test_elements_without_a_scalar_key_have_no_partner(element: object) -> None:
    assert Correlation([element], [element], read(MAP)).at(0) is None


def test_elements_of_other_lists_have_no_partner_but_the_list_may_be_unchanged() -> None:
    schema = {"type": "array", "items": TEXT}
    assert Correlation(["a"], ["a"], read(schema)).at(0) is None
    assert unchanged(schema, ["a"], ["a"])
    assert not unchanged(schema, ["a", "b"], ["b", "a"])


def test_several_keys_are_compared_in_print() -> None:
    item = {"type": "object", "properties": {"a": {"type": "number"}, "b": TEXT}}
    schema = {**MAP, "items": item, "x-kubernetes-list-map-keys": ["a", "b"]}
    old = [{"a": 0.1234561, "b": "x"}]
    assert Correlation([{"a": 0.1234562, "b": "x"}], old, read(schema)).at(0) is not None
    assert Correlation([{"a": 0.2, "b": "x"}], old, read(schema)).at(0) is None
