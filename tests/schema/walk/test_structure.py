from typing import Any

import pytest

from kubewright.schema.pattern import PatternError
from kubewright.schema.walk import SchemaError, compile_schema
from kubewright.schema.walk.structure import is_shared, read


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        ({"type": ["string", "null"]}, "type at the root must be a string, not a list"),
        ({"properties": {"a": {"items": [{}]}}}, "the schema at properties.a.items must be an object, not a list"),
        ({"properties": {"a": {"maxLength": 1.5}}}, "maxLength at properties.a must be an integer, not a number"),
        ({"minimum": True}, "minimum at the root must be a number, not a boolean"),
        ({"required": "a"}, "required at the root must be a list, not a string"),
        ({"required": [1]}, "required at the root must be a list of strings"),
        ({"nullable": "yes"}, "nullable at the root must be true or false, not a string"),
        ({"properties": []}, "properties at the root must be an object, not a list"),
        ({"anyOf": [{}, {"not": 5}]}, r"the schema at anyOf\[1\].not must be an object, not a number"),
        ({"$ref": "#/a"}, r"\$ref at the root is not allowed in a structural schema"),
        ({"items": {"uniqueItems": True}}, "uniqueItems at items may not be true: use x-kubernetes-list-type: set"),
    ],
)
def test_a_malformed_schema_is_refused_with_the_place(schema: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SchemaError, match=f"^{sentence}$"):
        read(schema)


def test_a_bad_pattern_is_refused_when_the_schema_is_compiled() -> None:
    with pytest.raises(PatternError):
        compile_schema({"properties": {"a": {"pattern": "("}}})


def test_null_counts_as_absent() -> None:
    node = read(
        dict.fromkeys(("type", "format", "enum", "properties", "items", "not", "maximum", "nullable", "default"))
    )
    assert node.types == ()
    assert node.items is None
    assert node.maximum is None


def test_annotations_are_passed_over() -> None:
    assert read({"description": 5, "title": [], "example": {}, "externalDocs": 1, "x-anything": 1}).types == ()


def test_a_format_the_server_ignores_is_none() -> None:
    assert read({"type": "string", "format": "int32"}).format == ""
    assert read({"type": "integer", "format": "int32"}).format == "int32"
    assert read({"x-kubernetes-int-or-string": True, "format": "int32"}).format == ""


def test_int_or_string_is_both_types() -> None:
    assert read({"x-kubernetes-int-or-string": True}).types == ("integer", "string")


def test_schemas_that_say_no_more_than_a_type_share_their_node() -> None:
    texts = {"a": {"type": "string", "description": "one"}, "b": {"type": "string"}}
    node = read({"type": "object", "properties": {**texts, "c": {"type": "string", "maxLength": 3}}})
    one, other, bounded = node.properties.values()
    assert one is other is not bounded
    assert is_shared(one)
    assert not is_shared(bounded)
