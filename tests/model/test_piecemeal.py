import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.piecemeal import cut_list, decode_in_steps
from kubewright.model.steps import counted

values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-9, 9), st.floats(allow_nan=False, allow_infinity=False), st.text()
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
)


@given(values, st.integers(1, 60), st.sampled_from([None, 1]))
def test_pieces_come_to_the_whole(value: Any, piece: int, indent: int | None) -> None:
    data = json.dumps(value, indent=indent).encode()
    assert json.dumps(counted(decode_in_steps(data, piece=piece))[0]) == json.dumps(value)


def test_there_is_a_step_for_every_few_members() -> None:
    data = json.dumps({"a": {f"k{number}": "v" * 10 for number in range(100)}}, separators=(",", ":")).encode()
    assert counted(decode_in_steps(data, piece=10_000))[1] == 0
    assert counted(decode_in_steps(data, piece=100))[1] >= 9


@pytest.mark.parametrize("text", ['{"a": 1, "a": [2,3],"b":{}}', '{ "b" : [ 1 , {"c":"d"} ] }', "[[[1],[2]],[3]]"])
def test_what_others_wrote_is_decoded_as_at_once(text: str) -> None:
    data = text.encode()
    assert counted(decode_in_steps(data, piece=2))[0] == msgspec.json.decode(data)


@given(values, st.integers(1, 60), st.data())
def test_a_text_is_decoded_or_refused_as_at_once(value: Any, piece: int, draw: st.DataObject) -> None:
    data = bytearray(json.dumps(value, separators=(",", ":")).encode())
    data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.sampled_from(b',:"[]{}1a'))
    try:
        wanted = msgspec.json.decode(bytes(data))
    except msgspec.DecodeError:
        with pytest.raises(msgspec.DecodeError):
            counted(decode_in_steps(bytes(data), piece=piece))
    else:
        assert json.dumps(counted(decode_in_steps(bytes(data), piece=piece))[0]) == json.dumps(wanted)


def test_nothing_may_follow_the_last_comma() -> None:
    for text in ('{"a":1,"b":2,}', "[1,2,3,4,5,6,]"):
        with pytest.raises(msgspec.DecodeError):
            counted(decode_in_steps(text.encode(), piece=9))


@pytest.mark.parametrize("text", ['{"a":[1,{"b":tru}]}', '{"a":["\\x"]}', '{"a":[1,2}', '{"a":[1,2]} x'])
def test_what_is_no_json_is_refused_in_pieces_too(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        counted(decode_in_steps(text.encode(), piece=2))


def test_not_utf8_is_refused_in_pieces_too() -> None:
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
        counted(decode_in_steps(b'{"a":["\xff",1]}', piece=2))


@given(st.lists(values), st.integers(1, 60), st.sampled_from([None, 1]))
def test_a_list_that_is_cut_has_all_its_items(value: list[Any], piece: int, indent: int | None) -> None:
    data = json.dumps(value, indent=indent).encode()
    assert [item for some in cut_list(data, piece=piece) for item in json.loads(some)] == value


def test_a_long_list_is_cut_in_short_ones() -> None:
    data = json.dumps([{"a": [{"b": [number]}]} for number in range(1000)]).encode()
    lengths = [len(some) for some in cut_list(data, piece=1000)]
    assert len(lengths) >= 20
    assert max(lengths) < 2000
