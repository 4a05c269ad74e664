import json
from copy import deepcopy
from difflib import unified_diff
from itertools import takewhile
from operator import eq
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.registry.rules import difference
from kubewright.cluster.registry.rules.difference import difference_in_steps, inner_difference
from kubewright.cluster.registry.rules.inner import inner_text
from kubewright.model.steps import counted, finish


def test_a_change_is_told_with_the_lines_around_it() -> None:
    old, new = {"name": "a", "value": "1"}, {"name": "a", "value": "<2>"}
    assert inner_difference(old, new, "core/v1.EnvVar") == (
        '@@ -1,5 +1,5 @@\n {\n  "Name": "a",\n- "Value": "1",\n+ "Value": "\\u003c2\\u003e",\n  "ValueFrom": null\n }\n'
    )


def test_nothing_changed() -> None:
    assert inner_difference({"name": "a"}, {"name": "a"}, "core/v1.EnvVar") == ""


def variables(count: int, value: str) -> dict[str, list[dict[str, str]]]:
    return {"env": [{"name": f"E{number}", "value": value} for number in range(count)]}


def test_a_long_text_is_told_as_one_change(monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(*_: object) -> None:
        raise AssertionError("it takes the square of its length to compare it")

    monkeypatch.setattr(difference, "Agreement", compared)
    told = difference.inner_difference(variables(8000, "a"), variables(8000, "b"), "core/v1.Container").split("\n")
    assert told[0] == "@@ -9,40002 +9,40002 @@"
    assert told[1:4] == ['  "Env": [', "   {", '    "Name": "E0",']
    assert told[4] == '-   "Value": "a",'
    assert told[-5:] == ['+   "Value": "b",', '    "ValueFrom": null', "   }", "  ],", ""]


def test_a_single_change_in_a_long_text_is_told_as_in_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = variables(500, "a"), variables(500, "a")
    new["env"][250]["value"] = "b"
    long = inner_difference(old, new, "core/v1.Container")
    monkeypatch.setattr(difference, "_COMPARED", 1_000_000)
    assert long == inner_difference(old, new, "core/v1.Container")


@pytest.mark.parametrize("end", [0, 499])
def test_a_change_at_an_end_of_a_long_text_has_the_lines_that_are_there_around_it(end: int) -> None:
    lines = [f"{number}\n" for number in range(500)]
    other = [*lines[:end], "x\n", *lines[end + 1 :]]
    assert finish(difference._one_change(lines, other)) == "".join([*unified_diff(lines, other)][2:])


@given(*[st.lists(st.sampled_from("abcdef"), max_size=40)] * 2)
def test_all_changes_are_told_as_difflib_tells_them(one: list[str], other: list[str]) -> None:
    assert finish(difference._all_changes(one, other)) == "".join([*unified_diff(one, other)][2:])


TEXTS = st.sampled_from(["", "a", "b", "<&>", "\u2028\x85\n\t", "é", '"'])
MAPS = st.dictionaries(TEXTS, TEXTS, max_size=8)
VARIABLES = st.lists(
    st.fixed_dictionaries(
        {"name": TEXTS},
        optional={"value": TEXTS, "valueFrom": st.just({"fieldRef": {"apiVersion": "v1", "fieldPath": "a"}})},
    ),
    max_size=12,
)
CONTAINERS = st.lists(
    st.fixed_dictionaries(
        {"name": TEXTS},
        optional={
            "image": TEXTS,
            "args": st.lists(TEXTS, max_size=12),
            "env": VARIABLES,
            "resources": st.just({"limits": {"cpu": "1"}}),
        },
    ),
    max_size=4,
)
SPECS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"containers": CONTAINERS},
    optional={
        "initContainers": CONTAINERS,
        "nodeSelector": MAPS,
        "hostNetwork": st.booleans(),
        "overhead": st.just({"cpu": "1", "memory": "1Gi"}),
        "securityContext": st.fixed_dictionaries({}, optional={"supplementalGroups": st.lists(st.integers(0, 9))}),
        "volumes": st.lists(st.fixed_dictionaries({"name": TEXTS}, optional={"hostPath": st.just({"path": "/"})})),
        "activeDeadlineSeconds": st.integers(0, 2**62),
    },
)


def printed(spec: Any) -> list[str]:
    """The lines of a spec, with all of it at once."""
    text = json.dumps(json.loads(inner_text(spec, "core/v1.PodSpec")), indent=1, ensure_ascii=False)
    return [f"{line}\n" for line in text.translate(difference._UNSAFE).split("\n")]


def one_change(before: list[str], after: list[str]) -> str:
    """All between the first and the last change, with all of it at once."""
    if before == after:
        return ""
    first = agreeing(before, after)
    last = agreeing(before[first:][::-1], after[first:][::-1])
    start, gone, come = max(first - 3, 0), len(before) - last, len(after) - last
    ends = [min(end + 3, len(lines)) for end, lines in ((gone, before), (come, after))]
    told = [f" {line}" for line in before[start:first]] + [f"-{line}" for line in before[first:gone]]
    told += [f"+{line}" for line in after[first:come]] + [f" {line}" for line in before[gone : ends[0]]]
    return "".join([f"@@ -{start + 1},{ends[0] - start} +{start + 1},{ends[1] - start} @@\n", *told])


def agreeing(one: list[str], other: list[str]) -> int:
    return sum(1 for _ in takewhile(bool, map(eq, one, other)))


@given(st.data(), SPECS, st.integers(1, 40), st.integers(1, 60), st.booleans())
def test_in_steps_the_same_is_told(data: st.DataObject, old: dict[str, Any], most: int, few: int, long: bool) -> None:
    new = deepcopy(old) | data.draw(st.one_of(SPECS, st.just({}), st.fixed_dictionaries({"nodeSelector": MAPS})))
    before, after = printed(old), printed(new)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(difference, "_FEW", few)
        patch.setattr(difference, "_COMPARED", 0 if long else 1_000_000)
        told = finish(difference_in_steps(old, new, "core/v1.PodSpec", most))
    assert told == (one_change(before, after) if long else "".join([*unified_diff(before, after)][2:]))


def test_a_large_pod_is_told_in_many_steps() -> None:
    old, new = ({"containers": [variables(12_000, value)]} for value in "ab")
    told, steps = counted(difference_in_steps(old, new, "core/v1.PodSpec"))
    assert told == inner_difference(old, new, "core/v1.PodSpec")
    assert steps > 400
    assert counted(difference_in_steps(variables(10, "a"), variables(10, "b"), "core/v1.Container"))[1] == 0
