from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import read, told

from kubewright.cluster.registry.kinds.pod.status import check_status

ENDED = {"name": "c", "state": {"terminated": {"exitCode": 1}}}
READ = '[{"IP":"10.0.0.1"},{"IP":""}]'
RUNNING = {"name": "c", "state": {"running": {}}}


def changed(status: dict[str, Any], old: dict[str, Any] | None = None, **spec: Any) -> list[str]:
    pod = read(**spec)
    return told(check_status({**pod, "status": status}, {**pod, "status": old or {}}))


@pytest.mark.parametrize(
    ("status", "errors"),
    [
        ({"conditions": [{"type": "Ready", "status": "True"}]}, []),
        (
            {"conditions": [{"type": "Ready", "status": "True", "observedGeneration": -1}]},
            ["conditions[0].observedGeneration: Invalid value: -1: must be a non-negative integer"],
        ),
        ({"observedGeneration": -1}, ["observedGeneration: Invalid value: -1: must be a non-negative integer"]),
        ({"qosClass": "Burstable"}, ['qosClass: Invalid value: "Burstable": field is immutable']),
        (
            {"podIPs": [{"ip": "10.0.0.1"}, {}]},
            [
                'podIPs[1]: Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
                "podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: ",
                f"podIPs: Invalid value: {READ}: may specify no more than one IP for each IP family",
            ],
        ),
        (
            {"podIPs": [{"ip": "x"}]},
            ['podIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
        ),
        (
            {"hostIP": "10.0.0.1", "hostIPs": [{"ip": "10.0.0.2"}]},
            ['hostIPs[0].ip: Invalid value: "10.0.0.2": must be equal to `hostIP`'],
        ),
        ({"podIPs": [{"ip": "10.0.0.1"}, {"ip": "fd00::1"}]}, []),
        (
            {"podIPs": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.2"}]},
            [
                (
                    'podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP '
                    "for each IP family"
                ),
            ],
        ),
        (
            {"resourceClaimStatuses": [{"name": "r"}]},
            [
                (
                    'resourceClaimStatuses[0].name: Invalid value: "r": must match the name of an entry in '
                    "`spec.resourceClaims`"
                ),
            ],
        ),
        (
            {"ephemeralContainerStatuses": [{"name": "e", "allocatedResourcesStatus": [{"name": "x"}]}]},
            [
                (
                    "ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden: must not be specified in "
                    "container status"
                ),
            ],
        ),
        (
            {
                "containerStatuses": [
                    {
                        "name": "c",
                        "allocatedResourcesStatus": [{"name": "x", "resources": [{"resourceID": "1", "health": "?"}]}],
                    }
                ]
            },
            [
                (
                    'containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "x": must match one of '
                    "the container's resource requests"
                ),
                (
                    'containerStatuses[0].allocatedResourcesStatus[0].resources[0].health: Unsupported value: "?": '
                    'supported values: "Healthy", "Unhealthy", "Unknown"'
                ),
            ],
        ),
    ],
)
def test_what_a_node_reports(status: dict[str, Any], errors: list[str]) -> None:
    assert changed(status) == [f"status.{error}" for error in errors]


def test_what_ended_stays_so_if_it_does_not_restart() -> None:
    before, after = {"containerStatuses": [ENDED]}, {"containerStatuses": [RUNNING]}
    dead = ["status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state"]
    assert changed(after, before) == []
    assert changed(after, before, restartPolicy="OnFailure") == []
    assert changed(after, before, restartPolicy="Never") == dead


def test_a_rule_may_restart_what_would_stay() -> None:
    def errors(operator: str) -> list[str]:
        rule = {"action": "Restart", "exitCodes": {"operator": operator, "values": [1]}}
        containers = [{"name": "c", "image": "i", "restartPolicy": "Never", "restartPolicyRules": [rule]}]
        after = {"containerStatuses": [RUNNING]}
        return changed(after, {"containerStatuses": [ENDED]}, restartPolicy="Never", containers=containers)

    assert errors("In") == []
    assert errors("NotIn") != []


def test_a_pod_that_has_a_node_is_nominated_for_none() -> None:
    assert changed({"nominatedNodeName": "n"}) == []
    assert changed({"nominatedNodeName": "n"}, nodeName="m") == [
        "status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node"
    ]


def test_users_are_numbers() -> None:
    user = {"linux": {"uid": -1, "gid": 0, "supplementalGroups": [2**31]}}
    statuses = {"containerStatuses": [{"name": "c", "user": user}]}
    at = "status.containerStatuses[0].user.linux"
    assert changed(statuses) == [
        f"{at}.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive",
        f"{at}.supplementalGroups[0]: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive",
    ]
    assert changed(statuses, os={"name": "windows"}) == [f"{at}: Forbidden: cannot be set for a windows pod"]
