from typing import Any

import pytest
from tests.cluster.registry.kinds.judged import Judged

JOBS = Judged("jobs.batch")
PODS = {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}
BEGUN, ENDED = "2020-01-01T00:00:00Z", "2020-01-01T00:01:00Z"


def conditions(*kinds: str) -> list[dict[str, Any]]:
    return [{"type": kind, "status": "True"} for kind in kinds]


def made(**fields: Any) -> dict[str, Any]:
    return JOBS.made(spec={"template": {"spec": PODS}, **fields})


def refused(old: dict[str, Any], **status: Any) -> list[str]:
    return JOBS.kept(old, {"status": status}, "status")


def test_success_is_told_before_completion() -> None:
    [error] = refused(made(), startTime=BEGUN, completionTime=ENDED, conditions=conditions("Complete"))
    assert error == (
        "status.conditions: Invalid value: cannot set Complete=True condition without the "
        "SuccessCriteriaMet=true condition"
    )
    right = conditions("SuccessCriteriaMet", "Complete")
    assert refused(made(), startTime=BEGUN, completionTime=ENDED, conditions=right) == []


@pytest.mark.parametrize(
    ("status", "wrong"),
    [
        ({"conditions": conditions("Failed", "FailureTarget")}, ["startTime"]),
        ({"conditions": conditions("Failed"), "startTime": BEGUN}, ["conditions"]),
        ({"conditions": conditions("Failed", "FailureTarget"), "startTime": BEGUN, "active": 1}, ["active"]),
        ({"completionTime": ENDED}, ["completionTime"]),
        ({"ready": 2, "active": 1}, ["ready"]),
        ({"uncountedTerminatedPods": {"succeeded": ["u"], "failed": ["u"]}}, ["failed[0]"]),
    ],
)
def test_parts_of_a_status_go_together(status: dict[str, Any], wrong: list[str]) -> None:
    errors = refused(made(), **status)
    assert [error.partition(": ")[0].rpartition(".")[2] for error in errors] == wrong


def test_what_ended_stays_ended() -> None:
    right = conditions("SuccessCriteriaMet", "Complete")
    old = made()
    old["status"] = {"startTime": BEGUN, "completionTime": ENDED, "conditions": right, "succeeded": 1}
    assert refused(old, conditions=conditions("SuccessCriteriaMet"), completionTime=None) == [
        "status.conditions: Invalid value: cannot disable the terminal Complete=True condition"
    ]
    assert refused(old, succeeded=0) == ["status.succeeded: Invalid value: 0: cannot decrease the succeeded counter"]
    assert refused(old, completionTime=BEGUN) == [
        f'status.completionTime: Invalid value: "{BEGUN}": field is immutable'
    ]


def test_what_was_wrong_before_may_stay() -> None:
    old = made()
    old["status"] = {"conditions": conditions("Complete")}
    assert refused(old, failed=1) == []


def test_no_index_is_completed_and_failed() -> None:
    old = made(completionMode="Indexed", completions=3, backoffLimitPerIndex=1)
    assert refused(old, completedIndexes="0-1", failedIndexes="1-2") == [
        'status.failedIndexes: Invalid value: "1-2": failedIndexes and completedIndexes overlap at index: 1'
    ]


def test_a_job_that_resumes_begins_anew() -> None:
    old = made()
    old["status"] = {"startTime": BEGUN, "conditions": conditions("Suspended")}
    resumed = [{"type": "Suspended", "status": "False"}]
    assert refused(old, startTime=ENDED, conditions=resumed) == []
    [error] = refused(old, startTime=ENDED)
    assert error.endswith("field is immutable for unsuspended job once set")
