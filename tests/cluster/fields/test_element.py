import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kubewright.cluster.fields.element import (
    BadElement,
    field,
    keyed,
    order,
    plainly_keyed,
    plainly_valued,
    read,
    spelled,
    valued,
)


def test_a_field_is_its_name() -> None:
    assert field("a.b/c") == "f:a.b/c"
    assert spelled("f:a.b/c") == ".a.b/c"


def test_keys_are_written_as_go_writes_json() -> None:
    assert keyed([("name", 'a"<b>'), ("port", 80)]) == 'k:{"name":"a\\"\\u003cb\\u003e","port":80}'


def test_one_and_one_point_zero_are_one_value_and_true_is_another() -> None:
    assert valued(1) == valued(1.0) == "v:1"
    assert valued(True) == "v:true"


@given(st.lists(st.text(max_size=5)))
def test_many_texts_are_written_as_each_is_or_not_at_all(texts: list[str]) -> None:
    try:
        found = plainly_keyed("a<b", texts), plainly_valued(texts)
    except TypeError:
        assert not all(text.isalnum() and text.isascii() for text in texts)
    else:
        assert found == ([keyed([("a<b", text)]) for text in texts], [valued(text) for text in texts])


def test_messages_quote_texts() -> None:
    assert spelled('k:{"name":"a","port":80}') == '[name="a",port=80]'
    assert spelled('v:"x"') == '[="x"]'
    assert spelled("v:true") == "[=true]"
    assert spelled("i:3") == "[3]"


def test_what_a_client_wrote_becomes_canonical() -> None:
    assert read('k:{"b": 1.0, "a": "x"}') == 'k:{"a":"x","b":1}'
    assert read("v: 2.0") == "v:2"
    assert read("i:007") == "i:7"


def test_an_element_of_another_sort_is_passed_over() -> None:
    assert read("z:whatever") is None


@pytest.mark.parametrize("text", ["", "x", "fx", "k:x", "k:1", "v:", "i:x"])
def test_what_is_no_element_is_refused(text: str) -> None:
    with pytest.raises(BadElement):
        read(text)


def test_fields_stand_before_keys_and_keys_before_values_and_places() -> None:
    assert order(["i:1", "v:2", 'k:{"a":1}', "f:z", "."]) == [".", "f:z", 'k:{"a":1}', "v:2", "i:1"]


def test_numbers_are_ordered_as_numbers_and_before_texts() -> None:
    assert order(['v:"a"', "v:10", "v:9", "v:true", "v:-1", "v:null"]) == [
        *("v:-1", "v:9", "v:10", 'v:"a"', "v:true", "v:null"),
    ]
    assert order(['k:{"p":443}', 'k:{"p":80}']) == ['k:{"p":80}', 'k:{"p":443}']


@given(st.sets(st.text(' !"\\<ab', max_size=3)), st.booleans())
@example({f"{before}{after}" for before in "ba! " for after in [*" !az", *map(str, range(20))]}, True)
def test_texts_are_ordered_by_what_they_say_and_not_by_how_they_are_written(texts: set[str], own: bool) -> None:
    before = ["."] if own else []
    assert order(before + [valued(text) for text in texts]) == before + [valued(text) for text in sorted(texts)]
    items = [keyed([("name", text)]) for text in sorted(texts)]
    assert order([*items[::-1], *before]) == before + items


def test_keys_after_the_first_are_ordered_too() -> None:
    items = [keyed([("a", "x"), ("b", number)]) for number in (2, 10)]
    assert order(items[::-1]) == items


def test_fewer_keys_stand_before_more() -> None:
    assert order(['k:{"a":1,"b":1}', 'k:{"a":1}']) == ['k:{"a":1}', 'k:{"a":1,"b":1}']


@given(st.one_of(st.text(), st.integers(-(2**63), 2**63 - 1), st.booleans()))
def test_what_is_written_is_read_again(value: object) -> None:
    text = valued(value)
    assert read(text) == text
