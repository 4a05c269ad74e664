from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.steps import counted, finish
from kubewright.schema.walk import metarules
from kubewright.schema.walk.metarules import (
    check_meta,
    check_meta_in_steps,
    check_meta_update,
    check_meta_update_in_steps,
)
from kubewright.schema.walk.names import path_segment, path_segment_prefix, subdomain


def complaints(*, namespaced: bool = False, **meta: Any) -> list[str]:
    found = check_meta(
        {"name": "x", **meta}, "metadata", name=path_segment, name_prefix=path_segment_prefix, namespaced=namespaced
    )
    return [str(error) for error in found]


def test_good_metadata_has_no_faults() -> None:
    owner = {"apiVersion": "v1", "kind": "A", "name": "a", "uid": "u", "controller": True}
    assert complaints(labels={"a.b/c": "d"}, annotations={"e": "é"}, ownerReferences=[owner], finalizers=["a/b"]) == []


def test_a_name_is_required() -> None:
    assert complaints(name="") == ["metadata.name: Required value: name or generateName is required"]


def test_a_namespace_belongs_to_namespaced_kinds() -> None:
    assert complaints(namespaced=True) == ["metadata.namespace: Required value"]
    assert complaints(namespace="a") == ["metadata.namespace: Forbidden: not allowed on this type"]
    assert complaints(namespaced=True, namespace="a") == []


def test_annotations_have_a_size_limit() -> None:
    assert complaints(annotations={"a": "x" * (256 * 1024)}) == [
        "metadata.annotations: Too long: may not be more than 262144 bytes"
    ]


@pytest.mark.parametrize("api_version", ["", "a/", "a/b/c"])
def test_an_owner_needs_a_version(api_version: str) -> None:
    owner = {"apiVersion": api_version, "kind": "A", "name": "a", "uid": "u"}
    assert complaints(ownerReferences=[owner]) == [
        f'metadata.ownerReferences.apiVersion: Invalid value: "{api_version}": version must not be empty'
    ]


def test_the_name_of_a_field_manager_is_short_and_printable() -> None:
    entry = {"operation": "Apply", "manager": "é\u200b" + "x" * 128, "subresource": "s" * 257}
    shown = '"é\\u200b' + "x" * 128 + '"'
    assert complaints(managedFields=[entry]) == [
        "metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
        f"metadata.managedFields[0].manager: Invalid value: {shown}: invalid character U+200B (at position 2)",
        "metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes",
    ]


_NAMES = st.sampled_from(["a", "a b", "example.com/a", "x" * 70, "A/", "é"])
_OWNERS = st.fixed_dictionaries(
    {},
    optional={
        "apiVersion": st.sampled_from(["v1", "a/b/c", ""]),
        "kind": st.sampled_from(["Pod", "Event"]),
        "name": st.sampled_from(["", "n"]),
        "uid": st.sampled_from(["", "u"]),
        "controller": st.booleans(),
    },
)
_METAS = st.fixed_dictionaries(
    {"name": _NAMES},
    optional={
        "namespace": _NAMES,
        "labels": st.dictionaries(_NAMES, _NAMES),
        "annotations": st.dictionaries(_NAMES, _NAMES | st.just("x" * 300_000)),
        "ownerReferences": st.lists(_OWNERS),
        "finalizers": st.lists(_NAMES | st.sampled_from(["orphan", "foregroundDeletion"])),
        "deletionTimestamp": st.just("2020-01-01T00:00:00Z"),
    },
)


@given(_METAS, _METAS)
def test_metadata_is_judged_the_same_in_steps(meta: dict[str, Any], old: dict[str, Any]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(metarules, "_FEW", 2)
        rules: dict[str, Any] = {"name": subdomain, "name_prefix": subdomain, "namespaced": True}
        assert finish(check_meta_in_steps(meta, "metadata", **rules)) == check_meta(meta, "metadata", **rules)
        changed = finish(check_meta_update_in_steps(meta, old, "metadata"))
        assert changed == check_meta_update(meta, old, "metadata")


def test_many_labels_and_annotations_take_many_steps() -> None:
    texts = {f"k{number}": "v" for number in range(5000)}
    steps = check_meta_update_in_steps({"labels": texts, "annotations": texts, "resourceVersion": "1"}, {}, "metadata")
    errors, count = counted(steps)
    assert errors == []
    assert count >= 20
