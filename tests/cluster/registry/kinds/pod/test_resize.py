from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import read, told

from kubewright.cluster.registry.kinds.pod.resize import check_resize, resized


def container(cpu: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}} if cpu else {}, **fields}


def checked(new: dict[str, Any], old: dict[str, Any], **status: Any) -> list[str]:
    pod, before = read(**new), read(**old)
    before["status"] = pod["status"] = status
    return told(check_resize(pod, before, []))


def test_only_sizes_are_taken() -> None:
    old, new = read(containers=[container("1")])["spec"], read(containers=[container("2", image="j")], hostname="h")
    spec = resized(new["spec"], old)
    assert spec["containers"][0]["resources"] == {"requests": {"cpu": "2"}}
    assert spec["containers"][0]["image"] == "i"
    assert "hostname" not in spec


@pytest.mark.parametrize(
    ("old", "new", "errors"),
    [
        (container("1"), container("2"), []),
        (
            container("1"),
            container(),
            [
                'spec: Invalid value: "": Pod QOS Class may not change as a result of resizing',
                "spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed",
            ],
        ),
        (container("1"), container("1", image="j"), ["spec: Forbidden: only cpu and memory resources are mutable"]),
        (
            container("1"),
            container("1", name="d"),
            ["spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize"],
        ),
    ],
)
def test_a_container(old: dict[str, Any], new: dict[str, Any], errors: list[str]) -> None:
    assert checked({"containers": [new]}, {"containers": [old]}) == errors


def test_containers_are_not_added() -> None:
    pair = [container("1"), container("1", name="d")]
    assert checked({"containers": pair}, {"containers": pair[:1]}) == [
        "spec.containers: Forbidden: containers may not be added or removed on resize"
    ]


def test_a_node_that_reports_no_sizes_resizes_nothing() -> None:
    running = [{"name": "c", "state": {"running": {}}}]
    pod = {"containers": [container("1")]}
    why = ["spec: Forbidden: Pod running on node without support for resize"]
    assert checked(pod, pod, containerStatuses=running) == why


def test_a_pod_as_a_whole_keeps_what_it_asks_for() -> None:
    whole = {"resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}
    assert checked({}, whole)[-1] == "spec.resources: Forbidden: pod-level resources cannot be removed"
    assert checked({"resources": {"requests": {"cpu": "2", "memory": "1Gi"}}}, whole) == []


def test_windows_knows_no_sizes() -> None:
    assert checked({}, {"os": {"name": "windows"}}) == ["[]: Forbidden: windows pods cannot be resized"]


def test_what_runs_before_and_would_be_restarted_is_not_resized() -> None:
    policy = [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]
    init = {"name": "i", "image": "i", "resizePolicy": policy, "resources": {"requests": {"cpu": "1"}}}
    larger = {**init, "resources": {"requests": {"cpu": "2"}}}
    why = "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"
    assert checked({"initContainers": [larger]}, {"initContainers": [init]}) == [
        f"spec.initContainers[0]: Forbidden: {why}"
    ]
