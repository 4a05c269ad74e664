"""How a Job's pods are counted: each once, whatever fails between two writes. Pure.

    a tracked pod has ended
      1. its uid stands in the status as uncounted        (the status is written)
      2. it is tracked no more                            (the pod is patched)
      3. it is a number in the status, and no uid         (the status is written)

Whoever reads the status and the pods at any moment can tell what has been counted. Of an indexed Job the index says
that of a pod that succeeded. When a Job ends, all its pods are counted, those that run as failed if it fails.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kubewright.cluster.controllers.jobs.conditions import find, finish, set_condition
from kubewright.cluster.controllers.jobs.decide import News, View
from kubewright.cluster.controllers.jobs.facts import (
    completion_index,
    has_valid_index,
    is_failed,
    is_indexed,
    is_tracked,
)
from kubewright.cluster.controllers.jobs.indexes import Indexes
from kubewright.cluster.controllers.jobs.policies import judge_failure
from kubewright.cluster.controllers.pods import phase_of
from kubewright.k8s.core.v1 import Pod

__all__ = ["Tracking", "count", "end", "settle"]

#: So many uids are in a status at most: 20 KB of them.
_MOST: Final = 500


@dataclass
class Tracking:
    """What is to be written: the status if `changed`; then these pods are tracked no more."""

    changed: bool
    release: list[Pod]
    #: The uids of pods that are tracked.
    tracked: set[str]
    #: Whether there were too many for one status.
    more: bool = False


def count(view: View, changed: bool) -> Tracking:
    """Note in the status which pods have ended."""
    job, uncounted = view.job, view.uncounted
    indexed = is_indexed(job)
    pods = sorted(view.pods, key=completion_index) if indexed else view.pods
    tracking = Tracking(changed, [], {pod.metadata.uid for pod in pods if is_tracked(pod)})
    known_failed, known_succeeded = set(uncounted.failed), set(uncounted.succeeded)
    if settle(view, tracking.tracked):
        tracking.changed = True
    done: list[int] = []
    succeeded, failed = list(uncounted.succeeded), list(uncounted.failed)
    for pod in pods:
        uid = pod.metadata.uid
        if not is_tracked(pod) or not _may_release(view, pod):
            continue
        tracking.release.append(pod)
        if phase_of(pod) == "Succeeded" and uid not in known_failed:
            if indexed:
                index = completion_index(pod)
                if has_valid_index(pod, job) and index not in view.done_before:
                    done.append(index)
            elif uid not in known_succeeded:
                succeeded.append(uid)
        elif _counts_as_failed(view, pod) and uid not in known_failed and has_valid_index(pod, job):
            failed.append(uid)
        if len(done) + len(succeeded) + len(failed) >= _MOST:
            tracking.more = True
            break
    if len(succeeded) > len(uncounted.succeeded) or len(failed) > len(uncounted.failed) or done:
        tracking.changed = True
    if succeeded:
        uncounted.succeeded = succeeded
    if failed:
        uncounted.failed = failed
    if indexed:
        _note_indexes(view, tracking, done)
    _announce(view, tracking)
    return tracking


def _may_release(view: View, pod: Pod) -> bool:
    """Whether a pod need not be held any longer."""
    if view.job.metadata.deletion_timestamp is not None or view.target is not None or phase_of(pod) == "Succeeded":
        return True
    kept = view.kept.get(completion_index(pod))
    return is_failed(pod, view.job) and (kept is None or kept.metadata.uid != pod.metadata.uid)


def _counts_as_failed(view: View, pod: Pod) -> bool:
    fails = view.target is not None and view.target.type != "SuccessCriteriaMet"
    if not (fails or is_failed(pod, view.job)):
        return False
    return judge_failure(view.spec.pod_failure_policy, pod).counts


def _note_indexes(view: View, tracking: Tracking, done: Iterable[int]) -> None:
    status = view.status
    view.done = view.done | Indexes.of(done)
    text = str(view.done)
    if text != (status.completed_indexes or ""):
        tracking.changed = True
    status.succeeded = len(view.done) or None
    status.completed_indexes = text or None
    given_up = str(view.given_up) if view.given_up is not None else None
    if status.failed_indexes != given_up:
        status.failed_indexes = given_up
        tracking.changed = True


def _announce(view: View, tracking: Tracking) -> None:
    """Say in the status how the Job will end, before any pod may go."""
    target, status = view.target, view.status
    if target is not None and find(status, target.type) is None:
        status.conditions = [*status.conditions, target]
        tracking.changed = True


def settle(view: View, tracked: set[str]) -> bool:
    """Count for good what is tracked no more; whether that changes the status."""
    status, uncounted = view.status, view.uncounted
    succeeded = [uid for uid in uncounted.succeeded if uid in tracked]
    failed = [uid for uid in uncounted.failed if uid in tracked]
    more, more_failed = len(uncounted.succeeded) - len(succeeded), len(uncounted.failed) - len(failed)
    if more:
        status.succeeded = (status.succeeded or 0) + more
        uncounted.succeeded = succeeded
    if more_failed:
        status.failed = (status.failed or 0) + more_failed
        uncounted.failed = failed
    return bool(more or more_failed)


def end(view: View) -> list[News] | None:
    """End the Job in its status, if nothing is left to wait for; what is to be told then."""
    status, uncounted = view.status, view.uncounted
    if view.target is None or uncounted.succeeded or uncounted.failed or view.terminating:
        return None
    last = finish(view.target, view.now)
    set_condition(status, last)
    if last.type == "Failed":
        return [News(last.reason or "", last.message or "", warning=True)]
    status.completion_time = view.now
    news = [News("Completed", "Job completed")]
    if view.spec.completions is not None and (status.succeeded or 0) > view.spec.completions:
        note = "Too many succeeded pods running after completion count reached"
        news.insert(0, News("TooManySucceededPods", note, warning=True))
    return news
