"""Maps that an apply would empty are emptied before, if that is all that the server has against it."""

from typing import Any

import pytest

from kubewright.client.errors import Invalid
from kubewright.controller.emptied import emptying_patch

LIVE = {
    "parts": {"a": "1"},
    "deep": {"k": {"a": "b"}, "with.dots": {"a": {"b": "c"}}, "n": 1},
    "items": [{"name": "x", "labels": {"x": "1"}}],
}
UNCHECKED = ("<nil>", "Invalid value: null: some validation rules were not checked because the object was invalid")


def null(field: str) -> tuple[str, str]:
    return field, f'Invalid value: "null": {field} in body must be of type object: "null"'


def emptying(status: Any, *causes: tuple[str, str], live: Any = LIVE) -> Any:
    told = [{"field": field, "message": message} for field, message in causes]
    refusal = Invalid("invalid", {"details": {"causes": told}})
    patch = emptying_patch({"kind": "Box", "status": status}, {"status": live}, refusal)
    return patch["status"] if patch else None


@pytest.mark.parametrize(
    ("status", "fields", "patch"),
    [
        ({"parts": {}, "seen": 1}, ["parts"], {"parts": {"a": None}}),
        ({"deep": {"k": {}}}, ["deep.k"], {"deep": {"k": {"a": None}}}),
        ({"deep": {"with.dots": {}}}, ["deep.with.dots"], {"deep": {"with.dots": {"a": None}}}),
        (
            {"parts": {}, "deep": {}},
            ["deep", "parts"],
            {"parts": {"a": None}, "deep": {"k": None, "with.dots": None, "n": None}},
        ),
    ],
)
def test_the_members_of_a_map_that_is_emptied_are_taken_away(status: Any, fields: list[str], patch: Any) -> None:
    assert emptying(status, *(null(f"status.{field}") for field in fields), UNCHECKED) == patch


def test_so_are_those_of_the_whole_status() -> None:
    assert emptying({}, null("status")) == {"parts": None, "deep": None, "items": None}


def test_a_map_that_the_server_does_not_complain_of_is_left_to_it() -> None:
    assert emptying({"parts": {}, "deep": {"k": {}}}, null("status.deep.k")) == {"deep": {"k": {"a": None}}}


@pytest.mark.parametrize(
    "other",
    [
        ("status.port", "Invalid value: 99999: must be between 1 and 65535"),
        ("status.deep", 'Invalid value: "string": status.deep in body must be of type object: "string"'),
        null("status.items[0].labels"),
        null("spec"),
    ],
)
def test_where_anything_else_is_wrong_nothing_is_emptied(other: tuple[str, str]) -> None:
    assert emptying({"parts": {}}, null("status.parts"), other) is None


@pytest.mark.parametrize(
    "status", [{"parts": {"a": "1"}}, {"parts": {"b": "1"}}, {"parts": None}, {"deep": {}}, {"parts": "odd"}]
)
def test_what_the_configuration_does_not_empty_is_not_emptied(status: Any) -> None:
    assert emptying(status, null("status.parts")) is None


def test_what_is_empty_or_gone_cannot_be_emptied() -> None:
    assert emptying({"parts": {}}, null("status.parts"), live={"parts": {}}) is None
    assert emptying({"parts": {}}, null("status.parts"), live={}) is None
    assert emptying({"parts": {}}, UNCHECKED) is None
