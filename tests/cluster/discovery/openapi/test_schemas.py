import json

from kubewright.cluster.discovery.openapi.schemas import Schemas, builtin_schemas

META = "io.k8s.apimachinery.pkg.apis.meta.v1"
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
