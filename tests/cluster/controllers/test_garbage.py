"""GC-1 through the verbs: what a client sees of owners and dependents."""

import asyncio

from tests.cluster.controllers.house import Document, House, owned_by, within

from kubewright.cluster.store import Store


async def _chain(house: House) -> tuple[Document, Document, Document]:
    """An owner, a dependent that blocks it, and one of that."""
    await house.make("namespaces", "", "web")
    first = await house.make("configmaps", "web", "first")
    second = await house.make("secrets", "web", "second", owned_by(first, blockOwnerDeletion=True))
    third = await house.make("configmaps", "web", "third", owned_by(second, blockOwnerDeletion=True))
    await asyncio.sleep(1)
    return first, second, third


def test_dependents_go_after_their_owner_in_the_background() -> None:
    async def story(house: House) -> None:
        await _chain(house)
        at = house.store.revision
        await house.delete("configmaps", "web", "first", "Background")
        await asyncio.sleep(1)
        assert house.history(at, "configmaps", "secrets") == [("first", {}), ("second", {}), ("third", {})]

    within(story)


def test_dependents_go_before_their_owner_in_the_foreground() -> None:
    async def story(house: House) -> None:
        await _chain(house)
        at = house.store.revision
        await house.delete("configmaps", "web", "first", "Foreground")
        await asyncio.sleep(1)
        history = house.history(at, "configmaps", "secrets")
        assert [name for name, _ in history] == ["first", "second", "third", "second", "first"]
        assert history[1][1]["metadata"]["finalizers"] == ["foregroundDeletion"]

    within(story)


def test_orphans_forget_their_owner_which_then_goes() -> None:
    async def story(house: House) -> None:
        await _chain(house)
        at = house.store.revision
        await house.delete("configmaps", "web", "first", "Orphan")
        await asyncio.sleep(1)
        history = house.history(at, "configmaps", "secrets")
        assert [name for name, _ in history] == ["first", "second", "first"]
        assert "ownerReferences" not in history[1][1]["metadata"]

    within(story)


def test_a_dependent_with_two_owners_forgets_the_one_that_is_gone() -> None:
    async def story(house: House) -> None:
        one, two = await house.make("configmaps", "default", "one"), await house.make("configmaps", "default", "two")
        meta = {"ownerReferences": owned_by(one)["ownerReferences"] + owned_by(two)["ownerReferences"]}
        await house.make("configmaps", "default", "both", meta)
        await house.delete("configmaps", "default", "one")
        await asyncio.sleep(1)
        both = house.get("configmaps", "default", "both")
        assert both is not None
        assert both["metadata"]["ownerReferences"] == owned_by(two)["ownerReferences"]

    within(story)


def test_a_circle_in_the_foreground_is_unblocked_as_a_real_server_does() -> None:
    async def story(house: House) -> None:
        one = await house.make("configmaps", "default", "one")
        two = await house.make("configmaps", "default", "two", owned_by(one, blockOwnerDeletion=True))
        await house.merge("configmaps", "default", "one", {"metadata": owned_by(two, blockOwnerDeletion=True)})
        await asyncio.sleep(1)
        at = house.store.revision
        await house.delete("configmaps", "default", "one", "Foreground")
        await asyncio.sleep(1)
        history = house.history(at, "configmaps")
        assert [name for name, _ in history] == ["one", "two", "one", "two"]
        assert history[1][1]["metadata"]["ownerReferences"][0]["blockOwnerDeletion"] is False

    within(story)


def test_an_owner_in_another_namespace_is_told_of_and_its_dependent_deleted() -> None:
    async def story(house: House) -> None:
        await house.make("namespaces", "", "web")
        owner = await house.make("configmaps", "default", "owner")
        dependent = await house.make("configmaps", "web", "dependent", owned_by(owner))
        await asyncio.sleep(1)
        assert house.get("configmaps", "web", "dependent") is None
        (name,) = house.names("events", "web")
        assert name.startswith("dependent.")
        event = house.get("events", "web", name)
        assert event is not None
        uid = owner["metadata"]["uid"]
        where = f"[v1/ConfigMap, namespace: web, name: owner, uid: {uid}]"
        assert event["message"] == f'ownerRef {where} does not exist in namespace "web"'
        assert (event["reason"], event["type"], event["count"]) == ("OwnerRefInvalidNamespace", "Warning", 1)
        assert event["source"] == {"component": "garbage-collector-controller"}
        assert event["involvedObject"] == {
            "kind": "ConfigMap",
            "namespace": "web",
            "name": "dependent",
            "uid": dependent["metadata"]["uid"],
            "apiVersion": "v1",
        }

    within(story)


def test_an_object_without_a_namespace_stays_though_its_owner_has_one() -> None:
    async def story(house: House) -> None:
        owner = await house.make("configmaps", "default", "owner")
        await house.make("clusterroles", "", "role", owned_by(owner))
        await asyncio.sleep(1)
        await house.delete("configmaps", "default", "owner")
        await asyncio.sleep(1)
        assert house.names("events", "default")[0].startswith("role.")

    within(story)


def test_an_owner_without_a_namespace_owns_into_any() -> None:
    async def story(house: House) -> None:
        owner = await house.make("clusterroles", "", "role")
        await house.make("configmaps", "default", "dependent", owned_by(owner))
        await asyncio.sleep(1)
        assert house.get("configmaps", "default", "dependent") is not None
        await house.delete("clusterroles", "", "role")
        await asyncio.sleep(1)
        assert house.get("configmaps", "default", "dependent") is None

    within(story)


def test_a_new_object_under_the_name_of_the_owner_is_not_the_owner() -> None:
    async def story(house: House) -> None:
        owner = await house.make("configmaps", "default", "owner")
        await house.delete("configmaps", "default", "owner")
        await house.make("configmaps", "default", "owner")
        await house.make("configmaps", "default", "dependent", owned_by(owner))
        await asyncio.sleep(1)
        assert house.names("configmaps", "default") == ["kube-root-ca.crt", "owner"]

    within(story)


def test_a_reference_with_the_wrong_kind_is_dangling() -> None:
    async def story(house: House) -> None:
        owner = await house.make("configmaps", "default", "owner")
        await house.make("configmaps", "default", "dependent", owned_by(owner | {"kind": "Secret"}))
        await asyncio.sleep(1)
        assert house.get("configmaps", "default", "dependent") is None

    within(story)


def test_a_dependent_of_an_unknown_kind_waits_until_the_kind_is_known() -> None:
    async def story(house: House) -> None:
        secrets = house.resource("secrets")
        house.api.registry.replace([secrets], [])
        owner = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "uid": "nobody"}}
        await house.make("configmaps", "default", "dependent", owned_by(owner))
        await asyncio.sleep(1)
        assert house.get("configmaps", "default", "dependent") is not None
        house.api.registry.replace([], [secrets])
        await asyncio.sleep(1)
        assert house.get("configmaps", "default", "dependent") is None

    within(story)


def test_what_was_begun_is_ended_after_a_restart() -> None:
    store = Store()

    async def before(house: House) -> None:
        await _chain(house)
        await house.delete("configmaps", "web", "first", "Foreground")
        await house.make("configmaps", "default", "lost", owned_by({"apiVersion": "v1", "kind": "Secret"} | NOBODY))

    async def after(house: House) -> None:
        await asyncio.sleep(1)
        assert house.names("configmaps", "web") == ["kube-root-ca.crt"]
        assert house.names("secrets", "web") == []
        assert house.get("configmaps", "default", "lost") is None

    within(before, "root-ca,serviceaccount", store)
    within(after, "all", store)


def test_without_the_collector_dependents_and_finalizers_stay() -> None:
    async def story(house: House) -> None:
        await _chain(house)
        await house.delete("configmaps", "web", "first", "Foreground")
        await asyncio.sleep(3600)
        assert house.names("configmaps", "web") == ["first", "third"]

    within(story, "none")


def test_a_conflict_is_decided_anew() -> None:
    """Somebody writes to the dependent whenever the collector has decided about it, a few times."""

    async def story(house: House) -> None:
        owner = await house.make("configmaps", "default", "owner")
        await house.make("configmaps", "default", "dependent", owned_by(owner))
        await asyncio.sleep(1)
        await house.delete("configmaps", "default", "owner")
        for number in range(3):
            await house.merge("configmaps", "default", "dependent", {"data": {"n": str(number)}})
        await asyncio.sleep(1)
        assert house.get("configmaps", "default", "dependent") is None

    within(story)


NOBODY: Document = {"metadata": {"name": "nobody", "uid": "nobody"}}
