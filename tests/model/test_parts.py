"""Large values in parts."""

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.parts import Part, is_light, parts, rebuilt, summed
from kubewright.model.steps import finish

values = st.recursive(
    st.none() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=3), inner, max_size=6),
    max_leaves=40,
)
containers = values.filter(lambda value: isinstance(value, (dict, list)))


def put_together(container: Any, most: int) -> Any:
    made: Any = type(container)()
    for part in parts(container, most):
        if isinstance(container, list):
            assert (part.start if part.key is None else part.key) == len(made)
            made += part.value if part.key is None else [part.value]
        else:
            made |= part.value if part.key is None else {part.key: part.value}
    return made


@given(containers, st.integers(1, 12))
def test_the_parts_are_all_there_is_in_order(container: Any, most: int) -> None:
    made = put_together(container, most)
    assert made == container
    assert [*made] == [*container]


@given(containers, st.integers(2, 12))
def test_what_goes_together_is_light_and_what_goes_alone_is_heavy(container: Any, most: int) -> None:
    for part in parts(container, most):
        # Those that are light are weighed by the length of their text.
        assert is_light(part.value, 8 * most) if part.key is None else not is_light(part.value, most)


def test_light_members_go_together_and_heavy_ones_alone() -> None:
    big = list(range(10))
    assert [*parts({"a": 1, "b": [2], "big": big, "e": 3}, 6)] == [
        Part({"a": 1, "b": [2]}),
        Part(big, "big"),
        Part({"e": 3}, start=3),
    ]
    assert [*parts([1, 2, big, 3, 4], 6)] == [Part([1, 2]), Part(big, 2), Part([3, 4], start=3)]


def test_a_long_text_weighs_no_more_than_a_short_one() -> None:
    assert is_light("x" * 10_000, 1)


@given(containers, st.integers(1, 12))
def test_a_value_is_rebuilt_as_it_would_be_at_once(container: Any, most: int) -> None:
    def without_nulls(value: Any, depth: int) -> Any:
        if isinstance(value, dict):
            return {key: without_nulls(value[key], depth + 1) for key in sorted(value) if value[key] is not None}
        return [without_nulls(item, depth + 1) for item in value] if isinstance(value, list) else (value, depth)

    made, wanted = finish(rebuilt(container, without_nulls, most=most, order=sorted)), without_nulls(container, 0)
    assert repr(made) == repr(wanted)


def marks(value: Any) -> int:
    return json.dumps(value).count('"')


@given(values, st.integers(1, 12))
def test_what_is_measured_in_parts_comes_to_what_the_whole_has(value: Any, most: int) -> None:
    assert finish(summed(value, marks, most)) == marks(value)
    assert finish(summed(value, lambda part: len(msgspec.json.encode(part)), most)) >= len(msgspec.json.encode(value))
