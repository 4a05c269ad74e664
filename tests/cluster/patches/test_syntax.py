"""What is not JSON, and that nothing else is called so."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.patches.syntax import syntax_error, syntax_error_in_steps
from kubewright.model.steps import counted, finish

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=30,
)
PIECES = st.sampled_from([*'[]{}:,"\\ 01.e-+\n', "true", "nul", '"a"', "\\u00", "é", "x"])


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_json_is_not_refused(value: object, indent: int | None, ascii_only: bool) -> None:
    assert syntax_error(json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()) is None


@given(st.lists(PIECES, max_size=10).map("".join))
def test_what_another_parser_refuses_is_refused_and_nothing_more(text: str) -> None:
    def constant(name: str) -> object:
        raise ValueError(name)

    try:
        json.loads(text, parse_constant=constant)
    except ValueError:
        assert syntax_error(text.encode()) is not None
    else:
        assert syntax_error(text.encode()) is None


@pytest.mark.parametrize("levels", [3, 4, 5, 6, 9])
def test_a_mistake_below_what_is_passed_over_in_one_step_is_found(levels: int) -> None:
    good = b"[" * levels + b"1,{}" + b"]" * levels
    bad = b"[" * levels + b"1,{,}" + b"]" * levels
    assert syntax_error(b"[" + good + b"," + good + b"]") is None
    assert syntax_error(b"[" + good + b"," + bad + b"]") == (
        "invalid character ',' looking for beginning of object key string"
    )


def test_four_hundred_levels_are_not_too_deep() -> None:
    assert syntax_error(b"[" * 400 + b"]" * 400) is None
    assert syntax_error(b"[" * 501 + b"]" * 501) == "invalid character '[' exceeded max depth"


def test_a_large_body_with_a_mistake_at_its_end_is_told() -> None:
    body = msgspec.json.encode([{"a": [1, 2, {}], "b": "c" * 20}] * 20_000)
    assert syntax_error(body[:-1] + b",]") == "invalid character ']' looking for beginning of value"


@given(st.lists(PIECES | VALUES.map(json.dumps), max_size=12).map("".join), st.integers(16, 60))
def test_in_steps_the_same_is_told(text: str, most: int) -> None:
    body = text.encode()
    assert finish(syntax_error_in_steps(body, most)) == finish(syntax_error_in_steps(body, 10**9))


@pytest.mark.parametrize(
    "body",
    [
        msgspec.json.encode({f"key-{number}": "v" * 20 for number in range(20_000)})[:-1],
        b'["' + b"\\n" * 300_000,
        b"[" + b"[[[[[[[1]]]]]]]," * 20_000,
        b'{"' + b"k" * 600_000,
    ],
)
def test_a_large_body_is_looked_at_in_many_steps(body: bytes) -> None:
    told, steps = counted(syntax_error_in_steps(body))
    assert told is not None
    assert steps > 100
