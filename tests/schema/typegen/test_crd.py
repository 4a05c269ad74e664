"""The class line, the versions, and the way back of the gallery."""

import ast
import contextlib
import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kubewright as kw
from kubewright.model.yaml import load_yaml
from kubewright.schema.crd import crd_of
from kubewright.schema.typegen import TypegenError, types_from_crd

Load = Callable[[str], ModuleType]

#: Keys under which something is looked for.
WORDS = (
    "type", "properties", "items", "additionalProperties", "required", "enum", "default", "format", "description",
    "nullable", "allOf", "anyOf", "$ref", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-validations", "rule", "externalDocs", "url",
    "minimum", "minLength", "pattern", "example", "metadata", "spec", "status", "object", "group", "names", "kind",
    "plural", "versions", "name", "schema", "openAPIV3Schema", "subresources", "scale", "additionalPrinterColumns",
    "shortNames", "labels", "a",
)  # fmt: skip
GALLERY = sorted((Path(__file__).parents[2] / "gallery").glob("*.yaml"))


def crd(**spec: Any) -> dict[str, Any]:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.test.example.com"},
        "spec": {
            "group": "test.example.com",
            "names": {"kind": "Thing", "plural": "things", "singular": "thing", "listKind": "ThingList"},
            "scope": "Namespaced",
            "versions": [version],
            **spec,
        },
    }


def version(**more: Any) -> dict[str, Any]:
    """A version with a spec and a status that have replicas."""
    count = {"type": "object", "properties": {"replicas": {"type": "integer", "format": "int32"}}}
    envelope = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
    schema = {"type": "object", "properties": {**envelope, "spec": count, "status": count}}
    return {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, **more}


def test_the_first_lines_say_from_what_and_how_it_was_made() -> None:
    source = types_from_crd(crd(), source="things.yaml", command="kubewright types things.yaml")["v1"]
    assert source.startswith(
        '"""Thing of test.example.com/v1.\n\n'
        'Made from things.yaml by `kubewright types things.yaml`; make it again rather than edit it.\n"""\n'
    )


def test_a_class_line_says_no_more_than_it_must() -> None:
    source = types_from_crd(crd())["v1"]
    assert 'class Thing(kw.Resource, group="test.example.com", version="v1"):\n    pass\n' in source


@pytest.mark.parametrize(
    ("changes", "option"),
    [
        ({"scope": "Cluster"}, 'scope="Cluster"'),
        ({"names": {"kind": "Thing", "plural": "stuff"}}, 'plural="stuff"'),
        ({"names": {"kind": "Thing", "plural": "things", "singular": "one"}}, 'singular="one"'),
        ({"names": {"kind": "Thing", "plural": "things", "listKind": "Things"}}, 'list_kind="Things"'),
        ({"names": {"kind": "Thing", "plural": "things", "shortNames": ["t"]}}, 'short_names=["t"]'),
        ({"names": {"kind": "Thing", "plural": "things", "categories": ["all"]}}, 'categories=["all"]'),
        ({"names": {"kind": "Any", "plural": "anys"}}, 'kind="Any"'),
        ({"versions": [version(deprecated=True)]}, "deprecated=True"),
        ({"versions": [version(deprecated=True, deprecationWarning="old")]}, 'deprecated="old"'),
        ({"versions": [version(served=False)]}, "served=False"),
        ({"versions": [version()]}, "status_subresource=False"),
        (
            {"versions": [version(selectableFields=[{"jsonPath": ".spec.replicas"}])]},
            'selectable_fields=[".spec.replicas"]',
        ),
        (
            {
                "versions": [
                    version(additionalPrinterColumns=[{"name": "N", "type": "date", "jsonPath": ".a", "priority": 1}])
                ]
            },
            'columns=[kw.Column("N", ".a", type="date", priority=1)]',
        ),
        (
            {
                "versions": [
                    version(
                        subresources={
                            "status": {},
                            "scale": {"specReplicasPath": ".a", "statusReplicasPath": ".b", "labelSelectorPath": ".c"},
                        }
                    )
                ]
            },
            'scale=kw.Scale(".a", ".b", label_selector=".c")',
        ),
    ],
)
def test_the_class_line_says_what_the_crd_says(changes: dict[str, Any], option: str) -> None:
    assert option in types_from_crd(crd(**changes))["v1"]


def test_labels_and_annotations_carry_over_but_not_what_kubectl_wrote() -> None:
    given = crd()
    given["metadata"] |= {
        "labels": {"a": "b"},
        "annotations": {"c": "d", "kubectl.kubernetes.io/last-applied-configuration": "{}"},
    }
    source = types_from_crd(given)["v1"]
    assert 'labels={"a": "b"}' in source
    assert 'annotations={"c": "d"}' in source
    assert "last-applied" not in source


def test_each_version_is_a_module_and_the_stored_one_says_so() -> None:
    sources = types_from_crd(crd(versions=[version(), version(name="v2", storage=False)]))
    assert list(sources) == ["v1", "v2"]
    assert "storage=True" in sources["v1"]
    assert "storage" not in sources["v2"]


def test_one_version_can_be_asked_for() -> None:
    assert list(types_from_crd(crd(versions=[version(), version(name="v2", storage=False)]), "v2")) == ["v2"]
    with pytest.raises(TypegenError, match=r"things\.test\.example\.com has no version v3; it has v1\."):
        types_from_crd(crd(), "v3")


def test_what_a_kind_says_of_its_name_is_kept() -> None:
    named = version()
    named["schema"]["openAPIV3Schema"]["properties"]["metadata"] = {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 20}},
    }
    wanted = '"properties": {"metadata": {"properties": {"name": {"type": "string", "maxLength": 20}}}}'
    assert wanted in types_from_crd(crd(versions=[named]))["v1"].replace("\n", "")


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({}, "this is no CustomResourceDefinition: its kind is None"),
        ({"apiVersion": "v1", "kind": "Pod"}, "this is no CustomResourceDefinition: its kind is 'Pod'"),
        ({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}, "the CRD lacks a group"),
        (crd(group=""), r"things\.test\.example\.com lacks a group, a kind, a plural or a version"),
        (crd(versions=[]), "lacks a group, a kind, a plural or a version"),
        (crd(versions=[{}]), "lacks a group, a kind, a plural or a version"),
        (crd(versions=5), r"spec\.versions must be a list, not int"),
        (crd(versions=[version(schema={"openAPIV3Schema": {"properties": {"a": {"type": 5}}}})]), r"\[a\].type"),
    ],
)
def test_a_document_that_is_no_crd_is_refused_in_a_sentence(document: dict[str, Any], problem: str) -> None:
    with pytest.raises(kw.KubewrightError, match=problem):
        types_from_crd(document)


def test_null_is_absent() -> None:
    schema = {
        "type": "object",
        "description": None,
        "properties": {"a": {"type": "string", "minLength": None}, "b": None},
    }
    source = types_from_crd(crd(versions=[version(schema={"openAPIV3Schema": schema}, deprecated=None)]))["v1"]
    assert "    a: str | None = None\n    b: Any = None\n" in source


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(WORDS), inner, max_size=4)),
    max_leaves=20,
)


@given(JSON)
def test_whatever_stands_in_a_schema_it_is_read_or_refused(schema: Any) -> None:
    with contextlib.suppress(kw.KubewrightError):
        ast.parse(types_from_crd(crd(versions=[version(schema={"openAPIV3Schema": schema})]))["v1"])


@given(JSON)
def test_whatever_stands_in_a_crd_it_is_read_or_refused(spec: Any) -> None:
    with contextlib.suppress(kw.KubewrightError):
        types_from_crd({**crd(), "spec": spec})
    if isinstance(spec, dict):
        with contextlib.suppress(kw.KubewrightError):
            types_from_crd(crd(**spec))


def test_the_source_is_the_same_in_every_run() -> None:
    given = load_yaml(GALLERY[0].read_bytes())
    assert isinstance(given, dict)
    program = (
        "import json, sys; from kubewright.schema.typegen import types_from_crd; "
        "print(''.join(types_from_crd(json.load(sys.stdin)).values()))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps(given).encode(),
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def without_boilerplate(given: dict[str, Any]) -> dict[str, Any]:
    """A CRD without what types do not carry: how versions convert, and what apiVersion and kind are."""
    kept = copy.deepcopy(given)
    kept["spec"].pop("conversion", None)
    for each in kept["spec"]["versions"]:
        properties = each["schema"]["openAPIV3Schema"]["properties"]
        for wire in ("apiVersion", "kind", "metadata"):
            properties[wire].pop("description", None)
        each["schema"]["openAPIV3Schema"] = canonical(each["schema"]["openAPIV3Schema"])
    kept["spec"]["versions"].sort(key=lambda each: each["name"])
    return kept


def canonical(schema: Any) -> Any:
    """A schema in which the order of required names does not count."""
    if isinstance(schema, dict):
        return {k: sorted(v) if k == "required" and isinstance(v, list) else canonical(v) for k, v in schema.items()}
    return [canonical(each) for each in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_a_crd_of_the_gallery_survives_the_way_to_types_and_back(path: Path, load: Load) -> None:
    given = load_yaml(path.read_bytes())
    assert isinstance(given, dict)
    modules = [load(source) for source in types_from_crd(given).values()]
    made = crd_of(*(getattr(module, given["spec"]["names"]["kind"]) for module in modules))
    assert without_boilerplate(made) == without_boilerplate(given)


def test_types_of_the_gallery_are_typed_and_in_form(tmp_path: Path) -> None:
    for path in GALLERY:
        given = load_yaml(path.read_bytes())
        assert isinstance(given, dict)
        for name, source in types_from_crd(given).items():
            (tmp_path / f"{path.stem}_{name}.py").write_text(source, encoding="utf-8")
    ruff = ["ruff", "format", "--isolated", "--line-length", "120", "--check", str(tmp_path)]
    unused = ["ruff", "check", "--isolated", "--select", "F,I", "--line-length", "120", str(tmp_path)]
    strict = [
        "mypy",
        "--strict",
        "--config-file=",
        f"--cache-dir={tmp_path / 'cache'}",
        *map(str, tmp_path.glob("*.py")),
    ]
    for command in (ruff, unused, strict):
        done = subprocess.run(
            [sys.executable, "-m", *command], capture_output=True, text=True, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stdout
