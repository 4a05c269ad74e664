"""NS-2, in each namespace: its ServiceAccount and its ConfigMap."""

import asyncio

import pytest
from tests.cluster.controllers.house import House, within

from kubewright.cluster.controllers.accounts import root_certificate_publisher, service_account_controller
from kubewright.cluster.store import Store
from kubewright.controller.wants import Wants

MAP = "kube-root-ca.crt"


def test_a_new_namespace_gets_both() -> None:
    async def story(house: House) -> None:
        await house.make("namespaces", "", "web")
        await asyncio.sleep(0.1)
        published = house.get("configmaps", "web", MAP)
        assert published is not None
        assert published["data"] == {"ca.crt": "the certificate"}
        assert published["metadata"]["annotations"]["kubernetes.io/description"].startswith("Contains a CA bundle")
        account = house.get("serviceaccounts", "web", "default")
        assert account is not None
        assert account.keys() == {"kind", "apiVersion", "metadata"}

    within(story)


def test_a_namespace_that_only_speaks_of_deletion_gets_both() -> None:
    async def story(house: House) -> None:
        await house.make("namespaces", "", "web", {"annotations": {"deletionTimestamp": "never"}})
        await asyncio.sleep(0.1)
        assert MAP in house.names("configmaps", "web")
        assert house.names("serviceaccounts", "web") == ["default"]

    within(story)


def test_the_namespaces_of_the_system_have_both() -> None:
    async def story(house: House) -> None:
        await asyncio.sleep(0.1)
        for namespace in ("default", "kube-node-lease", "kube-public", "kube-system"):
            assert MAP in house.names("configmaps", namespace)
            assert house.names("serviceaccounts", namespace) == ["default"]

    within(story)


def test_what_namespaces_lacked_before_a_restart_they_get_after_it() -> None:
    store = Store()

    async def before(house: House) -> None:
        await house.make("namespaces", "", "web")

    async def after(house: House) -> None:
        await asyncio.sleep(0.1)
        assert MAP in house.names("configmaps", "web")
        assert house.names("serviceaccounts", "web") == ["default"]

    within(before, "none", store)
    within(after, "all", store)


def test_other_objects_of_these_kinds_are_not_kept_in_memory() -> None:
    maps = Wants(root_certificate_publisher("")).all().values()
    assert {str(each.fields) for each in maps if each.endpoint.namespaced} == {f"metadata.name={MAP}"}
    accounts = Wants(service_account_controller).all().values()
    assert {str(each.fields) for each in accounts if each.endpoint.namespaced} == {"metadata.name=default"}


@pytest.mark.parametrize(("plural", "name"), [("configmaps", MAP), ("serviceaccounts", "default")])
def test_what_is_deleted_is_made_again(plural: str, name: str) -> None:
    async def story(house: House) -> None:
        await asyncio.sleep(0.1)
        before = house.get(plural, "default", name)
        await house.delete(plural, "default", name)
        await asyncio.sleep(0.1)
        after = house.get(plural, "default", name)
        assert before is not None
        assert after is not None
        assert after["metadata"]["uid"] != before["metadata"]["uid"]

    within(story)


def test_a_certificate_that_was_changed_is_put_right() -> None:
    async def story(house: House) -> None:
        await asyncio.sleep(0.1)
        change = {"data": {"ca.crt": "mine", "more": "x"}, "metadata": {"annotations": None, "labels": {"a": "b"}}}
        await house.merge("configmaps", "default", MAP, change)
        await asyncio.sleep(0.1)
        published = house.get("configmaps", "default", MAP)
        assert published is not None
        assert published["data"] == {"ca.crt": "the certificate"}
        assert published["metadata"]["labels"] == {"a": "b"}
        assert published["metadata"]["annotations"]

    within(story)


def test_an_account_that_was_changed_is_left_alone() -> None:
    async def story(house: House) -> None:
        await asyncio.sleep(0.1)
        await house.merge("serviceaccounts", "default", "default", {"metadata": {"labels": {"a": "b"}}})
        at = house.store.revision
        await asyncio.sleep(3600)
        assert house.store.revision == at

    within(story)


def test_nothing_is_made_in_a_namespace_that_ends() -> None:
    async def story(house: House) -> None:
        await house.make("namespaces", "", "web")
        await asyncio.sleep(0.1)
        await house.delete("namespaces", "", "web")
        await house.delete("configmaps", "web", MAP)
        await asyncio.sleep(3600)
        assert MAP not in house.names("configmaps", "web")

    within(story, "root-ca")


def test_a_namespace_that_is_gone_before_its_turn_gets_nothing() -> None:
    async def story(house: House) -> None:
        await house.make("namespaces", "", "web")
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(3600)
        assert house.get("namespaces", "", "web") is None
        assert house.names("configmaps", "web") == []

    within(story)


@pytest.mark.parametrize(
    ("controllers", "maps", "accounts"), [("root-ca", [MAP], []), ("serviceaccount", [], ["default"]), ("none", [], [])]
)
def test_each_is_the_work_of_one_controller(controllers: str, maps: list[str], accounts: list[str]) -> None:
    async def story(house: House) -> None:
        await asyncio.sleep(0.1)
        assert house.names("configmaps", "kube-public") == maps
        assert house.names("serviceaccounts", "kube-public") == accounts

    within(story, controllers)
