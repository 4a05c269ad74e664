"""References are filled, and mistakes told."""

import pytest
from tests.referee.fill import UnknownReference, fill, names, slug
from tests.referee.language import edited

KNOWN = {"ns": "here", "a": {"metadata": {"uid": "u", "generation": 3}, "items": [{"x": 1}]}}


def test_references_stand_for_what_was_kept() -> None:
    body = {"{ns}": ["{a.metadata.uid}", "-{a.items.0.x}-"], "n": "{a.metadata.generation}"}
    assert fill(body, KNOWN) == {"here": ["u", "-1-"], "n": 3}


def test_bytes_are_filled_too_and_braces_of_json_stand() -> None:
    assert fill(b'{"a":{"b":"{ns}"}}\xff', KNOWN) == b'{"a":{"b":"here"}}\xff'


def test_an_answer_is_edited_as_by_a_merge_patch() -> None:
    assert fill(edited("a", {"metadata": {"uid": None, "name": "{ns}"}, "items": []}), KNOWN) == {
        "metadata": {"generation": 3, "name": "here"},
        "items": [],
    }


@pytest.mark.parametrize("text", ["{nobody}", "{a.metadata.nothing}", "{a.items.7}"])
def test_a_reference_to_nothing_is_an_error(text: str) -> None:
    with pytest.raises(UnknownReference):
        fill(text, KNOWN)


def test_names_are_labels_and_stay_the_same() -> None:
    assert slug("watch/A no-op, is (not) told!" + "x" * 90) == slug("watch/A no-op, is (not) told!" + "x" * 90)
    assert len(slug("x" * 90)) <= 50
    assert names("get-it")["configmaps"] == "/api/v1/namespaces/get-it/configmaps"
