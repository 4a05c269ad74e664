from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import checked, container

AT = "spec.securityContext"


@pytest.mark.parametrize(
    ("context", "errors"),
    [
        ({"runAsUser": -1}, [".runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive"]),
        (
            {"supplementalGroups": [2**31]},
            [".supplementalGroups[0]: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive"],
        ),
        (
            {"sysctls": [{"name": "a", "value": ""}, {"name": "a", "value": ""}]},
            ['.sysctls[1].name: Duplicate value: "a"'],
        ),
        ({"sysctls": [{"name": "", "value": ""}]}, [".sysctls[0].name: Required value"]),
        (
            {"fsGroupChangePolicy": "x"},
            ['.fsGroupChangePolicy: Unsupported value: "x": supported values: "Always", "OnRootMismatch"'],
        ),
        (
            {"seLinuxChangePolicy": "MountOption"},
            ['.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"'],
        ),
        (
            {"seccompProfile": {"type": ""}},
            [".seccompProfile.type: Required value: type is required when seccompProfile is set"],
        ),
        (
            {"seccompProfile": {"type": "Localhost"}},
            [".seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost"],
        ),
        (
            {"appArmorProfile": {"type": "Localhost", "localhostProfile": " x"}},
            ['.appArmorProfile.localhostProfile: Invalid value: " x": must not be padded with whitespace'],
        ),
        (
            {"appArmorProfile": {"type": "Unconfined", "localhostProfile": "x"}},
            ['.appArmorProfile.localhostProfile: Invalid value: "x": can only be set when AppArmor type is Localhost'],
        ),
        (
            {"windowsOptions": {"runAsUserName": ""}},
            ['.windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string'],
        ),
        (
            {"windowsOptions": {"runAsUserName": "a\\b\\c"}},
            [
                (
                    '.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more '
                    "than one backslash"
                ),
            ],
        ),
        (
            {"windowsOptions": {"gmsaCredentialSpec": ""}},
            ['.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string'],
        ),
    ],
)
def test_what_a_pod_says_for_all(context: dict[str, Any], errors: list[str]) -> None:
    assert checked(securityContext=context) == [f"{AT}{error}" for error in errors]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("d\\u", ""),
        ("bad/d\\u", "Domain doesn't match the NetBios nor the DNS format"),
        ("d\\", "User cannot be empty"),
        ("...", "User cannot contain only periods or spaces"),
        ("a" * 105, "User length must not be longer than 104 characters"),
        ("a:b", 'User cannot contain the following characters: "/\\:;|=,+*?<>@[]'),
    ],
)
def test_names_of_users_of_windows(name: str, complaint: str) -> None:
    errors = checked(securityContext={"windowsOptions": {"runAsUserName": name}})
    assert [error.rpartition("runAsUserName's ")[2] for error in errors] == ([complaint] if complaint else [])


@pytest.mark.parametrize(
    ("name", "shared"),
    [
        ("net.core.x", "hostNetwork"),
        ("net/core/x", "hostNetwork"),
        ("kernel.shmmax", "hostIPC"),
        ("fs.mqueue.x", "hostIPC"),
    ],
)
def test_what_the_host_shares_is_not_set(name: str, shared: str) -> None:
    sysctls = {"sysctls": [{"name": name, "value": "1"}]}
    assert checked(securityContext=sysctls) == []
    [error] = checked(securityContext=sysctls, **{shared: True})
    assert error == f"{AT}.sysctls[0].name: Invalid value: \"{name}\": may not be specified when '{shared}' is true"


def test_who_is_privileged_may_escalate() -> None:
    context = {"privileged": True, "allowPrivilegeEscalation": False}
    [error] = container(securityContext=context)
    assert error.startswith(
        'spec.containers[0].securityContext: Invalid value: {"Capabilities":null,"Privileged":true,'
    )
    assert error.endswith("cannot set `allowPrivilegeEscalation` to false and `privileged` to true")


def test_the_whole_of_proc_is_for_users_of_their_own() -> None:
    unmasked = [{"name": "c", "image": "i", "securityContext": {"procMount": "Unmasked"}}]
    why = "`hostUsers` must be false to use `Unmasked`"
    assert checked(containers=unmasked) == [
        f'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": {why}'
    ]
    assert checked(containers=unmasked, hostUsers=False) == []


def test_processes_of_a_host_are_all_or_none() -> None:
    guest = {"name": "d", "image": "i", "securityContext": {"windowsOptions": {"hostProcess": False}}}
    errors = checked(
        containers=[{"name": "c", "image": "i"}, guest], securityContext={"windowsOptions": {"hostProcess": True}}
    )
    assert errors == [
        (
            "spec.containers[1].securityContext.windowsOptions.hostProcess: Invalid value: false: pod "
            "hostProcess value "
            "must be identical if both are specified, was true"
        ),
        (
            'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be '
            "HostProcess "
            "containers"
        ),
        "spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers",
    ]


def test_a_system_knows_its_own() -> None:
    user = [{"name": "c", "image": "i", "securityContext": {"runAsUser": 1}}]
    why = "cannot be set for a windows pod"
    assert checked(os={"name": "windows"}, hostPID=True, securityContext={"fsGroup": 1}, containers=user) == [
        f"spec.hostPID: Forbidden: {why}",
        f"spec.securityContext.fsGroup: Forbidden: {why}",
        f"spec.containers[0].securityContext.runAsUser: Forbidden: {why}",
    ]
    assert checked(os={"name": "linux"}, securityContext={"windowsOptions": {}}) == [
        "spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod"
    ]
    assert checked(os={"name": "x"}) == ['spec.os: Unsupported value: "x": supported values: "linux", "windows"']
    assert checked(os={}) == ["spec.os.name: Required value"]
