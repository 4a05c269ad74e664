from datetime import UTC, datetime
from typing import Any

import pytest

import kubewright as kw
from kubewright.model import status as module
from kubewright.model.status import ConditionError

START = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock is a second later than the one before."""
    ticks = iter(range(100))
    monkeypatch.setattr(module, "wall", lambda: START.timestamp() + next(ticks))


@pytest.mark.usefixtures("passing")
def test_transition_time_moves_only_when_status_changes() -> None:
    status = kw.Status()
    first = status.set("Ready", False, reason="Starting").last_transition_time
    again = status.set("Ready", False, reason="StillStarting", message="1 of 3").last_transition_time
    assert again == first
    assert status.set("Ready", True, reason="Up").last_transition_time > first


def test_a_condition_is_found_by_its_type_and_there_is_one_of_each() -> None:
    status = kw.Status()
    status.set("Ready", None, reason="Unknown")
    status.set("Ready", "True", reason="Up", observed_generation=3)
    status.set("Degraded", False, reason="Fine")
    assert [condition.type for condition in status.conditions] == ["Ready", "Degraded"]
    ready = status.condition("Ready")
    assert ready
    assert (ready.status, ready.reason, ready.message, ready.observed_generation) == ("True", "Up", "", 3)
    assert status.condition("Missing") is None


def test_a_message_that_is_too_long_for_a_server_is_cut() -> None:
    message = kw.Status().set("Ready", False, reason="Failed", message="é" * 40_000).message
    assert (len(message), message[-2:]) == (32_768, "é…")


def test_a_condition_can_be_taken_away() -> None:
    status = kw.Status()
    status.set("Ready", True, reason="Up")
    status.remove("Ready")
    assert kw.to_dict(status) == {"conditions": []}


def test_a_condition_is_sent_with_every_required_field() -> None:
    status = kw.Status(observed_generation=2)
    status.set("Ready", True, reason="Up")
    document = kw.to_dict(status)
    assert document["conditions"][0].keys() == {"type", "status", "lastTransitionTime", "reason", "message"}
    assert document["observedGeneration"] == 2


def test_conditions_of_a_newer_server_keep_their_unknown_fields() -> None:
    status = kw.from_dict({"conditions": [{"type": "Ready", "status": "True", "severity": "Low"}]}, kw.Status)
    status.set("Ready", True, reason="Up")
    assert kw.to_dict(status)["conditions"][0]["severity"] == "Low"


def test_a_status_is_the_same_after_it_was_sent() -> None:
    status = kw.Status()
    status.set("Ready", True, reason="Up")
    assert kw.decode(kw.encode(status), kw.Status) == status


def test_a_null_among_the_conditions_is_passed_over() -> None:
    status = kw.from_dict({"conditions": [None, {"type": "Ready", "status": "True"}]}, kw.Status)
    assert status.condition("Ready") is not None
    assert status.condition("Other") is None


def test_a_condition_that_is_there_is_something_whatever_it_says() -> None:
    status = kw.Status()
    found = status.set("Ready", False, reason="Down")
    assert (status.condition("Ready") or None) is found


def test_a_fact_holds_if_its_condition_is_true() -> None:
    status = kw.Status()
    status.set("Ready", True, reason="Up")
    status.set("Synced", False, reason="Behind")
    status.set("Known", None, reason="Unasked")
    assert [status.holds(each) for each in ("Ready", "Synced", "Known", "Missing")] == [True, False, False, False]


@pytest.mark.parametrize(
    ("kind", "reason", "words"),
    [
        ("Ready", "has space", "'has space' is no reason of the condition Ready"),
        ("Ready", "Newline\n", "no reason"),
        ("Ready", "", "no reason"),
        ("Ready", "R" * 1025, "no reason"),
        ("Ready", ["Up"], "no reason"),
        ("Ready", None, "no reason"),
        ("not ready", "Up", "'not ready' is no type of a condition"),
    ],
)
def test_words_that_no_server_takes_are_refused_where_they_are_said(kind: str, reason: Any, words: str) -> None:
    status = kw.Status()
    with pytest.raises(ConditionError, match=words):
        status.set(kind, True, reason=reason)
    assert status.conditions == []
    status.set("Ready", True, reason="Up")
    if kind == "Ready":
        with pytest.raises(ConditionError):
            status.set(kind, True, reason=reason)
    status.set("example.com/Ready", True, reason="Up_1,b:c")
