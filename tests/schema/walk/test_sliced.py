"""Large objects walked in steps: the same comes of it as of walking them at one go."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.schema.walk.test_walk import Pair, pairs

from kubewright.model.steps import counted, finish
from kubewright.schema.walk import compile_schema
from kubewright.schema.walk.default import compile_default
from kubewright.schema.walk.nulls import compile_drop_nulls
from kubewright.schema.walk.prune import compile_prune
from kubewright.schema.walk.ratchet import Correlation
from kubewright.schema.walk.sliced import Judge, in_place, prune_in_steps
from kubewright.schema.walk.structure import read
from kubewright.schema.walk.verdict import compile_verdict

MOST = st.integers(1, 6)
Compiled = Callable[[Any], Callable[[Any], object] | None]


@given(pairs(), MOST)
def test_pruning_in_steps_drops_and_tells_the_same(pair: Pair, most: int) -> None:
    schema, obj = pair
    prune, other = compile_prune(read(schema), resource=True), copy.deepcopy(obj)
    if prune is not None:
        assert sorted(finish(prune_in_steps(other, prune, most))) == sorted(prune(obj) or [])
        assert (other, [*other]) == (obj, [*obj])


@pytest.mark.parametrize("compiled", [compile_drop_nulls, compile_default])
@given(pair=pairs(), most=MOST)
def test_what_is_done_in_place_is_done_in_steps_too(compiled: Compiled, pair: Pair, most: int) -> None:
    schema, obj = pair
    walk, other = compiled(read(schema)), copy.deepcopy(obj)
    if walk is not None:
        walk(obj)
        finish(in_place(other, walk, most))
        assert (other, [*other]) == (obj, [*obj])


@given(pairs(), MOST)
def test_the_verdict_in_steps_is_the_same(pair: Pair, most: int) -> None:
    schema, obj = pair
    node = read(schema)
    assert finish(Judge(node).fits(obj, most)) == compile_verdict(node)(obj)


ITEM: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "mode": {"type": "string", "default": "a"}},
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "required": ["list"],
            "properties": {
                "size": {"type": "integer", "default": 3},
                "list": {
                    "type": "array",
                    "items": ITEM,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                },
                "table": {"type": "object", "additionalProperties": ITEM},
            },
        }
    },
}


def large() -> dict[str, Any]:
    items = [{"name": f"n{number}"} for number in range(5000)]
    spec = {"list": items, "table": {item["name"]: dict(item) for item in items}}
    return {"apiVersion": "a/v1", "kind": "A", "metadata": {"name": "x"}, "spec": spec}


def test_a_large_object_takes_many_steps_and_keeps_its_containers() -> None:
    walk, obj, other = compile_schema(SCHEMA), large(), large()
    table = obj["spec"]["table"]
    unknown, pruned = counted(walk.coerce_in_steps(obj))
    _, defaulted = counted(walk.default_in_steps(obj))
    errors, judged = counted(walk.validate_in_steps(obj))
    walk.default(other)
    assert (unknown, errors) == ([], [])
    assert min(pruned, defaulted, judged) >= 10
    assert obj == other
    assert obj["spec"]["table"] is table


def test_unknown_fields_of_a_large_object_are_told_where_they_stand() -> None:
    obj = large()
    obj["spec"]["list"][4321]["odd"] = 1
    obj["spec"]["table"]["n4000"]["odd"] = 2
    obj["spec"]["strange"] = {str(number): {"a": 1} for number in range(5000)}
    other = copy.deepcopy(obj)
    walk = compile_schema(SCHEMA)
    unknown = finish(walk.coerce_in_steps(obj))
    assert unknown == walk.coerce(other) == ["spec.list[4321].odd", "spec.strange", "spec.table.n4000.odd"]
    assert obj == other


def test_what_is_wrong_with_a_large_object_is_told_as_of_any() -> None:
    walk, obj = compile_schema(SCHEMA), large()
    obj["spec"]["list"][-1]["name"] = "n0"
    del obj["spec"]["table"]["n4000"]["name"]
    errors = finish(walk.validate_in_steps(obj))
    assert errors == walk.validate(obj)
    assert len(errors) == 2


def test_what_is_wrong_with_a_large_object_is_explained_in_steps() -> None:
    walk, obj, old = compile_schema(SCHEMA), large(), large()
    for item in obj["spec"]["table"].values():
        item["name"] = 1
    errors, steps = counted(walk.validate_in_steps(obj, old))
    assert errors == walk.validate(obj, old)
    assert len(errors) == 5000
    assert steps >= 20


def test_whether_something_changed_is_found_in_steps() -> None:
    node, changed = read(SCHEMA["properties"]["spec"]), large()["spec"]
    changed["table"]["n4999"]["name"] = "b"
    for spec in (changed, large()["spec"]):
        unchanged, steps = counted(Correlation(spec, large()["spec"], node).unchanged_in_steps())
        assert unchanged == (spec is not changed)
        assert steps >= 10


@given(pairs(), pairs())
def test_whether_something_changed_is_the_same_in_steps(pair: Pair, other: Pair) -> None:
    schema, obj = pair
    for old in (copy.deepcopy(obj), other[1]):
        whole, parted = (Correlation(obj, old, read(schema)) for _ in range(2))
        assert finish(parted.unchanged_in_steps()) == whole.unchanged()
