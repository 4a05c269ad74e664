from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kubewright.model.yaml import dump_yaml, load_yaml
from kubewright.schema.definition import NotACRD
from kubewright.schema.diff import diff_crds
from kubewright.schema.lint.definition import DEFINITION_RULES, VERSION_RULES, lint_crd, size_findings
from kubewright.schema.raw import KEYWORDS
from kubewright.schema.structural import check_structural
from kubewright.testing.real import RealCluster

WORDS = {"description": "What it is."}


def crd() -> dict[str, Any]:
    """A definition of which there is nothing to say."""

    def obj(**fields: Any) -> dict[str, Any]:
        return {**WORDS, "type": "object", "properties": fields}

    count = {**WORDS, "type": "integer", "format": "int32"}
    schema = obj(
        spec=obj(replicas=count, color={**WORDS, "type": "string"}),
        status=obj(
            replicas=count,
            observedGeneration={**count, "format": "int64"},
            conditions={
                **WORDS,
                "type": "array",
                "items": obj(type={**WORDS, "type": "string"}, status={**WORDS, "type": "string"})
                | {"required": ["type"]},
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["type"],
            },
        ),
    )
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "webs.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "webs", "kind": "Web", "shortNames": ["w"], "categories": ["all"]},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": schema},
                    "subresources": {
                        "status": {},
                        "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"},
                    },
                    "additionalPrinterColumns": [{"name": "Color", "type": "string", "jsonPath": ".spec.color"}],
                    "selectableFields": [{"jsonPath": ".spec.color"}],
                }
            ],
        },
    }


def at(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    """Set what stands at a path; None removes it."""

    def change(document: dict[str, Any]) -> None:
        node: Any = document
        *parents, last = (int(step) if step.isdigit() else step for step in path.split("/"))
        for step in parents:
            node = node[step]
        if value is None:
            del node[last]
        else:
            node[last] = value

    return change


def found(change: Callable[[dict[str, Any]], None]) -> list[tuple[str, str, str]]:
    document = crd()
    change(document)
    return [(finding.code, finding.severity, finding.path) for finding in lint_crd(document)]


def test_there_may_be_nothing_to_say() -> None:
    assert lint_crd(crd()) == []


V1 = "spec/versions/0"
SCHEMA = f"{V1}/schema/openAPIV3Schema"
PATH = "spec.versions[v1]"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (at("metadata/name", "web.example.com"), ("name", "error", "metadata.name")),
        (at("spec/scope", "Global"), ("scope", "error", "spec.scope")),
        (at("spec/names/singular", "Web"), ("lowercase", "error", "spec.names.singular")),
        (at("spec/names/shortNames/0", "W"), ("lowercase", "error", "spec.names.shortNames[0]")),
        (at("spec/names/categories/0", "All"), ("lowercase", "error", "spec.names.categories[0]")),
        (at("spec/names/kind", "web"), ("kind-name", "warning", "spec.names.kind")),
        (at("spec/names/listKind", "Web"), ("list-kind", "error", "spec.names.listKind")),
        (at(f"{V1}/storage", False), ("storage-version", "error", "spec.versions")),
        (at(f"{V1}/served", False), ("served", "warning", "spec.versions")),
        (at(f"{SCHEMA}/x-kubernetes-preserve-unknown-fields", True), ("root-preserves", "warning", f"{PATH}.schema")),
        (at(f"{V1}/subresources/status", None), ("status-subresource", "warning", f"{PATH}.subresources")),
        (at(f"{SCHEMA}/required", ["status"]), ("status-required", "warning", f"{PATH}.schema.status")),
        (
            at(f"{SCHEMA}/properties/status/properties/observedGeneration", None),
            ("observed-generation", "warning", f"{PATH}.schema.status"),
        ),
        (
            at(f"{V1}/additionalPrinterColumns/0/jsonPath", ".spec.size"),
            ("column-path", "warning", f"{PATH}.additionalPrinterColumns[Color]"),
        ),
        (
            at(f"{V1}/subresources/scale/labelSelectorPath", ".status.selector"),
            ("scale-path", "error", f"{PATH}.subresources.scale"),
        ),
        (
            at(f"{V1}/selectableFields/0/jsonPath", ".spec.size"),
            ("selectable-field", "error", f"{PATH}.selectableFields"),
        ),
        (at(f"{V1}/selectableFields/0/jsonPath", ".spec"), ("selectable-field", "error", f"{PATH}.selectableFields")),
        (
            at(f"{V1}/selectableFields/0/jsonPath", ".metadata.name"),
            ("selectable-field", "error", f"{PATH}.selectableFields"),
        ),
        (
            at(f"{SCHEMA}/properties/spec/properties/color/type", "number"),
            ("selectable-field", "error", f"{PATH}.selectableFields"),
        ),
        (
            at(f"{SCHEMA}/properties/spec/properties/replicas/description", None),
            ("missing-description", "warning", f"{PATH}.schema.spec.replicas"),
        ),
    ],
)
def test_each_mistake_has_its_code(change: Callable[[dict[str, Any]], None], expected: tuple[str, str, str]) -> None:
    assert expected in found(change)


@pytest.mark.parametrize("group", ["example", "Example.com", "a..b", "", "-a.com"])
def test_a_group_is_a_domain_with_a_dot(group: str) -> None:
    assert ("group", "error", "spec.group") in found(at("spec/group", group))


@pytest.mark.parametrize(
    ("name", "code"), [("v1.0", "lowercase"), ("V1", "lowercase"), ("one", "version-name"), ("v01", "version-name")]
)
def test_a_version_sorts_as_one(name: str, code: str) -> None:
    assert code in [each for each, _, _ in found(at(f"{V1}/name", name))]


@pytest.mark.parametrize("name", ["v1", "v2beta1", "v10alpha3"])
def test_a_version_name_in_form_is_fine(name: str) -> None:
    assert found(at(f"{V1}/name", name)) == []


def test_versions_that_stand_twice_or_are_both_stored_are_errors() -> None:
    def twice(document: dict[str, Any]) -> None:
        document["spec"]["versions"] *= 2

    codes = [code for code, _, _ in found(twice)]
    assert codes[:2] == ["version-twice", "storage-version"]


def test_too_many_selectable_fields_are_an_error() -> None:
    def many(document: dict[str, Any]) -> None:
        version = document["spec"]["versions"][0]
        fields = version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
        fields |= {f"f{n}": {**WORDS, "type": "string"} for n in range(9)}
        version["selectableFields"] = [{"jsonPath": f".spec.f{n}"} for n in range(9)]

    assert found(many) == [("selectable-field", "error", f"{PATH}.selectableFields")]


def test_a_version_without_schema_is_an_error() -> None:
    codes = [code for code, _, _ in found(at(f"{V1}/schema", None))]
    assert codes[0] == "no-schema"


def test_what_is_not_structural_is_told_alone_and_with_the_servers_path() -> None:
    (finding,) = [
        (code, path)
        for code, _, path in found(at(f"{SCHEMA}/properties/spec/properties/color/type", "colour"))
        if code != "selectable-field"
    ]
    place = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[color].type"
    assert finding == ("not-structural", place)


def test_size_is_told_at_both_limits() -> None:
    document = crd()
    assert size_findings(document) == []
    description = document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    description["description"] = "x" * 262_144
    assert [(finding.code, finding.severity) for finding in size_findings(document)] == [("size", "warning")]
    description["description"] = "x" * 1_048_576
    assert [(finding.code, finding.severity) for finding in lint_crd(document)] == [("size", "error")]


def test_what_is_no_crd_is_refused() -> None:
    with pytest.raises(NotACRD):
        lint_crd({"kind": "Pod"})


def test_the_tables_have_each_rule_once() -> None:
    assert len(set(DEFINITION_RULES)) == len(DEFINITION_RULES)
    assert len(set(VERSION_RULES)) == len(VERSION_RULES)


# -- the gallery

GALLERY = sorted((Path(__file__).parents[2] / "gallery").glob("*.yaml"))


def read(path: Path) -> dict[str, Any]:
    document = load_yaml(path.read_text(), path.name)
    assert isinstance(document, dict)
    return document


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_a_gallery_crd_has_no_error(path: Path) -> None:
    assert [str(finding) for finding in lint_crd(read(path)) if finding.severity == "error"] == []


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_a_gallery_crd_is_structural_and_written_as_we_write(path: Path) -> None:
    document = read(path)
    for version in document["spec"]["versions"]:
        assert check_structural(version["schema"]["openAPIV3Schema"], status_subresource=True) == []
    assert dump_yaml(document) == path.read_text()
    assert diff_crds(document, read(path)) == []


def test_the_gallery_uses_every_keyword_a_crd_may_have() -> None:
    refused = {
        "id",
        "$schema",
        "$ref",
        "additionalItems",
        "definitions",
        "dependencies",
        "patternProperties",
        "uniqueItems",
    }
    pending: list[Any] = [
        version["schema"]["openAPIV3Schema"] for path in GALLERY for version in read(path)["spec"]["versions"]
    ]
    used: set[str] = set()
    while pending:
        schema = pending.pop()
        if isinstance(schema, dict):
            used |= schema.keys()
            pending += schema.get("properties", {}).values()
            pending += [*schema.get("allOf", ()), *schema.get("anyOf", ()), *schema.get("oneOf", ())]
            pending += [schema.get("items"), schema.get("not"), schema.get("additionalProperties")]
    assert used == KEYWORDS - refused
    assert len(GALLERY) == 4


@pytest.mark.real
def test_the_real_server_takes_the_gallery(real_cluster: RealCluster) -> None:
    for path in GALLERY:
        answer = real_cluster.kubectl("create", "--validate=strict", "--dry-run=server", "-f", str(path))
        assert answer.returncode == 0, answer.stderr
        assert not answer.stderr
