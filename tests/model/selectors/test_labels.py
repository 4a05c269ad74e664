"""The grammar of label selectors and what they match, against recorded answers of Go and by law."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.errors import KubewrightError
from kubewright.model.selectors import LabelSelector, Requirement, SelectorError
from kubewright.testing.real import RealCluster

TABLE = json.loads((Path(__file__).parent / "data" / "labels.json").read_text())

NAMES = st.text("aB1", min_size=1, max_size=3) | st.sampled_from(["in", "notin", "a-b", "a_b", "a.b"])
KEYS = NAMES | st.builds(lambda prefix, name: f"{prefix}/{name}", st.sampled_from(["a", "example.com"]), NAMES)
VALUES = NAMES | st.just("")
SETS = st.sets(VALUES, min_size=1, max_size=3).map(lambda values: tuple(sorted(values)))
REQUIREMENTS = st.one_of(
    st.builds(Requirement, KEYS, st.sampled_from(["exists", "!"]), st.just(())),
    st.builds(Requirement, KEYS, st.sampled_from(["=", "==", "!="]), st.tuples(VALUES)),
    st.builds(Requirement, KEYS, st.sampled_from(["in", "notin"]), SETS),
    st.builds(Requirement, KEYS, st.sampled_from(["gt", "lt"]), st.tuples(st.integers(0, 2**63 - 1).map(str))),
)
SELECTORS = st.lists(REQUIREMENTS, max_size=4).map(
    lambda found: LabelSelector(tuple(sorted(found, key=lambda r: r.key)))
)
LABELS = st.dictionaries(KEYS, VALUES | st.integers().map(str), max_size=4)


def seen(selector: LabelSelector, table: dict[str, Any]) -> dict[str, Any]:
    """What the table tells of a selector."""
    return {
        "string": str(selector),
        "matches": [selector.matches(labels) for labels in table["sets"]],
        "requirements": [[part.key, part.operator, list(part.values)] for part in selector.requirements],
        "selectable": not selector.nothing,
        "empty": selector.empty,
        "exact": {key: value for key in table["keys"] if (value := selector.exact(key)) is not None},
    }


def test_every_text_is_read_or_refused_as_by_go() -> None:
    for case in TABLE["cases"]:
        answer: dict[str, Any]
        try:
            answer = {"result": seen(LabelSelector.parse(case["text"]), TABLE)}
        except SelectorError as error:
            answer = {"error": str(error), "code": 400}
        assert answer in case["answers"], case["text"]


@given(SELECTORS)
def test_the_text_of_a_selector_reads_as_the_selector(selector: LabelSelector) -> None:
    again = LabelSelector.parse(str(selector))
    assert again == selector
    assert hash(again) == hash(selector)


@given(st.text() | st.text(alphabet="ab=!(),<>in \t\0", max_size=12))
def test_any_text_is_a_selector_or_a_selector_error(text: str) -> None:
    try:
        selector = LabelSelector.parse(text)
    except SelectorError:
        return
    assert LabelSelector.parse(str(selector)) == selector


@given(KEYS, SETS, LABELS)
def test_notin_is_the_opposite_of_in(key: str, values: tuple[str, ...], labels: dict[str, str]) -> None:
    inside = LabelSelector((Requirement(key, "in", values),))
    outside = LabelSelector((Requirement(key, "notin", values),))
    assert inside.matches(labels) != outside.matches(labels)


@given(KEYS, LABELS)
def test_not_exists_is_the_opposite_of_exists(key: str, labels: dict[str, str]) -> None:
    assert LabelSelector.parse(key).matches(labels) != LabelSelector.parse(f"!{key}").matches(labels)


@given(SELECTORS, SELECTORS, LABELS)
def test_a_comma_means_and(one: LabelSelector, other: LabelSelector, labels: dict[str, str]) -> None:
    both = LabelSelector(one.requirements + other.requirements)
    assert both.matches(labels) == (one.matches(labels) and other.matches(labels))


@given(SELECTORS, KEYS, LABELS)
def test_what_matches_has_the_exact_value(selector: LabelSelector, key: str, labels: dict[str, str]) -> None:
    if (value := selector.exact(key)) is not None and selector.matches(labels):
        assert labels[key] == value


def test_an_absent_label_is_neither_above_nor_below() -> None:
    assert not LabelSelector.parse("a>5").matches({})
    assert not LabelSelector.parse("a<5").matches({})


def test_bytes_that_are_no_utf8_are_quoted_and_counted_as_bytes() -> None:
    text = (b"a=" + b"\xff" * 63).decode(errors="surrogateescape")
    with pytest.raises(SelectorError, match=r'Invalid value: "(\\xff){63}": a valid label must be'):
        LabelSelector.parse(text)


def test_a_parse_error_is_one_of_ours() -> None:
    with pytest.raises(KubewrightError, match=r"^unable to parse requirement: found '', expected: identifier$"):
        LabelSelector.parse("!")


def test_selectors_are_values() -> None:
    assert {LabelSelector.parse("a=b,c"), LabelSelector.parse("c, a=b")} == {LabelSelector.parse("a=b,c")}
    with pytest.raises(AttributeError):
        LabelSelector.parse("a").requirements = ()  # type: ignore[misc]  # frozen: that is the point


@pytest.mark.real
@pytest.mark.parametrize("text", ["a b", "a=b c", "a in (b", "a>x", "a/b/c", "!a=b", "é", "a in (-,b)", "a,,b", "=a"])
def test_the_real_server_refuses_in_the_same_words(text: str, real_cluster: RealCluster) -> None:
    with pytest.raises(SelectorError) as refused:
        LabelSelector.parse(text)
    answer = real_cluster.kubectl("get", "--raw", f"/api/v1/configmaps?labelSelector={quote(text)}")
    assert answer.stderr == f"Error from server (BadRequest): {refused.value}\n"


def test_much_space_takes_no_more_time_than_much_else() -> None:
    assert LabelSelector.parse("a" + " " * 200_000) == LabelSelector.parse("a")
