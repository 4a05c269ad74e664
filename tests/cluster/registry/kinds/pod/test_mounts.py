from typing import Any

from tests.cluster.registry.kinds.pod.specs import checked

AT = "spec.containers[0]"


def _mounted(*mounts: dict[str, Any], **fields: Any) -> list[str]:
    containers = [{"name": "c", "image": "i", "volumeMounts": [*mounts], **fields}]
    volumes = [{"name": "v"}, {"name": "w", "persistentVolumeClaim": {"claimName": "x"}}]
    return checked(containers=containers, volumes=volumes)


def test_what_is_mounted_is_there_and_at_a_place_of_its_own() -> None:
    assert _mounted({"name": "v", "mountPath": "/v"}, {"name": "x", "mountPath": "/v"}, {}) == [
        f'{AT}.volumeMounts[1].name: Not found: "x"',
        f'{AT}.volumeMounts[1].mountPath: Invalid value: "/v": must be unique',
        f"{AT}.volumeMounts[2].name: Required value",
        f'{AT}.volumeMounts[2].name: Not found: ""',
        f"{AT}.volumeMounts[2].mountPath: Required value",
    ]


def test_a_part_of_a_volume_is_below_it() -> None:
    assert _mounted({"name": "v", "mountPath": "/v", "subPath": "/a/../b", "subPathExpr": ".."}) == [
        f'{AT}.volumeMounts.subPath: Invalid value: "/a/../b": must be a relative path',
        f"{AT}.volumeMounts.subPath: Invalid value: \"/a/../b\": must not contain '..'",
        f'{AT}.volumeMounts[0].subPathExpr: Invalid value: "..": subPathExpr and subPath are mutually exclusive',
        f"{AT}.volumeMounts.subPathExpr: Invalid value: \"..\": must not contain '..'",
    ]


def test_mounts_go_both_ways_for_the_privileged_alone() -> None:
    both = {"name": "v", "mountPath": "/v", "mountPropagation": "Bidirectional"}
    why = "Forbidden: Bidirectional mount propagation is available only to privileged containers"
    assert _mounted(both) == [f"{AT}.volumeMounts.mountPropagation: {why}"]
    assert _mounted(both, securityContext={"privileged": True}) == []


def test_what_is_read_only_all_the_way_down_is_read_only() -> None:
    mount = {"name": "v", "mountPath": "/v", "recursiveReadOnly": "Enabled", "mountPropagation": "HostToContainer"}
    place = f"{AT}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when"
    assert _mounted(mount) == [
        f"{place} readOnly is true",
        f"{place} mountPropagation is None or not specified",
    ]


def test_only_claims_are_devices() -> None:
    devices = [
        {"name": "v", "devicePath": "/d"},
        {"name": "w", "devicePath": "/../e"},
        {"name": "w", "devicePath": "/m"},
    ]
    assert _mounted({"name": "w", "mountPath": "/m"}, volumeDevices=devices) == [
        f'{AT}.volumeMounts[0].name: Invalid value: "w": must not already exist in volumeDevices',
        f'{AT}.volumeMounts[0].mountPath: Invalid value: "/m": must not already exist as a path in volumeDevices',
        (
            f'{AT}.volumeDevices[0].name: Invalid value: "v": can only use volume source type of '
            "PersistentVolumeClaim or "
            "Ephemeral for block mode"
        ),
        f"{AT}.volumeDevices[1].devicePath: Invalid value: \"/../e\": can not contain backsteps ('..')",
        f'{AT}.volumeDevices[1].name: Invalid value: "w": must not already exist in volumeMounts',
        f'{AT}.volumeDevices[2].name: Invalid value: "w": must be unique',
        f'{AT}.volumeDevices[2].name: Invalid value: "w": must not already exist in volumeMounts',
        f'{AT}.volumeDevices[2].devicePath: Invalid value: "/m": must not already exist as a path in volumeMounts',
    ]
