from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import container

AT = "spec.containers[0]"
EXEC = {"exec": {"command": ["x"]}}


@pytest.mark.parametrize(
    ("probe", "errors"),
    [
        (EXEC, []),
        ({}, ["Required value: must specify a handler type"]),
        ({"exec": {}}, [".exec.command: Required value"]),
        ({"tcpSocket": {"port": 0}}, [".tcpSocket.port: Invalid value: 0: must be between 1 and 65535, inclusive"]),
        (
            {"tcpSocket": {"port": "a" * 16}},
            [f'.tcpSocket.port: Invalid value: "{"a" * 16}": must be no more than 15 characters'],
        ),
        (
            {"httpGet": {"port": 1, "scheme": "x"}},
            ['.httpGet.scheme: Unsupported value: "x": supported values: "HTTP", "HTTPS"'],
        ),
        ({**EXEC, "tcpSocket": {"port": 1}}, [".tcpSocket: Forbidden: may not specify more than 1 handler type"]),
        ({**EXEC, "periodSeconds": -1}, [".periodSeconds: Invalid value: -1: must be greater than or equal to 0"]),
        ({**EXEC, "successThreshold": 2}, [".successThreshold: Invalid value: 2: must be 1"]),
        (
            {**EXEC, "terminationGracePeriodSeconds": 0},
            [".terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0"],
        ),
    ],
)
def test_a_probe(probe: dict[str, Any], errors: list[str]) -> None:
    glued = [f"{AT}.livenessProbe{'' if error.startswith('.') else ': '}{error}" for error in errors]
    assert container(livenessProbe=probe) == glued


def test_a_probe_of_readiness_may_succeed_twice_and_has_no_grace() -> None:
    errors = container(readinessProbe={**EXEC, "successThreshold": 2, "terminationGracePeriodSeconds": 1})
    why = "must not be set for readinessProbes"
    assert errors == [f"{AT}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: {why}"]


def test_a_pause_is_no_longer_than_the_grace() -> None:
    errors = container(lifecycle={"preStop": {"sleep": {"seconds": 31}}, "postStart": {}})
    why = "must be non-negative and less than terminationGracePeriodSeconds (30)"
    assert errors == [
        f"{AT}.lifecycle.postStart: Required value: must specify a handler type",
        f"{AT}.lifecycle.preStop.sleep: Invalid value: 31: {why}",
    ]
