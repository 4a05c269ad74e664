import copy
from typing import Any

import pytest

from kubewright.errors import KubewrightError
from kubewright.schema.definition import NotACRD, read_crd

CRD: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "webs.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "webs", "kind": "Web", "shortNames": ["w"]},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object"}},
                "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas"}},
                "additionalPrinterColumns": [
                    {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}
                ],
                "selectableFields": [{"jsonPath": ".spec.color"}],
            }
        ],
    },
    "status": {"storedVersions": ["v1"]},
}


def test_a_crd_is_read_with_what_the_server_would_fill_in() -> None:
    crd = read_crd(CRD)
    assert (crd.name, crd.group, crd.scope, crd.stored_versions) == (
        "webs.example.com",
        "example.com",
        "Namespaced",
        ["v1"],
    )
    assert (crd.names.singular, crd.names.list_kind, crd.names.short_names) == ("web", "WebList", ["w"])
    assert crd.conversion == {"strategy": "None"}
    (version,) = crd.versions
    assert (version.name, version.served, version.storage, version.schema) == ("v1", True, True, {"type": "object"})
    assert version.selectable_fields == [".spec.color"]


def test_missing_parts_are_empty() -> None:
    crd = read_crd({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": {}})
    assert (crd.name, crd.versions, crd.names.kind) == ("", [], "")


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("kind", "Pod", "this is no CustomResourceDefinition: its kind is 'Pod'"),
        ("apiVersion", "apiextensions.k8s.io/v1beta1", "convert this 'apiextensions.k8s.io/v1beta1' one"),
        ("spec", [], "spec must be an object, not list"),
        ("spec.group", 5, "spec.group must be a string, not int"),
        ("spec.names.shortNames", ["a", 1], "spec.names.shortNames must be a list of strings"),
        ("spec.versions", {}, "spec.versions must be a list, not dict"),
        ("spec.versions.0", "v1", r"spec.versions\[0\] must be an object, not str"),
        ("spec.versions.0.served", "yes", r"spec.versions\[0\].served must be true or false, not str"),
        ("spec.versions.0.schema.openAPIV3Schema.type", 5, r"openAPIV3Schema.type: Invalid value: 5: must be a string"),
        ("spec.versions.0.subresources.scale", "x", "subresources.scale must be an object"),
        ("spec.versions.0.additionalPrinterColumns.0.jsonPath", 1, r"Columns\[0\].jsonPath must be a string"),
        ("spec.versions.0.selectableFields.0", "x", r"selectableFields\[0\] must be an object"),
        ("status.storedVersions", "v1", "status.storedVersions must be a list"),
    ],
)
def test_what_is_out_of_shape_is_refused_with_its_place(path: str, value: object, told: str) -> None:
    crd = copy.deepcopy(CRD)
    node: Any = crd
    *parents, last = path.split(".")
    for step in parents:
        node = node[int(step)] if step.isdigit() else node[step]
    node[int(last) if last.isdigit() else last] = value
    with pytest.raises(NotACRD, match=told):
        read_crd(crd)


@pytest.mark.parametrize("document", [None, [], "x", 1, {}])
def test_what_is_no_crd_at_all_is_refused(document: object) -> None:
    with pytest.raises(KubewrightError):
        read_crd(document)
