from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import read

from kubewright.cluster.registry.kinds.pod.qos import quality

FULL = {"cpu": "1", "memory": "1Gi"}


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ([{}], "BestEffort"),
        ([{"requests": {"cpu": "0"}}], "BestEffort"),
        ([{"requests": {"example.com/x": "1"}, "limits": {"example.com/x": "1"}}], "BestEffort"),
        ([{"limits": FULL}], "Guaranteed"),
        ([{"limits": FULL}, {}], "Burstable"),
        ([{"limits": FULL, "requests": {"cpu": "500m"}}], "Burstable"),
        ([{"limits": {"cpu": "1"}}], "Burstable"),
    ],
)
def test_containers_decide(resources: list[dict[str, Any]], expected: str) -> None:
    containers = [{"name": f"c{at}", "resources": each} for at, each in enumerate(resources)]
    assert quality(read(containers=containers)["spec"]) == expected


def test_the_pod_as_a_whole_decides_if_it_says_anything() -> None:
    assert quality(read(resources={"limits": FULL})["spec"]) == "Guaranteed"
    assert quality(read(resources={"requests": {"cpu": "1"}})["spec"]) == "Burstable"
