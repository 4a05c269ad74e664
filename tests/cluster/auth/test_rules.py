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


def plainly_uncovered(owned: list[Rule], given: list[Rule]) -> list[Rule]:
    """The same, told by asking every rule about every part."""

    def covers(own: Rule, part: Rule) -> bool:
        if part.verbs[0] not in own.verbs and "*" not in own.verbs:
            return False
        if part.paths:
            [path] = part.paths
            return not own.names and any(
                each == path or (each.endswith("*") and path.startswith(each.rstrip("*"))) for each in own.paths
            )
        _, slash, subresource = part.resources[0].partition("/")
        wanted = {"*", part.resources[0], *([f"*/{subresource}"] if slash else [])}
        return (
            bool({"*", part.groups[0]} & {*own.groups})
            and bool(wanted & {*own.resources})
            and (not own.names or bool(part.names and part.names[0] in own.names))
        )

    parts = [
        Rule((verb,), (group,), (resource,), name)
        for rule in given
        for group in rule.groups
        for resource in rule.resources
        for verb in rule.verbs
        for name in _names(rule)
    ] + [Rule((verb,), paths=(path,)) for rule in given for path in rule.paths for verb in rule.verbs]
    return [part for part in parts if not any(covers(own, part) for own in owned)]


def _names(rule: Rule) -> list[tuple[str, ...]]:
    return [(name,) for name in rule.names] or [()]


@given(st.lists(rules, max_size=4), st.lists(rules, max_size=3))
def test_all_rules_at_once_say_what_each_would_say(owned: list[Rule], given: list[Rule]) -> None:
    assert sorted(uncovered(owned, given)) == sorted(plainly_uncovered(owned, given))


def test_a_rule_of_too_many_parts_is_told_as_it_stands_unless_one_rule_covers_it() -> None:
    many = tuple(f"r{number}" for number in range(1000))
    vast = Rule(many, many, many)
    assert uncovered([Rule(many, many, many[1:])], [vast]) == [vast]
    assert uncovered([Rule(many, ("*",), many)], [vast]) == []


def test_five_hundred_rules_are_compared_with_five_hundred() -> None:
    held = [Rule(("get", "list"), ("",), (f"r{number}",)) for number in range(500)]
    wanted = [Rule(("get", "list", "watch"), ("",), (f"r{number}", f"r{number}/x")) for number in range(500)]
    assert len(uncovered(held, wanted)) == 500 * (1 + 3)
