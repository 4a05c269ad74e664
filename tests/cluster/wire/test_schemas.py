import json

import pytest

from kubewright.cluster.wire.schemas import META, Schemas, builtin_schemas, model_name
from kubewright.model.resource import GroupVersionKind

SMALL = Schemas(
    b"""@v2 [["","v1"],["apps","v1"]]
@custom [["","v1"]]
a {"properties":{"b":{"$ref":"#/components/schemas/b"}}}
b {"items":{"$ref":"#/components/schemas/a"}}
c {}
io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent {"type":"object"}
"""
)


def test_a_closure_holds_all_that_is_referred_to() -> None:
    assert SMALL.closure(["a"]) == ["a", "b"]
    assert SMALL.closure(["c", "nosuch", ""]) == ["c"]


def test_a_kind_of_every_version_lists_those_of_the_document() -> None:
    piece = json.loads(SMALL.piece(f"{META}.WatchEvent", SMALL.everywhere["v2"]))
    assert piece == {
        "type": "object",
        "x-kubernetes-group-version-kind": [
            {"group": "", "kind": "WatchEvent", "version": "v1"},
            {"group": "apps", "kind": "WatchEvent", "version": "v1"},
        ],
    }


def test_every_piece_is_json_without_a_description() -> None:
    schemas = builtin_schemas()
    for name in schemas.names:
        schema = json.loads(schemas.piece(name, ()))
        assert not isinstance(schema.get("description"), str), name


def test_every_reference_leads_somewhere() -> None:
    schemas = builtin_schemas()
    assert schemas.closure(schemas.names) == sorted(schemas.names)


def test_enums_are_there() -> None:
    policy = json.loads(builtin_schemas().piece("io.k8s.api.core.v1.PodSpec", ()))["properties"]["restartPolicy"]
    assert policy["enum"] == ["Always", "Never", "OnFailure"]


@pytest.mark.parametrize(
    ("kind", "is_custom", "wanted"),
    [
        (("", "v1", "Pod"), False, "io.k8s.api.core.v1.Pod"),
        (("rbac.authorization.k8s.io", "v1", "Role"), False, "io.k8s.api.rbac.v1.Role"),
        (
            ("apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
            False,
            "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
        ),
        (("stable.example.com", "v1", "Widget"), True, "com.example.stable.v1.Widget"),
    ],
)
def test_a_schema_is_named_by_its_package(kind: tuple[str, str, str], is_custom: bool, wanted: str) -> None:
    assert model_name(GroupVersionKind(*kind), custom=is_custom) == wanted
