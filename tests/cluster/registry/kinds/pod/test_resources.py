from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import checked, container

AT = "spec.containers[0].resources"


@pytest.mark.parametrize(
    ("resources", "errors"),
    [
        ({"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}, []),
        (
            {"limits": {"cpu": "1"}, "requests": {"cpu": "2"}},
            [f'{AT}.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
        ),
        ({"requests": {"cpu": "-1"}}, [f'{AT}.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0']),
        (
            {"limits": {"storage": "1"}},
            [
                f'{AT}.limits[storage]: Invalid value: "storage": must be a standard resource for containers',
                f'{AT}.requests[storage]: Invalid value: "storage": must be a standard resource for containers',
            ],
        ),
        (
            {"limits": {"nope": "1"}, "requests": {"nope": "1"}},
            [
                f'{AT}.{kind}[nope]: Invalid value: "nope": must be {what}'
                for kind in ("limits", "requests")
                for what in ("a standard resource type or fully qualified", "a standard resource for containers")
            ],
        ),
        (
            {"requests": {"example.com/gpu": "1"}},
            [f"{AT}.limits: Required value: Limit must be set for non overcommitable resources"],
        ),
        (
            {"limits": {"example.com/gpu": "2"}, "requests": {"example.com/gpu": "1"}},
            [f'{AT}.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2'],
        ),
        (
            {"limits": {"requests.example.com/gpu": "1"}, "requests": {"requests.example.com/gpu": "1"}},
            [
                f'{AT}.{kind}[requests.example.com/gpu]: Invalid value: "requests.example.com/gpu": '
                "doesn't follow extended resource name standard"
                for kind in ("limits", "requests")
            ],
        ),
        (
            {"limits": {"example.com/gpu": "500m"}},
            [
                f'{AT}.{kind}[example.com/gpu]: Invalid value: "500m": must be an integer'
                for kind in ("limits", "requests")
            ],
        ),
        ({"limits": {"hugepages-2Mi": "2Mi"}}, [f"{AT}: Forbidden: HugePages require cpu or memory"]),
        (
            {"limits": {"hugepages-2Mi": "1Mi", "cpu": "1"}},
            [
                f'{AT}.{kind}[hugepages-2Mi]: Invalid value: "1Mi": 1Mi is not positive integer multiple of '
                "hugepages-2Mi"
                for kind in ("limits", "requests")
            ],
        ),
        (
            {"claims": [{"name": ""}, {"name": "r"}]},
            [
                f"{AT}.claims[0]: Required value",
                f'{AT}.claims[1]: Not found: "r": must be one of the names in pod.spec.resourceClaims which is empty',
            ],
        ),
    ],
)
def test_what_a_container_asks_for(resources: dict[str, Any], errors: list[str]) -> None:
    assert container(resources=resources) == errors


def test_a_claim_is_named_once() -> None:
    claims = [{"name": "r", "request": "q"}, {"name": "r", "request": "q"}, {"name": "r"}]
    errors = checked(
        resourceClaims=[{"name": "r", "resourceClaimName": "c"}],
        containers=[{"name": "c", "image": "i", "resources": {"claims": claims}}],
    )
    assert errors == [f'{AT}.claims[1]: Duplicate value: "r/q"', f'{AT}.claims[2]: Duplicate value: "r"']


def test_what_a_pod_asks_for_as_a_whole_is_no_less_than_its_parts() -> None:
    errors = checked(
        containers=[{"name": "c", "image": "i", "resources": {"limits": {"cpu": "3"}, "requests": {"cpu": "2"}}}],
        resources={"limits": {"cpu": "2"}, "requests": {"cpu": "1", "ephemeral-storage": "1"}},
    )
    choices = 'supported values: "cpu", "hugepages-", "memory"'
    assert errors == [
        f'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": {choices}',
        (
            'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container '
            "requests of 2"
        ),
        'spec.resources.containers[0][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 2',
    ]


def test_a_pod_for_windows_asks_for_nothing_as_a_whole() -> None:
    errors = checked(os={"name": "windows"}, resources={"limits": {"cpu": "1"}})
    assert errors == ["spec.resources: Forbidden: may not be set for a windows pod"]
