"""The generator of `kubewright.k8s` on a small release of our own; the real one is `tests/tools/test_generate.py`'s."""

from typing import Any

from kubewright.schema.typegen.builtins import builtin_sources

REF = "#/components/schemas/"
GADGET: dict[str, Any] = {
    "type": "object",
    "description": "Somebody else's words.",
    "properties": {
        "apiVersion": {"type": "string", "description": "Somebody else's words."},
        "kind": {"type": "string"},
        "metadata": {"allOf": [{"$ref": f"{REF}io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}], "default": {}},
        "spec": {"allOf": [{"$ref": f"{REF}io.k8s.api.core.v1.GadgetSpec"}], "default": {}},
        "status": {"type": "object", "properties": {"phase": {"type": "string"}}},
    },
    "x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "Gadget"}],
}
SPEC: dict[str, Any] = {
    "type": "object",
    "required": ["port", "selectors"],
    "properties": {
        "port": {"allOf": [{"$ref": f"{REF}io.k8s.apimachinery.pkg.util.intstr.IntOrString"}]},
        "selectors": {
            "type": "array",
            "items": {"allOf": [{"$ref": f"{REF}io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector"}], "default": {}},
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["matchKey"],
            "x-kubernetes-patch-strategy": "merge",
        },
        "secret": {"type": "string", "format": "byte"},
        "int": {"type": "integer", "format": "int64"},
    },
    "x-kubernetes-map-type": "atomic",
    "x-kubernetes-unions": [],
}
SELECTOR: dict[str, Any] = {"type": "object", "properties": {"matchKey": {"type": "string", "default": ""}}}
OPENAPI: list[dict[str, Any]] = [
    {"openapi": "3.0.0", "paths": {}},
    {
        "components": {
            "schemas": {
                "io.k8s.api.core.v1.Gadget": GADGET,
                "io.k8s.api.core.v1.GadgetSpec": SPEC,
                "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector": SELECTOR,
                "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {"type": "object"},
                "io.k8s.apimachinery.pkg.version.Info": {"type": "object"},
            }
        }
    },
]
DISCOVERY: list[dict[str, Any]] = [
    {
        "groupVersion": "v1",
        "resources": [
            {"name": "gadgets", "kind": "Gadget", "namespaced": False, "shortNames": ["ga"], "categories": ["all"]},
            {"name": "gadgets/scale", "kind": "Scale", "namespaced": False},
        ],
    }
]
CORE = '''"""The kinds of core/v1 and their parts: Gadget.

Made from a release of ours by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import IntOrString

__all__ = ["Gadget", "GadgetSpec", "GadgetStatus"]


class GadgetSpec(Model, markers=[Atomic()]):
    port: IntOrString = REQUIRED
    selectors: Annotated[list[LabelSelector], ListMap("match_key")] = field(default_factory=list, required=True)
    secret: bytes | None = None
    int_: int | None = None


class GadgetStatus(Model):
    phase: str | None = None


class Gadget(
    Resource, group="", version="v1", scope="Cluster", status_subresource=False, short_names=["ga"], categories=["all"]
):
    spec: GadgetSpec = field(default_factory=GadgetSpec)
    status: GadgetStatus = field(default_factory=GadgetStatus)
'''


def test_a_group_is_a_package_and_a_version_a_module() -> None:
    sources = builtin_sources(OPENAPI, DISCOVERY, "a release of ours")
    assert list(sources) == ["core/__init__.py", "core/v1.py", "meta/__init__.py", "meta/v1.py"]
    assert sources["core/__init__.py"] == '"""The core group, a module a version."""\n'


def test_facts_carry_over_and_words_do_not() -> None:
    assert builtin_sources(OPENAPI, DISCOVERY, "a release of ours")["core/v1.py"] == CORE


def test_what_is_written_by_hand_is_found_where_one_looks_for_it() -> None:
    source = builtin_sources(OPENAPI, DISCOVERY, "a release of ours")["meta/v1.py"]
    assert '"ObjectMeta",' in source
    assert "class ObjectMeta" not in source
    assert "class LabelSelector(Model):" in source
