from typing import Any

from tests.cluster.registry.kinds.pod.specs import checked, container

AT = "spec.containers[0]"


def test_a_pod_has_containers() -> None:
    assert checked(containers=[]) == ["spec.containers: Required value"]


def test_a_container_has_a_name_and_an_image() -> None:
    assert checked(containers=[{}]) == [f"{AT}.name: Required value", f"{AT}.image: Required value"]


def test_names_are_given_once() -> None:
    twins = [{"name": "c", "image": "i"}] * 2
    assert checked(containers=twins, initContainers=twins[:1]) == [
        'spec.containers[1].name: Duplicate value: "c"',
        'spec.initContainers[0].name: Duplicate value: "c"',
    ]


def test_ports_of_the_host_are_taken_once() -> None:
    ports = [{"containerPort": 1, "hostPort": 9}, {"containerPort": 2, "hostPort": 9}]
    assert container(ports=ports) == [f'{AT}.ports[1].hostPort: Duplicate value: "TCP//9"']


def test_ports_are_numbers_of_ports() -> None:
    errors = container(ports=[{"containerPort": 0, "name": "a--b"}, {"containerPort": 65536, "protocol": "x"}])
    assert errors == [
        f'{AT}.ports[0].name: Invalid value: "a--b": must not contain consecutive hyphens',
        f"{AT}.ports[0].containerPort: Required value",
        f"{AT}.ports[1].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive",
        f'{AT}.ports[1].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
    ]


def test_what_runs_before_is_not_looked_after() -> None:
    probe = {"exec": {"command": ["x"]}}
    init: dict[str, Any] = {"name": "i", "image": "i", "livenessProbe": probe}
    init["resizePolicy"] = [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]
    at = "spec.initContainers[0]"
    assert checked(initContainers=[init]) == [
        f"{at}.livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
        (
            f'{at}.resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to '
            "'RestartContainer' for non-sidecar initContainers"
        ),
    ]
    assert checked(initContainers=[{**init, "restartPolicy": "Always"}]) == []


def test_rules_of_restarts_need_a_policy() -> None:
    rules = [{"action": "Nope"}, {"action": "Restart", "exitCodes": {"operator": "x"}}]
    assert container(restartPolicyRules=rules) == [
        f"{AT}.restartPolicy: Required value: must specify restartPolicy when restart rules are used",
        (
            f'{AT}.restartPolicyRules[0].action: Unsupported value: "Nope": supported values: "Restart", '
            '"RestartAllContainers"'
        ),
        f"{AT}.restartPolicyRules[0].exitCodes: Required value: must be specified",
        f'{AT}.restartPolicyRules[1].exitCodes.operator: Unsupported value: "x": supported values: "In", "NotIn"',
    ]


def test_a_pod_that_never_restarts_is_resized_in_place() -> None:
    policies = [{"resourceName": "x", "restartPolicy": "RestartContainer"}]
    errors = checked(restartPolicy="Never", containers=[{"name": "c", "image": "i", "resizePolicy": policies}])
    assert errors == [
        f'{AT}.resizePolicy: Unsupported value: "x": supported values: "cpu", "memory"',
        (
            f"{AT}.resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod "
            "`restartPolicy` is "
            "'Never'"
        ),
    ]


def test_who_looks_around_needs_little() -> None:
    guest = {"name": "c", "image": " i", "targetContainerName": "z", "ports": [{"containerPort": 1}]}
    guest["volumeMounts"] = [{"name": "v", "mountPath": "/v", "subPath": "s"}]
    at = "spec.ephemeralContainers[0]"
    assert checked(ephemeralContainers=[guest], volumes=[{"name": "v"}]) == [
        f'{at}.image: Invalid value: " i": must not have leading or trailing whitespace',
        f'{at}.name: Duplicate value: "c"',
        f'{at}.targetContainerName: Not found: "z"',
        f"{at}.ports: Forbidden: cannot be set for an Ephemeral Container",
        f"{at}.volumeMounts[0].subPath: Forbidden: cannot be set for an Ephemeral Container",
    ]
