from typing import Any

import pytest

from kubewright.cel.schema import schema_type
from kubewright.cel.schema_values import entries, field, read, reader
from kubewright.cel.types import Type
from kubewright.cel.values import ABSENT, Duration, EvaluationError, MapList, ObjectView, SetList, Timestamp


def type_of(schema: dict[str, Any]) -> Type:
    found = schema_type(schema, root=False)
    assert found is not None
    return found


def text(**keywords: Any) -> dict[str, Any]:
    return {"type": "string", **keywords}


def listing(items: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **keywords}


OBJECT = {"type": "object", "properties": {"a-b": text(), "when": text(format="date-time"), "n": {"type": "number"}}}


@pytest.mark.parametrize(
    ("schema", "raw", "value"),
    [
        (text(format="date"), "1970-01-02", Timestamp(86400 * 10**9)),
        (text(format="duration"), "1h", Duration("60m")),
        (text(format="byte"), "aGVsbG8=", b"hello"),
        ({"type": "number"}, 1, 1.0),
        (listing({"type": "number"}), [1, None], [1.0, None]),
        ({"type": "object", "additionalProperties": text(format="duration")}, {"a": "1s"}, {"a": Duration("1s")}),
    ],
)
def test_json_is_read_as_its_type_says(schema: dict[str, Any], raw: Any, value: Any) -> None:
    assert read(type_of(schema), raw) == value


@pytest.mark.parametrize(
    "schema",
    [text(), {"type": "integer"}, {"x-kubernetes-int-or-string": True}, listing(text())],
)
def test_most_json_is_a_value_already(schema: dict[str, Any]) -> None:
    assert reader(type_of(schema)) is None


def test_lists_without_order_know_it() -> None:
    assert type(read(type_of(listing(text(), **{"x-kubernetes-list-type": "set"})), ["a"])) is SetList
    keyed = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
    found = read(type_of(listing({"type": "object", "properties": {"k": text()}}, **keyed)), [{"k": "a"}])
    assert type(found) is MapList
    assert found.keys == ("k",)


def test_an_object_shows_its_declared_fields_by_their_escaped_names() -> None:
    view = read(type_of(OBJECT), {"a-b": "x", "n": None, "unknown": 1})
    assert isinstance(view, ObjectView)
    assert entries(view) == [("a__dash__b", "x")]
    assert field(view, "n") is ABSENT
    assert field(view, "unknown") is ABSENT


def test_a_long_list_is_read_once() -> None:
    type_ = type_of({"type": "object", "properties": {"items": listing(OBJECT)}})
    view = read(type_, {"items": [{}, {}]})
    assert field(view, "items") is field(view, "items")


def test_a_text_that_is_no_base64_is_an_error() -> None:
    with pytest.raises(EvaluationError, match="Invalid byte formatted string"):
        read(type_of(text(format="byte")), "%")
