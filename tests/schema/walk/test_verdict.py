"""The quick verdict by itself; test_walk.py holds it against the explanation under every schema."""

from typing import Any

import pytest

from kubewright.schema.walk.structure import read
from kubewright.schema.walk.verdict import compile_verdict


def fits(schema: dict[str, Any], value: object) -> bool:
    return compile_verdict(read(schema))(value)


@pytest.mark.parametrize("value", [None, True, 1, 10**30, 1.5, "a", [], {}, [[{"a": None}]]])
def test_without_keywords_everything_fits(value: object) -> None:
    assert fits({}, value)


def test_a_string_that_passed_once_passes_again_and_one_that_failed_fails_again() -> None:
    verdict = compile_verdict(read({"type": "string", "pattern": "^a", "maxLength": 500}))
    for _ in range(2):
        assert verdict("abc")
        assert not verdict("xyz")
        assert verdict("a" * 400)


def test_it_remembers_no_more_than_it_should() -> None:
    verdict = compile_verdict(read({"type": "string", "pattern": "^a"}))
    assert all(verdict(f"a{number}") for number in range(2000))
    assert not verdict("b0")


def test_many_untyped_alternatives_are_compiled_in_no_time() -> None:
    schema: dict[str, Any] = {"maxLength": 3}
    for _ in range(40):
        schema = {"anyOf": [schema]}
    assert fits(schema, "abc")
    assert not fits(schema, "abcd")


def test_a_tuple_or_a_subclass_is_left_to_the_explanation() -> None:
    assert not fits({"type": "string"}, type("Text", (str,), {})("a"))
