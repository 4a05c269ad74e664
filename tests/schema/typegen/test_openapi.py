"""Documents as a server serves them for a CRD, and documents that know nothing of Kubernetes."""

import contextlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kubewright as kw
from kubewright.model.meta import fields_of
from kubewright.schema.typegen import TypegenError, types_from_openapi

Load = Callable[[str], ModuleType]

KIND = {"group": "web.example.com", "version": "v1", "kind": "WebServer"}
SERVER: dict[str, Any] = {
    "type": "object",
    "description": "Serves pages.",
    "properties": {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]},
        "spec": {
            "type": "object",
            "required": ["image"],
            "properties": {
                "image": {"type": "string", "description": "What runs."},
                "limits": {
                    "type": "object",
                    "additionalProperties": {
                        "$ref": "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"
                    },
                },
                "template": {"$ref": "#/components/schemas/io.k8s.api.core.v1.PodTemplateSpec"},
                "since": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime"},
                "rule": {"$ref": "#/components/schemas/com.example.web.v1.Rule"},
            },
        },
        "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}},
    },
    "x-kubernetes-group-version-kind": [KIND],
    "x-kubernetes-selectable-fields": [],
}
RULE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "all": {"type": "array", "items": {"$ref": "#/components/schemas/com.example.web.v1.Rule"}},
        "color": {"$ref": "#/components/schemas/com.example.web.v1.Color"},
        "either": {"oneOf": [{"$ref": "#/components/schemas/com.example.web.v1.Color"}, {"type": "integer"}]},
    },
}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.0.0",
    "info": {"title": "Kubernetes CRD Swagger"},
    "paths": {
        "/apis/web.example.com/v1/webbies": {"get": {"x-kubernetes-group-version-kind": KIND}},
        "/apis/web.example.com/v1/webbies/{name}": {"get": {"x-kubernetes-group-version-kind": KIND}},
        "/apis/web.example.com/v1/webbies/{name}/status": {"get": {"x-kubernetes-group-version-kind": KIND}},
    },
    "components": {
        "schemas": {
            "com.example.web.v1.WebServer": SERVER,
            "com.example.web.v1.WebServerList": {
                "type": "object",
                "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/com.example.web.v1.WebServer"}},
                    "metadata": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"},
                },
                "x-kubernetes-group-version-kind": [{**KIND, "kind": "WebServerList"}],
            },
            "com.example.web.v1.Rule": RULE,
            "com.example.web.v1.Color": {"type": "string", "enum": ["red", "blue"]},
            "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {"type": "object"},
        }
    },
}


def test_a_document_of_a_crd_becomes_a_module_named_after_its_group(load: Load) -> None:
    [(name, source)] = types_from_openapi(DOCUMENT).items()
    assert name == "com.example.web.v1"
    module = load(source)
    assert module.__all__ == ["Rule", "WebServer", "WebServerSpec", "WebServerStatus"]
    assert module.__doc__ == (
        "Types of Kubernetes CRD Swagger.\n\nMade by `kubewright types`; make them again rather than edit them.\n"
    )


def test_the_plural_and_scope_of_a_kind_are_those_of_its_paths() -> None:
    assert (
        'class WebServer(kw.Resource, group="web.example.com", version="v1", plural="webbies", scope="Cluster"):'
        in types_from_openapi(DOCUMENT)["com.example.web.v1"]
    )


def test_a_namespaced_path_makes_a_namespaced_kind() -> None:
    base = "/apis/web.example.com/v1"
    operation = {"get": {"x-kubernetes-group-version-kind": KIND}}
    paths = {f"{base}/webservers": operation, f"{base}/namespaces/{{namespace}}/webservers": operation}
    source = types_from_openapi({**DOCUMENT, "paths": paths})["com.example.web.v1"]
    assert 'class WebServer(kw.Resource, group="web.example.com", version="v1", status_subresource=False):' in source


def test_references_to_kubernetes_are_imported_or_types_of_ours(load: Load) -> None:
    source = types_from_openapi(DOCUMENT)["com.example.web.v1"]
    assert "from kubewright.k8s.core.v1 import PodTemplateSpec\n" in source
    assert "template: PodTemplateSpec | None = None" in source
    assert "limits: dict[str, kw.Quantity] = kw.field(default_factory=dict)" in source
    assert "since: kw.MicroTime | None = None" in source
    server = kw.decode(
        b'{"spec":{"image":"a","template":{"spec":{"hostname":"b"}},"limits":{"cpu":"1"}}}', load(source).WebServer
    )
    assert server.spec.template.spec.hostname == "b"
    assert server.spec.limits["cpu"] == kw.Quantity("1")


def test_a_type_that_holds_itself_decodes(load: Load) -> None:
    module = load(types_from_openapi(DOCUMENT)["com.example.web.v1"])
    rule = kw.decode(b'{"all":[{"all":[{"color":"red"}]}]}', module.Rule)
    assert rule.all[0].all[0].color == "red"


def test_a_named_schema_that_is_no_object_is_its_type_where_it_is_used() -> None:
    source = types_from_openapi(DOCUMENT)["com.example.web.v1"]
    assert 'color: Literal["red", "blue"] | None = None' in source
    assert "class Color" not in source


def test_a_choice_between_schemas_is_anything() -> None:
    assert "either: Annotated[Any, kw.Schemaless()] = None" in types_from_openapi(DOCUMENT)["com.example.web.v1"]


def test_descriptions_carry_over() -> None:
    source = types_from_openapi(DOCUMENT)["com.example.web.v1"]
    assert '    """Serves pages."""\n' in source
    assert '    image: str\n    """What runs."""\n' in source


def test_lists_of_a_kind_are_left_out() -> None:
    assert "WebServerList" not in types_from_openapi(DOCUMENT)["com.example.web.v1"]


def test_a_document_without_kubernetes_becomes_a_module_called_types(load: Load) -> None:
    pets = {
        "Pet": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "tags": {"$ref": "#/components/schemas/tag-list"}},
        },
        "tag-list": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}},
        "loop": {"type": "array", "items": {"$ref": "#/components/schemas/loop"}},
        "Holder": {"type": "object", "properties": {"loop": {"$ref": "#/components/schemas/loop"}}},
    }
    [(name, source)] = types_from_openapi({"openapi": "3.1.0", "components": {"schemas": pets}}).items()
    assert name == "types"
    module = load(source)
    pet = kw.decode(b'{"name":"Rex","tags":[{"id":3}]}', module.Pet)
    assert pet.tags[0].id == 3
    assert "loop: list[Any] = kw.field(default_factory=list)" in source


def test_modules_import_each_other_within_their_package() -> None:
    schemas = {
        "com.example.a.v1.A": {
            "type": "object",
            "properties": {"b": {"$ref": "#/components/schemas/com.example.b.v1.A"}},
        },
        "com.example.b.v1.A": {"type": "object", "properties": {"x": {"type": "string"}}},
    }
    sources = types_from_openapi({"openapi": "3.0.0", "components": {"schemas": schemas}}, package="made")
    assert list(sources) == ["com.example.a.v1", "com.example.b.v1"]
    assert "from made.com.example.b.v1 import A as BV1A\n" in sources["com.example.a.v1"]
    assert "b: BV1A | None = None" in sources["com.example.a.v1"]


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({}, "an OpenAPI document is no OpenAPI v3 document with schemas"),
        ({"swagger": "2.0", "components": {"schemas": {"A": {}}}}, "is no OpenAPI v3 document"),
        ({"openapi": "3.0.0", "components": 5}, "is no OpenAPI v3 document"),
        ({"openapi": "3.0.0", "components": {"schemas": {"A": {"type": 5}}}}, r"schemas\[A\]\.type"),
        (
            {
                "openapi": "3.0.0",
                "components": {
                    "schemas": {"A": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/B"}}}}
                },
            },
            "the document refers to B, and has no such schema",
        ),
    ],
)
def test_a_document_from_which_nothing_can_be_made_is_refused(document: dict[str, Any], problem: str) -> None:
    with pytest.raises(TypegenError, match=problem):
        types_from_openapi(document)


def test_every_class_of_a_module_links(load: Load) -> None:
    module = load(types_from_openapi(DOCUMENT)["com.example.web.v1"])
    assert all(fields_of(getattr(module, name)) for name in module.__all__)


WORDS = (
    "type", "properties", "items", "additionalProperties", "required", "enum", "default", "allOf", "anyOf", "$ref",
    "x-kubernetes-group-version-kind", "group", "version", "kind", "metadata", "object", "A", "b.c.A",
)  # fmt: skip
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.sampled_from(WORDS), st.just("#/components/schemas/A")),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(WORDS), inner, max_size=4)),
    max_leaves=20,
)


@given(schemas=st.dictionaries(st.sampled_from(["A", "b.c.A"]), JSON), paths=JSON)
def test_whatever_stands_in_a_document_it_is_read_or_refused(schemas: Any, paths: Any) -> None:
    with contextlib.suppress(kw.KubewrightError):
        types_from_openapi({"openapi": "3.0.0", "paths": paths, "components": {"schemas": schemas}})
