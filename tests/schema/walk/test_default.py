import copy
from typing import Any

from kubewright.schema.walk.default import compile_default
from kubewright.schema.walk.structure import read


def filled(schema: dict[str, Any], value: Any) -> Any:
    value = copy.deepcopy(value)
    default = compile_default(read(schema))
    if default is not None:
        default(value)
    return value


X: dict[str, Any] = {"type": "string", "default": "x"}


def test_an_absent_property_gets_its_default() -> None:
    assert filled({"properties": {"a": X}}, {}) == {"a": "x"}


def test_a_present_one_keeps_its_value_even_if_empty() -> None:
    assert filled({"properties": {"a": X}}, {"a": ""}) == {"a": ""}


def test_null_gets_the_default_unless_it_is_allowed() -> None:
    assert filled({"properties": {"a": X}}, {"a": None}) == {"a": "x"}
    assert filled({"properties": {"a": {**X, "nullable": True}}}, {"a": None}) == {"a": None}
    assert filled({"properties": {"a": {**X, "nullable": True}}}, {}) == {"a": "x"}


def test_defaults_fill_in_a_default() -> None:
    schema = {"properties": {"a": {"type": "object", "default": {}, "properties": {"b": X}}}}
    assert filled(schema, {}) == {"a": {"b": "x"}}


def test_an_absent_object_without_default_stays_absent() -> None:
    assert filled({"properties": {"a": {"type": "object", "properties": {"b": X}}}}, {}) == {}


def test_items_and_map_values_are_filled_in() -> None:
    assert filled({"items": {"properties": {"a": X}}}, [{}, {"a": "y"}]) == [{"a": "x"}, {"a": "y"}]
    assert filled({"additionalProperties": {"properties": {"a": X}}}, {"k": {}}) == {"k": {"a": "x"}}


def test_nulls_among_items_and_map_values_get_the_default() -> None:
    assert filled({"items": X}, [None, "y"]) == ["x", "y"]
    assert filled({"additionalProperties": X}, {"k": None}) == {"k": "x"}


def test_every_object_gets_its_own_copy() -> None:
    default = compile_default(
        read({"properties": {"a": {"default": {"b": [1, {"c": 2}]}, "x-kubernetes-preserve-unknown-fields": True}}})
    )
    assert default is not None
    first: dict[str, Any] = {}
    second: dict[str, Any] = {}
    default(first)
    first["a"]["b"][1]["c"] = 3
    default(second)
    assert second == {"a": {"b": [1, {"c": 2}]}}


def test_a_default_is_pruned_like_any_value() -> None:
    schema = {"properties": {"a": {"type": "object", "default": {"b": "y", "z": 1}, "properties": {"b": X}}}}
    assert filled(schema, {}) == {"a": {"b": "y"}}


def test_the_metadata_of_a_default_loses_what_is_malformed() -> None:
    template = {"apiVersion": "v1", "kind": 5, "metadata": {"name": 1, "labels": {"a": "b"}, "zzz": 1}}
    schema = {"type": "object", "x-kubernetes-embedded-resource": True, "default": template}
    assert filled({"properties": {"a": schema}}, {}) == {"a": {"apiVersion": "v1", "metadata": {"labels": {"a": "b"}}}}


def test_a_whole_float_comes_as_an_integer() -> None:
    assert repr(filled({"properties": {"a": {"type": "number", "default": 3.0}}}, {})) == "{'a': 3}"


def test_a_null_default_is_none() -> None:
    assert compile_default(read({"properties": {"a": {"nullable": True, "default": None}}})) is None


def test_a_value_of_another_type_is_left_alone() -> None:
    assert filled({"properties": {"a": X}}, ["b"]) == ["b"]
