import pytest
from tests.cluster.registry.kinds.judged import Judged

CLASSES = Judged("priorityclasses.scheduling.k8s.io")


def test_who_is_more_important_goes_first_if_nothing_is_said() -> None:
    assert CLASSES.made(value=1)["preemptionPolicy"] == "PreemptLowerPriority"


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("a", 1_000_000_000, ""),
        ("a", 1_000_000_001, "maximum allowed value of a user defined priority is 1000000000"),
        ("system-node-critical", 2_000_001_000, ""),
        ("system-node-critical", 1, "value of system-node-critical PriorityClass must be 2000001000"),
        ("system-mine", 1, "system-mine is not a known system priority class"),
    ],
)
def test_the_largest_are_the_servers_own(name: str, value: int, wrong: str) -> None:
    errors = CLASSES.refused(metadata={"name": name}, value=value)
    assert [error.rpartition(": ")[2] for error in errors] == ([wrong] if wrong else [])


def test_only_words_may_change() -> None:
    old = CLASSES.made(value=1)
    assert CLASSES.changed(old, {"description": "x"})["metadata"]["generation"] == 1
    assert CLASSES.kept(old, {"value": 2, "preemptionPolicy": "Never"}) == [
        "value: Forbidden: may not be changed in an update.",
        'preemptionPolicy: Invalid value: "Never": field is immutable',
    ]
