from typing import Any

import pytest
from tests.cluster.stage import Stage, play

NODES = "/api/v1/nodes"
MERGE = {"content-type": "application/merge-patch+json"}


def lived(first: dict[str, Any], *changes: tuple[str, dict[str, Any]]) -> list[Any]:
    """The code of each change, after the node that was made."""

    async def story(stage: Stage) -> list[Any]:
        _, made = await stage.ask("POST", NODES, {"metadata": {"name": "a"}, **first})
        codes = [(await stage.ask("PATCH", f"{NODES}/{path}", change, MERGE))[0] for path, change in changes]
        return [made, *codes]

    return play(story)


def test_a_node_is_made_with_the_status_that_it_has() -> None:
    (made,) = lived({"status": {"capacity": {"cpu": "1"}}})
    assert made["status"]["allocatable"] == {"cpu": "1"}


def test_a_new_node_is_not_ready() -> None:
    (made,) = lived({})
    assert made["spec"]["taints"] == [{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]


@pytest.mark.parametrize(
    ("spec", "ranges"),
    [
        ({"podCIDR": "10.1.0.0/24"}, ["10.1.0.0/24"]),
        ({"podCIDRs": ["10.1.0.0/24"]}, ["10.1.0.0/24"]),
        ({"podCIDR": "10.1.0.0/24", "podCIDRs": ["10.2.0.0/24"]}, ["10.1.0.0/24"]),
    ],
)
def test_the_first_range_stands_in_two_places(spec: dict[str, Any], ranges: list[str]) -> None:
    (made,) = lived({"spec": spec})
    assert [made["spec"]["podCIDR"]] == made["spec"]["podCIDRs"] == ranges


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"spec": {"podCIDRs": ["x"]}}, "spec.podCIDRs[0]"),
        ({"spec": {"podCIDRs": ["10.1.0.0/24", "10.2.0.0/24"]}}, "spec.podCIDRs"),
        ({"spec": {"taints": [{"key": "-", "effect": "NoExecute"}]}}, "metadata.taints[0].key"),
        ({"spec": {"taints": [{"key": "a"}]}}, "metadata.taints[0].effect"),
        ({"spec": {"taints": [{"key": "a", "effect": "x"}]}}, "metadata.taints[0].effect"),
        ({"spec": {"taints": [{"key": "a", "effect": "NoExecute"}] * 2}}, "metadata.taints[1]"),
        ({"status": {"allocatable": {"pods": "1.5"}}}, "status.allocatable.pods"),
        ({"status": {"declaredFeatures": ["B", "A"]}}, "status.declaredFeatures[1]"),
        ({"status": {"declaredFeatures": ["a"]}}, "status.declaredFeatures[0]"),
        ({"status": {"nodeInfo": {"swap": {"capacity": 0}}}}, "metadata.nodeSwapStatus.capacity"),
    ],
)
def test_what_is_wrong_is_told_where_it_is(document: dict[str, Any], field: str) -> None:
    (status,) = lived(document)
    assert {cause["field"] for cause in status["details"]["causes"]} == {field}


def test_what_was_given_once_stays() -> None:
    _, *codes = lived(
        {},
        ("a", {"spec": {"podCIDR": "10.1.0.0/24", "providerID": "x"}}),
        ("a", {"spec": {"podCIDR": "10.2.0.0/24"}}),
        ("a", {"spec": {"podCIDR": None, "podCIDRs": None}}),
        ("a", {"spec": {"providerID": "y"}}),
        ("a", {"spec": {"externalID": "y"}}),
        ("a", {"spec": {"unschedulable": True}}),
    )
    assert codes == [200, 422, 422, 422, 422, 200]


def test_an_address_is_told_once() -> None:
    address = {"type": "InternalIP", "address": "1.2.3.4"}
    _, once, twice = lived(
        {},
        ("a/status", {"status": {"addresses": [address]}}),
        ("a/status", {"status": {"addresses": [address, address]}}),
    )
    assert (once, twice) == (200, 422)


def test_a_node_that_says_nothing_of_what_it_gives_gives_all() -> None:
    (made,) = lived({"status": {"capacity": {"cpu": "1"}, "allocatable": {}}})
    assert made["status"]["allocatable"] == {"cpu": "1"}
