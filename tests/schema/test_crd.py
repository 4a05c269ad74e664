"""A CRD from classes: what it says, and what is refused when versions come together."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import pytest

import kubewright as kw
from kubewright.schema.crd import crd_of, crds_of


class Spec(kw.Model):
    """What the user wants."""

    image: Annotated[str, kw.MinLength(1)]
    """Container image."""
    replicas: int = 1


class State(kw.Status):
    ready_replicas: int = 0


class WebV1(
    kw.Resource,
    group="web.example.com",
    version="v1",
    kind="Web",
    short_names=["ws"],
    storage=True,
    columns=[kw.Column("Ready", ".status.readyReplicas"), kw.Column("Age", ".metadata.creationTimestamp")],
    scale=kw.Scale(".spec.replicas", ".status.readyReplicas"),
):
    """A web server."""

    spec: Spec
    status: State = kw.field(default_factory=State)


class WebV1Beta1(kw.Resource, group="web.example.com", version="v1beta1", kind="Web", short_names=["ws"]):
    spec: Spec


def test_a_crd_says_what_the_class_says() -> None:
    crd = crd_of(WebV1)
    assert crd["metadata"] == {"name": "webs.web.example.com"}
    assert crd["spec"]["names"] == {
        "kind": "Web",
        "listKind": "WebList",
        "plural": "webs",
        "shortNames": ["ws"],
        "singular": "web",
    }
    (version,) = crd["spec"]["versions"]
    assert version["additionalPrinterColumns"] == [
        {"name": "Ready", "type": "integer", "jsonPath": ".status.readyReplicas"},
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ]
    assert version["subresources"] == {
        "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.readyReplicas"},
        "status": {},
    }
    schema = version["schema"]["openAPIV3Schema"]
    assert schema["required"] == ["spec"]
    assert list(schema["properties"]) == ["apiVersion", "kind", "metadata", "spec", "status"]
    assert schema["properties"]["spec"] == {
        "description": "What the user wants.",
        "type": "object",
        "properties": {
            "image": {"description": "Container image.", "type": "string", "minLength": 1},
            "replicas": {"type": "integer", "format": "int64", "default": 1},
        },
        "required": ["image"],
    }


def test_conditions_are_a_map_keyed_by_type() -> None:
    status = crd_of(WebV1)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"]
    conditions = status["properties"]["conditions"]
    assert conditions["x-kubernetes-list-map-keys"] == ["type"]
    assert conditions["items"]["required"] == ["type", "status", "lastTransitionTime", "reason", "message"]


def test_several_versions_are_one_crd() -> None:
    versions = crd_of(WebV1Beta1, WebV1)["spec"]["versions"]
    assert [(version["name"], version["storage"]) for version in versions] == [("v1", True), ("v1beta1", False)]


def test_kinds_of_a_module_are_sorted_by_name() -> None:
    class Ant(kw.Resource, group="web.example.com", version="v1"):
        pass

    names = [crd["metadata"]["name"] for crd in crds_of([WebV1, Ant, WebV1Beta1])]
    assert names == ["ants.web.example.com", "webs.web.example.com"]


@pytest.mark.parametrize(("limit", "expected"), [(0, None), (12, "What the"), (None, "What the user wants.")])
def test_descriptions_can_be_trimmed(limit: int | None, expected: str | None) -> None:
    schema = crd_of(WebV1, max_description=limit)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert schema["properties"]["spec"].get("description") == expected


def kind(name: str = "Web", **line: Any) -> Any:
    body: dict[str, Any] = {"__annotations__": {"spec": Spec}, "__module__": __name__}
    return type(WebV1)(name, (kw.Resource,), body, **{"group": "web.example.com", "version": "v1", **line})  # type: ignore[misc]


@pytest.mark.parametrize(
    ("versions", "message"),
    [
        ([], r"crd_of\(\) needs at least one class"),
        ([kind(storage=False)], r"no version of Web is stored; give one of v1 storage=True"),
        ([kind(), kind(version="v2")], r"no version of Web is stored; give one of v1, v2"),
        ([kind(storage=True), kind(version="v2", storage=True)], r"are both storage versions of Web; exactly one"),
        ([kind(storage=True), kind(storage=False)], r"Web and Web are both version v1 of Web"),
        ([kind(served=False)], r"no version of Web is served"),
        ([kind(), kind("Other", version="v2")], r"Web and Other are different kinds"),
        (
            [kind(storage=True), kind(version="v2", scope="Cluster")],
            r"differ in scope; a CRD says it once, so give both class lines the same",
        ),
        (
            [kind(columns=[kw.Column("X", ".spec.nope")])],
            r"Web: the column X points at \.spec\.nope, where there is no field",
        ),
        ([kind(columns=[kw.Column("X", "spec.image")])], r"start with a dot"),
        ([kind(scale=kw.Scale(".spec.replicas", ".status.x"))], r"Web: scale points at \.status\.x"),
        ([kind(selectable_fields=[".spec.nope"])], r"Web: selectable_fields points at \.spec\.nope"),
    ],
)
def test_versions_that_do_not_fit_together_are_refused(versions: list[Any], message: str) -> None:
    with pytest.raises(kw.DefinitionError, match=message):
        crd_of(*versions)


def test_a_default_that_its_own_field_refuses_is_refused() -> None:
    class Bad(kw.Model):
        size: Annotated[int, kw.Range(1, 5)] = 9

    class BadKind(kw.Resource, group="web.example.com", version="v1"):
        spec: Bad

    with pytest.raises(
        kw.DefinitionError, match=r"BadKind\.spec\.size: the default 9 does not fit its own type: Invalid value: 9"
    ):
        crd_of(BadKind)


def test_two_defaults_are_refused() -> None:
    class Bad(kw.Model):
        size: Annotated[int, kw.Default(3)] = 9

    class BadKind(kw.Resource, group="web.example.com", version="v1"):
        spec: Bad

    with pytest.raises(kw.DefinitionError, match=r"Bad\.size has two defaults"):
        crd_of(BadKind)


def test_a_rule_on_the_old_value_where_none_can_be_found_is_refused() -> None:
    class Item(kw.Model):
        name: str
        size: Annotated[int, kw.Immutable()] = 1

    class Bad(kw.Model):
        items: list[Item] = kw.field(default_factory=list)

    class Good(kw.Model):
        items: Annotated[list[Item], kw.ListMap("name")] = kw.field(default_factory=list)

    class BadKind(kw.Resource, group="web.example.com", version="v1"):
        spec: Bad

    class GoodKind(kw.Resource, group="web.example.com", version="v1"):
        spec: Good

    assert crd_of(GoodKind)
    with pytest.raises(kw.DefinitionError, match=r"BadKind\.spec\.items\[\]\.size: a rule looks at the old value"):
        crd_of(BadKind)


def test_two_rules_that_are_the_same_in_cel_are_refused() -> None:
    class Spec(kw.Model, markers=[kw.CEL("self.size > 0")]):
        size: int = 1

        @kw.rule("more than none")
        def some(self) -> bool:
            return self.size > 0

    class Twice(kw.Resource, group="web.example.com", version="v1"):
        spec: Spec

    with pytest.raises(kw.DefinitionError, match=r"Twice\.spec has two rules that are the same in CEL, self\.size > 0"):
        crd_of(Twice)


def test_two_kinds_of_one_name_are_refused() -> None:
    with pytest.raises(kw.DefinitionError, match=r"Web and Other are different kinds and both webs\.web\.example\.com"):
        crds_of([kind(), kind("Other", plural="webs")])


def test_a_pattern_that_is_not_re2_is_refused() -> None:
    class Bad(kw.Model):
        size: Annotated[str, kw.Pattern("(?=x)")]

    class BadKind(kw.Resource, group="web.example.com", version="v1"):
        spec: Bad

    with pytest.raises(kw.DefinitionError, match=r"BadKind\.spec\.size\.pattern: a server would refuse this"):
        crd_of(BadKind)


class Tree(kw.Model):
    children: "list[Tree]" = kw.field(default_factory=list)


class Forest(kw.Resource, group="web.example.com", version="v1"):
    spec: Tree


def test_a_type_that_holds_itself_decodes_and_only_its_crd_is_refused() -> None:
    assert len(kw.decode(b'{"spec": {"children": [{"children": []}]}}', Forest).spec.children) == 1
    with pytest.raises(
        kw.DefinitionError, match=r"Forest → Tree → Tree: the type holds itself, and a CRD's schema cannot"
    ):
        crd_of(Forest)


def test_the_same_bytes_come_out_whatever_the_hash_seed() -> None:
    program = "import json; from tests.schema.test_crd import *; print(json.dumps(crd_of(WebV1, WebV1Beta1)))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert outputs == {json.dumps(crd_of(WebV1, WebV1Beta1)).encode() + b"\n"}
