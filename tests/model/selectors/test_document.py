"""Selectors as objects hold them, against recorded answers of Go."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.selectors import LabelSelector, SelectorError, problems

TABLE = json.loads((Path(__file__).parent / "data" / "documents.json").read_text())

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["matchLabels", "matchExpressions", "key", "operator", "values"]), inner)
    ),
    max_leaves=12,
)


def sorted_values(answer: dict[str, Any]) -> dict[str, Any]:
    """Go keeps the values as they were given, and sorts them when it prints; ours are always in order."""
    for requirement in answer["result"].get("selector", {}).get("requirements", []):
        requirement[2].sort()
    return answer


def test_every_document_is_read_refused_and_validated_as_by_go() -> None:
    for case in TABLE["cases"]:
        document = case["document"]
        answer: dict[str, Any] = {"problems": [problem._asdict() for problem in problems(document, "spec.selector")]}
        try:
            selector = LabelSelector.from_json(document)
            answer["selector"] = {
                "string": str(selector),
                "matches": [selector.matches(labels) for labels in TABLE["sets"]],
                "requirements": [[part.key, part.operator, list(part.values)] for part in selector.requirements],
                "selectable": not selector.nothing,
                "empty": selector.empty,
                "exact": {key: value for key in TABLE["keys"] if (value := selector.exact(key)) is not None},
            }
        except SelectorError as error:
            answer["error"] = str(error)
        assert {"result": answer} in map(sorted_values, case["answers"]), document


@given(JSON)
def test_any_json_is_a_selector_or_a_selector_error(value: Any) -> None:
    with contextlib.suppress(SelectorError):
        problems(value, "spec.selector")
    with contextlib.suppress(SelectorError):
        LabelSelector.from_json(value)


def test_no_selector_selects_nothing_and_an_empty_one_everything() -> None:
    assert not LabelSelector.from_json(None).matches({})
    assert LabelSelector.from_json({}).matches({})


@pytest.mark.parametrize("value", [[], "a=b", {"matchLabels": []}, {"matchLabels": {"a": 1}}, {"matchExpressions": 5}])
def test_what_is_no_selector_is_refused_in_a_sentence(value: object) -> None:
    with pytest.raises(SelectorError, match="a label selector is an object with matchLabels"):
        LabelSelector.from_json(value)
