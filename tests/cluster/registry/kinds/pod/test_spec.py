from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import checked


@pytest.mark.parametrize(
    ("spec", "errors"),
    [
        ({}, []),
        (
            {"restartPolicy": "x"},
            ['restartPolicy: Unsupported value: "x": supported values: "Always", "OnFailure", "Never"'],
        ),
        ({"dnsPolicy": "None"}, ["dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"]),
        (
            {"dnsPolicy": "None", "dnsConfig": {}},
            [
                (
                    "dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when "
                    "`dnsPolicy` is None"
                ),
            ],
        ),
        (
            {"dnsConfig": {"nameservers": ["1.2.3.4"] * 4}},
            [
                (
                    'dnsConfig.nameservers: Invalid value: ["1.2.3.4","1.2.3.4","1.2.3.4","1.2.3.4"]: must not have '
                    "more than 3 nameservers"
                ),
            ],
        ),
        (
            {"dnsConfig": {"searches": [".", "_a.b."], "options": [{}]}},
            ["dnsConfig.options[0]: Required value: must not be empty"],
        ),
        (
            {"hostAliases": [{"ip": "010.0.0.1"}]},
            ['hostAliases[0].ip: Invalid value: "010.0.0.1": must not have leading 0s'],
        ),
        (
            {
                "hostNetwork": True,
                "containers": [{"name": "c", "image": "i", "ports": [{"containerPort": 1, "hostPort": 2}]}],
            },
            [
                (
                    "containers[0].ports[0].hostPort: Invalid value: 2: must match `containerPort` when "
                    "`hostNetwork` is true"
                ),
            ],
        ),
        ({"hostUsers": False, "hostPID": True}, ["HostPID: Forbidden: when `hostUsers` is false"]),
        (
            {"hostnameOverride": "h", "setHostnameAsFQDN": True},
            ["hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true"],
        ),
        (
            {"activeDeadlineSeconds": 0},
            ["activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive"],
        ),
        ({"subdomain": "a.b"}, ['subdomain: Invalid value: "a.b": must not contain dots']),
        (
            {"preemptionPolicy": "x"},
            ['preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never"'],
        ),
        (
            {"overhead": {"x": "1"}},
            [
                'overhead.limits[x]: Invalid value: "x": must be a standard resource type or fully qualified',
                'overhead.limits[x]: Invalid value: "x": must be a standard resource for containers',
            ],
        ),
        (
            {"resourceClaims": [{"name": "r"}]},
            [
                (
                    "resourceClaims[0]: Invalid value: "
                    '{"Name":"r","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: '
                    "`resourceClaimName`, `resourceClaimTemplateName`"
                ),
            ],
        ),
    ],
)
def test_a_spec(spec: dict[str, Any], errors: list[str]) -> None:
    assert checked(**spec) == [f"spec.{error}" for error in errors]


def test_what_is_wrong_is_told_in_the_servers_order() -> None:
    errors = checked(
        priorityClassName="A",
        hostname="A",
        nodeSelector={"A B": ""},
        volumes=[{"name": ""}],
        containers=[],
        dnsPolicy="x",
    )
    assert [error.partition(":")[0] for error in errors] == [
        "spec.volumes[0].name",
        "spec.containers",
        "spec.dnsPolicy",
        "spec.nodeSelector",
        "spec.hostname",
        "spec.priorityClassName",
    ]
