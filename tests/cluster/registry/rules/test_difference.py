from difflib import unified_diff

import pytest

from kubewright.cluster.registry.rules import difference
from kubewright.cluster.registry.rules.difference import inner_difference


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

    monkeypatch.setattr(difference, "unified_diff", compared)
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
    assert [*difference._one_change(lines, other)] == [*unified_diff(lines, other)][2:]
