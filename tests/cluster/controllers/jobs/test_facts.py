"""What is asked of a Job's pods."""

from datetime import timedelta
from typing import Any

import pytest
from tests.cluster.controllers.jobs.make import NOW, at, make_job, make_pod

from kubewright.cluster.controllers.jobs.facts import (
    FAILURES,
    INDEX,
    completion_index,
    failures_before,
    finish_time,
    has_valid_index,
    is_failed,
)
from kubewright.model.codec import from_dict, to_dict


@pytest.mark.parametrize(
    ("phase", "deleted", "policy", "expected"),
    [
        ("Failed", False, "TerminatingOrFailed", True),
        ("Running", False, "TerminatingOrFailed", False),
        ("Running", True, "TerminatingOrFailed", True),
        ("Succeeded", True, "TerminatingOrFailed", False),
        ("Running", True, "Failed", False),
        ("Failed", True, "Failed", True),
    ],
)
def test_a_pod_being_deleted_has_failed_unless_only_failed_ones_are_replaced(
    phase: str, deleted: bool, policy: str, expected: bool
) -> None:
    assert is_failed(make_pod("a", phase, deleted=deleted), make_job(podReplacementPolicy=policy)) is expected


def test_a_job_with_a_failure_policy_replaces_only_failed_pods() -> None:
    job = make_job(podFailurePolicy={"rules": []})
    assert not is_failed(make_pod("a", "Running", deleted=True), job)


@pytest.mark.parametrize(("text", "index"), [("3", 3), ("0", 0), ("-1", -1), ("x", -1), ("", -1)])
def test_an_index_is_a_number_or_unknown(text: str, index: int) -> None:
    assert completion_index(make_pod("a", annotations={INDEX: text})) == index


def test_an_index_is_valid_if_the_job_has_it() -> None:
    job = make_job(completionMode="Indexed", completions=2)
    assert [has_valid_index(make_pod("a", index=index), job) for index in (None, 0, 1, 2)] == [False, True, True, False]
    assert has_valid_index(make_pod("a"), make_job())


@pytest.mark.parametrize(("text", "count"), [("3", 3), ("-3", 0), ("x", 0), (str(2**31), 0)])
def test_a_count_that_makes_no_sense_is_none(text: str, count: int) -> None:
    assert failures_before(make_pod("a", annotations={FAILURES: text})) == count


def test_a_pod_ended_when_its_last_container_did() -> None:
    states = [{"terminated": {"exitCode": 0, "finishedAt": at(seconds)}} for seconds in (3, 8, 5)]
    statuses = [
        {"name": str(number), "image": "i", "imageID": "", "ready": False, "restartCount": 0, "state": state}
        for number, state in enumerate(states)
    ]
    assert finish_time(make_pod("a", containerStatuses=statuses)) == NOW + timedelta(seconds=8)


def test_a_sidecar_ends_last() -> None:
    document = to_dict(make_pod("a", "Succeeded", ended=3))
    state = {"terminated": {"exitCode": 0, "finishedAt": at(9)}}
    status = {"name": "side", "image": "i", "imageID": "", "ready": False, "restartCount": 0, "state": state}
    document["status"]["initContainerStatuses"] = [status, {**status, "name": "init"}]
    document["spec"]["initContainers"] = [{"name": "side", "restartPolicy": "Always"}, {"name": "init"}]
    assert finish_time(from_dict(document, type(make_pod("b")))) == NOW + timedelta(seconds=9)


@pytest.mark.parametrize(
    ("status", "deleted", "seconds"),
    [
        ({"conditions": [{"type": "Ready", "status": "False", "lastTransitionTime": at(4)}]}, True, 4),
        ({"conditions": []}, True, 7),
        ({"conditions": []}, False, -100),
    ],
)
def test_else_it_ended_when_it_was_not_ready_or_deleted_or_at_worst_made(
    status: dict[str, Any], deleted: bool, seconds: float
) -> None:
    found = finish_time(make_pod("a", deleted=deleted, ended=7, **status))
    assert found == NOW + timedelta(seconds=seconds)
