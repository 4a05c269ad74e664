import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.structural import check_structural
from kubewright.testing.real import RealCluster

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "structural.json").read_text())["cases"]
PATH = "spec.validation.openAPIV3Schema"  # where the server sees the schema of a CRD with one version


def causes(case: dict[str, Any]) -> list[str]:
    found = check_structural(case["schema"], PATH, status_subresource=case.get("status", False))
    return sorted(set(map(str, found)))  # the server leaves out what it has said


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_schema_is_taken_or_refused_as_the_server_does(case: dict[str, Any]) -> None:
    assert causes(case) == case["causes"]


def test_the_table_has_many_refusals() -> None:
    assert len(CASES) >= 150
    assert sum(bool(case["causes"]) for case in CASES) >= 120


def crd(index: int, case: dict[str, Any]) -> dict[str, Any]:
    version: dict[str, Any] = {"name": "v1", "served": True, "storage": True}
    version["schema"] = {"openAPIV3Schema": case["schema"]}
    if case.get("status"):
        version["subresources"] = {"status": {}}
    plural, kind = f"probe{index}s", f"Probe{index}"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.structural.example.com"},
        "spec": {
            "group": "structural.example.com",
            "scope": "Namespaced",
            "names": {"plural": plural, "singular": plural[:-1], "kind": kind, "listKind": f"{kind}List"},
            "versions": [version],
        },
    }


@pytest.mark.real
def test_the_real_server_still_answers_as_recorded(real_cluster: RealCluster) -> None:
    items = [crd(index, case) for index, case in enumerate(CASES)]
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
    answer = real_cluster.kubectl("create", "-f", "-", "--dry-run=server", "--validate=false", input=text)
    answers: dict[int, list[str]] = {int(n): [] for n in re.findall(r"/probe(\d+)s\.\S+ created", answer.stdout)}
    for index, told in re.findall(r'"probe(\d+)s\.structural\.example\.com" is invalid: (.*)', answer.stderr):
        listed = told[1:-1] if told.startswith("[") else told
        answers[int(index)] = sorted(re.split(rf", (?={re.escape(PATH)})", listed))
    assert [answers[index] for index in range(len(CASES))] == [case["causes"] for case in CASES]


def test_paths_begin_where_the_caller_says() -> None:
    schema = {"type": "object", "properties": {"a": {}}}
    assert [error.field for error in check_structural(schema)] == ["properties[a].type"]
    assert [error.field for error in check_structural(schema, "schema")] == ["schema.properties[a].type"]


def test_order_is_stable() -> None:
    fields = {"b": {"type": "strin"}, "a": {"type": "array"}}
    schema = {"type": "object", "properties": fields}
    swapped = {"properties": dict(reversed(fields.items())), "type": "object"}
    assert check_structural(schema) == check_structural(swapped)


def test_a_keyword_of_the_wrong_type_is_told_alone() -> None:
    schema = {"type": "string", "properties": {"a": {"type": 5}}}
    assert list(map(str, check_structural(schema))) == ["properties[a].type: Invalid value: 5: must be a string"]


def test_a_schema_nested_too_deep_is_refused() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(300):
        schema = {"type": "object", "properties": {"a": schema}}
    (found,) = check_structural(schema)
    assert "nested 200 levels deep" in found.message


def test_a_schema_nested_below_the_bound_is_checked() -> None:
    schema: dict[str, Any] = {}
    for _ in range(190):
        schema = {"type": "object", "properties": {"a": schema}}
    (found,) = check_structural(schema)
    assert found.message == "Required value: must not be empty for specified object fields"


keywords = st.sampled_from(
    [
        *(
            "type",
            "properties",
            "items",
            "additionalProperties",
            "anyOf",
            "allOf",
            "not",
            "default",
            "nullable",
            "enum",
        ),
        *("x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-validations", "pattern", "required"),
        *("x-kubernetes-embedded-resource", "$ref", "dependencies", "definitions", "metadata", "a"),
    ]
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["object", "array", "string", "map", "("]),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(keywords, children, max_size=5),
    max_leaves=25,
)


@given(st.dictionaries(keywords, anything))
def test_any_dictionary_is_judged_without_failing(schema: dict[str, Any]) -> None:
    for error in check_structural(schema, "s", status_subresource=True):
        assert error.field.startswith("s")
