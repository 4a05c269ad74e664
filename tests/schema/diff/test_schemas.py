from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.diff.change import BOTH, CLIENTS, KINDS, NEITHER, Breaks
from kubewright.schema.diff.schemas import compare_schemas

S = {"type": "string"}


def obj(required: list[str] | None = None, **fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, **({"required": required} if required else {})}


def found(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str, Breaks]]:
    return [(change.path, change.kind, change.breaks) for change in compare_schemas(old, new, "")]


def keyword(name: str, old: object, new: object, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two schemas that differ in one keyword; None is absent."""
    return tuple({**more, **({} if value is None else {name: value})} for value in (old, new))  # type: ignore[return-value]


STRING = {"type": "string"}
RULE = {"rule": "self.a > 1"}
MOVES = {"rule": "self.a > oldSelf.a"}


@pytest.mark.parametrize(
    ("pair", "kind", "breaks"),
    [
        (keyword("type", "string", "integer"), "TypeChanged", BOTH),
        (keyword("type", "integer", "number"), "TypeChanged", CLIENTS),
        (keyword("type", "number", "integer"), "TypeChanged", BOTH),
        (({"type": "integer"}, {"x-kubernetes-int-or-string": True}), "TypeChanged", CLIENTS),
        (({"x-kubernetes-int-or-string": True}, {"type": "string"}), "TypeChanged", BOTH),
        (keyword("nullable", None, True), "NullableAdded", CLIENTS),
        (keyword("nullable", True, False), "NullableRemoved", BOTH),
        (keyword("default", None, 1), "DefaultAdded", CLIENTS),
        (keyword("default", 1, 2), "DefaultChanged", CLIENTS),
        (keyword("default", 1, True), "DefaultChanged", CLIENTS),
        (keyword("default", [1], [True]), "DefaultChanged", CLIENTS),
        (keyword("default", 0, None), "DefaultRemoved", CLIENTS),
        (keyword("enum", None, ["a"]), "EnumAdded", BOTH),
        (keyword("enum", ["a"], None), "EnumRemoved", CLIENTS),
        (keyword("enum", ["a"], ["a", "b"]), "EnumValueAdded", CLIENTS),
        (keyword("enum", ["a", "b"], ["b"]), "EnumValueRemoved", BOTH),
        (keyword("enum", ["a", "b"], ["b", "a"]), "OrderChanged", NEITHER),
        (keyword("maxLength", None, 5), "BoundTightened", BOTH),
        (keyword("maxLength", 5, 4), "BoundTightened", BOTH),
        (keyword("maxLength", 4, 5), "BoundLoosened", NEITHER),
        (keyword("maxLength", 0, None), "BoundLoosened", NEITHER),
        (keyword("minItems", 1, 2), "BoundTightened", BOTH),
        (keyword("minItems", 2, None), "BoundLoosened", NEITHER),
        (keyword("maxProperties", 3, 2), "BoundTightened", BOTH),
        (keyword("minimum", 1, 0), "BoundLoosened", NEITHER),
        (keyword("minimum", 0, 0.5), "BoundTightened", BOTH),
        (keyword("maximum", 10, 9), "BoundTightened", BOTH),
        (keyword("exclusiveMaximum", None, True, maximum=1), "BoundTightened", BOTH),
        (keyword("exclusiveMinimum", True, None, minimum=1), "BoundLoosened", NEITHER),
        (keyword("exclusiveMinimum", None, True), "BoundTightened", NEITHER),
        (keyword("multipleOf", 4, 2), "BoundLoosened", NEITHER),
        (keyword("multipleOf", 2, 4), "BoundTightened", BOTH),
        (keyword("multipleOf", None, 4), "BoundTightened", BOTH),
        (keyword("multipleOf", 4, 6), "ConstraintChanged", BOTH),
        (keyword("pattern", None, "^a"), "PatternAdded", BOTH),
        (keyword("pattern", "^a", "^b"), "PatternChanged", BOTH),
        (keyword("pattern", "^a", None), "PatternRemoved", NEITHER),
        (keyword("format", None, "date"), "FormatAdded", BOTH),
        (keyword("format", "date", "date-time"), "FormatChanged", BOTH),
        (keyword("format", "int32", "int64"), "FormatChanged", CLIENTS),
        (keyword("format", "int64", "int32"), "FormatChanged", BOTH),
        (keyword("format", "date", None), "FormatRemoved", NEITHER),
        (keyword("x-kubernetes-validations", None, [RULE]), "RuleAdded", BOTH),
        (keyword("x-kubernetes-validations", None, [MOVES]), "RuleAdded", CLIENTS),
        (keyword("x-kubernetes-validations", [RULE], []), "RuleRemoved", NEITHER),
        (keyword("x-kubernetes-validations", [RULE], [{**RULE, "message": "m"}]), "RuleChanged", NEITHER),
        (keyword("x-kubernetes-validations", [MOVES], [{**MOVES, "optionalOldSelf": True}]), "RuleChanged", CLIENTS),
        (keyword("x-kubernetes-validations", [RULE, MOVES], [MOVES, RULE]), "OrderChanged", NEITHER),
        (keyword("allOf", None, [{"required": ["a"]}]), "ConstraintAdded", BOTH),
        (keyword("allOf", [{"required": ["a"]}], None), "ConstraintRemoved", NEITHER),
        (keyword("anyOf", None, [{"required": ["a"]}]), "ConstraintAdded", BOTH),
        (
            keyword("anyOf", [{"required": ["a"]}], [{"required": ["a"]}, {"required": ["b"]}]),
            "AlternativeAdded",
            NEITHER,
        ),
        (
            keyword("anyOf", [{"required": ["a"]}, {"required": ["b"]}], [{"required": ["a"]}]),
            "AlternativeRemoved",
            BOTH,
        ),
        (keyword("oneOf", [{"required": ["a"]}], [{"required": ["a"]}, {"required": ["b"]}]), "AlternativeAdded", BOTH),
        (keyword("oneOf", [{"minimum": 1}, {"minimum": 2}], [{"minimum": 2}, {"minimum": 1}]), "OrderChanged", NEITHER),
        (keyword("not", None, {"required": ["a"]}), "ConstraintAdded", BOTH),
        (keyword("not", {"required": ["b"]}, {"required": ["a"]}), "ConstraintChanged", BOTH),
        (keyword("not", {"required": ["b"]}, None), "ConstraintRemoved", NEITHER),
        (keyword("x-kubernetes-list-type", None, "atomic"), "ListTypeChanged", NEITHER),
        (keyword("x-kubernetes-list-type", None, "set"), "ListTypeChanged", BOTH),
        (keyword("x-kubernetes-list-type", "set", "atomic"), "ListTypeChanged", CLIENTS),
        (keyword("x-kubernetes-list-map-keys", ["a"], ["b"]), "ListTypeChanged", CLIENTS),
        (keyword("x-kubernetes-map-type", None, "granular"), "MapTypeChanged", NEITHER),
        (keyword("x-kubernetes-map-type", None, "atomic"), "MapTypeChanged", CLIENTS),
        (keyword("x-kubernetes-preserve-unknown-fields", None, True), "PruningChanged", NEITHER),
        (keyword("x-kubernetes-preserve-unknown-fields", True, None), "PruningChanged", BOTH),
        (keyword("x-kubernetes-embedded-resource", None, True), "EmbeddedResourceChanged", BOTH),
        (keyword("x-kubernetes-embedded-resource", True, None), "EmbeddedResourceChanged", NEITHER),
        (keyword("additionalProperties", None, STRING), "MapValuesChanged", NEITHER),
        (keyword("additionalProperties", STRING, None), "MapValuesChanged", BOTH),
        (keyword("additionalProperties", STRING, True), "MapValuesChanged", CLIENTS),
        (keyword("additionalProperties", True, STRING), "MapValuesChanged", BOTH),
        (keyword("items", None, STRING), "ItemsChanged", BOTH),
        (keyword("description", "a", "b"), "DescriptionChanged", NEITHER),
        (keyword("title", None, "b"), "DocumentationChanged", NEITHER),
        (keyword("externalDocs", None, {"url": "u"}), "DocumentationChanged", NEITHER),
        (keyword("example", {"a": 1}, {"a": 2}), "DocumentationChanged", NEITHER),
        (keyword("x-something", 1, 2), "Unclassified", BOTH),
    ],
)
def test_each_change_of_a_value_has_its_kind_and_verdict(
    pair: tuple[dict[str, Any], dict[str, Any]], kind: str, breaks: Breaks
) -> None:
    assert found(*pair) == [("", kind, breaks)]


def test_a_new_field_breaks_nobody() -> None:
    assert found(obj(a=S), obj(a=S, b=S)) == [(".b", "FieldAdded", NEITHER)]


def test_a_removed_field_breaks_both_unless_unknown_fields_are_preserved() -> None:
    assert found(obj(a=S), obj()) == [(".a", "FieldRemoved", BOTH)]
    preserving = {**obj(), "x-kubernetes-preserve-unknown-fields": True}
    assert found({**obj(a=S), "x-kubernetes-preserve-unknown-fields": True}, preserving) == [
        (".a", "FieldRemoved", NEITHER)
    ]


@pytest.mark.parametrize(
    ("old", "new", "kind", "breaks"),
    [
        (obj(a=S), obj(["a"], a=S), "RequiredAdded", BOTH),
        (obj(["a"], a=S), obj(a=S), "RequiredRemoved", CLIENTS),
        (obj(a={**S, "default": "x"}), obj(["a"], a={**S, "default": "x"}), "RequiredAdded", NEITHER),
        (obj(["a"], a={**S, "default": "x"}), obj(a={**S, "default": "x"}), "RequiredRemoved", NEITHER),
    ],
)
def test_a_field_that_must_be_given_is_one_without_default(
    old: dict[str, Any], new: dict[str, Any], kind: str, breaks: Breaks
) -> None:
    assert found(old, new) == [(".a", kind, breaks)]


def test_a_required_field_that_loses_its_default_must_now_be_given() -> None:
    old, new = obj(["a"], a={**S, "default": "x"}), obj(["a"], a=S)
    assert found(old, new) == [(".a", "RequiredAdded", BOTH), (".a", "DefaultRemoved", CLIENTS)]
    assert found(new, old) == [(".a", "RequiredRemoved", NEITHER), (".a", "DefaultAdded", CLIENTS)]


def test_paths_lead_through_lists_maps_and_odd_names() -> None:
    def nest(leaf: dict[str, Any]) -> dict[str, Any]:
        values = {"type": "object", "additionalProperties": leaf}
        return obj(spec=obj(items={"type": "array", "items": obj(None, **{"a.b/c": values})}))

    assert found(nest({"type": "string"}), nest({"type": "integer"})) == [
        (".spec.items[]['a.b/c'][*]", "TypeChanged", BOTH)
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"nullable": False}, {}),
        ({"pattern": ""}, {}),
        ({"required": []}, {}),
        ({"additionalProperties": False}, {}),
        ({"description": ""}, {}),
        (
            {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
            {"x-kubernetes-int-or-string": True},
        ),
        ({"maximum": 1}, {"maximum": 1.0}),
    ],
)
def test_two_spellings_of_the_same_are_no_change(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert found(old, new) == found(new, old) == []


# -- properties

MIRRORED = {
    "BoundTightened": "BoundLoosened",
    "BoundLoosened": "BoundTightened",
    **{
        f"{name}{one}": f"{name}{other}"
        for name in (
            *("Field", "Required", "Nullable", "Default", "EnumValue", "Enum", "Pattern", "Format", "Rule"),
            *("Constraint", "Alternative"),
        )
        for one, other in (("Added", "Removed"), ("Removed", "Added"))
    },
}

small = st.integers(0, 3)
leaf_keywords: dict[str, st.SearchStrategy[Any]] = {
    "type": st.sampled_from(["string", "integer", "number", "boolean"]),
    "nullable": st.booleans(),
    "default": small | st.sampled_from(["a", "b"]) | st.booleans(),
    "enum": st.lists(st.sampled_from(["a", "b", "c"]), unique=True, max_size=3),
    "maxLength": small,
    "minLength": small,
    "maximum": small,
    "exclusiveMaximum": st.booleans(),
    "minimum": small,
    "multipleOf": st.integers(1, 4),
    "pattern": st.sampled_from(["^a", "^b"]),
    "format": st.sampled_from(["int32", "int64", "date"]),
    "description": st.sampled_from(["x", "y"]),
    "x-kubernetes-validations": st.lists(st.sampled_from([RULE, MOVES]), unique_by=str, max_size=2),
    "anyOf": st.lists(st.sampled_from([{"minimum": 1}, {"maximum": 2}]), unique_by=str, max_size=2),
    "allOf": st.lists(st.sampled_from([{"minimum": 1}, {"maximum": 2}]), unique_by=str, max_size=2),
    "x-kubernetes-preserve-unknown-fields": st.just(True),
    "x-other": small,
}
leaves = st.fixed_dictionaries({}, optional=leaf_keywords)
names = st.sampled_from(["a", "b", "c"])
schemas: st.SearchStrategy[dict[str, Any]] = st.recursive(
    leaves,
    lambda children: (
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(names, children, max_size=3)},
            optional={"required": st.lists(names, unique=True, max_size=2)},
        )
        | st.fixed_dictionaries({"type": st.just("array"), "items": children})
        | st.fixed_dictionaries({"type": st.just("object"), "additionalProperties": children})
    ),
    max_leaves=6,
)


@given(schemas)
def test_a_schema_does_not_differ_from_itself(schema: dict[str, Any]) -> None:
    assert found(schema, schema) == []


@given(schemas, schemas)
def test_the_way_back_has_the_mirrored_changes(old: dict[str, Any], new: dict[str, Any]) -> None:
    there = sorted((path, MIRRORED.get(kind, kind)) for path, kind, _ in found(old, new))
    back = sorted((path, kind) for path, kind, _ in found(new, old))
    assert there == back


@given(schemas, schemas)
def test_what_loosens_one_way_tightens_the_other(old: dict[str, Any], new: dict[str, Any]) -> None:
    there = {(path, kind): breaks for path, kind, breaks in found(old, new)}
    for path, kind, breaks in found(new, old):
        if kind == "BoundTightened" and breaks == BOTH:
            assert there[path, "BoundLoosened"] == NEITHER


@given(schemas, st.sampled_from(sorted(leaf_keywords)), st.data())
def test_no_change_of_a_keyword_is_silent(schema: dict[str, Any], name: str, data: st.DataObject) -> None:
    value = data.draw(leaf_keywords[name])
    changed = {**schema, name: value}
    if (schema.get(name) or None) != (value or None):
        assert found(schema, changed)


@given(schemas, schemas)
def test_every_kind_is_in_the_table(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert {kind for _, kind, _ in found(old, new)} <= KINDS.keys()
