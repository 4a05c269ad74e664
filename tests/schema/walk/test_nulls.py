import copy
from typing import Any

from kubewright.schema.walk.nulls import compile_drop_nulls
from kubewright.schema.walk.structure import read

TEXT = {"type": "string"}


def left(schema: dict[str, Any], value: Any) -> Any:
    value = copy.deepcopy(value)
    drop = compile_drop_nulls(read(schema))
    if drop is not None:
        drop(value)
    return value


def test_null_without_default_is_dropped() -> None:
    assert left({"properties": {"a": TEXT}}, {"a": None}) == {}


def test_null_with_a_default_waits_for_it() -> None:
    assert left({"properties": {"a": {**TEXT, "default": "x"}}}, {"a": None}) == {"a": None}


def test_null_that_is_allowed_stays() -> None:
    assert left({"properties": {"a": {**TEXT, "nullable": True}}}, {"a": None}) == {"a": None}


def test_null_of_an_unknown_property_stays() -> None:
    assert left({"properties": {"a": TEXT}}, {"z": None}) == {"z": None}


def test_nulls_of_a_map_are_dropped() -> None:
    assert left({"additionalProperties": TEXT}, {"a": None, "b": "x"}) == {"b": "x"}


def test_nulls_in_a_list_stay_but_those_in_its_items_go() -> None:
    assert left({"items": {"properties": {"a": TEXT}}}, [None, {"a": None}]) == [None, {}]


def test_a_schema_without_properties_has_nothing_to_drop() -> None:
    assert compile_drop_nulls(read({"type": "array", "items": TEXT})) is None
