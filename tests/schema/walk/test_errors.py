import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.steps import counted, finish
from kubewright.schema.walk.errors import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    invalid_status,
    invalid_status_in_steps,
    too_long,
    too_many,
)


def test_a_field_error_reads_as_the_server_prints_it() -> None:
    assert str(invalid("spec.a", {"b": "<"}, "no")) == 'spec.a: Invalid value: {"b":"\\u003c"}: no'
    assert str(duplicate("a[1]", 5)) == "a[1]: Duplicate value: 5"
    assert str(forbidden("a", "not here")) == "a: Forbidden: not here"


def test_one_is_singular() -> None:
    assert too_long("a", 1).message == "Too long: may not be more than 1 byte"
    assert too_many("a", 2, 1).message == "Too many: 2: must have at most 1 item"


def test_a_negative_limit_is_not_told() -> None:
    assert too_long("a", -1).message == "Too long: value is too long"
    assert too_many("a", 2, -1).message == "Too many: 2: has too many items"


def test_field_errors_do_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        FieldError("a", "b", "c").field = "d"  # type: ignore[misc]


def test_one_cause_stands_alone_in_the_message() -> None:
    status = invalid_status("Shop", "example.com", "x", [duplicate("a", 1)])
    assert status["message"] == 'Shop.example.com "x" is invalid: a: Duplicate value: 1'
    assert status["code"] == 422


def test_several_causes_stand_in_brackets_each_once() -> None:
    causes = [duplicate("a", 1), duplicate("b", 2), duplicate("a", 1)]
    status = invalid_status("Shop", "", 'x"', causes)
    assert status["message"] == 'Shop "x\\"" is invalid: [a: Duplicate value: 1, b: Duplicate value: 2]'
    assert status["details"] == {
        "name": 'x"',
        "kind": "Shop",
        "causes": [{"reason": c.reason, "message": c.message, "field": c.field} for c in causes],
    }


@given(st.lists(st.builds(duplicate, st.sampled_from("abc"), st.integers(0, 5))), st.integers(1, 5))
def test_many_causes_are_told_in_steps_as_at_once(causes: list[FieldError], few: int) -> None:
    status, steps = counted(invalid_status_in_steps("Shop", "", "x", causes, few))
    assert status == finish(invalid_status_in_steps("Shop", "", "x", causes, 1000))
    assert steps == -(-len(causes) // few)
