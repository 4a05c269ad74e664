import json
from typing import Any

from tests.cluster.discovery.definitions import DEFINITIONS
from tests.cluster.discovery.served import builtin, custom

from kubewright.cluster.discovery.openapi.operations import root_paths
from kubewright.cluster.discovery.openapi.v2 import BuiltinPart, whole_document

LEASES = [resource for resource in builtin() if resource.group == "coordination.k8s.io"]


def document(*crds: dict[str, Any]) -> Any:
    part = BuiltinPart()
    for _ in part.fill(root_paths().values(), LEASES):
        pass
    return json.loads(b"".join(whole_document(part, [each for crd in crds for each in custom(crd)])))


def references(value: Any) -> Any:
    if isinstance(value, list):
        for each in value:
            yield from references(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key == "$ref" and isinstance(each, str):
                yield each
            else:
                yield from references(each)


def test_every_reference_leads_somewhere() -> None:
    found = document(*DEFINITIONS)
    for reference in references(found):
        _, place, name = reference.split("/")
        assert name in found[place], reference


def test_defaults_and_choices_are_left_out() -> None:
    definitions = document()["definitions"]
    assert definitions["io.k8s.apimachinery.pkg.util.intstr.IntOrString"] == {
        "type": "string",
        "format": "int-or-string",
    }
    port = definitions["io.k8s.api.core.v1.ContainerPort"]["properties"]["protocol"]
    assert "default" not in port
    assert definitions["io.k8s.api.core.v1.Pod"]["properties"]["spec"] == {
        "$ref": "#/definitions/io.k8s.api.core.v1.PodSpec"
    }


def test_crds_are_added_to_what_is_built_in() -> None:
    found = document(DEFINITIONS[1])
    assert {"io.k8s.api.coordination.v1.Lease", "com.example.stable.v1.Gadget", "com.example.stable.v1.GadgetList"} <= (
        found["definitions"].keys()
    )
    assert "/apis/stable.example.com/v1/gadgets/{name}" in found["paths"]


def test_a_body_comes_first_among_the_parameters() -> None:
    found = document()["paths"]["/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases"]["post"]["parameters"]
    assert found[0] == {
        "name": "body",
        "in": "body",
        "required": True,
        "schema": {"$ref": "#/definitions/io.k8s.api.coordination.v1.Lease"},
    }
