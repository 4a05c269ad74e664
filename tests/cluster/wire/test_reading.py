"""Documents become objects of Go types."""

from typing import Any

import pytest

from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.literal import Literal
from kubewright.cluster.wire.reading import EmptyMap, Readers
from kubewright.cluster.wire.types import Table
from kubewright.schema.walk.values import copy

TYPES = Table("""
kind v1 Thing a/v1.Thing

struct a/v1.Inner
value string 1

struct a/v1.Thing
text string 1 omitempty
flag bool 2
small int32 3 omitempty
byte uint8 4 omitempty
ratio float64 5 omitempty
pointer *string 6 omitempty
written *string 7
inner a/v1.Inner 8 omitempty
inners []a/v1.Inner 9 omitempty
list []string 10
map map[string]string 11 omitempty
bytes []uint8 12 omitempty
blobs map[string][]uint8 13 omitempty
self *a/v1.Thing 14 omitempty
when meta/v1.Time 15 omitempty omitzero
then *meta/v1.Time 16 omitempty
cells []any 17 omitempty
schema *apiextensions/v1.JSONSchemaPropsOrBool 18 omitempty
schemas *apiextensions/v1.JSONSchemaPropsOrArray 19 omitempty
names *apiextensions/v1.JSONSchemaPropsOrStringArray 20 omitempty

struct apiextensions/v1.JSONSchemaProps
type string 1 omitempty

special apiextensions/v1.JSONSchemaPropsOrBool

special apiextensions/v1.JSONSchemaPropsOrArray

special apiextensions/v1.JSONSchemaPropsOrStringArray

special meta/v1.Time
""")
ALWAYS = {"flag": False, "written": None, "inner": {"value": ""}, "list": None}


def read(document: Any, *, duplicates: tuple[str, ...] = ()) -> tuple[Any, Findings]:
    found = Findings(duplicates)
    reader = Readers(TYPES).of(TYPES.type("a/v1.Thing"))
    return reader.read(document, None, found), found


def kept(**document: Any) -> dict[str, Any]:
    """What becomes of a document, beside what is always there."""
    result, found = read(document)
    assert (found.error, list(found.complaints)) == (None, [])
    return {name: value for name, value in result.items() if name not in ALWAYS or value != ALWAYS[name]}


def error(**document: Any) -> str | None:
    return read(document)[1].error


def test_what_is_always_written_appears() -> None:
    assert read({})[0] == ALWAYS


@pytest.mark.parametrize(
    "name", ["text", "small", "byte", "ratio", "pointer", "inners", "map", "bytes", "self", "when"]
)
def test_null_is_nothing(name: str) -> None:
    assert kept(**{name: None}) == {}


@pytest.mark.parametrize(
    ("name", "empty"), [("text", ""), ("small", 0), ("ratio", 0.0), ("when", "0001-01-01T00:00:00Z"), ("bytes", "")]
)
def test_zeros_vanish(name: str, empty: Any) -> None:
    assert kept(**{name: empty}) == {}


@pytest.mark.parametrize(("name", "empty"), [("inners", []), ("map", {})])
def test_empty_lists_and_maps_are_told_from_none_though_they_are_not_written(name: str, empty: Any) -> None:
    result, found = read({name: empty})
    assert result == ALWAYS | {name: empty}
    assert found.hollow


def test_an_empty_list_that_is_always_written_makes_nothing_hollow() -> None:
    result, found = read({"list": []})
    assert result["list"] == []
    assert not found.hollow


def test_empty_maps_and_structs_are_told_apart_also_in_copies() -> None:
    result = copy(read({"map": {}, "self": {"inner": {}}})[0])
    assert isinstance(result, dict)
    assert isinstance(result["map"], EmptyMap)
    assert not isinstance(result["self"], EmptyMap)


def test_null_inside_lists_and_maps_is_the_zero_value() -> None:
    assert kept(inners=[None, {}], list=[None], map={"a": None}, blobs={"a": None}) == {
        "inners": [{"value": ""}, {"value": ""}],
        "list": [""],
        "map": {"a": ""},
        "blobs": {"a": ""},
    }


def test_what_a_pointer_points_to_stays_though_empty() -> None:
    assert kept(pointer="", self={}, schema=False) == {"pointer": "", "self": ALWAYS, "schema": False}


def test_a_pointer_to_the_time_zero_is_null() -> None:
    assert kept(when="0001-01-01T00:00:00Z", then="0001-01-01T00:00:00Z") == {"then": None}


def test_whole_floats_become_integers_and_other_numbers_stay() -> None:
    assert kept(ratio=Literal("2.0"), small=7) == {"ratio": 2, "small": 7}
    assert kept(ratio=Literal("2.50")) == {"ratio": 2.5}


def test_bytes_may_be_numbers() -> None:
    assert kept(bytes=[97, 98]) == {"bytes": "YWI="}
    assert error(bytes=[256]) == "json: cannot unmarshal number 256 into Go struct field Thing.bytes of type uint8"
    assert error(bytes="?") == "illegal base64 data at input byte 0"


def test_any_value_fits_where_any_may_stand() -> None:
    assert kept(cells=[1, "a", None, {"b": []}]) == {"cells": [1, "a", None, {"b": []}]}


@pytest.mark.parametrize(
    ("document", "wrong"),
    [
        ({"text": 1}, "number into Go struct field Thing.text of type string"),
        ({"flag": "x"}, "string into Go struct field Thing.flag of type bool"),
        ({"small": "x"}, "string into Go struct field Thing.small of type int32"),
        ({"small": True}, "bool into Go struct field Thing.small of type int32"),
        ({"small": Literal("1.0")}, "number 1.0 into Go struct field Thing.small of type int32"),
        ({"small": 2**31}, "number 2147483648 into Go struct field Thing.small of type int32"),
        ({"ratio": "x"}, "string into Go struct field Thing.ratio of type float64"),
        ({"ratio": True}, "bool into Go struct field Thing.ratio of type float64"),
        ({"ratio": Literal("1e400")}, "number 1e400 into Go struct field Thing.ratio of type float64"),
        ({"pointer": 1}, "number into Go struct field Thing.pointer of type string"),
        ({"inner": []}, "array into Go struct field Thing.inner of type v1.Inner"),
        ({"inner": {"value": 1}}, "number into Go struct field Inner.inner.value of type string"),
        ({"inners": {}}, "object into Go struct field Thing.inners of type []v1.Inner"),
        ({"inners": [1]}, "number into Go struct field Thing.inners of type v1.Inner"),
        ({"map": "x"}, "string into Go struct field Thing.map of type map[string]string"),
        ({"map": {"a": 1}}, "number into Go struct field Thing.map of type string"),
        ({"bytes": 1}, "number into Go struct field Thing.bytes of type []uint8"),
        ({"self": {"text": 1}}, "number into Go struct field Thing.self.text of type string"),
    ],
)
def test_what_does_not_fit_is_told(document: dict[str, Any], wrong: str) -> None:
    assert read(document)[1].error == f"json: cannot unmarshal {wrong}"


def test_the_first_misfit_of_the_document_is_the_error() -> None:
    assert error(flag=1, text=2) == "json: cannot unmarshal number into Go struct field Thing.flag of type bool"


def test_a_text_that_cannot_be_parsed_is_told_before_a_misfit() -> None:
    with pytest.raises(Undecodable, match=r'^parsing time "x"'):
        read({"text": 1, "when": "x"})


def test_fields_that_nobody_knows_go_in_order() -> None:
    result, found = read({"zzz": 1, "inners": [{"value": "a", "Value": "b"}], "self": {"aaa": {"b": 1}}})
    assert list(found.complaints) == [
        'unknown field "zzz"',
        'unknown field "inners[0].Value"',
        'unknown field "self.aaa"',
    ]
    assert result["inners"] == [{"value": "a"}]


def test_repeated_fields_are_told_where_they_are_read() -> None:
    _, found = read({"map": {"a": "1"}, "zzz": {"b": 1}}, duplicates=("map", "map.a", "zzz", "zzz.b"))
    assert list(found.complaints) == [
        'duplicate field "map"',
        'duplicate field "map.a"',
        'unknown field "zzz"',
    ]


def test_either_a_schema_or_something_else() -> None:
    schema = {"type": "string"}
    assert [kept(schema=value)["schema"] for value in (False, schema)] == [False, schema]
    assert kept(schemas=[schema], names=["a"]) == {"schemas": [schema], "names": ["a"]}
    assert kept(schemas=schema, names=schema) == {"schemas": schema, "names": schema}
    # Go takes what is neither for nothing.
    assert kept(schemas=1, names=[]) == {"schemas": None, "names": None}


def test_what_is_neither_schema_nor_boolean_is_refused() -> None:
    with pytest.raises(Undecodable, match=r"^boolean or JSON schema expected$"):
        read({"schema": "x"})


def test_a_schema_inside_is_read_apart_without_complaints_and_ends_the_reading_if_wrong() -> None:
    assert kept(schemas={"zzz": 1}) == {"schemas": {}}
    with pytest.raises(
        Undecodable, match=r"^json: cannot unmarshal number into Go struct field Thing\.schemas\.type of"
    ):
        read({"text": 1, "schemas": {"type": 5}})
