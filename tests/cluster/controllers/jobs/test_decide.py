"""What a Job needs, by how it stands."""

from datetime import timedelta
from typing import Any

import pytest
from tests.cluster.controllers.jobs.make import NOW, at, make_job, make_pod

from kubewright.cluster.controllers.jobs.backoff import Record
from kubewright.cluster.controllers.jobs.decide import Plan, View, conclude, observe, plan
from kubewright.cluster.controllers.jobs.facts import FAILURES, INDEX
from kubewright.k8s.batch.v1 import Job
from kubewright.k8s.core.v1 import Pod

INDEXED: dict[str, Any] = {"completionMode": "Indexed", "completions": 4, "parallelism": 4}


def look(job: Job, *pods: Pod, record: Record | None = None) -> View:
    return observe(job, list(pods), record or Record(), NOW)


def planned(job: Job, *pods: Pod, record: Record | None = None) -> Plan:
    return plan(look(job, *pods, record=record))


def made(found: Plan) -> list[int]:
    """The indexes of pods that are made."""
    return [int(pod["metadata"]["annotations"][INDEX]) for pod in found.create]


def target(view: View) -> tuple[str, str] | None:
    return (view.target.type, view.target.reason or "") if view.target is not None else None


@pytest.mark.parametrize(
    ("spec", "running", "succeeded", "create", "delete"),
    [
        ({"completions": 3, "parallelism": 2}, 0, 0, 2, 0),
        ({"completions": 3, "parallelism": 2}, 2, 0, 0, 0),
        ({"completions": 3, "parallelism": 2}, 0, 2, 1, 0),
        ({"completions": 3, "parallelism": 2}, 1, 2, 0, 0),
        ({"completions": 3, "parallelism": 2}, 2, 2, 0, 1),
        ({"completions": 3, "parallelism": 0}, 2, 0, 0, 2),
        ({"parallelism": 2}, 0, 0, 2, 0),
        ({"parallelism": 2}, 1, 0, 1, 0),
        ({"parallelism": 2}, 1, 1, 0, 0),
        ({"completions": 1000, "parallelism": 1000}, 0, 0, 500, 0),
        ({"completions": 3, "parallelism": 2, "suspend": True}, 2, 0, 0, 2),
    ],
)
def test_pods_are_made_and_deleted_until_there_are_as_many_as_wanted(
    spec: dict[str, Any], running: int, succeeded: int, create: int, delete: int
) -> None:
    found = planned(make_job({"succeeded": succeeded}, **spec), *(make_pod(str(number)) for number in range(running)))
    assert (len(found.create), len(found.delete)) == (create, delete)
    assert found.untrack is bool(delete)


def test_nothing_is_made_for_a_job_that_is_being_deleted() -> None:
    assert planned(make_job(metadata={"deletionTimestamp": at(0)})) == Plan(managed=False)


def test_after_a_failure_it_waits() -> None:
    found = planned(make_job(), make_pod("a", "Failed", ended=-4))
    assert (found.create, found.after) == ([], 6)
    assert planned(make_job(), record=Record(1, NOW - timedelta(seconds=9.5))).after == 1
    assert len(planned(make_job(), record=Record(1, NOW - timedelta(seconds=11))).create) == 1


def test_a_pod_being_deleted_is_replaced_at_once_or_when_it_has_ended() -> None:
    going = make_pod("a", deleted=True, ended=-20)
    assert len(planned(make_job(), going).create) == 1
    assert planned(make_job(podReplacementPolicy="Failed"), going).create == []


def test_pods_that_have_come_least_far_are_deleted_first() -> None:
    pods = make_pod("a", ready=True), make_pod("b", "Pending"), make_pod("c")
    found = planned(make_job(completions=5, parallelism=1), *pods)
    assert [pod.metadata.uid for pod in found.delete] == ["b", "c"]


# Ends.


def test_too_many_failures_end_it() -> None:
    failed = [make_pod(str(number), "Failed") for number in range(3)]
    assert target(look(make_job(backoffLimit=3), *failed)) is None
    assert target(look(make_job(backoffLimit=2), *failed)) == ("FailureTarget", "BackoffLimitExceeded")
    counted = {"failed": 2, "uncountedTerminatedPods": {"failed": ["0"]}}
    assert look(make_job(counted, backoffLimit=9), *failed).failed == 5


@pytest.mark.parametrize(("limit", "restarts", "ends"), [(0, 0, False), (0, 1, True), (3, 2, False), (3, 3, True)])
def test_restarts_in_place_count_towards_the_limit(limit: int, restarts: int, ends: bool) -> None:
    container = {"name": "main", "image": "i", "imageID": "", "ready": True, "restartCount": restarts}
    template = {"spec": {"restartPolicy": "OnFailure", "containers": []}}
    view = look(make_job(backoffLimit=limit, template=template), make_pod("a", containerStatuses=[container]))
    assert (view.target is not None) is ends


@pytest.mark.parametrize(("began", "left", "ends"), [(-4, 6, False), (-10, 0, True), (-30, -20, True)])
def test_the_deadline_ends_it(began: float, left: float, ends: bool) -> None:
    view = look(make_job({"startTime": at(began)}, activeDeadlineSeconds=10))
    assert view.deadline == left
    assert target(view) == (("FailureTarget", "DeadlineExceeded") if ends else None)


def test_a_suspended_job_has_no_deadline() -> None:
    assert look(make_job({"startTime": at(-30)}, activeDeadlineSeconds=10, suspend=True)).target is None


def test_its_failure_policy_ends_it() -> None:
    rules = [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42]}}]
    view = look(make_job(podFailurePolicy={"rules": rules}), make_pod("a", "Failed", code=42))
    assert target(view) == ("FailureTarget", "PodFailurePolicy")


def test_failures_that_are_ignored_do_not_count() -> None:
    rules = [{"action": "Ignore", "onExitCodes": {"operator": "In", "values": [42]}}]
    view = look(make_job(podFailurePolicy={"rules": rules}, backoffLimit=0), make_pod("a", "Failed", code=42))
    assert (view.failed, view.target) == (0, None)
    assert view.record.failures == 1


@pytest.mark.parametrize(("announced", "reason"), [("SuccessCriteriaMet", "SuccessPolicy"), ("FailureTarget", "Why")])
def test_an_end_that_was_announced_is_kept_to(announced: str, reason: str) -> None:
    conditions = [{"type": announced, "status": "True", "reason": reason}]
    job = make_job({"conditions": conditions, "startTime": at(-30)}, activeDeadlineSeconds=10)
    view = look(job, make_pod("a"))
    assert target(view) == (announced, reason)
    found = plan(view)
    assert ([pod.metadata.uid for pod in found.delete], found.untrack) == (["a"], False)


@pytest.mark.parametrize(
    ("spec", "succeeded", "active", "ends"),
    [
        ({"completions": 2}, 2, 0, True),
        ({"completions": 2}, 2, 1, False),
        ({"completions": 2}, 1, 0, False),
        ({"completions": 0}, 0, 0, True),
        ({}, 1, 0, True),
        ({}, 1, 1, False),
        ({}, 0, 0, False),
    ],
)
def test_enough_successes_and_no_pods_left_end_it(
    spec: dict[str, Any], succeeded: int, active: int, ends: bool
) -> None:
    view = look(make_job({"succeeded": succeeded}, **spec))
    conclude(view, active, managed=True)
    assert target(view) == (("SuccessCriteriaMet", "CompletionsReached") if ends else None)


# Suspension.


def test_it_is_told_once_that_it_is_suspended_and_resumed() -> None:
    job = make_job({"startTime": at(-5)}, suspend=True)
    changed, news = conclude(look(job), 0, managed=True)
    assert (changed, [each.reason for each in news]) == (True, ["Suspended"])
    assert job.status is not None
    assert job.status.start_time is None
    assert conclude(look(job), 0, managed=True) == (False, [])
    assert job.spec is not None
    job.spec.suspend = False
    changed, news = conclude(look(job), 0, managed=True)
    assert (changed, [each.note for each in news]) == (True, ["Job resumed"])
    assert job.status.start_time == NOW


def test_the_numbers_of_the_status_are_compared() -> None:
    job = make_job({"active": 1, "ready": 0, "terminating": 0, "startTime": at(0)})
    assert conclude(look(job, make_pod("a")), 1, managed=True) == (False, [])
    assert conclude(look(job, make_pod("a", ready=True)), 1, managed=True) == (True, [])
    assert job.status is not None
    assert (job.status.active, job.status.ready, job.status.terminating) == (1, 1, 0)


# Indexes.


def test_the_first_indexes_without_a_pod_get_one() -> None:
    job = make_job({"completedIndexes": "1", "succeeded": 1}, **INDEXED)
    assert made(planned(job, make_pod("a", index=2), make_pod("b", "Succeeded", index=0))) == [3]
    assert made(planned(job)) == [0, 2, 3]


def test_an_index_has_one_pod_and_one_that_the_job_has() -> None:
    pods = make_pod("a", index=1), make_pod("b", index=1, ready=True), make_pod("c", index=9), make_pod("d")
    found = planned(make_job(**INDEXED), *pods)
    assert sorted(pod.metadata.uid for pod in found.delete) == ["a", "c", "d"]


def test_an_index_whose_pod_is_being_deleted_waits_if_only_failed_ones_are_replaced() -> None:
    job = make_job(podReplacementPolicy="Failed", **INDEXED)
    assert made(planned(job, make_pod("a", index=0, deleted=True))) == [1, 2, 3]


def test_an_index_is_given_up_at_its_own_limit() -> None:
    job = make_job(backoffLimitPerIndex=1, **INDEXED)
    first = make_pod("a", "Failed", index=0, ended=-60, annotations={FAILURES: "0"})
    second = make_pod("b", "Failed", index=1, ended=-60, annotations={FAILURES: "1"})
    view = look(job, first, second)
    assert str(view.given_up) == "1"
    assert list(view.kept) == [0]
    found = plan(view)
    assert made(found) == [0, 2, 3]
    assert found.create[0]["metadata"]["annotations"][FAILURES] == "1"


def test_indexes_wait_each_for_itself() -> None:
    job = make_job(backoffLimitPerIndex=3, **INDEXED)
    pods = [make_pod(str(index), "Failed", index=index, ended=-2 * index) for index in range(4)]
    assert planned(job, *pods).after == 4
    assert made(planned(job, *pods[:2])) == [2, 3]


def test_failed_indexes_end_it_when_all_others_are_done_or_when_there_are_too_many() -> None:
    failed = make_pod("a", "Failed", index=0)
    job = make_job({"completedIndexes": "1-3", "succeeded": 3}, backoffLimitPerIndex=0, **INDEXED)
    assert target(look(job, failed)) == ("FailureTarget", "FailedIndexes")
    job = make_job(backoffLimitPerIndex=0, maxFailedIndexes=0, **INDEXED)
    assert target(look(job, failed)) == ("FailureTarget", "MaxFailedIndexesExceeded")


def test_its_success_policy_ends_it() -> None:
    job = make_job(successPolicy={"rules": [{"succeededIndexes": "2"}]}, **INDEXED)
    assert target(look(job, make_pod("a", "Succeeded", index=2))) == ("SuccessCriteriaMet", "SuccessPolicy")
