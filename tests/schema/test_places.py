import pytest

from kubewright.schema.places import place

SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": "object", "properties": {"b.c": {"type": "string"}}},
        "m": {"type": "object", "additionalProperties": {"type": "object", "properties": {"x": {"type": "string"}}}},
    },
}


@pytest.mark.parametrize(
    ("text", "told"),
    [(".a", "a"), (".a['b.c']", "a.b.c"), (".m.k", "m[k]"), (".m['k.l'].x", "m[k.l].x"), ("", "")],
)
def test_a_path_is_told_as_field_errors_tell_it(text: str, told: str) -> None:
    assert place(text, SCHEMA) == told


@pytest.mark.parametrize("text", ["a", ".z", ".a.b", ".a[0]", ".a['b", ".m.k.y", "..", "."])
def test_a_path_that_leads_nowhere_is_none(text: str) -> None:
    assert place(text, SCHEMA) is None
