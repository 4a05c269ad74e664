import copy
from typing import Any

import pytest

from kubewright.schema.walk.prune import compile_prune, strip
from kubewright.schema.walk.structure import read

KNOWN = {"type": "object", "properties": {"a": {"type": "string"}}}


def pruned(schema: dict[str, Any], value: Any, **options: bool) -> tuple[Any, list[str] | None]:
    prune = compile_prune(read(schema), **options)
    value = copy.deepcopy(value)
    return value, prune(value) if prune is not None else None


def test_unknown_fields_go_and_their_paths_come_back() -> None:
    assert pruned(KNOWN, {"a": "x", "b": 1}) == ({"a": "x"}, [".b"])


def test_nothing_unknown_costs_nothing() -> None:
    assert pruned(KNOWN, {"a": "x"}) == ({"a": "x"}, None)


def test_paths_have_indexes_and_names() -> None:
    schema = {"type": "array", "items": {"type": "object", "additionalProperties": KNOWN}}
    assert pruned(schema, [{}, {"k.l": {"z": 1}}]) == ([{}, {"k.l": {}}], ["[1].k.l.z"])


def test_an_object_in_place_of_a_string_loses_its_fields() -> None:
    assert pruned(KNOWN, {"a": {"b": 1}}) == ({"a": {}}, [".a.b"])


def test_an_island_keeps_what_it_does_not_know_and_prunes_what_it_does() -> None:
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"strict": KNOWN}}
    assert pruned(schema, {"z": {"y": 1}, "strict": {"z": 1}}) == ({"z": {"y": 1}, "strict": {}}, [".strict.z"])


def test_a_list_that_preserves_preserves_in_its_items() -> None:
    schema = {"type": "array", "x-kubernetes-preserve-unknown-fields": True, "items": KNOWN}
    assert pruned(schema, [{"z": 1}]) == ([{"z": 1}], None)


def test_a_wholly_free_value_has_no_pruner() -> None:
    assert compile_prune(read({"x-kubernetes-preserve-unknown-fields": True})) is None


@pytest.mark.parametrize("schema", [KNOWN, {**KNOWN, "x-kubernetes-embedded-resource": True}])
def test_a_resource_keeps_its_own_fields(schema: dict[str, Any]) -> None:
    obj = {"apiVersion": 1, "kind": 2, "metadata": {"z": 1}, "z": 3}
    left, dropped = pruned(schema, obj, resource="x-kubernetes-embedded-resource" not in schema)
    assert left == {"apiVersion": 1, "kind": 2, "metadata": {"z": 1}}
    assert dropped == [".z"]


def test_values_of_an_open_map_stay_but_objects_among_them_are_emptied() -> None:
    schema = {"type": "object", "additionalProperties": True}
    assert pruned(schema, {"a": 1, "b": {"c": 1}, "d": [1, {"e": 2}]}) == (
        {"a": 1, "b": {}, "d": [1, {}]},
        [".b.c", ".d[1].e"],
    )


def test_without_a_schema_lists_keep_their_items_and_objects_nothing() -> None:
    value: list[Any] = [[{"a": 1}], 2]
    assert strip(value) == ["[0][0].a"]
    assert value == [[{}], 2]
