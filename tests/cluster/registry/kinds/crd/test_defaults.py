from typing import Any

from kubewright.cluster.registry.kinds.crd.defaults import check_defaults
from kubewright.model.steps import finish


def told(**fields: Any) -> list[str]:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}
    return [str(error) for error in finish(check_defaults(schema, "s"))]


def test_a_default_that_fits_is_no_matter() -> None:
    assert told(a={"type": "string", "default": "x"}) == []


def test_a_default_is_judged_by_its_own_schema() -> None:
    [error] = told(a={"type": "integer", "maximum": 3, "default": 5})
    assert error.startswith("s.properties[spec].properties[a].default: Invalid value: 5:  in body should be less than")


def test_a_default_has_no_fields_that_pruning_would_drop() -> None:
    assert told(a={"type": "object", "default": {"x": 1}}) == [
        's.properties[spec].properties[a].default: Invalid value: {"x":1}: must not have unknown fields'
    ]


def test_defaults_of_items_are_judged_too() -> None:
    [error] = told(a={"type": "array", "items": {"type": "string", "default": 1}})
    assert error.startswith("s.properties[spec].properties[a].items.default: Invalid value")


def test_a_default_inside_the_metadata_of_an_embedded_resource_must_make_good_metadata() -> None:
    meta = {"type": "object", "properties": {"name": {"type": "string", "default": "a/b"}}}
    [error] = told(a={"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"metadata": meta}})
    assert "must result in valid metadata: metadata.name: Invalid value" in error


def test_a_schema_that_cannot_be_read_is_left_to_others() -> None:
    broken = {"type": "object", "default": {"a": 1}, "properties": {"a": {"type": "string", "minLength": "x"}}}
    assert finish(check_defaults(broken, "s")) == []
