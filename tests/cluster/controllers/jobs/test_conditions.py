"""The conditions of Jobs."""

from datetime import timedelta

from tests.cluster.controllers.jobs.make import NOW, make_job

from kubewright.cluster.controllers.jobs.conditions import (
    condition,
    find,
    finish,
    finish_time,
    is_finished,
    set_condition,
)
from kubewright.k8s.batch.v1 import JobStatus

LATER = NOW + timedelta(seconds=9)


def test_a_job_is_over_when_it_is_complete_or_failed() -> None:
    def over(kind: str, status: str = "True") -> bool:
        return is_finished(make_job({"conditions": [{"type": kind, "status": status}]}))

    assert over("Complete")
    assert over("Failed")
    assert not over("Failed", "False")
    assert not over("SuccessCriteriaMet")
    assert not is_finished(make_job())


def test_it_was_over_when_that_was_noted() -> None:
    job = make_job({"conditions": [{"type": "Failed", "status": "True", "lastTransitionTime": "2026-01-01T12:00:00Z"}]})
    assert finish_time(job) == NOW
    assert finish_time(make_job()) is None


def test_a_job_ends_as_it_was_to_end() -> None:
    good = condition("SuccessCriteriaMet", "True", "SuccessPolicy", "Matched", NOW)
    bad = condition("FailureTarget", "True", "DeadlineExceeded", "too long", NOW)
    ends = [finish(each, LATER) for each in (good, bad)]
    assert [(end.type, end.reason, end.message, end.last_transition_time) for end in ends] == [
        ("Complete", "SuccessPolicy", "Matched", LATER),
        ("Failed", "DeadlineExceeded", "too long", LATER),
    ]


def test_a_condition_that_says_the_same_stays_as_it_is() -> None:
    status = JobStatus(conditions=[condition("Suspended", "True", "JobSuspended", "Job suspended", NOW)])
    assert not set_condition(status, condition("Suspended", "True", "JobSuspended", "Job suspended", LATER))
    assert status.conditions[0].last_transition_time == NOW
    assert set_condition(status, condition("Suspended", "False", "JobResumed", "Job resumed", LATER))
    assert [(each.status, each.last_transition_time) for each in status.conditions] == [("False", LATER)]


def test_a_condition_that_never_was_is_not_made_to_say_no() -> None:
    status = JobStatus()
    assert not set_condition(status, condition("Suspended", "False", "JobResumed", "Job resumed", NOW))
    assert find(status, "Suspended") is None
