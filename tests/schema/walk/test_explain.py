from typing import Any

from kubewright.schema.walk import compile_schema


def messages(schema: dict[str, Any], value: object) -> list[str]:
    return [str(error) for error in compile_schema(schema, root=False).validate(value)]


def test_a_string_has_one_fault_at_most_of_length_and_pattern() -> None:
    schema = {"type": "string", "maxLength": 1, "minLength": 5, "pattern": "^x"}
    assert messages({"properties": {"a": schema}}, {"a": "bc"}) == ["a: Too long: may not be more than 1 byte"]


def test_length_is_counted_in_characters() -> None:
    assert messages({"maxLength": 2}, "éé") == []
    assert messages({"maxLength": 2}, "😀😀") == []


def test_required_properties_come_in_the_order_of_the_schema() -> None:
    assert messages({"required": ["b", "a"]}, {}) == ["b: Required value", "a: Required value"]


def test_a_fault_of_the_whole_has_no_field() -> None:
    assert messages({"type": "object"}, []) == [
        '<nil>: Invalid value: "array":  in body must be of type object: "array"'
    ]


def test_properties_a_closed_object_does_not_know_are_forbidden() -> None:
    schema = {"properties": {"a": {"properties": {"b": {}}, "additionalProperties": False}}}
    assert messages(schema, {"a": {"b": 1, "c": 1}}) == ['a: Invalid value: "c": a.c in body is a forbidden property']


def test_the_nearest_alternative_is_explained() -> None:
    far, near = {"type": "integer"}, {"type": "string", "maxLength": 1}
    assert messages({"properties": {"a": {"anyOf": [far, near]}}}, {"a": "xx"}) == [
        '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
        "a: Too long: may not be more than 1 byte",
    ]


def test_too_many_alternatives_are_counted_and_not_explained() -> None:
    assert messages({"oneOf": [{"minLength": 1}, {"minLength": 2}, {"minLength": 9}]}, "abc") == [
        '<nil>: Invalid value: "": "" must validate one and only one schema (oneOf). Found 2 valid alternatives'
    ]


def test_the_same_words_are_said_once() -> None:
    assert messages({"minimum": 5, "allOf": [{"minimum": 5}, {"minimum": 5}]}, 1) == [
        "<nil>: Invalid value: 1:  in body should be greater than or equal to 5",
        '<nil>: Invalid value: "": "" must validate all the schemas (allOf). None validated',
    ]


def test_junctors_are_not_asked_about_null() -> None:
    assert messages({"nullable": True, "not": {}}, None) == []
