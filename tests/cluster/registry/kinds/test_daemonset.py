from typing import Any

import pytest
from tests.cluster.registry.kinds.judged import Judged

SETS = Judged("daemonsets.apps")
TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
SPEC: dict[str, Any] = {"selector": {"matchLabels": {"a": "b"}}, "template": TEMPLATE}
COUNT = "deprecated.daemonset.template.generation"


def counted(obj: dict[str, Any]) -> tuple[int, str]:
    return obj["metadata"]["generation"], obj["metadata"]["annotations"][COUNT]


def test_one_pod_may_be_missing_if_nothing_is_said() -> None:
    strategy = SETS.made(spec=SPEC)["spec"]["updateStrategy"]
    assert strategy == {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}}


def test_changes_of_the_template_are_counted_beside_the_generation() -> None:
    made = SETS.made(spec=SPEC)
    assert counted(made) == (1, "1")
    later = SETS.changed(made, {"spec": {"minReadySeconds": 1}})
    assert counted(later) == (2, "1")
    last = SETS.changed(later, {"spec": {"template": {"spec": {"hostNetwork": True}}}})
    assert counted(last) == (3, "2")


@pytest.mark.parametrize("annotation", ["7", None, "odd"])
def test_nobody_else_writes_that_count(annotation: str | None) -> None:
    made = SETS.made(spec=SPEC)
    assert counted(SETS.changed(made, {"metadata": {"annotations": {COUNT: annotation}}})) == (1, "1")


@pytest.mark.parametrize(
    ("rolling", "wrong"),
    [
        ({"maxSurge": 1, "maxUnavailable": 0}, []),
        (
            {"maxSurge": 1},
            ["maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero"],
        ),
        (
            {"maxUnavailable": "0%"},
            ["maxUnavailable: Required value: cannot be 0 when maxSurge is 0"],
        ),
    ],
)
def test_either_one_comes_first_or_one_goes_first(rolling: dict[str, Any], wrong: list[str]) -> None:
    errors = SETS.refused(spec=SPEC | {"updateStrategy": {"rollingUpdate": rolling}})
    assert [error.removeprefix("spec.updateStrategy.rollingUpdate.") for error in errors] == wrong


def test_numbers_of_a_status_are_not_negative() -> None:
    [error] = SETS.kept(SETS.made(spec=SPEC), {"status": {"numberReady": -1}}, "status")
    assert error == "status.numberReady: Invalid value: -1: must be greater than or equal to 0"
