from typing import Any

import pytest

from kubewright.schema.walk.listtypes import compile_list_types, compile_unique
from kubewright.schema.walk.structure import read

TEXT = {"type": "string"}


def listing(kind: str, *keys: str, **items: Any) -> dict[str, Any]:
    return {
        "type": "array",
        "x-kubernetes-list-type": kind,
        "x-kubernetes-list-map-keys": list(keys),
        "items": items or {"type": "object", "properties": dict.fromkeys(keys, TEXT)},
    }


def found(schema: dict[str, Any], value: Any) -> list[str]:
    check = compile_list_types(read(schema))
    assert check is not None
    errors = [str(error) for error in check(value, "x")]
    unique = compile_unique(read(schema))
    if unique is not None and isinstance(value, list):
        assert unique(value) == (not errors)
    return errors


def test_a_second_member_of_a_set_is_reported_once() -> None:
    assert found(listing("set", type="string"), ["a", "b", "a", "a"]) == ['x[2]: Duplicate value: "a"']


def test_numbers_of_a_set_are_told_apart_by_their_type() -> None:
    assert found(listing("set", type="number"), [1, 1.0, 10**19]) == []
    assert found(listing("set", type="number"), [10**19, 10**19 + 1]) == ["x[1]: Duplicate value: 1e+19"]


def test_elements_of_a_map_are_compared_by_their_keys() -> None:
    schema = listing("map", "k")
    assert found(schema, [{"k": "a", "v": 1}, {"k": "b"}, {"k": "a", "v": 2}]) == ['x[2]: Duplicate value: {"k":"a"}']


def test_elements_without_the_key_are_alike() -> None:
    assert found(listing("map", "k"), [{}, {"v": 1}]) == ["x[1]: Duplicate value: {}"]


def test_all_keys_count() -> None:
    schema = listing("map", "k", "l")
    assert found(schema, [{"k": "a", "l": "b"}, {"k": "a", "l": "c"}]) == []
    assert found(schema, [{"k": "a"}, {"k": "a"}]) == ['x[1]: Duplicate value: {"k":"a"}']


def test_an_element_that_is_no_object_ends_the_check() -> None:
    schema = listing("map", "k", **{"x-kubernetes-preserve-unknown-fields": True})
    assert found(schema, [{"k": 1}, {"k": 1}, "a"]) == [
        'x[2]: Invalid value: "a": must be an object for an array of list-type map'
    ]


def test_additional_properties_are_named_in_brackets() -> None:
    schema = {"type": "object", "additionalProperties": listing("set", type="string")}
    assert found(schema, {"k": ["a", "a"]}) == ['x[k][1]: Duplicate value: "a"']


@pytest.mark.parametrize("kind", ["", "atomic"])
def test_other_lists_may_hold_anything_twice(kind: str) -> None:
    assert compile_list_types(read(listing(kind, type="string"))) is None
