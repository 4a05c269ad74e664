from typing import Any

import pytest

from kubewright.cluster.registry.kinds.job.spec import check_spec, spec_warnings
from kubewright.cluster.registry.kinds.pod.template import default_template

CONTAINER = {"name": "c", "image": "i", "resources": {}}


def template(**pods: Any) -> dict[str, Any]:
    made = {"metadata": {}, "spec": {"restartPolicy": "Never", "containers": [CONTAINER], **pods}}
    default_template(made)
    return made


def found(**spec: Any) -> list[str]:
    return [*map(str, check_spec({"template": template(), **spec}, "s"))]


def test_counts_are_not_negative() -> None:
    assert found(parallelism=-1) == ["s.parallelism: Invalid value: -1: must be greater than or equal to 0"]


def test_indexes_ask_for_completions() -> None:
    assert found(completionMode="Indexed") == ["s.completions: Required value: when completion mode is Indexed"]
    assert found(completionMode="Indexed", completions=3) == []


def test_what_is_of_indexes_is_of_indexed_jobs() -> None:
    assert found(backoffLimitPerIndex=1) == [
        "s.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"
    ]


def test_many_completions_leave_room_for_fewer_pods() -> None:
    errors = found(completionMode="Indexed", completions=100_001, parallelism=10_001, backoffLimitPerIndex=1)
    when = "when completions are above 100000 and used with backoff limit per index"
    assert errors == [
        "s.maxFailedIndexes: Required value: must be specified when completions is above 100000",
        f"s.parallelism: Invalid value: 10001: must be less than or equal to 10000 {when}",
    ]


@pytest.mark.parametrize(
    ("policy", "wrong"),
    [
        ("Never", []),
        ("OnFailure", []),
        ("Always", ['s.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"']),
    ],
)
def test_its_pods_end(policy: str, wrong: list[str]) -> None:
    assert found(template=template(restartPolicy=policy)) == wrong


@pytest.mark.parametrize(
    ("manager", "right"),
    [("example.com/me", True), ("me", False), ("/me", False), ("", False), ("A/me", False), ("e.com/a b", False)],
)
def test_a_manager_has_a_domain_and_a_path(manager: str, right: bool) -> None:
    assert (found(managedBy=manager) == []) is right


def test_too_many_indexes_are_hard_to_track() -> None:
    spec = {"completionMode": "Indexed", "completions": 100_001, "parallelism": 10_001, "template": template()}
    assert spec_warnings(spec, "spec", None)[0].startswith("spec: In Indexed Jobs with a number of completions higher")
