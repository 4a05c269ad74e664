"""Large schemas compiled as values are met: the same comes of them as of those compiled at once."""

import copy
from typing import Any

import pytest
from hypothesis import given
from tests.schema.walk.test_walk import Pair, pairs

from kubewright.model.steps import finish
from kubewright.schema.walk import MalformedError, Walk, compile_schema, structure
from kubewright.schema.walk.structure import SchemaError, Unread, read


@pytest.fixture(autouse=True, scope="module")
def _every_schema_is_large() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structure, "_LARGE", 0)
        patch.setattr(structure, "_UNIT", 0)
        yield


def walked(walk: Walk, obj: Any, old: Any) -> list[object]:
    """All that a walk makes of an object and tells of it."""
    obj = copy.deepcopy(obj)
    told: list[object] = []
    try:
        told.append(walk.coerce(obj))
    except MalformedError as error:
        told.append(str(error))
    walk.default(obj)
    told += [walk.validate(obj), finish(walk.validate_in_steps(obj)), walk.validate(obj, old)]
    if isinstance(obj, dict) and isinstance(old, dict):
        told.append(walk.validate_status(obj, old))
    return [*told, repr(obj)]


@given(pairs(), pairs())
def test_compiled_lazily_a_schema_says_the_same(pair: Pair, other: Pair) -> None:
    (schema, obj), (_, old) = pair, other
    eager, lazy = compile_schema(schema), compile_schema(schema, lazily=True)
    for _ in range(2):
        assert walked(lazy, obj, old) == walked(eager, obj, old)


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "a": {"type": "object", "properties": {"x": {"type": "string", "minLength": 2}}},
                "b": {"type": "object", "properties": {"x": {"type": "integer", "default": 3}}},
            },
        }
    },
}


def unread(walk_over: Any) -> list[str]:
    return [name for name in walk_over if name not in walk_over._read]


def test_only_what_values_are_met_at_is_read() -> None:
    root = read(SCHEMA, lazily=True)
    walk = Walk(root, root=True)
    assert isinstance(root.properties, Unread)
    assert unread(root.properties) == ["spec"]
    obj: dict[str, Any] = {"spec": {"b": {}}}
    assert walk.coerce(obj) == []
    walk.default(obj)
    assert walk.validate(obj) == []
    assert obj == {"spec": {"b": {"x": 3}}}
    assert unread(root.properties["spec"].properties) == ["a"]
    assert [str(error) for error in walk.validate({"spec": {"a": {"x": "q"}}})] == [
        'spec.a.x: Invalid value: "q": spec.a.x in body should be at least 2 chars long'
    ]


def test_a_schema_not_known_to_be_well_formed_is_read_at_once() -> None:
    broken = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": 5}}}}}
    with pytest.raises(SchemaError):
        compile_schema(broken)
    assert compile_schema(broken, lazily=True).prune({"c": 1}) == ["c"]
