from typing import Any

import pytest
from tests.cluster.registry.kinds.judged import Judged

DEPLOYMENTS = Judged("deployments.apps")
TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
SPEC: dict[str, Any] = {"selector": {"matchLabels": {"a": "b"}}, "template": TEMPLATE}


def test_what_is_not_said_is_filled_in() -> None:
    spec = DEPLOYMENTS.made(spec=SPEC)["spec"]
    assert (spec["replicas"], spec["revisionHistoryLimit"], spec["progressDeadlineSeconds"]) == (1, 10, 600)
    assert spec["strategy"] == {
        "type": "RollingUpdate",
        "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"},
    }
    assert spec["template"]["spec"]["restartPolicy"] == "Always"


def test_recreation_has_no_rolling_update() -> None:
    assert DEPLOYMENTS.made(spec=SPEC | {"strategy": {"type": "Recreate"}})["spec"]["strategy"] == {"type": "Recreate"}
    [error] = DEPLOYMENTS.refused(spec=SPEC | {"strategy": {"type": "Recreate", "rollingUpdate": {}}})
    assert error == ("spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'")


@pytest.mark.parametrize(
    ("rolling", "wrong"),
    [
        ({"maxSurge": 0, "maxUnavailable": 1}, ""),
        ({"maxSurge": "500%", "maxUnavailable": 0}, ""),
        ({"maxSurge": 0, "maxUnavailable": "0%"}, "may not be 0 when `maxSurge` is 0"),
        ({"maxSurge": 1, "maxUnavailable": "101%"}, "must not be greater than 100%"),
    ],
)
def test_something_moves_in_a_rolling_update(rolling: dict[str, Any], wrong: str) -> None:
    errors = DEPLOYMENTS.refused(spec=SPEC | {"strategy": {"rollingUpdate": rolling}})
    assert [error.rpartition(": ")[2] for error in errors] == ([wrong] if wrong else [])


def test_a_rollout_has_longer_than_a_pod_needs() -> None:
    [error] = DEPLOYMENTS.refused(spec=SPEC | {"minReadySeconds": 600})
    assert error == "spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds"


def test_the_template_makes_pods_that_are_selected() -> None:
    [error] = DEPLOYMENTS.refused(spec=SPEC | {"selector": {"matchLabels": {"c": "d"}}})
    assert error == (
        'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`'
    )


def test_the_selector_stays() -> None:
    old = DEPLOYMENTS.made(spec=SPEC)
    change = {"spec": {"selector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}}}
    [error] = DEPLOYMENTS.kept(old, change)
    assert error.endswith("field is immutable")


@pytest.mark.parametrize(
    ("change", "generation"),
    [
        ({"spec": {"replicas": 3}}, 2),
        ({"metadata": {"annotations": {"x": "y"}}}, 2),
        ({"metadata": {"labels": {"x": "y"}}}, 1),
        ({"status": {"replicas": 3}}, 1),
        ({}, 1),
    ],
)
def test_the_generation_counts_wishes_and_annotations(change: dict[str, Any], generation: int) -> None:
    assert DEPLOYMENTS.changed(DEPLOYMENTS.made(spec=SPEC), change)["metadata"]["generation"] == generation


def test_the_status_is_of_the_status_alone() -> None:
    old = DEPLOYMENTS.made(spec=SPEC, metadata={"labels": {"l": "m"}})
    change = {"spec": {"replicas": 7}, "metadata": {"labels": None}, "status": {"replicas": 1}}
    new = DEPLOYMENTS.changed(old, change, "status")
    assert (new["spec"]["replicas"], new["metadata"]["labels"], new["status"]) == (1, {"l": "m"}, {"replicas": 1})


def test_parts_of_a_status_are_parts() -> None:
    old = DEPLOYMENTS.made(spec=SPEC)
    assert DEPLOYMENTS.kept(
        old, {"status": {"replicas": 1, "readyReplicas": 2, "availableReplicas": -1}}, "status"
    ) == [
        "status.availableReplicas: Invalid value: -1: must be greater than or equal to 0",
        "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
    ]
