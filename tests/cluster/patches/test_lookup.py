"""How fields are patched, out of OpenAPI documents."""

import pytest
from tests.cluster.patches.kinds import DOCUMENT, kind

from kubewright.cluster.patches.lookup import UnknownSchema, lookup_from_openapi


def test_a_field_tells_its_strategies_and_merge_key() -> None:
    volumes = kind("PodSpec").field("volumes")
    assert volumes is not None
    assert (volumes.strategies, volumes.merge_key) == (("merge", "retainKeys"), "name")
    assert volumes.item is not None
    assert volumes.item.struct == "Volume"


def test_types_are_followed_through_references() -> None:
    spec = kind("Pod").field("spec")
    assert spec is not None
    assert (spec.type.kind, spec.type.struct, spec.item) == ("struct", "PodSpec", None)


def test_a_map_has_no_fields() -> None:
    labels = kind("ObjectMeta").field("labels")
    assert labels is not None
    assert (labels.type.kind, labels.type.struct) == ("map", None)


def test_a_field_is_found_in_any_spelling_but_its_own_comes_first() -> None:
    names = {"type": "object", "properties": {"AB": {"type": "string"}, "ab": {"type": "boolean"}}}
    lookup = lookup_from_openapi({"components": {"schemas": {"Names": names}}}, "Names")
    found = [lookup.field(name) for name in ("AB", "ab", "Ab", "abc")]
    assert [field and field.type.kind for field in found] == ["string", "bool", "string", None]


def test_a_type_that_contains_itself_can_be_looked_up() -> None:
    reference = {"$ref": "#/components/schemas/a.Node"}
    properties = {"children": {"type": "array", "items": reference}, "next": {"allOf": [reference]}}
    document = {"components": {"schemas": {"a.Node": {"type": "object", "properties": properties}}}}
    node = lookup_from_openapi(document, "a.Node")
    for _ in range(20):
        following = node.field("next")
        assert following is not None
        node = following.type
    assert node.struct == "Node"


def test_a_schema_that_is_not_there_is_told() -> None:
    with pytest.raises(UnknownSchema, match=r"the OpenAPI document has no schema io\.example\.Nothing"):
        lookup_from_openapi(DOCUMENT, "io.example.Nothing")
