from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.auth.world import binding, role, rule

from kubewright.cluster.auth.reconcile import reconcile

AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate"


def noted(document: dict[str, Any], **notes: str) -> dict[str, Any]:
    return {**document, "metadata": {**document["metadata"], "annotations": notes}}


def test_what_is_there_needs_nothing() -> None:
    assert reconcile(role("r", rule("get list")), role("r", rule("get"))) is None


def test_missing_rules_are_added_and_others_stay() -> None:
    made = reconcile(role("r", rule("get", "mine")), role("r", rule("get list", "pods")))
    assert made is not None
    parts = [{"verbs": [verb], "apiGroups": [""], "resources": ["pods"]} for verb in ("get", "list")]
    assert made["rules"] == [rule("get", "mine"), *parts]


def test_labels_and_annotations_are_added_and_keep_their_values() -> None:
    made = reconcile(noted(role("r"), a="mine"), noted(role("r"), a="ours", b="ours"))
    assert made is not None
    assert made["metadata"]["annotations"] == {"a": "mine", "b": "ours"}


def test_an_object_that_does_not_want_it_is_left_alone() -> None:
    assert reconcile(noted(role("r"), **{AUTOUPDATE: "false"}), role("r", rule("get"))) is None


def test_missing_subjects_are_added() -> None:
    made = reconcile(binding("b", "ClusterRole/r", "User/mine"), binding("b", "ClusterRole/r", "User/jane"))
    assert made is not None
    assert [each["name"] for each in made["subjects"]] == ["mine", "jane"]


def test_a_binding_to_another_role_is_made_anew() -> None:
    expected = binding("b", "ClusterRole/r", "User/jane")
    assert reconcile(binding("b", "ClusterRole/other", "User/jane"), expected) is expected


def test_a_role_that_is_to_gather_nothing_gathers_nothing() -> None:
    selectors = {"clusterRoleSelectors": [{"matchLabels": {"a": "b"}}]}
    assert reconcile(role("r", aggregationRule=selectors), role("r")) == role("r")
    made = reconcile(role("r"), role("r", aggregationRule=selectors))
    assert made is not None
    assert made["aggregationRule"] == selectors


_rules = st.lists(
    st.builds(rule, st.sampled_from(["get", "*", "get list"]), st.sampled_from(["pods", "*", "pods/log"])), max_size=3
)


@given(_rules, _rules)
def test_what_was_put_right_stays_so(existing: list[Any], expected: list[Any]) -> None:
    made = reconcile(role("r", *existing), role("r", *expected))
    if made is not None:
        assert reconcile(made, role("r", *expected)) is None
