"""How pods are counted: each once, whatever fails between two writes."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.controllers.jobs.make import NOW, make_job, make_pod

from kubewright.cluster.controllers.jobs import track
from kubewright.cluster.controllers.jobs.backoff import Record
from kubewright.cluster.controllers.jobs.conditions import find, is_finished
from kubewright.cluster.controllers.jobs.decide import View, conclude, observe, plan
from kubewright.cluster.controllers.jobs.facts import is_tracked
from kubewright.k8s.batch.v1 import Job
from kubewright.k8s.core.v1 import Pod
from kubewright.model.codec import from_dict, to_dict


def look(job: Job, *pods: Pod) -> View:
    return observe(job, list(pods), Record(), NOW)


def copied(job: Job) -> Job:
    return from_dict(to_dict(job), Job)


def test_a_pod_that_ended_is_a_uid_first_and_a_number_when_it_is_let_go() -> None:
    job = make_job(completions=5)
    pods = make_pod("a", "Succeeded"), make_pod("b", "Failed"), make_pod("c")
    view = look(job, *pods)
    tracking = track.count(view, changed=False)
    assert tracking.changed
    assert [pod.metadata.uid for pod in tracking.release] == ["a", "b"]
    assert (view.uncounted.succeeded, view.uncounted.failed) == (["a"], ["b"])
    assert (view.status.succeeded, view.status.failed) == (None, None)
    assert track.settle(view, {"b", "c"})
    assert (view.status.succeeded, view.status.failed, view.uncounted.failed) == (1, None, ["b"])


def test_what_was_let_go_before_is_counted_at_the_next_look() -> None:
    job = make_job({"uncountedTerminatedPods": {"succeeded": ["a", "gone"]}}, completions=5)
    view = look(job, make_pod("a", "Succeeded", tracked=False))
    assert track.count(view, changed=False).changed
    assert (view.status.succeeded, view.uncounted.succeeded) == (2, [])


def test_nothing_new_is_nothing_to_write() -> None:
    view = look(make_job({"active": 1, "ready": 0, "terminating": 0}), make_pod("a"))
    tracking = track.count(view, changed=False)
    assert (tracking.changed, tracking.release) == (False, [])


def test_when_a_job_fails_its_running_pods_have_failed() -> None:
    conditions = [{"type": "FailureTarget", "status": "True", "reason": "DeadlineExceeded"}]
    view = look(make_job({"conditions": conditions}), make_pod("a"))
    assert [pod.metadata.uid for pod in track.count(view, changed=False).release] == ["a"]
    assert view.uncounted.failed == ["a"]


def test_when_a_job_succeeds_its_running_pods_are_not_counted() -> None:
    conditions = [{"type": "SuccessCriteriaMet", "status": "True", "reason": "SuccessPolicy"}]
    view = look(make_job({"conditions": conditions}, completionMode="Indexed", completions=2), make_pod("a", index=1))
    assert [pod.metadata.uid for pod in track.count(view, changed=False).release] == ["a"]
    assert view.uncounted.failed == []


def test_an_index_says_that_its_pod_has_succeeded() -> None:
    view = look(
        make_job({"completedIndexes": "1", "succeeded": 1}, completionMode="Indexed", completions=5),
        make_pod("a", "Succeeded", index=3),
        make_pod("b", "Succeeded", index=1),
        make_pod("c", "Succeeded", index=7),
    )
    tracking = track.count(view, changed=False)
    assert tracking.changed
    assert len(tracking.release) == 3
    assert (view.status.completed_indexes, view.status.succeeded) == ("1,3", 2)
    assert view.uncounted.succeeded == []


def test_a_failed_pod_stays_until_another_has_taken_on_its_count() -> None:
    job = make_job(completionMode="Indexed", completions=2, backoffLimitPerIndex=3)
    failed = make_pod("a", "Failed", index=0)
    assert track.count(look(job, failed), changed=False).release == []
    assert len(track.count(look(job, failed, make_pod("b", index=0)), changed=False).release) == 1


def test_no_more_uids_than_a_status_can_hold() -> None:
    view = look(make_job(completions=1000), *(make_pod(str(number), "Succeeded") for number in range(600)))
    tracking = track.count(view, changed=False)
    assert tracking.more
    assert len(view.uncounted.succeeded) == len(tracking.release) == 500


def test_the_end_is_announced_before_any_pod_may_go() -> None:
    view = look(make_job(backoffLimit=0), make_pod("a", "Failed"))
    assert track.end(look(make_job())) is None
    tracking = track.count(view, changed=False)
    assert tracking.changed
    assert find(view.status, "FailureTarget") is not None
    assert track.end(view) is None
    track.settle(view, set())
    news = track.end(view)
    assert news is not None
    assert [(each.reason, each.warning) for each in news] == [("BackoffLimitExceeded", True)]
    assert is_finished(view.job)


def test_a_job_does_not_end_while_pods_are_being_deleted() -> None:
    view = look(make_job(backoffLimit=0), make_pod("a", "Failed"), make_pod("b", deleted=True, tracked=False))
    track.count(view, changed=False)
    track.settle(view, set())
    assert track.end(view) is None
    view.terminating = 0
    assert track.end(view) is not None


def test_a_job_that_is_complete_says_when_and_if_there_were_too_many() -> None:
    view = look(make_job({"succeeded": 3}, completions=2))
    conclude(view, 0, managed=True)
    track.count(view, changed=False)
    news = track.end(view)
    assert news is not None
    assert [each.reason for each in news] == ["TooManySucceededPods", "Completed"]
    assert view.status.completion_time == NOW


class World:
    """A Job and its pods on a server that fails now and then."""

    def __init__(self, failures: list[bool], **spec: Any) -> None:
        self.job = make_job(**spec)
        self.pods: dict[str, Pod] = {}
        self.failures = iter(failures)
        self.ended = {"Succeeded": 0, "Failed": 0}
        self.made = 0

    def fails(self) -> bool:
        return next(self.failures, False)

    def sync(self) -> None:
        """What the controller does, up to the first write that fails."""
        view = look(copied(self.job), *(from_dict(to_dict(pod), Pod) for pod in self.pods.values()))
        todo = plan(view)
        created = 0
        for document in todo.create:
            if self.fails():
                break
            created += 1
            self.made += 1
            index = document["metadata"].get("annotations", {}).get("batch.kubernetes.io/job-completion-index")
            uid = f"p{self.made}"
            self.pods[uid] = make_pod(uid, index=int(index) if index is not None else None)
        _, _ = conclude(view, len(view.active) + created, managed=todo.managed)
        tracking = track.count(view, changed=True)
        if self.fails():
            return
        self.job = copied(view.job)
        gone = set()
        for pod in tracking.release:
            if not self.fails():
                gone.add(pod.metadata.uid)
                self.pods[pod.metadata.uid].metadata.finalizers = []
        settled = track.settle(view, tracking.tracked - gone)
        end = track.end(view) if len(gone) == len(tracking.release) else None
        if (settled or end is not None) and not self.fails():
            self.job = copied(view.job)

    def end_pods(self, outcomes: list[bool]) -> None:
        running = [uid for uid, pod in self.pods.items() if pod.status is not None and pod.status.phase == "Running"]
        for uid, good in zip(running, outcomes, strict=False):
            phase = "Succeeded" if good else "Failed"
            self.ended[phase] += 1
            pod = self.pods[uid]
            assert pod.status is not None
            pod.status.phase = phase
            assert is_tracked(pod)

    def forget_pods(self) -> None:
        """Somebody deletes pods that are tracked no more."""
        self.pods = {uid: pod for uid, pod in self.pods.items() if is_tracked(pod)}


@given(st.lists(st.booleans(), max_size=40), st.lists(st.lists(st.booleans(), max_size=3), max_size=8), st.booleans())
def test_each_pod_is_counted_once_whatever_fails(
    failures: list[bool], outcomes: list[list[bool]], indexed: bool
) -> None:
    mode = {"completionMode": "Indexed"} if indexed else {}
    world = World(failures, completions=4, parallelism=2, backoffLimit=100, **mode)
    for some in outcomes:
        world.sync()
        world.end_pods(some)
        world.forget_pods()
    for _ in range(len(failures) + 12):
        world.sync()
        world.forget_pods()
    status = world.job.status
    assert status is not None
    assert (status.succeeded or 0, status.failed or 0) == (world.ended["Succeeded"], world.ended["Failed"])
    assert is_finished(world.job) is (world.ended["Succeeded"] >= 4)
