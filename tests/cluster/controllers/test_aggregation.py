"""AUTHZ-1: roles gather the rules of others."""

import asyncio

from tests.cluster.controllers.house import House, within

LABEL = "rbac.authorization.k8s.io/aggregate-to-view"
RULE = {"verbs": ["get"], "apiGroups": ["shop"], "resources": ["carts"]}


def rules(house: House, name: str) -> list[object]:
    role = house.get("clusterroles", "", name)
    assert role is not None
    return role["rules"] or []


def test_the_roles_of_every_cluster_are_gathered() -> None:
    async def story(house: House) -> None:
        await asyncio.sleep(0.1)
        assert rules(house, "view") == rules(house, "system:aggregate-to-view")
        assert len(rules(house, "admin")) > len(rules(house, "edit")) > len(rules(house, "view")) > 0

    within(story)


def test_a_role_with_the_label_adds_its_rules_and_takes_them_along_when_it_goes() -> None:
    async def story(house: House) -> None:
        await house.make("clusterroles", "", "carts", {"labels": {LABEL: "true"}}, rules=[RULE])
        await asyncio.sleep(0.1)
        assert RULE in rules(house, "view")
        await house.delete("clusterroles", "", "carts")
        await asyncio.sleep(0.1)
        assert RULE not in rules(house, "view")

    within(story)


def test_rules_that_somebody_else_wrote_are_put_right() -> None:
    async def story(house: House) -> None:
        await asyncio.sleep(0.1)
        before = rules(house, "view")
        await house.merge("clusterroles", "", "view", {"rules": [RULE]})
        await asyncio.sleep(0.1)
        assert rules(house, "view") == before

    within(story)
