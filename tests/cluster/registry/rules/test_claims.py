from typing import Any

import pytest

from kubewright.cluster.registry.rules.claims import check_annotations, check_claim_spec, check_claim_template

GOOD = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}


def errors(**spec: Any) -> list[str]:
    return [str(error) for error in check_claim_spec({**GOOD, **spec}, "s")]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({}, []),
        ({"accessModes": []}, ["accessModes: Required value: at least 1 access mode is required"]),
        (
            {"accessModes": ["ReadWriteOncePod", "ReadOnlyMany"]},
            ["accessModes: Forbidden: may not use ReadWriteOncePod with other access modes"],
        ),
        ({"resources": {}}, ["resources[storage]: Required value"]),
        (
            {"resources": {"requests": {"storage": "0"}}},
            ['resources[storage]: Invalid value: "0": must be greater than zero'],
        ),
        ({"volumeMode": "x"}, ['volumeMode: Unsupported value: "x": supported values: "Block", "Filesystem"']),
        (
            {"dataSource": {"kind": "K", "name": ""}},
            [
                "dataSource.name: Required value",
                (
                    "dataSource: Invalid value: \"K\": must be 'PersistentVolumeClaim' when referencing the default "
                    "apiGroup"
                ),
            ],
        ),
    ],
)
def test_what_a_claim_asks(spec: dict[str, Any], told: list[str]) -> None:
    assert errors(**spec) == [f"s.{text}" for text in told]


def test_two_sources_are_the_same() -> None:
    source = {"apiGroup": "g.io", "kind": "K", "name": "n"}
    assert errors(dataSource=source, dataSourceRef=source) == []
    assert errors(dataSource=source, dataSourceRef={**source, "name": "m"}) == [
        "s: Invalid value: {}: must match dataSourceRef"
    ]
    assert errors(dataSource=source, dataSourceRef={**source, "namespace": "n"}) == [
        "s: Invalid value: {}: may not be specified when dataSourceRef.namespace is specified"
    ]


def test_a_template_has_no_name() -> None:
    template = {"metadata": {"name": "n", "uid": "u", "labels": {"a": "b"}}, "spec": GOOD}
    assert [str(error) for error in check_claim_template(template, "t")] == [
        "t.metadata.name: Forbidden: cannot be set",
        "t.metadata.uID: Forbidden: cannot be set",
    ]


def test_annotations_have_a_size() -> None:
    told = [str(error) for error in check_annotations({"a": "x" * 2**18, "A/B": ""}, "a")]
    assert told == ["a: Too long: may not be more than 262144 bytes"]
