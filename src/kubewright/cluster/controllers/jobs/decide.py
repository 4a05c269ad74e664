"""What a Job needs now: which pods to make, which to delete, and whether it is to end. Pure.

    observe(job, pods, …) ──▶ View ──▶ plan(view) ──▶ Plan ── carried out ──▶ conclude(view, outcome)

An end that was announced is kept to; else a failure goes before a success. While a Job ends, its pods are deleted and
stay tracked, so that each is counted; pods that are too many lose their tracking first, and are not.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from kubewright.cluster.controllers.jobs.backoff import Record, index_delay
from kubewright.cluster.controllers.jobs.conditions import condition, find, set_condition
from kubewright.cluster.controllers.jobs.facts import (
    UNKNOWN,
    completion_index,
    failures_before,
    finish_time,
    has_valid_index,
    ignored_before,
    is_failed,
    is_indexed,
    is_suspended,
    is_tracked,
    limits_each_index,
    replaces_failed_only,
)
from kubewright.cluster.controllers.jobs.indexes import Indexes
from kubewright.cluster.controllers.jobs.policies import judge_failure, match_success
from kubewright.cluster.controllers.jobs.template import pod_of
from kubewright.cluster.controllers.pods import is_active, is_ready, is_terminating, phase_of, removal_order
from kubewright.k8s.batch.v1 import Job, JobCondition, JobSpec, JobStatus, UncountedTerminatedPods
from kubewright.k8s.core.v1 import Pod

__all__ = ["News", "Plan", "View", "conclude", "observe", "plan"]

#: So many pods are made or deleted at most before the status is written.
_MOST: Final = 500
#: Seconds that a look which waits for a back-off waits at least.
_GATHER: Final = 1.0


@dataclass
class View:
    """A Job and its pods as they are. `job` is the caller's own copy: its status becomes what is written."""

    job: Job
    pods: list[Pod]
    now: datetime
    #: Pods that have not ended and nobody deleted; how many are ready; how many are being deleted.
    active: list[Pod]
    ready: int
    terminating: int
    #: How many have succeeded and failed, those included that are not counted for good.
    succeeded: int = 0
    failed: int = 0
    record: Record = field(default_factory=Record)
    #: The indexes that were done when the status was written last, those that are now, and those given up.
    done_before: Indexes = field(default_factory=Indexes)
    done: Indexes = field(default_factory=Indexes)
    given_up: Indexes | None = None
    #: Failed pods, by index, that stay until there is another for the index, which takes their count on.
    kept: dict[int, Pod] = field(default_factory=dict)
    #: How the Job is to end, if it is.
    target: JobCondition | None = None
    #: Seconds until its deadline.
    deadline: float | None = None

    @property
    def spec(self) -> JobSpec:
        """What is wanted."""
        assert self.job.spec is not None
        return self.job.spec

    @property
    def status(self) -> JobStatus:
        """What is written."""
        if self.job.status is None:
            self.job.status = JobStatus()
        return self.job.status

    @property
    def uncounted(self) -> UncountedTerminatedPods:
        """The pods that have ended and are counted, but still tracked."""
        status = self.status
        if status.uncounted_terminated_pods is None:
            status.uncounted_terminated_pods = UncountedTerminatedPods()
        return status.uncounted_terminated_pods

    @property
    def completions(self) -> int:
        """How many completions there are, of a Job that has numbers for them."""
        return self.spec.completions or 0


@dataclass(frozen=True)
class Plan:
    """What is to be done to pods."""

    delete: list[Pod] = field(default_factory=list)
    #: Whether those to delete shall not be counted.
    untrack: bool = False
    create: list[dict[str, Any]] = field(default_factory=list)
    #: Seconds until pods may be made.
    after: float | None = None
    #: Whether it was looked at how many pods there should be.
    managed: bool = True


@dataclass(frozen=True)
class News:
    """What is told about the Job."""

    reason: str
    note: str
    warning: bool = False


def observe(job: Job, pods: list[Pod], record: Record, now: datetime) -> View:
    """See how a Job stands; `record` is what is remembered of its failures."""
    active = [pod for pod in pods if is_active(pod)]
    ready = sum(map(is_ready, active))
    view = View(job, pods, now, active, ready, sum(map(is_terminating, pods)))
    status, uncounted = view.status, view.uncounted
    valid = [pod for pod in pods if is_tracked(pod) and has_valid_index(pod, job)]
    counted = set(uncounted.succeeded)
    succeeded = [pod for pod in valid if phase_of(pod) == "Succeeded" and pod.metadata.uid not in counted]
    counted = set(uncounted.failed)
    failed = [pod for pod in valid if is_failed(pod, job) and pod.metadata.uid not in counted]
    counting = sum(judge_failure(view.spec.pod_failure_policy, pod).counts for pod in failed)
    view.succeeded = (status.succeeded or 0) + len(succeeded) + len(uncounted.succeeded)
    view.failed = (status.failed or 0) + counting + len(uncounted.failed)
    if status.start_time is None and not is_suspended(job):
        status.start_time = now
    view.record = record.after(succeeded, failed)
    view.target = _announced(view) or _failure(view)
    if is_indexed(job):
        _observe_indexes(view)
    return view


def _announced(view: View) -> JobCondition | None:
    """The end that was announced."""
    return find(view.status, "SuccessCriteriaMet") or find(view.status, "FailureTarget")


def _failure(view: View) -> JobCondition | None:
    """Why the Job fails now, as a whole."""
    job, spec, now = view.job, view.spec, view.now
    if spec.pod_failure_policy is not None:
        for pod in view.pods:
            if is_failed(pod, job) and (message := judge_failure(spec.pod_failure_policy, pod).message):
                return _failing("PodFailurePolicy", message, now)
    limit = spec.backoff_limit if spec.backoff_limit is not None else 2**31 - 1
    if view.failed > limit or _restarted_too_often(view, limit):
        return _failing("BackoffLimitExceeded", "Job has reached the specified backoff limit", now)
    if spec.active_deadline_seconds is not None and view.status.start_time is not None and not is_suspended(job):
        view.deadline = spec.active_deadline_seconds - (now - view.status.start_time).total_seconds()
        if view.deadline <= 0:
            return _failing("DeadlineExceeded", "Job was active longer than specified deadline", now)
    return None


def _failing(reason: str, message: str, now: datetime) -> JobCondition:
    return condition("FailureTarget", "True", reason, message, now)


def _restarted_too_often(view: View, limit: int) -> bool:
    """Whether containers that are restarted in their pods have been so too often."""
    template = view.spec.template.spec
    if template is None or template.restart_policy != "OnFailure":
        return False
    restarts = sum(
        container.restart_count
        for pod in view.pods
        if pod.status is not None and phase_of(pod) in ("Running", "Pending")
        for container in (*pod.status.init_container_statuses, *pod.status.container_statuses)
    )
    return restarts >= max(limit, 1)


def _observe_indexes(view: View) -> None:
    """The indexes that are done and given up, and whether the Job ends by them."""
    job, spec, status = view.job, view.spec, view.status
    valid = [pod for pod in view.pods if is_tracked(pod) and has_valid_index(pod, job)]
    view.done_before = Indexes.parse(status.completed_indexes, view.completions)
    succeeded = (completion_index(pod) for pod in valid if phase_of(pod) == "Succeeded")
    view.done = view.done_before | Indexes.of(succeeded)
    view.succeeded = len(view.done)
    if limits_each_index(job):
        failed = (completion_index(pod) for pod in valid if _gives_up(view, pod))
        view.given_up = Indexes.parse(status.failed_indexes, view.completions) | Indexes.of(failed)
        if view.target is None:
            view.target = _failed_indexes(view, len(view.given_up))
        view.kept = _kept(view, valid)
    if view.target is None and (message := match_success(spec.success_policy, view.completions, view.done)):
        view.target = condition("SuccessCriteriaMet", "True", "SuccessPolicy", message, view.now)


def _gives_up(view: View, pod: Pod) -> bool:
    """Whether an index is given up because this pod failed."""
    if not is_failed(pod, view.job):
        return False
    verdict = judge_failure(view.spec.pod_failure_policy, pod)
    limit = view.spec.backoff_limit_per_index or 0
    return verdict.action == "FailIndex" or (verdict.counts and failures_before(pod) >= limit)


def _failed_indexes(view: View, failed: int) -> JobCondition | None:
    most = view.spec.max_failed_indexes
    if most is not None and failed > most:
        message = "Job has exceeded the specified maximal number of failed indexes"
        return _failing("MaxFailedIndexesExceeded", message, view.now)
    if failed and failed + len(view.done) >= view.completions:
        return _failing("FailedIndexes", "Job has failed indexes", view.now)
    return None


def _kept(view: View, valid: list[Pod]) -> dict[int, Pod]:
    """The last failed pod of each index that goes on and has no other pod yet."""
    over = view.done | (view.given_up or Indexes()) | Indexes.of(_indexes(view.active))
    kept: dict[int, Pod] = {}
    for pod in valid:
        index = completion_index(pod)
        if is_failed(pod, view.job) and index not in over and (index not in kept or _follows(pod, kept[index])):
            kept[index] = pod
    return kept


def _follows(pod: Pod, other: Pod) -> bool:
    end, other_end = finish_time(pod), finish_time(other)
    later = end is None or other_end is None or end >= other_end
    return later and failures_before(pod) + ignored_before(pod) >= failures_before(other) + ignored_before(other)


def _indexes(pods: list[Pod]) -> list[int]:
    return [index for index in map(completion_index, pods) if index != UNKNOWN]


# What follows from it.


def plan(view: View) -> Plan:
    """Which pods to make and to delete."""
    job, spec = view.job, view.spec
    if view.target is not None:
        return Plan(delete=view.active, managed=False)
    if job.metadata.deletion_timestamp is not None:
        return Plan(managed=False)
    active = len(view.active)
    if is_suspended(job):
        return Plan(delete=_to_remove(view, active), untrack=True)
    parallelism = spec.parallelism if spec.parallelism is not None else 1
    if spec.completions is None:
        wanted = active if view.succeeded else parallelism
    else:
        wanted = max(0, min(spec.completions - view.succeeded, parallelism))
    if surplus := _to_remove(view, max(0, active - wanted))[:_MOST]:
        return Plan(delete=surplus, untrack=True)
    lacking = wanted - active - (view.terminating if replaces_failed_only(job) else 0)
    if lacking <= 0:
        return Plan()
    if not limits_each_index(job) and (delay := view.record.delay(view.now)) > 0:
        return Plan(after=max(delay, _GATHER))
    lacking = min(lacking, _MOST)
    if not is_indexed(job):
        return Plan(create=[pod_of(job) for _ in range(lacking)])
    return _plan_indexes(view, lacking)


def _plan_indexes(view: View, lacking: int) -> Plan:
    """The pods of the first indexes that have none and may have one."""
    over = view.done | (view.given_up or Indexes()) | Indexes.of(_indexes(view.active))
    if replaces_failed_only(view.job):
        over |= Indexes.of(_indexes([pod for pod in view.pods if is_terminating(pod)]))
    indexes = over.missing(lacking, view.completions)
    if limits_each_index(view.job):
        delays = {index: index_delay(view.kept.get(index), view.now) for index in indexes}
        if indexes and all(delays.values()):
            return Plan(after=max(min(delays.values()), _GATHER))
        indexes = [index for index in indexes if not delays[index]]
    return Plan(create=[pod_of(view.job, index, view.kept.get(index)) for index in indexes])


def _to_remove(view: View, least: int) -> list[Pod]:
    """At least so many active pods, and all of an index that is another's, none or not one of the Job's."""
    if not is_indexed(view.job):
        return sorted(view.active, key=removal_order)[:least]
    remove: list[Pod] = []
    left: list[Pod] = []
    for pod in sorted(sorted(view.active, key=removal_order, reverse=True), key=completion_index):
        taken = bool(left) and completion_index(left[-1]) == completion_index(pod)
        (remove if taken or not has_valid_index(pod, view.job) else left).append(pod)
    return remove + sorted(left, key=removal_order)[: max(0, least - len(remove))]


def conclude(view: View, active: int, *, managed: bool) -> tuple[bool, list[News]]:
    """Whether the status has changed and what is to be told, when so many pods are left or made."""
    spec, status, now = view.spec, view.status, view.now
    changed, news = False, []
    if view.target is None:
        enough = view.succeeded > 0 if spec.completions is None else view.succeeded >= spec.completions
        if enough and active == 0:
            message = "Reached expected number of succeeded pods"
            view.target = condition("SuccessCriteriaMet", "True", "CompletionsReached", message, now)
        elif managed and is_suspended(view.job):
            if set_condition(status, condition("Suspended", "True", "JobSuspended", "Job suspended", now)):
                changed = True
                news.append(News("Suspended", "Job suspended"))
                status.start_time = None
        elif managed and set_condition(status, condition("Suspended", "False", "JobResumed", "Job resumed", now)):
            changed = True
            news.append(News("Resumed", "Job resumed"))
            # What it was active before it was suspended does not count for its deadline.
            status.start_time = now
    before = (status.active or 0, status.ready, status.terminating)
    changed = changed or before != (active, view.ready, view.terminating)
    status.active, status.ready, status.terminating = active or None, view.ready, view.terminating
    return changed, news
