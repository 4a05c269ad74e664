import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.documents import (
    MAX_DEPTH,
    DocumentError,
    UnsayableError,
    dump_json,
    is_deep,
    is_shallow,
    load_json,
)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        (b'{"a":}', 5),
        (b'{"a":1', 6),
        (b"", 0),
        (b"[1,]", 3),
        (b'{"a": "\xff"}', 7),
        (b'[1, 1e400, "1e400"]', 4),
        (b'["1e400", ' + b"9" * 5000 + b"]", 10),
        (b"NaN", 0),
        (b"1 2", 3),
        (b"[" * 10_000, 400),
        (b'{"a":' * 10_000, 2000),
    ],
)
def test_malformed_json_is_refused_with_the_byte(text: bytes, offset: int) -> None:
    with pytest.raises(DocumentError) as caught:
        load_json(text, "a.json")
    assert caught.value.offset == offset
    assert str(caught.value).startswith(f"a.json, byte {offset}: ")


def test_json_is_read() -> None:
    assert load_json('{"a": [1, 2.5, null, "\\u00e9"], "b": 18446744073709551615}') == {
        "a": [1, 2.5, None, "\u00e9"],
        "b": 2**64 - 1,
    }


def test_of_equal_json_keys_the_last_wins() -> None:
    assert load_json(b'{"a":1,"a":2}') == {"a": 2}


def test_many_brackets_that_do_not_nest_are_no_problem() -> None:
    assert load_json(b"[" + b'[],{"[":"\\"["},' * 1000 + b"0]") == [[], {"[": '"['}] * 1000 + [0]


def test_a_number_too_large_beside_something_that_is_none_is_refused() -> None:
    with pytest.raises(DocumentError):
        load_json(b"[-1e999-, 1e999]")


@pytest.mark.parametrize("inside", [b"]", b"}", rb"\"]", rb"\\]"])
def test_brackets_in_strings_hide_no_levels(inside: bytes) -> None:
    closed = inside.translate(bytes.maketrans(b"]}", b"[{"))
    text = (b'["%b",' % inside) * 500 + b"1" + (b',"%b"]' % closed) * 500
    assert is_deep(text)
    with pytest.raises(DocumentError, match="nested more than 400 levels deep"):
        load_json(text)


@given(
    st.recursive(st.text('[]{}"\\\\a', max_size=4), lambda inner: st.lists(inner, max_size=4)), st.integers(390, 410)
)
def test_whatever_is_in_strings_the_depth_is_told(value: object, levels: int) -> None:
    text = b'["]["' + b',["{"' * (levels - 1) + b"," + json.dumps(value).encode() + b"]" * levels
    assert is_deep(text) is (levels + depth_of(value) > MAX_DEPTH)


def depth_of(value: object) -> int:
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


def test_objects_with_json_in_their_strings_need_no_walk() -> None:
    item = {"metadata": {"annotations": {"last": '{"a":[{"b":"{}"}]}'}, "managedFields": [{'k:{"name":"a"}': {}}]}}
    assert is_shallow(json.dumps({"items": [item] * 1000}).encode())


def test_a_long_list_is_not_deep_whatever_its_strings_are() -> None:
    assert not is_deep(b"[" + b",".join([rb'{"a":"[{","b":"\"]","c":["",{}]}'] * 1000) + b"]")


@pytest.mark.parametrize("value", [{"a": None, "b": [1, 2.5, "x", True]}, {"null": "nan"}, [], "ž", {1: 2}])
def test_what_json_can_say_is_written(value: Any) -> None:
    assert dump_json(value) == msgspec.json.encode(value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": {"b": float("nan")}}, "a.b is nan, which JSON cannot say: it would be null."),
        ({"a": [1, float("-inf")]}, "a[1] is -inf, which JSON cannot say: it would be null."),
        ({"a": "x\udc80"}, "a has a lone surrogate, which is no character: 'x\\udc80'."),
        ({"a": {"\udc80": 1}}, "a has a lone surrogate, which is no character: '\\udc80'."),
        ({"a": {"b": int}}, "a.b is <class 'int'>, of the type type, which JSON cannot say."),
        ({None: 1}, "Only dicts with str-like or number-like keys are supported."),
    ],
)
def test_what_json_cannot_say_is_refused_with_its_place(value: Any, message: str) -> None:
    with pytest.raises(UnsayableError) as raised:
        dump_json(value)
    assert str(raised.value) == message


def test_what_holds_itself_is_refused() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(UnsayableError, match="holds itself"):
        dump_json(value)
