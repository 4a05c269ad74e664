from typing import Any

import pytest
from tests.cluster.registry.kinds.judged import Judged

RANGES = Judged("limitranges")


def test_a_container_gets_the_most_and_asks_for_that_or_the_least() -> None:
    limit = {"type": "Container", "max": {"cpu": "2"}, "min": {"cpu": "1", "memory": "1Mi"}}
    [made] = RANGES.made(spec={"limits": [limit]})["spec"]["limits"]
    assert made["default"] == {"cpu": "2"}
    assert made["defaultRequest"] == {"cpu": "2", "memory": "1Mi"}


@pytest.mark.parametrize(
    ("limit", "wrong"),
    [
        ({"min": {"cpu": "2"}, "max": {"cpu": "1"}}, "min value 2 is greater than max value 1"),
        (
            {"max": {"example.com/x": "1"}, "default": {"example.com/x": "2"}},
            "default value 2 is greater than max value 1",
        ),
        ({"maxLimitRequestRatio": {"cpu": "500m"}}, "ratio 500m is less than 1"),
        (
            {"maxLimitRequestRatio": {"cpu": "3"}, "min": {"cpu": "1"}, "max": {"cpu": "2"}},
            "ratio 3 is greater than max/min = 2.000000",
        ),
        ({"maxLimitRequestRatio": {"cpu": "3"}, "min": {"cpu": "0"}, "max": {"cpu": "2"}}, ""),
    ],
)
def test_amounts_go_together(limit: dict[str, Any], wrong: str) -> None:
    errors = RANGES.refused(spec={"limits": [{"type": "example.com/x", **limit}]})
    assert [error.rpartition(": ")[2] for error in errors] == ([wrong] if wrong else [])


def test_what_cannot_be_shared_is_asked_for_as_it_is_limited() -> None:
    limit = {"type": "Container", "default": {"hugepages-2Mi": "4Mi"}, "defaultRequest": {"hugepages-2Mi": "2Mi"}}
    [error] = RANGES.refused(spec={"limits": [limit]})
    assert error.endswith("default value 4Mi must equal to defaultRequest value 2Mi in hugepages-2Mi")


def test_a_pod_has_no_defaults() -> None:
    [error] = RANGES.refused(spec={"limits": [{"type": "Pod", "default": {"cpu": "1"}}]})
    assert error == "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"


def test_each_type_stands_once() -> None:
    assert RANGES.refused(spec={"limits": [{"type": "Pod"}, {"type": "Pod"}]}) == [
        'spec.limits[1].type: Duplicate value: "Pod"'
    ]


def test_a_claim_has_a_bound() -> None:
    [error] = RANGES.refused(spec={"limits": [{"type": "PersistentVolumeClaim"}]})
    assert error.startswith("spec.limits[0].limits: Required value: either minimum or maximum storage value")


def test_one_without_a_name_gets_one_that_is_not_its_uid() -> None:
    meta = RANGES.made(metadata={"name": ""}, spec={"limits": []})["metadata"]
    assert len(meta["name"]) == len(meta["uid"])
    assert meta["name"] != meta["uid"]
