from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import checked, container

AT = "spec.containers[0].env[0]"
FROM = f"{AT}.valueFrom"


@pytest.mark.parametrize("name", ["A", "a.b-c", "1", "{}", " "])
def test_nearly_anything_names_a_variable(name: str) -> None:
    assert container(env=[{"name": name}]) == []


@pytest.mark.parametrize("name", ["=", "é", "\n"])
def test_what_names_no_variable(name: str) -> None:
    [error] = container(env=[{"name": name}])
    assert error.endswith("must consist only of printable ASCII characters other than '='")


@pytest.mark.parametrize(
    ("source", "errors"),
    [
        ({"fieldRef": {"fieldPath": "metadata.name"}}, []),
        ({"fieldRef": {"fieldPath": "spec.host"}}, []),
        ({"fieldRef": {"fieldPath": "metadata.labels['a']"}}, []),
        ({"fieldRef": {"fieldPath": ""}}, [f"{FROM}.fieldRef.fieldPath: Required value"]),
        (
            {"fieldRef": {"fieldPath": "nope"}},
            [
                (
                    f'{FROM}.fieldRef.fieldPath: Invalid value: "nope": error converting fieldPath: '
                    "field label not supported: nope"
                )
            ],
        ),
        (
            {"fieldRef": {"apiVersion": "v2", "fieldPath": "metadata.name"}},
            [
                (
                    f'{FROM}.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: '
                    "unsupported pod version: v2"
                )
            ],
        ),
        (
            {"fieldRef": {"fieldPath": "spec.x['a']"}},
            [
                (
                    f"{FROM}.fieldRef.fieldPath: Invalid value: \"spec.x['a']\": error converting fieldPath: "
                    "field label does not support subscript: spec.x['a']"
                )
            ],
        ),
        ({"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1m"}}, []),
        (
            {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "2"}},
            [
                (
                    f'{FROM}.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m '
                    "and 1 are "
                    "supported with the cpu resource"
                )
            ],
        ),
        ({"resourceFieldRef": {"resource": "limits.hugepages-2Mi"}}, []),
        ({"secretKeyRef": {"name": "s", "key": ""}}, [f"{FROM}.secretKeyRef.key: Required value"]),
        (
            {},
            [
                (
                    f'{FROM}: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, '
                    "`configMapKeyRef`, "
                    "`secretKeyRef` or `fileKeyRef`"
                )
            ],
        ),
        (
            {"secretKeyRef": {"name": "s", "key": "k"}, "configMapKeyRef": {"name": "s", "key": "k"}},
            [f'{FROM}: Invalid value: "": may not have more than one field specified at a time'],
        ),
    ],
)
def test_where_a_value_comes_from(source: dict[str, Any], errors: list[str]) -> None:
    assert container(env=[{"name": "A", "valueFrom": source}]) == errors


def test_a_value_has_one_source() -> None:
    errors = container(env=[{"name": "A", "value": "x", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}])
    assert errors == [f'{FROM}: Invalid value: "": may not be specified when `value` is not empty']


def test_files_of_variables_are_in_a_volume_that_starts_empty() -> None:
    def errors(**volume: Any) -> list[str]:
        ref = {"volumeName": "v", "path": "p", "key": "K"}
        env = [{"name": "A", "valueFrom": {"fileKeyRef": ref}}]
        return checked(containers=[{"name": "c", "image": "i", "env": env}], volumes=[volume])

    assert errors(name="v") == []
    assert errors(name="w") == [f'{FROM}.fileKeyRef.volumeName: Not found: "v"']
    assert errors(name="v", secret={"secretName": "s"}) == [
        f'{FROM}.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir'
    ]


def test_all_variables_come_from_one_of_two() -> None:
    both = {"configMapRef": {"name": "a"}, "secretRef": {"name": ""}}
    assert container(envFrom=[{"prefix": "="}, both]) == [
        (
            'spec.containers[0].envFrom[0].prefix: Invalid value: "=": a valid environment variable name must '
            "consist only "
            "of printable ASCII characters other than '='"
        ),
        'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
        "spec.containers[0].envFrom[1].secretRef.name: Required value",
        'spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time',
    ]
