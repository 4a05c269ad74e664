"""What policies say of pods that failed and of indexes that succeeded."""

from typing import Any

import pytest
from tests.cluster.controllers.jobs.make import make_pod

from kubewright.cluster.controllers.jobs.indexes import Indexes
from kubewright.cluster.controllers.jobs.policies import Verdict, judge_failure, match_success
from kubewright.k8s.batch.v1 import PodFailurePolicy, SuccessPolicy
from kubewright.model.codec import from_dict


def policy(*rules: dict[str, Any]) -> PodFailurePolicy:
    return from_dict({"rules": list(rules)}, PodFailurePolicy)


def codes(action: str, *values: int, operator: str = "In", **rest: Any) -> dict[str, Any]:
    return {"action": action, "onExitCodes": {"operator": operator, "values": list(values), **rest}}


def test_a_failure_counts_if_nobody_says_otherwise() -> None:
    assert judge_failure(None, make_pod("a", "Failed")) == Verdict()
    assert judge_failure(policy(codes("Ignore", 42)), make_pod("a", "Failed", code=1)) == Verdict()


@pytest.mark.parametrize(("action", "counts"), [("Ignore", False), ("Count", True), ("FailIndex", True)])
def test_the_rule_that_matches_says_whether_it_counts(action: str, counts: bool) -> None:
    assert judge_failure(policy(codes(action, 42)), make_pod("a", "Failed", code=42)) == Verdict(counts, action)


def test_the_first_rule_that_matches_decides() -> None:
    rules = policy(codes("Count", 1), codes("Ignore", 42), codes("FailJob", 42))
    assert judge_failure(rules, make_pod("a", "Failed", code=42)).action == "Ignore"


def test_the_job_fails_with_the_words_of_kubernetes() -> None:
    pod = make_pod("a", "Failed", code=42)
    told = "Container main for pod default/one-a failed with exit code 42 matching FailJob rule at index 1"
    rules = policy(codes("FailJob", 1), codes("FailJob", 42, containerName="main"))
    assert judge_failure(rules, pod).message == told
    condition = {"action": "FailJob", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}
    pod = make_pod("a", "Failed", conditions=[{"type": "DisruptionTarget", "status": "True"}])
    told = "Pod default/one-a has condition DisruptionTarget matching FailJob rule at index 0"
    assert judge_failure(policy(condition), pod).message == told


@pytest.mark.parametrize(
    ("rule", "code", "matches"),
    [
        (codes("Ignore", 1, 2), 2, True),
        (codes("Ignore", 1, operator="NotIn"), 2, True),
        (codes("Ignore", 2, operator="NotIn"), 2, False),
        (codes("Ignore", 2, containerName="other"), 2, False),
        (codes("Ignore", 1, operator="NotIn"), 0, False),
    ],
)
def test_codes_are_in_a_list_or_not_and_never_0(rule: dict[str, Any], code: int, matches: bool) -> None:
    assert (judge_failure(policy(rule), make_pod("a", "Failed", code=code)).action == "Ignore") is matches


@pytest.mark.parametrize(
    ("rules", "done", "expected"),
    [
        ([{"succeededIndexes": "0,2"}], [0], None),
        ([{"succeededIndexes": "0,2"}], [0, 2], "Matched rules at index 0"),
        ([{"succeededIndexes": "0-4", "succeededCount": 2}], [0, 4], "Matched rules at index 0"),
        ([{"succeededIndexes": "9"}, {"succeededCount": 1}], [3], "Matched rules at index 1"),
        ([{"succeededIndexes": "99"}], [3], None),
        ([{"succeededCount": 3}], [1, 2], None),
        ([{"succeededCount": 1}], [], None),
    ],
)
def test_a_job_has_succeeded_by_the_first_rule_that_is_met(
    rules: list[dict[str, Any]], done: list[int], expected: str | None
) -> None:
    assert match_success(from_dict({"rules": rules}, SuccessPolicy), 10, Indexes.of(done)) == expected
    assert match_success(None, 10, Indexes.of(done)) is None
