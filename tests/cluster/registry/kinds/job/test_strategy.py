from typing import Any

import pytest
from tests.cluster.registry.kinds.judged import Judged

from kubewright.cluster.registry.kinds.job import JobStrategy
from kubewright.cluster.registry.strategy import Propagation

JOBS = Judged("jobs.batch")
PODS = {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}
UID = "00000000-0000-4000-8000-000000000001"


def spec(labels: dict[str, str] | None = None, **fields: Any) -> dict[str, Any]:
    return {"template": {"metadata": {"labels": labels or {}}, "spec": PODS}, **fields}


def test_what_is_not_said_is_filled_in() -> None:
    made = JOBS.made(spec=spec())["spec"]
    assert (made["completions"], made["parallelism"], made["backoffLimit"]) == (1, 1, 6)
    assert (made["completionMode"], made["suspend"], made["podReplacementPolicy"]) == (
        "NonIndexed",
        False,
        "TerminatingOrFailed",
    )


def test_one_of_two_sizes_leaves_the_other() -> None:
    assert "completions" not in JOBS.made(spec=spec(parallelism=3))["spec"]
    assert JOBS.made(spec=spec(completions=3))["spec"]["parallelism"] == 1


def test_limits_of_indexes_take_the_place_of_the_limit() -> None:
    made = JOBS.made(spec=spec(completionMode="Indexed", completions=2, backoffLimitPerIndex=1))
    assert made["spec"]["backoffLimit"] == 2**31 - 1


def test_its_pods_have_its_name_and_uid_and_are_selected_by_the_uid() -> None:
    made = JOBS.made(spec=spec())["spec"]
    assert made["selector"] == {"matchLabels": {"batch.kubernetes.io/controller-uid": UID}}
    assert made["template"]["metadata"]["labels"] == {
        "batch.kubernetes.io/controller-uid": UID,
        "batch.kubernetes.io/job-name": "a",
        "controller-uid": UID,
        "job-name": "a",
    }


def test_a_job_without_labels_has_those_of_its_pods() -> None:
    made = JOBS.made(spec=spec({"l": "m"}))
    assert made["metadata"]["labels"] == made["spec"]["template"]["metadata"]["labels"]
    generated = JOBS.made(metadata={"generateName": "a"}, spec=spec({"l": "m"}))
    assert generated["metadata"]["labels"] == {"l": "m"}


def test_who_selects_by_hand_gets_no_labels() -> None:
    made = JOBS.made(spec=spec({"l": "m"}, manualSelector=True, selector={"matchLabels": {"l": "m"}}))
    assert made["spec"]["template"]["metadata"]["labels"] == {"l": "m"}


def test_labels_that_say_otherwise_are_refused() -> None:
    [error] = JOBS.refused(spec=spec({"job-name": "other"}))
    assert error.startswith("spec.template.metadata.labels[job-name]: Invalid value: ")
    assert error.endswith("must be 'a'")


def test_a_running_job_keeps_its_template() -> None:
    [error] = JOBS.kept(JOBS.made(spec=spec()), {"spec": {"template": {"spec": {"nodeSelector": {"a": "b"}}}}})
    assert error.startswith('spec.template: Invalid value: {"labels":')


@pytest.mark.parametrize(
    ("pods", "free"),
    [
        ({"nodeSelector": {"a": "b"}}, True),
        ({"tolerations": [{"operator": "Exists"}]}, True),
        ({"affinity": {"nodeAffinity": {}}}, True),
        ({"affinity": {"podAffinity": {}}}, False),
        ({"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]}, True),
        ({"containers": [{"name": "c", "image": "j"}]}, False),
    ],
)
def test_a_suspended_job_may_move(pods: dict[str, Any], free: bool) -> None:
    errors = JOBS.kept(JOBS.made(spec=spec(suspend=True)), {"spec": {"template": {"spec": pods}}})
    assert (errors == []) is free


@pytest.mark.parametrize(
    ("change", "free"),
    [
        ({"parallelism": 5}, True),
        ({"completions": 5}, False),
        ({"suspend": True}, True),
        ({"managedBy": "example.com/x"}, False),
        ({"ttlSecondsAfterFinished": 3}, True),
    ],
)
def test_sizes_and_times_may_change(change: dict[str, Any], free: bool) -> None:
    assert (JOBS.kept(JOBS.made(spec=spec()), {"spec": change}) == []) is free


def test_an_indexed_job_grows_with_its_pods() -> None:
    old = JOBS.made(spec=spec(completionMode="Indexed", completions=2, parallelism=2))
    assert JOBS.kept(old, {"spec": {"completions": 3, "parallelism": 3}}) == []
    [error] = JOBS.kept(old, {"spec": {"completions": 3}})
    assert error == "spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism"


def test_pods_stay_when_nothing_is_said_of_them() -> None:
    strategy = JobStrategy(namespaced=True, counted=True, empty_status=None)
    assert len(strategy.parting_warnings(Propagation(None, None))) == 1
    assert strategy.parting_warnings(Propagation("Orphan", None)) == []
