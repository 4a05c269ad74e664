"""The walk as a whole: laws that hold for every schema and every object."""

import copy
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kubewright.model.steps import finish
from kubewright.schema.walk import MalformedError, SchemaError, Walk, compile_schema
from kubewright.schema.walk.explain import compile_explain
from kubewright.schema.walk.listtypes import compile_list_types
from kubewright.schema.walk.structure import MAX_DEPTH, read
from kubewright.schema.walk.verdict import compile_verdict

NAMES = ("a", "b", "c")
SCALARS: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    2,
    3,
    -1,
    97,
    1.0,
    1.5,
    1e19,
    10**19,
    2**63 - 1,
    "",
    "a",
    "b",
    "ab",
    "é",
    "1h",
]
TYPES = ("string", "integer", "number", "boolean", "object", "array")
VALUES = st.recursive(
    st.sampled_from(SCALARS) | st.text(st.characters(), max_size=3) | st.integers() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=8,
)


class Maker:
    """Makes schemas and objects from a number: hypothesis would take a hundred times as long to draw each keyword."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def some(self) -> list[str]:
        return self.random.sample(NAMES, self.random.randrange(1, 3))

    def value(self, depth: int = 0) -> Any:
        if depth > 2 or not self.chance(3):
            return self.random.choice(SCALARS)
        if self.chance(2):
            return [self.value(depth + 1) for _ in range(self.random.randrange(3))]
        return {name: self.value(depth + 1) for name in self.some()}

    def keywords(self, type_: str) -> dict[str, Any]:
        """Value validations that say something about the type; about all of them for none."""
        bound, size = self.random.choice([-1, 0, 1, 2, 5, 1.5, 0.1, 1e19]), self.random.randrange(4)
        of_numbers = {"minimum": bound, "maximum": bound, "multipleOf": bound, "exclusiveMaximum": True}
        pattern, format_ = self.random.choice(["^a", "b$"]), self.random.choice(["duration", "ipv4", "int32", "other"])
        table: dict[str, dict[str, Any]] = {
            "number": of_numbers,
            "integer": of_numbers,
            "string": {"minLength": size, "maxLength": size, "pattern": pattern, "format": format_},
            "array": {"minItems": size, "maxItems": size},
            "object": {"minProperties": size, "maxProperties": size, "required": self.some()},
        }
        found = {
            keyword: value
            for name, keywords in table.items()
            for keyword, value in keywords.items()
            if type_ in ("", name) and self.chance(4)
        }
        return found | ({"enum": [self.value(1) for _ in range(3)]} if self.chance(5) else {})

    def nested(self, depth: int = 0) -> dict[str, Any]:
        """What may stand inside a junctor."""
        type_ = self.random.choice(("", "", "", *TYPES))
        found = self.keywords(type_) | ({"type": type_} if type_ else {})
        if depth < 2:
            if self.chance(2):
                found["properties"] = {name: self.nested(depth + 1) for name in self.some()}
            if self.chance(4):
                found["items"] = self.nested(depth + 1)
            if self.chance(4):
                found["not"] = self.nested(depth + 1)
        return found

    def schema(self, depth: int = 0, *, plain: bool = False) -> dict[str, Any]:
        """A structural schema; a plain one has no counts, no junctors, and defaults that fit."""
        types = (*TYPES, "object", "any", "mixed") if depth < 3 else ("string", "integer", "boolean", "mixed")
        type_ = self.random.choice(types) if depth else "object"
        found: dict[str, Any] = {"type": type_}
        if type_ == "any":
            found = {"x-kubernetes-preserve-unknown-fields": True}
        elif type_ == "mixed":
            found = {"x-kubernetes-int-or-string": True}
        if self.chance(4):
            found["nullable"] = True
        if not plain:
            found |= self.keywords("" if type_ in ("any", "mixed") else type_)
            for junctor in ("allOf", "anyOf", "oneOf"):
                if self.chance(8):
                    found[junctor] = [self.nested() for _ in range(self.random.randrange(1, 4))]
        elif type_ in ("string", "integer", "number"):
            found |= {key: value for key, value in self.keywords(type_).items() if key != "enum"}
        if type_ == "object":
            self.members(found, depth, plain=plain)
        if type_ == "array":
            found["items"] = self.schema(depth + 1, plain=plain)
            if not plain:
                found["x-kubernetes-list-type"] = self.random.choice(["atomic", "set", "map"])
                found["x-kubernetes-list-map-keys"] = self.some()
        if depth and self.chance(3):
            default = self.value()
            if not plain or fitting(found, default):
                found["default"] = default
        return found

    def members(self, found: dict[str, Any], depth: int, *, plain: bool) -> None:
        if depth == 0 or self.chance(2):
            found["properties"] = {name: self.schema(depth + 1, plain=plain) for name in self.some()}
            if self.chance(3):
                found["required"] = [self.random.choice(list(found["properties"]))]
        elif self.chance(2):
            found["additionalProperties"] = True if self.chance(3) else self.schema(depth + 1, plain=plain)
        if self.chance(6):
            found["x-kubernetes-preserve-unknown-fields"] = True

    def instance(self, schema: dict[str, Any]) -> Any:
        """A value that fits by and large."""
        if self.chance(8) or not schema:
            return self.value()
        if schema.get("type") == "object":
            members = {
                name: self.instance(child) for name, child in schema.get("properties", {}).items() if not self.chance(4)
            }
            if isinstance(additional := schema.get("additionalProperties"), dict):
                members |= {name: self.instance(additional) for name in self.some()}
            return members
        if schema.get("type") == "array":
            items = [self.instance(schema["items"]) for _ in range(self.random.randrange(4))]
            return items + copy.deepcopy(items[:1]) if self.chance(3) else items
        kinds = {"string": str, "integer": int, "number": int | float, "boolean": bool}
        wanted = kinds.get(schema.get("type", ""), object)
        return self.random.choice([value for value in SCALARS if isinstance(value, wanted)])


def fitting(schema: dict[str, Any], value: object) -> bool:
    walk = compile_schema({"type": "object", "properties": {"a": schema}}, root=False)
    whole = {"a": copy.deepcopy(value)}
    walk.coerce(whole)
    walk.default(whole)
    return whole.get("a") == value and not walk.validate(whole)


SEEDS = st.integers(0, 2**40)


Pair = tuple[dict[str, Any], dict[str, Any]]


def schemas(*, plain: bool = False) -> st.SearchStrategy[dict[str, Any]]:
    return SEEDS.map(lambda seed: Maker(seed).schema(plain=plain))


@st.composite
def pairs(draw: st.DrawFn, *, plain: bool = False) -> Pair:
    """A schema and an object, near to it or far from it."""
    maker = Maker(draw(SEEDS))
    schema = maker.schema(plain=plain)
    obj = maker.instance(schema)
    if not isinstance(obj, dict) or draw(st.booleans()):
        obj = draw(st.dictionaries(st.sampled_from((*NAMES, "z")), VALUES, max_size=3))
    return schema, obj


@given(pairs())
def test_pruning_twice_is_pruning_once(pair: Pair) -> None:
    schema, obj = pair
    walk = compile_schema(schema)
    walk.prune(obj)
    once = copy.deepcopy(obj)
    assert walk.prune(obj) == []
    assert obj == once


@given(pairs())
def test_what_pruning_leaves_is_specified(pair: Pair) -> None:
    schema, obj = pair
    compile_schema(schema, root=False).prune(obj)
    assert unspecified(schema, obj, kept=False) == []


def unspecified(schema: dict[str, Any] | None, value: object, *, kept: bool) -> list[str]:
    """The names that stand where the schema knows nothing of them."""
    kept = kept or (schema or {}).get("x-kubernetes-preserve-unknown-fields", False)
    found: list[str] = []
    if isinstance(value, dict):
        for name, member in value.items():
            child = (schema or {}).get("properties", {}).get(name, (schema or {}).get("additionalProperties"))
            if child is not None:
                found += unspecified(child if isinstance(child, dict) else None, member, kept=False)
            elif not kept:
                found.append(name)
    elif isinstance(value, list):
        for member in value:
            child = (schema or {}).get("items")
            if child is not None or not kept:
                found += unspecified(child, member, kept=kept)
    return found


@given(pairs())
def test_pruning_says_what_it_dropped(pair: Pair) -> None:
    schema, obj = pair
    before = copy.deepcopy(obj)
    dropped = compile_schema(schema).prune(obj)
    assert dropped == sorted(dropped)
    assert bool(dropped) == (obj != before)


@given(pairs())
def test_defaulting_twice_is_defaulting_once(pair: Pair) -> None:
    schema, obj = pair
    walk = compile_schema(schema)
    walk.default(obj)
    once = copy.deepcopy(obj)
    walk.default(obj)
    assert obj == once


@given(pairs(), VALUES)
def test_every_object_has_a_verdict_under_every_schema(pair: Pair, old: object) -> None:
    schema, obj = pair
    walk = compile_schema(schema)
    for error in walk.validate(obj) + walk.validate(obj, old):
        assert error.reason
        assert error.field
        assert str(error) == f"{error.field}: {error.message}"


@given(schemas(), VALUES)
def test_every_value_has_a_verdict_under_every_schema(schema: dict[str, Any], value: object) -> None:
    walk = compile_schema(schema, root=False)
    walk.coerce(value)
    walk.default(value)
    walk.validate(value)


@given(pairs())
def test_the_quick_verdict_agrees_with_the_explanation(pair: Pair) -> None:
    schema, obj = pair
    node = read(schema)
    lists = compile_list_types(node)
    problems = finish(compile_explain(node)(obj, "", None)).problems
    assert compile_verdict(node)(obj) == (not problems and not (lists and lists(obj, "")))


@given(pairs())
def test_an_object_that_did_not_change_is_judged_no_harder(pair: Pair) -> None:
    schema, obj = pair
    walk = compile_schema(schema)
    assert set(walk.validate(obj, copy.deepcopy(obj))) <= set(walk.validate(obj))


@given(pairs())
def test_an_update_from_elsewhere_forgives_nothing_new(pair: Pair) -> None:
    schema, obj = pair
    walk = compile_schema(schema)
    assert walk.validate(obj, {"unrelated": True}) == walk.validate(obj)


@given(pairs(plain=True))
def test_a_valid_object_stays_valid_pruned_and_defaulted(pair: Pair) -> None:
    schema, obj = pair
    walk = compile_schema(schema)
    assume(not walk.validate(obj))
    walk.prune(obj)
    walk.default(obj)
    assert walk.validate(obj) == []


@st.composite
def simple_schemas(draw: st.DrawFn, depth: int = 0) -> dict[str, Any]:
    """Types, required properties and bounds, nothing else."""
    type_ = draw(
        st.sampled_from(("object", "array", "string", "integer", "boolean") if depth < 3 else ("string", "integer"))
    )
    found: dict[str, Any] = {"type": type_}
    if type_ == "object":
        found["properties"] = draw(st.dictionaries(st.sampled_from(NAMES), simple_schemas(depth + 1), max_size=3))
        found["required"] = draw(st.lists(st.sampled_from(NAMES), max_size=2))
    elif type_ == "array":
        found |= {"items": draw(simple_schemas(depth + 1)), "maxItems": draw(st.integers(0, 3))}
    elif type_ == "string":
        found |= {"minLength": draw(st.integers(0, 2)), "maxLength": draw(st.integers(0, 4))}
    elif type_ == "integer":
        found |= {"minimum": draw(st.integers(-2, 5)), "maximum": draw(st.integers(-2, 9))}
    return found


def model(schema: dict[str, Any], value: object) -> bool:
    """The same, interpreted."""
    if schema["type"] == "object":
        return (
            isinstance(value, dict)
            and all(name in value for name in schema["required"])
            and all(model(child, value[name]) for name, child in schema["properties"].items() if name in value)
        )
    if schema["type"] == "array":
        return (
            isinstance(value, list)
            and len(value) <= schema["maxItems"]
            and all(model(schema["items"], item) for item in value)
        )
    if schema["type"] == "string":
        return isinstance(value, str) and schema["minLength"] <= len(value) <= schema["maxLength"]
    if schema["type"] == "boolean":
        return isinstance(value, bool)
    whole = isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
    return whole and schema["minimum"] <= value <= schema["maximum"]


@given(simple_schemas(), VALUES)
def test_the_compiled_schema_agrees_with_an_interpreter(schema: dict[str, Any], value: object) -> None:
    assert (compile_schema(schema, root=False).validate(value) == []) == model(schema, value)


# Depth


def tower(levels: int, kind: str) -> Any:
    value: Any = "top"
    for _ in range(levels):
        value = [value] if kind == "lists" else {"a": value}
    return value


FREE: dict[str, Any] = {"x-kubernetes-preserve-unknown-fields": True}


@pytest.mark.parametrize("kind", ["lists", "objects"])
@pytest.mark.parametrize(
    "part",
    [
        FREE,
        {"type": "object", **FREE},
        {"type": "array", "items": FREE, "x-kubernetes-list-type": "set"},
        {"type": "string"},
        {"type": "object", "additionalProperties": True},
        {"x-kubernetes-int-or-string": True, "enum": ["a", {"a": 1}]},
        {**FREE, "enum": [tower(5_000, "lists")], "default": tower(5_000, "objects")},
        {"type": "object", "x-kubernetes-embedded-resource": True, **FREE},
        {
            "type": "array",
            "items": {"type": "object", **FREE},
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["a"],
        },
    ],
)
def test_an_object_may_be_deeper_than_the_stack(part: dict[str, Any], kind: str) -> None:
    walk = compile_schema({"type": "object", "properties": {"spec": part}})
    for value in (tower(10_000, kind), [tower(10_000, kind), tower(10_000, kind)], {"metadata": tower(10_000, kind)}):
        obj = {"apiVersion": "a/v1", "kind": "A", "metadata": {"name": "x"}, "spec": value}
        old = {"spec": value}
        try:
            walk.coerce(obj)
        except MalformedError:
            continue
        walk.default(obj)
        walk.validate(obj)
        walk.validate(obj, old)


def test_the_deepest_schema_does_not_exhaust_the_stack() -> None:
    schema: dict[str, Any] = {"type": "string", "maxLength": 1}
    value: Any = "too long"
    for level in range(MAX_DEPTH):
        inner = schema
        if level % 2:
            schema, value = {"type": "object", "properties": {"a": inner}, "required": ["b"]}, {"a": value}
        else:
            schema, value = {"type": "array", "items": inner}, [value]
    walk = compile_schema(schema, root=False)
    walk.coerce(value)
    walk.default(value)
    assert len(walk.validate(value)) == 1 + MAX_DEPTH // 2
    walk.validate(value, value)


def test_the_deepest_junctors_do_not_exhaust_the_stack() -> None:
    schema: dict[str, Any] = {"maxLength": 1}
    for _ in range(MAX_DEPTH):
        schema = {"allOf": [schema]}
    assert compile_schema(schema, root=False).validate("too long")


def test_a_schema_that_is_too_deep_is_refused() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(MAX_DEPTH + 1):
        schema = {"type": "array", "items": schema}
    with pytest.raises(SchemaError, match="nested more than"):
        compile_schema(schema)


# The parts together


def part(**fields: Any) -> Walk:
    return compile_schema({"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}})


def test_coercing_tells_unknown_fields_of_metadata_first() -> None:
    walk = part(a={"type": "object", "x-kubernetes-embedded-resource": True})
    obj = {"metadata": {"zz": 1}, "b": 1, "a": 2, "spec": {"a": {"metadata": {"y": 1}}}}
    assert walk.coerce(obj) == ["metadata.zz", "a", "b", "spec.a.metadata.y"]
    assert obj == {"metadata": {}, "spec": {"a": {"metadata": {}}}}


def test_a_part_has_no_metadata_of_its_own() -> None:
    obj = {"metadata": {"a": 1}, "kind": "x"}
    assert compile_schema({"type": "object"}, root=False).coerce(obj) == ["kind", "metadata"]


def test_malformed_metadata_is_told_in_the_servers_words() -> None:
    with pytest.raises(MalformedError, match=r"^json: cannot unmarshal number into Go struct field ObjectMeta.name of"):
        part().coerce({"metadata": {"name": 1}})


def test_the_status_is_judged_alone_and_named_in_the_field_only() -> None:
    walk = compile_schema(
        {"type": "object", "required": ["spec"], "properties": {"status": {"type": "object", "required": ["a"]}}}
    )
    assert list(map(str, walk.validate_status({"status": {}}, {}))) == ["status.a: Required value"]
    assert walk.validate_status({}, {}) == []


def test_an_unchanged_status_is_forgiven() -> None:
    walk = compile_schema({"type": "object", "properties": {"status": {"type": "object", "required": ["a"]}}})
    assert walk.validate_status({"status": {}}, {"status": {}}) == []


def test_status_without_a_schema_is_not_judged() -> None:
    assert part().validate_status({"status": 5}, {}) == []
