"""Field selectors, against recorded answers of Go and by law."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.selectors import FieldSelector, FieldTerm, SelectorError
from kubewright.testing.real import RealCluster

TABLE = json.loads((Path(__file__).parent / "data" / "fields.json").read_text())

FIELDS = st.sampled_from(["a", "b", "metadata.name", "spec.nodeName"])
TEXTS = st.text(max_size=6) | st.text(alphabet="\\,=!a", max_size=6)
SELECTORS = st.lists(st.builds(FieldTerm, FIELDS, st.booleans(), TEXTS), max_size=4).map(
    lambda terms: FieldSelector(tuple(terms))
)


def test_every_text_is_read_or_refused_as_by_go() -> None:
    for case in TABLE["cases"]:
        answer: dict[str, Any]
        try:
            selector = FieldSelector.parse(case["text"])
            answer = {
                "result": {
                    "string": str(selector),
                    "matches": [selector.matches(fields) for fields in TABLE["sets"]],
                    "empty": selector.empty,
                    "exact": {name: value for name in TABLE["keys"] if (value := selector.exact(name)) is not None},
                }
            }
        except SelectorError as error:
            answer = {"error": str(error), "code": 400}
        assert answer in case["answers"], case["text"]


@given(SELECTORS)
def test_the_text_of_a_selector_reads_as_the_selector(selector: FieldSelector) -> None:
    again = FieldSelector.parse(str(selector))
    assert again == selector
    assert hash(again) == hash(selector)


@given(TEXTS | st.text())
def test_any_text_is_a_selector_or_a_selector_error(text: str) -> None:
    try:
        selector = FieldSelector.parse(text)
    except SelectorError:
        return
    assert FieldSelector.parse(str(selector)) == selector


@given(SELECTORS, st.dictionaries(FIELDS, TEXTS, max_size=4))
def test_all_terms_must_hold(selector: FieldSelector, fields: dict[str, str]) -> None:
    holds = all((fields.get(term.field, "") == term.value) == term.equal for term in selector.terms)
    assert selector.matches(fields) == holds


def test_an_absent_field_is_the_empty_string() -> None:
    assert FieldSelector.parse("a=").matches({})
    assert not FieldSelector.parse("a!=").matches({})


def test_only_equality_gives_an_exact_value() -> None:
    selector = FieldSelector.parse("a!=b,metadata.name=x")
    assert selector.exact("metadata.name") == "x"
    assert selector.exact("a") is None


@pytest.mark.real
@pytest.mark.parametrize("text", ["a", "metadata.name=a=b", r"metadata.name=a\x", "metadata.name=a\\", "a in (b)"])
def test_the_real_server_refuses_in_the_same_words(text: str, real_cluster: RealCluster) -> None:
    with pytest.raises(SelectorError) as refused:
        FieldSelector.parse(text)
    answer = real_cluster.kubectl("get", "--raw", f"/api/v1/configmaps?fieldSelector={quote(text)}")
    assert answer.stderr == f"Error from server (BadRequest): {refused.value}\n"
