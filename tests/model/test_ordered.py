"""JSON with its keys in order."""

import copy

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model import ordered
from kubewright.model.ordered import encode_in_steps, encode_ordered, same_in_steps
from kubewright.model.steps import counted

values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=6),
)


@given(values)
def test_it_is_what_msgspec_writes_in_order(value: object) -> None:
    wanted = msgspec.json.encode(value, order="deterministic")
    assert encode_ordered(value) == wanted
    assert msgspec.json.encode(ordered._in_order(value), order="deterministic") == wanted


def test_wide_maps_are_put_in_order_first() -> None:
    wide = {f"k{number:06}": {"b": 1, "a": 2} for number in range(1000)} | {"a": 1}
    text = encode_ordered({"spec": [wide], "kind": "Wide"})
    assert text == msgspec.json.encode({"kind": "Wide", "spec": [wide]}, order="deterministic")
    found = ordered._in_order({"spec": [wide]})["spec"][0]
    assert list(found) == sorted(wide)


def test_a_large_value_is_encoded_in_steps_and_the_same() -> None:
    members = {f"k{number:05}": {"b": [number, 0.5], "a": '"'} for number in range(3000)}
    value = {"wide": members, "long": [*members.values()], "a": {"é": None}, "'": {}}
    text, steps = counted(encode_in_steps(value))
    assert text == encode_ordered(value)
    assert steps >= 10


@given(values, values)
def test_what_is_the_same_is_the_same_text(one: object, other: object) -> None:
    for left, right in ((one, other), (one, one), (one, copy.deepcopy(one)), ([0, one], [False, one])):
        same = counted(same_in_steps({"a": left, "b": one}, {"b": one, "a": right}))[0]
        assert same == (encode_ordered(left) == encode_ordered(right))


def test_what_is_large_and_in_another_order_is_compared_in_steps() -> None:
    members = {f"k{number:05}": {"b": [number, 0.5], "a": True} for number in range(3000)}
    other = {name: members[name] for name in sorted(members, reverse=True)}
    same, steps = counted(same_in_steps({"wide": members}, {"wide": other}))
    assert same
    assert steps >= 10
    assert not counted(same_in_steps({"wide": members}, {"wide": other | {"k00007": {"b": [7, 0.5], "a": 1}}}))[0]
