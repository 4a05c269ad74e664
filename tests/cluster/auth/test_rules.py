from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.auth.intent import Intent, read_intent
from kubewright.cluster.auth.rules import Rule, allows, describe, read_rules, uncovered

texts = st.sampled_from(["a", "b", "*", "a/x", "*/x", ""])
some = st.lists(texts, max_size=2).map(tuple)
#: About resources or about paths: no valid rule is about both.
rules = st.tuples(some, some, some, some).map(lambda parts: Rule(*parts)) | st.builds(
    lambda verbs, paths: Rule(verbs, paths=paths),
    some,
    st.lists(st.sampled_from(["/a", "/a/*", "*"]), max_size=2).map(tuple),
)


def asked(verb: str, resource: str, subresource: str = "", group: str = "") -> Intent:
    return Intent(verb, "", True, group, "v1", "web", resource, subresource)


@pytest.mark.parametrize(
    ("resources", "intent", "allowed"),
    [
        ("pods", asked("get", "pods"), True),
        ("pods", asked("get", "pods", "log"), False),
        ("pods/log", asked("get", "pods", "log"), True),
        ("pods/log", asked("get", "pods"), False),
        ("*/log", asked("get", "pods", "log"), True),
        ("*/log", asked("get", "pods"), False),
        ("pods/*", asked("get", "pods", "log"), False),
        ("*", asked("get", "pods", "log"), True),
        ("pods", asked("list", "pods"), False),
        ("pods", asked("get", "pods", group="apps"), False),
    ],
)
def test_a_rule_about_resources(resources: str, intent: Intent, allowed: bool) -> None:
    assert allows(Rule(("get",), ("",), (resources,)), intent) is allowed


@pytest.mark.parametrize(
    ("path", "target", "allowed"),
    [
        ("/x", "/x", True),
        ("/x", "/x/", False),
        ("/x/*", "/x/y/z", True),
        ("/x/*", "/x", False),
        ("/x*", "/xy", True),
        ("*", "/anything", True),
    ],
)
def test_a_rule_about_paths(path: str, target: str, allowed: bool) -> None:
    assert allows(Rule(("get",), paths=(path,)), read_intent("GET", target, {})) is allowed


def test_a_rule_about_paths_is_none_about_resources() -> None:
    assert not allows(Rule(("*",), paths=("*",)), asked("get", "pods"))
    assert not allows(Rule(("*",), ("*",), ("*",)), read_intent("GET", "/x", {}))


@given(st.lists(rules, max_size=3))
def test_everybody_has_what_he_has(owned: list[Rule]) -> None:
    assert uncovered(owned, owned) == []


@given(st.lists(rules, max_size=3), st.lists(rules, max_size=3))
def test_what_is_missing_covers_the_rest(owned: list[Rule], given: list[Rule]) -> None:
    missing = uncovered(owned, given)
    assert uncovered([*owned, *missing], given) == []


@given(st.lists(rules, max_size=3))
def test_who_has_everything_lacks_nothing(given: list[Rule]) -> None:
    everything = [Rule(("*",), ("*",), ("*",)), Rule(("*",), paths=("*",))]
    assert uncovered(everything, given) == []


@given(rules, rules, texts, texts)
def test_what_is_covered_is_allowed(own: Rule, given: Rule, verb: str, resource: str) -> None:
    intent = asked(verb, resource.partition("/")[0], resource.partition("/")[2])
    if not given.names and not own.names and allows(given, intent) and not uncovered([own], [given]):
        assert allows(own, intent)


def test_rules_are_told_sorted_and_by_resource() -> None:
    given = [
        Rule(("get",), ("",), ("secrets",)),
        Rule(("list",), ("",), ("pods",)),
        Rule(("get",), ("",), ("pods",)),
        Rule(("get",), ("",), ("pods",), ("a",)),
        Rule(("get",), paths=("/x",)),
        Rule(("get",), paths=("/x",)),
    ]
    assert describe(given) == [
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get"]}',
        '{APIGroups:[""], Resources:["pods"], Verbs:["list" "get"]}',
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
        '{NonResourceURLs:["/x"], Verbs:["get"]}',
    ]


@pytest.mark.parametrize("documents", [None, [], [None]])
def test_no_rules_are_none(documents: Any) -> None:
    assert read_rules(documents) == ()
