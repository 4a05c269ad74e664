"""What a Job's policies say: of a pod that failed, and of indexes that succeeded. Pure.

The first rule that matches decides.
"""

from typing import NamedTuple

from kubewright.cluster.controllers.jobs.indexes import Indexes
from kubewright.k8s.batch.v1 import PodFailurePolicy, PodFailurePolicyOnExitCodesRequirement, SuccessPolicy
from kubewright.k8s.core.v1 import ContainerStatus, Pod, PodCondition

__all__ = ["Verdict", "judge_failure", "match_success"]


class Verdict(NamedTuple):
    """What a failure means: whether it counts, what was said of it, and why the whole Job fails if it does."""

    counts: bool = True
    action: str = ""
    message: str = ""


def judge_failure(policy: PodFailurePolicy | None, pod: Pod) -> Verdict:
    """What the policy says of a pod that failed."""
    for number, rule in enumerate(policy.rules if policy is not None else ()):
        place = f"{pod.metadata.namespace}/{pod.metadata.name}"
        if rule.on_exit_codes is not None:
            container = _exited(pod, rule.on_exit_codes)
            if container is None or container.state is None or container.state.terminated is None:
                continue
            code = container.state.terminated.exit_code
            why = f"Container {container.name} for pod {place} failed with exit code {code}"
        else:
            condition = _holds(pod, {(each.type, each.status or "") for each in rule.on_pod_conditions})
            if condition is None:
                continue
            why = f"Pod {place} has condition {condition.type}"
        fails = rule.action == "FailJob"
        message = f"{why} matching {rule.action} rule at index {number}" if fails else ""
        return Verdict(rule.action != "Ignore", rule.action, message)
    return Verdict()


def _exited(pod: Pod, wanted: PodFailurePolicyOnExitCodesRequirement) -> ContainerStatus | None:
    """The container whose exit code the rule is about."""
    if pod.status is None:
        return None
    for status in (*pod.status.container_statuses, *pod.status.init_container_statuses):
        ended = status.state.terminated if status.state is not None else None
        if ended is None or not ended.exit_code or wanted.container_name not in (None, status.name):
            continue
        if (ended.exit_code in wanted.values) == (wanted.operator == "In"):
            return status
    return None


def _holds(pod: Pod, patterns: set[tuple[str, str]]) -> PodCondition | None:
    conditions = pod.status.conditions if pod.status is not None else []
    return next((each for each in conditions if (each.type, each.status) in patterns), None)


def match_success(policy: SuccessPolicy | None, completions: int, succeeded: Indexes) -> str | None:
    """By which rule the Job has succeeded already, in words."""
    if policy is None or not succeeded:
        return None
    for number, rule in enumerate(policy.rules):
        if rule.succeeded_indexes is not None:
            wanted = Indexes.parse(rule.succeeded_indexes, completions)
            if not wanted:
                continue
            enough = len(wanted) if rule.succeeded_count is None else min(rule.succeeded_count, len(wanted))
            met = wanted.common(succeeded) >= enough
        else:
            met = rule.succeeded_count is not None and len(succeeded) >= rule.succeeded_count
        if met:
            return f"Matched rules at index {number}"
    return None
