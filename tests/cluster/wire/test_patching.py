"""What strategic merge patches are told of built-in kinds."""

import pytest

from kubewright.cluster.patches.lookup import PatchField, PatchType
from kubewright.cluster.wire.patching import patch_type
from kubewright.cluster.wire.types import UnknownType
from kubewright.model.resource import GroupVersionKind

POD = patch_type(GroupVersionKind("", "v1", "Pod"))


def follow(target: PatchType, *names: str) -> PatchField:
    field = None
    for name in names:
        field = target.field(name)
        assert field is not None, name
        target = field.item or field.type
    assert field is not None
    return field


def test_a_field_tells_its_strategies_and_merge_key() -> None:
    volumes = follow(POD, "spec", "volumes")
    assert (volumes.strategies, volumes.merge_key) == (("merge", "retainKeys"), "name")
    assert volumes.item is not None
    assert volumes.item.struct == "Volume"


def test_a_struct_has_its_name_and_no_items() -> None:
    spec = follow(POD, "spec")
    assert (spec.type.kind, spec.type.struct, spec.item) == ("struct", "PodSpec", None)


def test_a_pointer_is_one_and_what_it_points_to_counts_as_its_item() -> None:
    context = follow(POD, "spec", "securityContext")
    assert (context.type.kind, context.type.struct) == ("ptr", "PodSecurityContext")
    assert context.item is not None
    assert (context.item.kind, context.item.struct) == ("struct", "PodSecurityContext")


def test_a_map_has_no_fields() -> None:
    labels = follow(POD, "metadata", "labels")
    assert (labels.type.kind, labels.type.struct, labels.strategies) == ("map", None, ("",))


def test_the_fields_of_an_inlined_struct_are_its_own() -> None:
    assert follow(POD, "spec", "volumes", "emptyDir").type.struct == "EmptyDirVolumeSource"


def test_a_field_is_found_in_any_spelling() -> None:
    assert follow(POD, "spec", "VOLUMES").merge_key == "name"
    assert POD.field("volumes") is None


def test_a_type_that_contains_itself_can_be_looked_up() -> None:
    crd = patch_type(GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"))
    schema = follow(crd, "spec", "versions", "schema", "openAPIV3Schema")
    for _ in range(20):
        schema = follow(schema.type, "not")
    assert schema.type.struct == "JSONSchemaProps"


def test_a_kind_that_is_not_there_is_told() -> None:
    with pytest.raises(UnknownType, match="there is no built-in kind Widget in apps/v1"):
        patch_type(GroupVersionKind("apps", "v1", "Widget"))
