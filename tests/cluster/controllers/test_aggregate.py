"""What a role gathers."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.controllers.aggregate import Role, gather


def role(name: str, *rules: str, labels: str = "", gathers: tuple[str, ...] | None = None) -> Role:
    document: dict[str, Any] = {"metadata": {"name": name}, "rules": [{"verbs": [rule]} for rule in rules]}
    if labels:
        document["metadata"]["labels"] = dict.fromkeys(labels.split(), "true")
    if gathers is not None:
        document["aggregationRule"] = {"clusterRoleSelectors": [{"matchLabels": {each: "true"}} for each in gathers]}
    return Role.read(document)


def verbs(rules: list[dict[str, Any]] | None) -> list[str] | None:
    return None if rules is None else [rule["verbs"][0] for rule in rules]


def test_the_rules_of_others_are_gathered_by_name_selector_after_selector() -> None:
    others = [role("c", "c1", "c2", labels="x"), role("a", "a", labels="y"), role("b", "b", labels="x")]
    assert verbs(gather(role("all", gathers=("x", "y")), others)) == ["b", "c1", "c2", "a"]


def test_a_rule_is_there_once() -> None:
    others = [role("a", "r", "r", labels="x y"), role("b", "r", "s", labels="x")]
    assert verbs(gather(role("all", gathers=("x", "y")), others)) == ["r", "s"]


def test_what_it_had_is_gone_and_itself_does_not_count() -> None:
    own = role("all", "old", labels="x", gathers=("x",))
    assert verbs(gather(own, [own])) == []


def test_nothing_is_to_be_done_for_one_that_is_well_or_gathers_nothing() -> None:
    others = [role("a", "r", labels="x")]
    assert gather(role("all", "r", gathers=("x",)), others) is None
    assert gather(role("plain", "r"), others) is None


_roles = st.lists(
    st.builds(
        lambda name, rules, labels: role(name, *rules, labels=labels),
        st.text("abc", min_size=1, max_size=3),
        st.lists(st.sampled_from("rst"), max_size=3),
        st.sampled_from(["", "x", "y", "x y"]),
    ),
    max_size=5,
    unique_by=lambda each: each.name,
)


@given(_roles, st.lists(st.sampled_from("xy"), max_size=2))
def test_what_was_gathered_need_not_be_gathered_again(others: list[Role], selectors: list[str]) -> None:
    own = role("all", "old", gathers=tuple(selectors))
    rules = gather(own, others)
    assert rules is not None
    assert gather(own._replace(rules=rules), others) is None
