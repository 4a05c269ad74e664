import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from kubewright.schema.definition import NotACRD
from kubewright.schema.diff import diff_crds
from kubewright.schema.diff.change import BOTH, CLIENTS, KINDS, NEITHER, STORED_OBJECTS, Breaks


def version(name: str, **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string"}}}}}
    return {"name": name, "served": True, "storage": False, "schema": {"openAPIV3Schema": schema}, **more}


def crd() -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "webs.example.com", "labels": {"a": "b"}},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "webs", "singular": "web", "kind": "Web", "shortNames": ["w", "wb"]},
            "versions": [
                version(
                    "v1",
                    storage=True,
                    subresources={"scale": {"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a"}},
                    additionalPrinterColumns=[
                        {"name": "A", "type": "string", "jsonPath": ".spec.a"},
                        {"name": "B", "type": "string", "jsonPath": ".spec.b"},
                    ],
                    selectableFields=[{"jsonPath": ".spec.a"}, {"jsonPath": ".spec.b"}],
                ),
                version("v1beta1"),
            ],
        },
    }


def found(change: Callable[[dict[str, Any]], object], *, on_new: bool = True) -> list[tuple[str, str, Breaks]]:
    """The changes between the CRD and a changed one."""
    old, new = crd(), crd()
    change(new if on_new else old)
    return [(each.path, each.kind, each.breaks) for each in diff_crds(old, new)]


def at(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    """Set what stands at a path; None removes it."""

    def change(document: dict[str, Any]) -> None:
        node: Any = document
        *parents, last = (int(step) if step.isdigit() else step for step in path.split("."))
        for step in parents:
            node = node[step]
        if value is None:
            del node[last]
        else:
            node[last] = value

    return change


V1 = "spec.versions.0"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (at("spec.group", "example.org"), ("spec.group", "GroupChanged", BOTH)),
        (at("spec.scope", "Cluster"), ("spec.scope", "ScopeChanged", BOTH)),
        (at("metadata.name", "x.example.com"), ("metadata.name", "NamesChanged", BOTH)),
        (at("metadata.labels.a", "c"), ("metadata.labels", "MetadataChanged", NEITHER)),
        (at("metadata.annotations", {"a": "b"}), ("metadata.annotations", "MetadataChanged", NEITHER)),
        (at("spec.names.singular", "site"), ("spec.names.singular", "NamesChanged", CLIENTS)),
        (at("spec.names.listKind", "Webs"), ("spec.names.listKind", "NamesChanged", CLIENTS)),
        (at("spec.names.plural", "sites"), ("spec.names.plural", "NamesChanged", BOTH)),
        (at("spec.names.shortNames", ["w"]), ("spec.names.shortNames", "NamesChanged", CLIENTS)),
        (at("spec.names.shortNames", ["w", "wb", "x"]), ("spec.names.shortNames", "NamesChanged", NEITHER)),
        (at("spec.names.shortNames", ["wb", "w"]), ("spec.names.shortNames", "OrderChanged", NEITHER)),
        (at("spec.names.categories", ["all"]), ("spec.names.categories", "NamesChanged", NEITHER)),
        (at("spec.names.other", "x"), ("spec.names.other", "Unclassified", BOTH)),
        (at("spec.other", "x"), ("spec.other", "Unclassified", BOTH)),
        (at("other", "x"), ("other", "Unclassified", BOTH)),
        (at("spec.preserveUnknownFields", True), ("spec.preserveUnknownFields", "PruningChanged", NEITHER)),
        (at("spec.conversion", {"strategy": "Webhook"}), ("spec.conversion", "ConversionChanged", BOTH)),
        (
            at("spec.conversion", {"strategy": "None", "webhook": {}}),
            ("spec.conversion", "ConversionChanged", NEITHER),
        ),
        (at("spec.versions.1", None), ("spec.versions[v1beta1]", "VersionRemoved", CLIENTS)),
        (at("spec.versions.1.served", False), ("spec.versions[v1beta1].served", "VersionUnserved", CLIENTS)),
        (at(f"{V1}.deprecated", True), ("spec.versions[v1].deprecated", "DeprecationChanged", NEITHER)),
        (at(f"{V1}.deprecationWarning", "x"), ("spec.versions[v1].deprecationWarning", "DeprecationChanged", NEITHER)),
        (at(f"{V1}.other", "x"), ("spec.versions[v1].other", "Unclassified", BOTH)),
        (at(f"{V1}.schema", None), ("spec.versions[v1].schema", "SchemaRemoved", BOTH)),
        (at(f"{V1}.subresources.status", {}), ("spec.versions[v1].subresources.status", "SubresourceAdded", CLIENTS)),
        (at(f"{V1}.subresources.scale", None), ("spec.versions[v1].subresources.scale", "SubresourceRemoved", CLIENTS)),
        (
            at(f"{V1}.subresources.scale.specReplicasPath", ".spec.b"),
            ("spec.versions[v1].subresources.scale", "SubresourceChanged", CLIENTS),
        ),
        (
            at(f"{V1}.additionalPrinterColumns.0.type", "integer"),
            ("spec.versions[v1].additionalPrinterColumns[A]", "ColumnChanged", NEITHER),
        ),
        (
            at(f"{V1}.additionalPrinterColumns.0", None),
            ("spec.versions[v1].additionalPrinterColumns[A]", "ColumnRemoved", NEITHER),
        ),
        (
            at(f"{V1}.selectableFields.1", None),
            ("spec.versions[v1].selectableFields", "SelectableFieldRemoved", CLIENTS),
        ),
        (
            at(f"{V1}.schema.openAPIV3Schema.properties.spec.properties.a.type", "integer"),
            ("spec.versions[v1].schema.spec.a", "TypeChanged", BOTH),
        ),
    ],
)
def test_each_change_has_its_path_kind_and_verdict(
    change: Callable[[dict[str, Any]], None], expected: tuple[str, str, Breaks]
) -> None:
    assert found(change) == [expected]


def test_a_renamed_kind_breaks_both_and_takes_its_list_along() -> None:
    assert found(at("spec.names.kind", "Site")) == [
        ("spec.names.kind", "NamesChanged", BOTH),
        ("spec.names.listKind", "NamesChanged", CLIENTS),
    ]


def test_what_is_added_the_other_way_round() -> None:
    removals = {
        "spec.versions.1": "VersionAdded",
        f"{V1}.subresources.scale": "SubresourceAdded",
        f"{V1}.additionalPrinterColumns.0": "ColumnAdded",
        f"{V1}.selectableFields.1": "SelectableFieldAdded",
        f"{V1}.schema": "SchemaAdded",
    }
    for path, kind in removals.items():
        ((_, found_kind, breaks),) = found(at(path, None), on_new=False)
        assert (found_kind, breaks) == (kind, KINDS[kind][0])


def test_removing_a_version_that_is_stored_breaks_stored_objects() -> None:
    old, new = crd(), crd()
    old["status"] = {"storedVersions": ["v1beta1", "v1"]}
    del new["spec"]["versions"][1]
    (change,) = diff_crds(old, new)
    assert (change.kind, change.breaks) == ("VersionRemoved", BOTH)
    old["spec"]["versions"][1]["served"] = False
    (change,) = diff_crds(old, new)
    assert (change.kind, change.breaks) == ("VersionRemoved", STORED_OBJECTS)


def test_removing_a_version_nobody_uses_breaks_nobody() -> None:
    old, new = crd(), crd()
    old["spec"]["versions"][1]["served"] = False
    del new["spec"]["versions"][1]
    (change,) = diff_crds(old, new)
    assert (change.kind, change.breaks) == ("VersionRemoved", NEITHER)


def move_storage(document: dict[str, Any]) -> None:
    document["spec"]["versions"][0]["storage"] = False
    document["spec"]["versions"][1]["storage"] = True


def test_moving_storage_breaks_nobody_between_equal_schemas() -> None:
    assert found(move_storage) == [("spec.versions", "StorageVersionChanged", NEITHER)]


def test_moving_storage_to_another_schema_breaks_stored_objects_unless_a_webhook_converts() -> None:
    old, new = crd(), crd()
    for document in (old, new):
        document["spec"]["versions"][1]["schema"]["openAPIV3Schema"]["properties"] = {}
    move_storage(new)
    assert [change.breaks for change in diff_crds(old, new)] == [STORED_OBJECTS]
    for document in (old, new):
        document["spec"]["conversion"] = {"strategy": "Webhook", "webhook": {}}
    assert [change.breaks for change in diff_crds(old, new)] == [NEITHER]


def test_removing_the_storage_version_is_told_as_both() -> None:
    kinds = [kind for _, kind, _ in found(at("spec.versions.0", None))]
    assert kinds == ["StorageVersionChanged", "VersionRemoved"]


def test_order_alone_breaks_nobody() -> None:
    def turn(document: dict[str, Any]) -> None:
        versions = document["spec"]["versions"]
        versions.reverse()
        versions[1]["additionalPrinterColumns"].reverse()
        versions[1]["selectableFields"].reverse()

    changes = found(turn)
    assert [kind for _, kind, _ in changes] == ["OrderChanged"] * 3
    assert {breaks for _, _, breaks in changes} == {NEITHER}


def test_what_the_server_fills_in_is_no_change() -> None:
    def served(document: dict[str, Any]) -> None:
        document["metadata"] |= {"uid": "1", "resourceVersion": "2", "generation": 3, "creationTimestamp": "x"}
        document["spec"]["names"]["listKind"] = "WebList"
        document["spec"]["conversion"] = {"strategy": "None"}
        document["status"] = {"storedVersions": ["v1"]}

    assert found(served) == []


def test_changes_come_sorted_by_path_and_do_not_touch_the_documents() -> None:
    old, new = crd(), crd()
    new["spec"]["scope"] = "Cluster"
    new["spec"]["group"] = "b.example.com"
    new["metadata"]["annotations"] = {"x": "y"}
    new["spec"]["versions"].append(version("v0"))
    before = json.dumps([old, new])
    paths = [change.path for change in diff_crds(old, new)]
    assert paths == sorted(paths)
    assert len(paths) == 4
    assert json.dumps([old, new]) == before


def test_a_crd_does_not_differ_from_its_copy() -> None:
    assert diff_crds(crd(), copy.deepcopy(crd())) == []


def test_what_is_no_crd_is_refused() -> None:
    with pytest.raises(NotACRD):
        diff_crds(crd(), {"kind": "Pod"})
