import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.registry.custom.things import schema, thing

from kubewright.cluster.registry.custom.codec import CustomCodec
from kubewright.cluster.wire.codec import Undecodable

PRESERVING: dict[str, Any] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def codec(openapi: dict[str, Any] = PRESERVING) -> CustomCodec:
    return CustomCodec("example.com/v1", openapi)


def test_what_the_schema_does_not_know_goes_and_is_complained_of() -> None:
    read = codec(schema(a={"type": "string"})).read(thing({"a": "x", "b": 1}, zzz=1))
    assert read.object["spec"] == {"a": "x"}
    assert read.complaints == ['unknown field "metadata.zzz"', 'unknown field "spec.b"']


def test_duplicates_are_told_before_unknown_fields() -> None:
    read = codec(schema()).read(thing({"b": 1}), ["spec.b"])
    assert read.complaints == ['duplicate field "spec.b"', 'unknown field "spec.b"']


def test_defaults_are_filled_in_on_reading() -> None:
    assert codec(schema(a={"type": "integer", "default": 3})).read(thing({})).object["spec"] == {"a": 3}


def test_an_object_without_metadata_gets_some() -> None:
    assert codec().read({"apiVersion": "example.com/v1", "kind": "Thing"}).object["metadata"] == {}


def test_metadata_that_cannot_be_read_is_refused_in_the_servers_words() -> None:
    with pytest.raises(Undecodable, match=r"^json: cannot unmarshal string into Go value of type v1.ObjectMeta$"):
        codec().read({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": "x"})


def test_keys_are_written_by_name() -> None:
    assert codec().write({"kind": "Thing", "spec": {"b": 1, "a": {"d": 1, "c": 2}}, "apiVersion": "v"}) == (
        b'{"apiVersion":"v","kind":"Thing","spec":{"a":{"c":2,"d":1},"b":1}}'
    )


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1e-7, b"1e-7"),
        (1e-6, b"0.000001"),
        (1e21, b"1e+21"),
        (1e20, b"100000000000000000000"),
        (1.5, b"1.5"),
        (2.0, b"2"),
    ],
)
def test_floats_are_written_as_go_writes_them(number: float, text: bytes) -> None:
    assert codec().write({"x": number}) == b'{"x":%b}' % text


def test_a_whole_float_in_the_place_of_an_integer_is_written_as_one() -> None:
    assert codec(schema(a={"type": "integer"})).write({"spec": {"a": 3.0}}) == b'{"spec":{"a":3}}'


def test_text_that_looks_like_a_number_stays_as_it_is() -> None:
    assert codec().write({"a": "1e5", "b": "2.0]", "c": 1e-7}) == b'{"a":"1e5","b":"2.0]","c":1e-7}'


def test_what_html_would_mistake_is_escaped() -> None:
    assert codec().write({"a": "<&>"}) == b'{"a":"\\u003c\\u0026\\u003e"}'


scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e15, 1e15) | st.text()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), values, max_size=4))
def test_what_is_written_reads_as_the_same(document: dict[str, Any]) -> None:
    assert json.loads(codec().write(document)) == document


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9) | st.sampled_from(["1e5,", "2.0}"]))
def test_numbers_are_written_alike_where_a_schema_is_too_large_to_be_gone_through(value: Any) -> None:
    number = {"x-kubernetes-preserve-unknown-fields": True}
    many: dict[str, Any] = {f"f{index}": {"type": "string"} for index in range(1000)}
    obj = thing({"a": value})
    assert codec(schema(a=number, **many)).write(obj) == codec(schema(a=number)).write(obj)
