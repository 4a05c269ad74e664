from typing import Any

import pytest
from tests.cluster.stage import Stage, play

POLICIES = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies"
MERGE = {"content-type": "application/merge-patch+json"}


def made(spec: dict[str, Any]) -> dict[str, Any]:
    async def story(stage: Stage) -> dict[str, Any]:
        _, found = await stage.ask("POST", POLICIES, {"metadata": {"name": "a"}, "spec": spec})
        return dict(found)

    return play(story)


def ingress(**rule: Any) -> dict[str, Any]:
    return {"podSelector": {}, "ingress": [rule]}


@pytest.mark.parametrize(
    ("spec", "types"),
    [
        ({"podSelector": {}}, ["Ingress"]),
        ({"podSelector": {}, "egress": [{}]}, ["Ingress", "Egress"]),
        ({"podSelector": {}, "policyTypes": ["Egress"]}, ["Egress"]),
    ],
)
def test_what_a_policy_is_about_follows_from_its_rules(spec: dict[str, Any], types: list[str]) -> None:
    assert made(spec)["spec"]["policyTypes"] == types


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"podSelector": {"matchLabels": {"-": "a"}}}, "spec.podSelector.matchLabels"),
        ({"podSelector": {}, "policyTypes": ["x"]}, "spec.policyTypes[0]"),
        ({"podSelector": {}, "policyTypes": ["Ingress"] * 3}, "spec.policyTypes"),
        (ingress(ports=[{"port": 0}]), "spec.ingress[0].ports[0].port"),
        (ingress(ports=[{"port": "_a"}]), "spec.ingress[0].ports[0].port"),
        (ingress(ports=[{"protocol": "x"}]), "spec.ingress[0].ports[0].protocol"),
        (ingress(ports=[{"endPort": 1}]), "spec.ingress[0].ports[0].endPort"),
        (ingress(ports=[{"port": "a", "endPort": 1}]), "spec.ingress[0].ports[0].endPort"),
        (ingress(ports=[{"port": 2, "endPort": 1}]), "spec.ingress[0].ports[0].endPort"),
        (ingress(**{"from": [{}]}), "spec.ingress[0].from[0]"),
        (ingress(**{"from": [{"ipBlock": {"cidr": ""}}]}), "spec.ingress[0].from[0].ipBlock.cidr"),
        (ingress(**{"from": [{"ipBlock": {"cidr": "x"}}]}), "spec.ingress[0].from[0].ipBlock.cidr"),
        (
            ingress(**{"from": [{"ipBlock": {"cidr": "10.0.0.0/8", "except": ["11.0.0.0/16"]}}]}),
            "spec.ingress[0].from[0].ipBlock.except[0]",
        ),
        (
            ingress(**{"from": [{"ipBlock": {"cidr": "10.0.0.0/8"}, "podSelector": {}}]}),
            "spec.ingress[0].from[0]",
        ),
    ],
)
def test_what_is_wrong_is_told_where_it_is(spec: dict[str, Any], field: str) -> None:
    assert {cause["field"] for cause in made(spec)["details"]["causes"]} == {field}


def test_the_generation_counts_changes_of_the_spec() -> None:
    async def story(stage: Stage) -> list[int]:
        await stage.ask("POST", POLICIES, {"metadata": {"name": "a"}, "spec": {"podSelector": {}}})
        found = []
        for change in ({"metadata": {"labels": {"a": "b"}}}, {"spec": {"policyTypes": ["Egress"]}}):
            _, obj = await stage.ask("PATCH", f"{POLICIES}/a", change, MERGE)
            found.append(obj["metadata"]["generation"])
        return found

    assert play(story) == [1, 2]
