import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.steps import counted
from kubewright.schema.walk.golang import (
    INT64_MIN,
    as_float,
    marshal,
    marshal_in_steps,
    quote,
    quote_in_steps,
    show,
    sprint,
    sprint_in_steps,
    to_int64,
    truncate,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e15, 1e15) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("a", '"a"'),
        ('a"\\', '"a\\"\\\\"'),
        ("\a\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'),
        ("\x00\x7f", '"\\x00\\x7f"'),
        ("é<>&😀", '"é<>&😀"'),
        ("\u00a0\u200b\u0378", '"\\u00a0\\u200b\\u0378"'),
        ("\U000e0001", '"\\U000e0001"'),
        ("\ud800", '"\ufffd"'),
    ],
)
def test_strings_are_quoted_as_go_literals(text: str, quoted: str) -> None:
    assert quote(text) == quoted


@pytest.mark.parametrize(
    ("number", "shown", "encoded"),
    [
        (1.0, "1", "1"),
        (100000.0, "100000", "100000"),
        (1e6, "1e+06", "1000000"),
        (1234567.5, "1.2345675e+06", "1234567.5"),
        (1e20, "1e+20", "100000000000000000000"),
        (1e21, "1e+21", "1e+21"),
        (0.0001, "0.0001", "0.0001"),
        (0.00001, "1e-05", "0.00001"),
        (1e-7, "1e-07", "1e-7"),
        (-2.5, "-2.5", "-2.5"),
        (-0.0, "-0", "-0"),
        (0.0, "0", "0"),
        (10**19, "1e+19", "10000000000000000000"),
        (2**63 - 1, "9223372036854775807", "9223372036854775807"),
    ],
)
def test_numbers_are_printed_as_go_prints_them(number: float, shown: str, encoded: str) -> None:
    assert show(number) == shown
    assert marshal(number) == encoded


def test_json_is_safe_in_html() -> None:
    assert marshal("<&>\u2028\u2029\x01\b") == r'"\u003c\u0026\u003e\u2028\u2029\u0001\b"'


def test_the_keys_of_maps_are_sorted_and_those_of_structures_are_not() -> None:
    assert marshal({"b": [1, {}], "a": None}) == '{"a":null,"b":[1,{}]}'
    assert marshal({"b": 1, "a": 2}, sort=False) == '{"b":1,"a":2}'


def test_values_are_printed_as_words() -> None:
    assert sprint(["a", 1, 1.5, None, True, {"b": "x", "a": []}]) == "[a 1 1.5 <nil> true map[a:[] b:x]]"


@given(JSON)
def test_what_is_marshalled_is_json_of_the_same_value(value: object) -> None:
    assert json.loads(marshal(value)) == value


def test_depth_is_no_matter() -> None:
    value: object = 1
    for _ in range(100_000):
        value = [value]
    assert len(marshal(value)) == 200_001


def test_integers_beyond_64_bits_are_floats() -> None:
    assert isinstance(truncate(2**63), float)
    assert truncate(2**63 - 1) == 2**63 - 1
    assert as_float(10**400) == float("inf")
    assert as_float(-(10**400)) == float("-inf")


def test_floats_are_cut_to_integers_and_to_the_smallest_one_beyond() -> None:
    assert to_int64(-1.9) == -1
    assert to_int64(1e19) == to_int64(float("nan")) == INT64_MIN


@given(JSON, st.integers(1, 5))
def test_what_is_written_in_steps_is_the_same(value: object, most: int) -> None:
    assert counted(marshal_in_steps(value, most))[0] == marshal(value)
    assert counted(sprint_in_steps(value, most))[0] == sprint(value)


@given(st.text(), st.integers(1, 5))
def test_what_is_quoted_in_steps_is_the_same(text: str, most: int) -> None:
    assert counted(quote_in_steps(text, most))[0] == quote(text)


def test_large_values_and_long_texts_are_written_in_many_steps() -> None:
    large = {"b": [{"d": number, "c": "<"} for number in range(9000)], "a": {str(number): 1 for number in range(9000)}}
    for at_once, in_steps in ((marshal, marshal_in_steps), (sprint, sprint_in_steps)):
        text, steps = counted(in_steps(large))
        assert text == at_once(large)
        assert steps > 20
    text, steps = counted(quote_in_steps('"\n' * 100_000))
    assert text == quote('"\n' * 100_000)
    assert steps > 20
