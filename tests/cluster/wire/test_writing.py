"""Objects of Go types become JSON."""

from typing import Any

from kubewright.cluster.wire.reading import Readers
from kubewright.cluster.wire.types import Table
from kubewright.cluster.wire.writing import Writers, encode

TYPES = Table("""
kind v1 Thing a/v1.Thing

struct a/v1.Inner
b string 1 omitempty
a string 2 omitempty

struct a/v1.Thing
kind string 1 omitempty
apiVersion string 2 omitempty
spec a/v1.Inner 3 omitempty
ratio float64 4 omitempty
inners []*a/v1.Inner 5 omitempty
named map[string]a/v1.Inner 6 omitempty
labels map[string]string 7 omitempty
list []string 8
pointer *string 9 omitempty
lists map[string][]string 11 omitempty
schema *apiextensions/v1.JSONSchemaPropsOrArray 10 omitempty

struct apiextensions/v1.JSONSchemaProps
type string 1 omitempty
format string 2 omitempty

special apiextensions/v1.JSONSchemaPropsOrArray
""")


def written(*, keep_empty: bool = False, **members: object) -> str:
    arrange = Writers(TYPES, Readers(TYPES), keep_empty=keep_empty).of(TYPES.type("a/v1.Thing"))
    assert arrange is not None
    return encode(arrange(members)).decode().removesuffix("}").removeprefix("{")


def test_members_come_in_the_order_of_the_fields_and_maps_by_key() -> None:
    assert (
        written(list=["b", "a"], labels={"b": "1", "a": "2"}, spec={"a": "1", "b": "2"}, apiVersion="v1", kind="Thing")
        == '"kind":"Thing","apiVersion":"v1","spec":{"b":"2","a":"1"},"labels":{"a":"2","b":"1"},"list":["b","a"]'
    )


def test_order_goes_all_the_way_down() -> None:
    inner = {"a": "1", "b": "2"}
    text = '{"b":"2","a":"1"}'
    told = written(inners=[inner, None], named={"y": inner, "x": inner})
    assert told == f'"spec":{{}},"inners":[{text},null],"named":{{"x":{text},"y":{text}}},"list":null'


def test_what_is_missing_is_filled_in_and_what_is_empty_goes() -> None:
    assert written(labels={}, ratio=0, inners=None) == '"spec":{},"list":null'


def test_empty_lists_are_told_from_none_only_where_storage_can() -> None:
    assert written(list=[], lists={"a": []}) == '"spec":{},"list":null,"lists":{"a":null}'
    assert written(list=[], lists={"a": []}, keep_empty=True) == '"spec":{},"list":[],"lists":{"a":[]}'


def test_what_a_pointer_points_to_stays() -> None:
    assert written(pointer="") == '"spec":{},"list":null,"pointer":""'
    assert written(pointer=None) == '"spec":{},"list":null,"pointer":null'


def test_an_object_is_not_changed() -> None:
    given: dict[str, Any] = {"labels": {"b": "1", "a": "2"}}
    written(**given)
    assert list(given) == ["labels"]
    assert list(given["labels"]) == ["b", "a"]


def test_floats_are_written_as_go_does() -> None:
    assert written(ratio=1e21) == '"spec":{},"ratio":1e+21,"list":null'
    assert written(ratio=1.5e-8) == '"spec":{},"ratio":1.5e-8,"list":null'


def test_schemas_are_found_where_something_else_may_stand() -> None:
    schema = {"format": "f", "type": "t"}
    assert written(schema=schema).endswith('"schema":{"type":"t","format":"f"}')
    assert written(schema=[schema]).endswith('"schema":[{"type":"t","format":"f"}]')
    assert written(schema=["b", "a"]).endswith('"schema":["b","a"]')


def test_texts_are_safe_inside_html() -> None:
    assert encode(["<a>&\u2028\u2029é\x7f\b\x01"]) == '["\\u003ca\\u003e\\u0026\\u2028\\u2029é\x7f\\b\\u0001"]'.encode()
