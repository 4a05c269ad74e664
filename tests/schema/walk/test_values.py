import copy as stdlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.steps import counted
from kubewright.schema.walk.values import copier, copy, copy_in_steps, identity, same, stored

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2) | st.sampled_from([0.0, 1.0, 1.5]) | st.sampled_from(["", "a"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)


def test_one_as_integer_as_float_and_as_boolean_are_three() -> None:
    assert len({identity(1), identity(1.0), identity(True)}) == 3
    assert not same([1], [1.0])
    assert not same({"a": True}, {"a": 1})


def test_integers_beyond_64_bits_equal_as_floats() -> None:
    assert same(10**19, 10**19 + 1)
    assert same(10**19, 1e19)


@given(JSON, JSON)
def test_values_are_the_same_if_they_print_alike(left: object, right: object) -> None:
    assert same(left, right) == (repr_sorted(left) == repr_sorted(right))


def repr_sorted(value: Any) -> str:
    if isinstance(value, dict):
        return str([(name, repr_sorted(value[name])) for name in sorted(value)]) + "}"
    return str([repr_sorted(item) for item in value]) if isinstance(value, list) else repr(value)


@given(JSON)
def test_a_copy_is_the_same_and_shares_nothing(value: Any) -> None:
    before = stdlib.deepcopy(value)
    for made in (copy(value), copier(value)()):
        assert same(made, value)
        spoil(made)
        assert same(value, before)


def spoil(value: Any) -> None:
    for member in list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ():
        spoil(member)
    if isinstance(value, dict | list):
        value.clear()


def test_storage_writes_a_float_without_fraction_as_an_integer() -> None:
    assert same(stored([1.0, {"a": -2.0}, 1.5, 1e19]), [1, {"a": -2}, 1.5, 1e19])
    assert stored(6.709713838808517e16) == 67097138388085170


def test_a_large_value_is_copied_in_steps() -> None:
    value: dict[str, Any] = {"a": [{"b": [number]} for number in range(5000)], "c": {}}
    copied, steps = counted(copy_in_steps(value))
    assert copied == value
    assert steps >= 3
    assert copied["a"][0]["b"] is not value["a"][0]["b"]
    assert copied["c"] is not value["c"]
