"""Masks keep what can be compared."""

import base64
import json
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.referee.mask import mask

NOW = datetime(2026, 1, 2, tzinfo=UTC)
UID = "11111111-2222-4333-8444-55555555555{}"


def masked(*bodies: Any, prefixes: tuple[str, ...] = ()) -> list[Any]:
    return [step["body"] for step in mask([{"body": body} for body in bodies], NOW, prefixes)]


def object_(version: str, uid: str = "1", **metadata: Any) -> dict[str, Any]:
    return {"metadata": {"uid": UID.format(uid), "resourceVersion": version, **metadata}}


def test_the_same_uid_has_the_same_mask_also_in_a_text() -> None:
    one, two, text = masked(object_("1", "1"), object_("1", "2"), {"message": f"uid {UID.format('1')} is taken"})
    assert one["metadata"]["uid"] == "<uid-1>"
    assert two["metadata"]["uid"] == "<uid-2>"
    assert text["message"] == "uid <uid-1> is taken"


def test_versions_of_objects_become_their_rank() -> None:
    found = masked(object_("900"), object_("17"), object_("900"), object_("1000"))
    assert [body["metadata"]["resourceVersion"] for body in found] == ["<rv-2>", "<rv-1>", "<rv-2>", "<rv-3>"]


def test_the_version_of_a_list_is_told_by_the_newest_object_it_can_hold() -> None:
    *_, exact, later, before = masked(
        object_("10"),
        object_("20"),
        {"metadata": {"resourceVersion": "20"}},
        {"metadata": {"resourceVersion": "29"}},
        {"metadata": {"resourceVersion": "19"}},
    )
    versions = [body["metadata"]["resourceVersion"] for body in (exact, later, before)]
    assert versions == ["<rv-2+>", "<rv-2+>", "<rv-1+>"]


def test_a_creation_time_that_changes_shows() -> None:
    one = object_("1", creationTimestamp="2026-01-02T00:00:00Z")
    other = object_("2", creationTimestamp="2026-01-02T00:00:05Z")
    found = [body["metadata"]["creationTimestamp"] for body in masked(one, one, other)]
    assert found == ["<created>", "<created>", "<created-2>"]


def test_a_time_of_these_days_is_masked_with_its_precision_and_another_stands() -> None:
    (found,) = masked({"a": "2026-01-02T03:04:05Z", "b": "2026-01-01T03:04:05.123456Z", "c": "2020-01-01T00:00:00Z"})
    assert found == {"a": "<time>", "b": "<time.000000>", "c": "2020-01-01T00:00:00Z"}


def test_a_generated_name_keeps_its_prefix() -> None:
    one, two = masked(object_("1", generateName="x-", name="x-bcdf2"), {"message": 'things "x-bcdf2" not found'})
    assert one["metadata"]["name"] == "x-<name-1>"
    assert two["message"] == 'things "x-<name-1>" not found'


def test_a_refused_generated_name_is_known_by_the_prefix_that_was_sent() -> None:
    status = {"details": {"name": "X-bcdf2", "kind": "ConfigMap", "causes": []}, "message": '"X-bcdf2" is invalid'}
    (found,) = masked(status, prefixes=("X-",))
    assert found["message"] == '"X-<name-1>" is invalid'


def test_a_name_that_was_given_is_not_masked() -> None:
    (found,) = masked(object_("1", generateName="x-", name="given"))
    assert found["metadata"]["name"] == "given"


def test_a_continue_token_shows_what_it_holds() -> None:
    token = base64.urlsafe_b64encode(json.dumps({"rv": 12, "start": "a\u0000"}).encode()).decode().rstrip("=")
    _, page = masked(object_("10"), {"metadata": {"continue": token, "resourceVersion": "12"}})
    assert page["metadata"]["continue"] == '<continue {"rv": "<rv-1+>", "start": "a\\u0000"}>'


def test_versions_in_a_message_about_versions_are_masked() -> None:
    _, one, two = masked(
        object_("10"),
        {"message": "the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (10)"},
        {"message": "Too large resource version: 999, current: 12"},
    )
    assert one["message"].endswith("in record (<rv-1>)")
    assert two["message"] == "Too large resource version: 999, current: <rv>"


def test_other_numbers_stand() -> None:
    _, found = masked(object_("10"), {"message": "must have at most 10 items", "count": 10})
    assert found == {"message": "must have at most 10 items", "count": 10}


def test_ages_in_a_table_are_masked() -> None:
    (found,) = masked({"rows": [{"cells": ["5s", "3d4h", "x", 5]}]})
    assert found["rows"][0]["cells"] == ["<age>", "<age>", "x", 5]


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=8), st.integers(1, 1000))
def test_masks_do_not_depend_on_where_versions_begin(versions: list[int], offset: int) -> None:
    one = masked(*(object_(str(version)) for version in versions))
    other = masked(*(object_(str(version + offset)) for version in versions))
    assert one == other
