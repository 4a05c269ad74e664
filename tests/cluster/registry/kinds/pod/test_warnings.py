from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import read

from kubewright.cluster.registry.kinds.pod.warnings import apparmor_field, spec_warnings

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def warned(annotations: dict[str, str] | None = None, **spec: Any) -> list[str]:
    return [*spec_warnings(read(**spec)["spec"], annotations or {}, "", template=False)]


@pytest.mark.parametrize(
    ("spec", "warnings"),
    [
        ({}, []),
        (
            {"nodeSelector": {"beta.kubernetes.io/os": "x"}},
            ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
        ),
        (
            {"volumes": [{"name": "v", "gitRepo": {"repository": "r"}}]},
            ["spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+"],
        ),
        (
            {"imagePullSecrets": [{"name": "a"}, {"name": "a"}, {}]},
            [
                'spec.imagePullSecrets[1].name: duplicate name "a"',
                'spec.imagePullSecrets[2].name: invalid empty name ""',
            ],
        ),
        (
            {"hostAliases": [{"ip": "FD00::1"}]},
            ['spec.hostAliases[0].ip: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")'],
        ),
        (
            {"overhead": {"memory": "1500m"}},
            ['spec.overhead[memory]: fractional byte value "1500m" is invalid, must be an integer'],
        ),
        (
            {"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule"}]},
            ["spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod"],
        ),
        (
            {"affinity": {"podAffinity": {REQUIRED: [{"topologyKey": "z"}]}}},
            [f"spec.affinity.podAffinity.{REQUIRED}[0].labelSelector: a null labelSelector results in matching no pod"],
        ),
        (
            {
                "volumes": [
                    {
                        "name": "v",
                        "secret": {
                            "secretName": "s",
                            "items": [{"key": "a", "path": "x"}, {"key": "b", "path": "x/y"}],
                        },
                    }
                ]
            },
            ['volume "v" (Secret "s"): overlapping paths: "x/y" with "x"'],
        ),
        (
            {
                "volumes": [
                    {
                        "name": "v",
                        "projected": {
                            "sources": [
                                {},
                                {"serviceAccountToken": {"path": "t"}},
                                {"configMap": {"name": "m", "items": [{"key": "k", "path": "t/"}]}},
                            ]
                        },
                    }
                ]
            },
            [
                'volume "v" (Projected) has no sources provided',
                'volume "v" (Projected): overlapping paths: "t" (ConfigMap "m") with "t" (ServiceAccountToken)',
            ],
        ),
    ],
)
def test_what_is_odd(spec: dict[str, Any], warnings: list[str]) -> None:
    assert warned(**spec) == warnings


def test_ports_that_are_hard_to_tell_apart() -> None:
    ports = [
        {"containerPort": 80, "name": "a"},
        {"containerPort": 80, "name": "a"},
        {"containerPort": 80, "hostPort": 1},
        {"containerPort": 80, "hostPort": 1, "hostIP": "1.2.3.4"},
        {"containerPort": 81, "hostIP": "1.2.3.4"},
    ]
    at = "spec.containers[0].ports"
    assert warned(containers=[{"name": "c", "ports": ports}]) == [
        f"{at}[1]: duplicate port definition with {at}[0]",
        f"{at}[2]: overlapping port definition with {at}[0]",
        f"{at}[2]: overlapping port definition with {at}[1]",
        f"{at}[3]: overlapping port definition with {at}[0]",
        f"{at}[3]: overlapping port definition with {at}[1]",
        f"{at}[3]: dangerously ambiguous port definition with {at}[2]",
        f"{at}[4]: hostIP set without hostPort: {{Name: HostPort:0 ContainerPort:81 Protocol:TCP HostIP:1.2.3.4}}",
        (
            f'{at}[1]: duplicate port name "a" with {at}[0], services and probes that select ports by name will use '
            f"{at}[0]"
        ),
    ]


def test_a_variable_that_builds_on_itself_hides_nothing() -> None:
    env = [{"name": "A", "value": "1"}, {"name": "A", "value": "x$(A)"}, {"name": "A", "value": "2"}]
    assert warned(containers=[{"name": "c", "env": env}]) == [
        'spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply'
    ]


def test_annotations_that_mean_nothing_any_more() -> None:
    key = "scheduler.alpha.kubernetes.io/critical-pod"
    assert warned({key: ""}) == [
        f'metadata.annotations[{key}]: non-functional in v1.16+; use the "priorityClassName" field instead'
    ]


@pytest.mark.parametrize(
    ("annotation", "field"),
    [
        ("unconfined", {"type": "Unconfined"}),
        ("runtime/default", {"type": "RuntimeDefault"}),
        ("localhost/x", {"type": "Localhost", "localhostProfile": "x"}),
        ("localhost/", None),
        ("nope", None),
    ],
)
def test_an_annotation_as_a_field(annotation: str, field: dict[str, str] | None) -> None:
    assert apparmor_field(annotation) == field
