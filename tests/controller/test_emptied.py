"""Maps that an apply empties of what we own are emptied before, member by member."""

from typing import Any

import msgspec
import pytest

from kubewright.controller.emptied import emptying_patch

OWNED = {
    "f:parts": {"f:a": {}},
    "f:deep": {"f:k": {".": {}, "f:a": {}}, "f:n": {}},
    "f:whole": {},
    "f:items": {'k:{"name":"x"}': {".": {}, "f:name": {}, "f:labels": {"f:x": {}}}},
}
LIVE = {
    "parts": {"a": "1", "theirs": "2"},
    "deep": {"k": {"a": "b"}, "n": 1},
    "whole": {"atomic": 1},
    "items": [{"name": "x", "labels": {"x": "1"}}],
}


def emptying(status: Any, live: Any = LIVE) -> Any:
    owned = msgspec.json.encode({"f:status": OWNED})
    return emptying_patch({"kind": "Box", "status": status}, {"status": live}, owned).get("status")


@pytest.mark.parametrize(
    ("status", "patch"),
    [
        ({"parts": {}, "seen": 1}, {"parts": {"a": None}}),
        ({"deep": {"k": {}}}, {"deep": {"k": {"a": None}}}),
        ({"deep": {}}, {"deep": {"k": None, "n": None}}),
        ({}, {"parts": {"a": None}, "deep": None, "whole": None, "items": None}),
    ],
)
def test_what_is_ours_in_a_map_that_is_emptied_is_taken_away(status: Any, patch: Any) -> None:
    assert emptying(status) == patch


def test_what_is_anothers_within_what_is_ours_stays() -> None:
    live = {"deep": {"k": {"a": "b", "theirs": "c"}, "n": 1}}
    assert emptying({"deep": {}}, live) == {"deep": {"k": {"a": None}, "n": None}}


@pytest.mark.parametrize(
    ("owned", "items", "goes"),
    [
        ({'k:{"name":"x"}': {".": {}, "f:name": {}}}, [{"name": "x"}], True),
        ({'k:{"name":"x"}': {".": {}, "f:name": {}}}, [{"name": "x"}, {"name": "theirs"}], False),
        ({'k:{"name":"x"}': {".": {}, "f:name": {}}}, [{"name": "x", "theirs": 1}], False),
        ({'v:"x"': {}, 'v:"y"': {}}, ["y", "x"], True),
        ({'v:"x"': {}}, ["x", "theirs"], False),
        ({}, ["atomic"], True),
    ],
)
def test_a_list_goes_with_its_map_only_if_nothing_in_it_is_anothers(
    owned: dict[str, Any], items: list[Any], goes: bool
) -> None:
    tree = msgspec.json.encode({"f:status": {"f:map": {"f:items": owned}}})
    patch = {"status": {"map": {"items": None}}} if goes else {}
    assert emptying_patch({"status": {"map": {}}}, {"status": {"map": {"items": items}}}, tree) == patch


@pytest.mark.parametrize(
    "status",
    [
        {"parts": {"a": "1"}},
        {"parts": {"b": "1"}, "new": {}},
        {"whole": {}},
        {"parts": None, "deep": "odd"},
        {"items": [{"name": "x", "labels": {}}]},
    ],
)
def test_where_nothing_is_emptied_nothing_is_taken_away(status: Any) -> None:
    assert emptying(status) is None


def test_what_is_gone_or_not_ours_is_not_taken_away() -> None:
    assert emptying({"parts": {}}, {"parts": {}}) is None
    assert emptying_patch({"status": {"parts": {}}}, {"status": LIVE}, b"{}") == {}
