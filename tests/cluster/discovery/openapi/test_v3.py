import json
from typing import Any

from tests.cluster.discovery.definitions import DEFINITIONS
from tests.cluster.discovery.served import builtin, custom

from kubewright.cluster.discovery.openapi.operations import root_paths
from kubewright.cluster.discovery.openapi.v3 import path_document, version_document
from kubewright.cluster.registry.resource import Resource


def document(*resources: Resource) -> Any:
    return json.loads(b"".join(version_document(resources)))


def of(group: str) -> list[Resource]:
    return [resource for resource in builtin() if resource.group == group]


def test_a_document_holds_the_schemas_that_its_paths_need() -> None:
    found = document(*of("coordination.k8s.io"))
    assert "io.k8s.api.coordination.v1.Lease" in found["components"]["schemas"]
    assert "io.k8s.api.core.v1.Pod" not in found["components"]["schemas"]


def test_what_every_operation_takes_is_told_for_the_path() -> None:
    path = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}"
    found = document(*of("coordination.k8s.io"))["paths"][path]
    assert [each["name"] for each in found["parameters"]] == ["name", "namespace", "pretty"]
    assert "parameters" not in found["get"]
    assert [each["name"] for each in found["patch"]["parameters"]] == [
        *("dryRun", "fieldManager", "fieldValidation", "force"),
    ]


def test_a_document_of_crds_says_so() -> None:
    found = document(*custom(DEFINITIONS[1]))
    assert found["info"] == {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"}
    assert "securitySchemes" not in found["components"]


def test_custom_and_built_in_resources_share_a_document_if_they_share_a_version() -> None:
    found = document(*of("coordination.k8s.io"), *custom(DEFINITIONS[1]))
    assert {"com.example.stable.v1.Gadget", "io.k8s.api.coordination.v1.Lease"} <= found["components"]["schemas"].keys()


def test_a_document_of_the_server_itself_has_one_path() -> None:
    found = json.loads(b"".join(path_document(root_paths()["version"])))
    assert [*found["paths"]] == ["/version/"]
    assert [*found["components"]["schemas"]] == ["io.k8s.apimachinery.pkg.version.Info"]


def test_a_large_document_comes_in_pieces() -> None:
    assert len(list(version_document(tuple(of(""))))) > 10
