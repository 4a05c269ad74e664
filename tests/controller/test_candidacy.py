"""Who leads, step by step."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from kubewright.controller.candidacy import Ask, Candidacy, Durations, Moment, Outcome, Verdict

START = datetime(2026, 1, 1, tzinfo=UTC)
RELEASED = {
    "holderIdentity": "",
    "leaseDurationSeconds": 1,
    "acquireTime": "t",
    "renewTime": "t",
    "leaseTransitions": 4,
}
HELD = {"holderIdentity": "b", "leaseDurationSeconds": 15, "acquireTime": "t", "renewTime": "u", "leaseTransitions": 4}


def at(seconds: float) -> Moment:
    return Moment(seconds, START + timedelta(seconds=seconds))


def lease(spec: dict[str, Any], version: str = "7") -> dict[str, Any]:
    return {"metadata": {"name": "op", "namespace": "ns", "uid": "u", "resourceVersion": version}, "spec": spec}


def candidate() -> Candidacy:
    return Candidacy("op", "ns", "a", Durations())


def leader() -> Candidacy:
    """One that wrote its lease at 100."""
    one = candidate()
    assert one.begin(at(100)) is Ask.READ
    assert one.answer(Outcome.MISSING, at(100)) is Ask.CREATE
    assert one.answer(lease(one.document["spec"]), at(101)) is Verdict.LEADING
    return one


def test_a_lease_never_seen_is_made_at_once_and_good_from_when_it_was_sent() -> None:
    one = leader()
    assert one.document["spec"] == {
        "holderIdentity": "a",
        "leaseDurationSeconds": 15,
        "acquireTime": "2026-01-01T00:01:40.000000Z",
        "renewTime": "2026-01-01T00:01:40.000000Z",
        "leaseTransitions": 0,
    }
    assert (one.until, one.wall_until) == (110, START.timestamp() + 110)


@pytest.mark.parametrize("spec", [{}, RELEASED])
def test_a_lease_that_was_released_or_never_held_is_taken_at_once(spec: dict[str, Any]) -> None:
    one = candidate()
    one.begin(at(0))
    assert one.answer(lease(spec), at(0)) is Ask.UPDATE
    assert one.document["spec"]["leaseTransitions"] == spec.get("leaseTransitions", 0) + 1
    assert one.document["metadata"]["resourceVersion"] == "7"


@pytest.mark.parametrize(
    "spec",
    [
        HELD,
        HELD | {"holderIdentity": ""},
        HELD | {"leaseDurationSeconds": 1},
        HELD | {"holderIdentity": "", "leaseDurationSeconds": 1},
        HELD | {"holderIdentity": "", "renewTime": None},
        HELD | {"holderIdentity": "a"},  # our name, but we did not write it
    ],
)
def test_any_other_lease_is_waited_for_its_whole_duration_since_it_was_seen(spec: dict[str, Any]) -> None:
    one = candidate()
    one.begin(at(0))
    assert one.answer(lease(spec), at(1)) is Verdict.FOLLOWING
    one.begin(at(15.9))
    assert one.answer(lease(spec), at(15.9)) is Verdict.FOLLOWING
    one.begin(at(16))
    assert one.answer(lease(spec), at(16)) is Ask.UPDATE


def test_a_change_of_the_record_begins_the_wait_anew() -> None:
    one = candidate()
    one.begin(at(0))
    one.answer(lease(HELD), at(0))
    one.begin(at(14))
    one.answer(lease(HELD, "8"), at(14))  # changed and changed back: it was changed
    one.begin(at(28))
    assert one.answer(lease(HELD, "8"), at(28)) is Verdict.FOLLOWING


@pytest.mark.parametrize("spec", [HELD, RELEASED])
def test_a_lease_that_was_seen_and_vanishes_is_waited_for_like_one_that_changed(spec: dict[str, Any]) -> None:
    one = candidate()
    one.begin(at(0))
    one.answer(lease(spec), at(0))
    one.begin(at(60))
    assert one.answer(Outcome.MISSING, at(60)) is Verdict.FOLLOWING
    one.begin(at(74))
    assert one.answer(Outcome.MISSING, at(74)) is Verdict.FOLLOWING
    one.begin(at(75))
    assert one.answer(Outcome.MISSING, at(75)) is Ask.CREATE


def test_the_end_of_a_lease_is_not_waited_for_in_steps() -> None:
    one = candidate()
    one.begin(at(0))
    one.answer(lease(HELD), at(0))
    one.begin(at(14))
    one.answer(lease(HELD), at(14))
    assert one.pause(at(14), 0.9) == pytest.approx(1.001)


def test_a_clock_that_stands_still_does_not_hide_a_renewal() -> None:
    one = leader()
    assert one.begin(Moment(102, START + timedelta(seconds=100))) is Ask.UPDATE
    assert one.document["spec"]["renewTime"] == "2026-01-01T00:01:40.000001Z"


def test_a_leader_whose_answer_is_late_past_its_deadline_tries_again_at_once() -> None:
    one = leader()
    one.begin(at(102))
    assert one.answer(lease(one.document["spec"], "8"), at(130)) is Verdict.LEADING
    assert one.until == 112
    assert one.pause(at(130), 0.5) == 0


def test_a_leader_past_its_deadline_goes_on_if_nobody_wrote_meanwhile() -> None:
    one = leader()
    assert one.begin(at(130)) is Ask.UPDATE
    assert one.answer(lease(one.document["spec"], "8"), at(130)) is Verdict.LEADING


def test_a_leader_past_its_deadline_that_fails_or_finds_nothing_has_lost() -> None:
    one, other = leader(), leader()
    one.begin(at(130))
    assert one.answer(Outcome.UNKNOWN, at(130)) is Verdict.LOST
    other.begin(at(130))
    assert other.answer(Outcome.REFUSED, at(130)) is Ask.READ
    assert other.answer(Outcome.MISSING, at(130)) is Verdict.LOST
    assert (one.leading, other.leading) == (False, False)


def test_what_hangs_leaves_time_for_another_attempt() -> None:
    one = leader()
    assert one.limit(at(102)) == 5
    assert one.limit(at(107)) == 3
    assert one.limit(at(130)) == 2


def test_the_record_is_read_again_when_a_release_was_refused() -> None:
    one = leader()
    spec = one.document["spec"]
    assert one.release(at(103)) is Ask.UPDATE
    assert one.answer(Outcome.REFUSED, at(103)) is Ask.READ
    assert one.answer(lease(spec, "9"), at(103)) is Ask.UPDATE
    assert one.document["metadata"]["resourceVersion"] == "9"
    assert one.document["spec"]["holderIdentity"] == ""
    assert one.answer(lease(one.document["spec"], "10"), at(103)) is Verdict.RELEASED


def test_what_another_took_is_not_released() -> None:
    one = leader()
    one.release(at(103))
    one.answer(Outcome.REFUSED, at(103))
    assert one.answer(lease(HELD, "8"), at(103)) is Verdict.RELEASED
    assert one.holder == "b"
