"""NS-1 through the verbs: the end of a namespace, as a client sees it."""

import asyncio

from tests.cluster.controllers.house import Document, House, within

from kubewright.cluster.store import Store

WELL = {
    "NamespaceDeletionDiscoveryFailure": "ResourcesDiscovered",
    "NamespaceDeletionGroupVersionParsingFailure": "ParsedGroupVersions",
    "NamespaceDeletionContentFailure": "ContentDeleted",
    "NamespaceContentRemaining": "ContentRemoved",
    "NamespaceFinalizersRemaining": "ContentHasNoFinalizers",
}


def _conditions(namespace: Document | None) -> dict[str, Document]:
    assert namespace is not None
    return {each["type"]: each for each in namespace["status"]["conditions"]}


async def _namespace(house: House) -> None:
    await house.make("namespaces", "", "web")
    await asyncio.sleep(1)


def test_an_empty_namespace_says_that_all_is_well_and_goes() -> None:
    async def story(house: House) -> None:
        await _namespace(house)
        at = house.store.revision
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(1)
        history = house.history(at, "namespaces")
        assert [bool(obj) for _, obj in history] == [True, True, False]
        assert history[0][1]["status"] == {"phase": "Terminating"}
        told = _conditions(history[1][1])
        assert {kind: each["reason"] for kind, each in told.items()} == WELL
        assert {each["status"] for each in told.values()} == {"False"}
        assert list(told) == list(WELL)

    within(story)


def test_whoever_deletes_a_namespace_sees_that_it_ends() -> None:
    async def story(house: House) -> None:
        await _namespace(house)
        await house.make("configmaps", "web", "x")
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(0.05)
        namespace = house.get("namespaces", "", "web")
        assert namespace is not None
        assert namespace["spec"]["finalizers"] == ["kubernetes"]
        assert house.get("configmaps", "web", "x") is not None

    within(story)


def test_everything_in_a_namespace_goes_with_it() -> None:
    async def story(house: House) -> None:
        await _namespace(house)
        for plural in ("configmaps", "secrets", "leases"):
            await house.make(plural, "web", "one")
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(1)
        assert [record.key for record in house.store.list("/").records if "/web" in record.key] == []

    within(story)


def test_what_has_finalizers_is_waited_for_and_told_of() -> None:
    async def story(house: House) -> None:
        await _namespace(house)
        await house.make("configmaps", "web", "x", {"finalizers": ["ex.com/x"]})
        await house.make("configmaps", "web", "y", {"finalizers": ["ex.com/y"]})
        at = house.store.revision
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(1)
        told = _conditions(house.get("namespaces", "", "web"))
        assert {kind for kind, each in told.items() if each["status"] == "True"} == {
            "NamespaceContentRemaining",
            "NamespaceFinalizersRemaining",
        }
        assert told["NamespaceContentRemaining"]["reason"] == "SomeResourcesRemain"
        message = "Some resources are remaining: configmaps. has 2 resource instances"
        assert told["NamespaceContentRemaining"]["message"] == message
        assert told["NamespaceFinalizersRemaining"]["reason"] == "SomeFinalizersRemain"
        assert told["NamespaceFinalizersRemaining"]["message"] == (
            "Some content in the namespace has finalizers remaining: "
            "ex.com/x in 1 resource instances, ex.com/y in 1 resource instances"
        )
        for name in "xy":
            await house.merge("configmaps", "web", name, {"metadata": {"finalizers": None}})
        await asyncio.sleep(0.1)
        # Marked, told what is left, told that nothing is, gone: the events of a real server.
        history = house.history(at, "namespaces")
        assert [bool(obj) for _, obj in history] == [True, True, True, False]
        assert {each["status"] for each in _conditions(history[2][1]).values()} == {"False"}

    within(story)


def test_the_conditions_follow_what_is_left_after_some_seconds() -> None:
    async def story(house: House) -> None:
        await _namespace(house)
        await house.make("configmaps", "web", "x", {"finalizers": ["ex.com/x"]})
        await house.make("secrets", "web", "y", {"finalizers": ["ex.com/y"]})
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(1)
        before = _conditions(house.get("namespaces", "", "web"))["NamespaceContentRemaining"]
        await house.merge("configmaps", "web", "x", {"metadata": {"finalizers": None}})
        await asyncio.sleep(10)
        after = _conditions(house.get("namespaces", "", "web"))["NamespaceContentRemaining"]
        assert after["message"] == "Some resources are remaining: secrets. has 1 resource instances"
        assert after["lastTransitionTime"] == before["lastTransitionTime"]

    within(story)


def test_pods_go_first_and_alone() -> None:
    async def story(house: House) -> None:
        await _namespace(house)
        spec = {"containers": [{"name": "c", "image": "i"}]}
        await house.make("pods", "web", "pod", {"finalizers": ["ex.com/pod"]}, spec=spec)
        await house.make("configmaps", "web", "kept")
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(1)
        assert "kept" in house.names("configmaps", "web")
        told = _conditions(house.get("namespaces", "", "web"))
        assert {each["status"] for each in told.values()} == {"False"}
        await house.merge("pods", "web", "pod", {"metadata": {"finalizers": None}})
        await asyncio.sleep(0.1)
        assert house.get("namespaces", "", "web") is None

    within(story)


def test_other_finalizers_of_the_spec_keep_the_namespace() -> None:
    async def story(house: House) -> None:
        await house.make("namespaces", "", "web", spec={"finalizers": ["ex.com/mine"]})
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(1)
        namespace = house.get("namespaces", "", "web")
        assert namespace is not None
        assert namespace["spec"]["finalizers"] == ["ex.com/mine"]

    within(story)


def test_finalizers_of_the_metadata_keep_the_namespace_until_they_are_gone() -> None:
    async def story(house: House) -> None:
        await house.make("namespaces", "", "web", {"finalizers": ["ex.com/mine"]})
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(1)
        namespace = house.get("namespaces", "", "web")
        assert namespace is not None
        assert "finalizers" not in namespace["spec"]
        await house.merge("namespaces", "", "web", {"metadata": {"finalizers": None}})
        assert house.get("namespaces", "", "web") is None

    within(story)


def test_a_namespace_may_come_again_under_its_name() -> None:
    async def story(house: House) -> None:
        for _ in range(3):
            await house.make("namespaces", "", "web")
            await house.make("configmaps", "web", "x")
            await house.delete("namespaces", "", "web")
            await asyncio.sleep(1)
            assert house.get("namespaces", "", "web") is None

    within(story)


def test_a_namespace_goes_on_ending_after_a_restart() -> None:
    store = Store()

    async def before(house: House) -> None:
        await _namespace(house)
        await house.make("configmaps", "web", "x")
        await house.delete("namespaces", "", "web")

    async def after(house: House) -> None:
        await asyncio.sleep(1)
        assert house.get("namespaces", "", "web") is None
        assert house.get("configmaps", "web", "x") is None

    within(before, "none", store)
    within(after, "all", store)


def test_without_the_controller_a_namespace_ends_for_ever() -> None:
    async def story(house: House) -> None:
        await house.make("namespaces", "", "web")
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(3600)
        namespace = house.get("namespaces", "", "web")
        assert namespace is not None
        assert namespace["status"] == {"phase": "Terminating"}

    within(story, "garbage-collector-controller")


def test_owners_and_dependents_end_with_their_namespace() -> None:
    async def story(house: House) -> None:
        await _namespace(house)
        owner = await house.make("configmaps", "web", "a")
        meta = {"name": "a", "uid": owner["metadata"]["uid"], "apiVersion": "v1", "kind": "ConfigMap"}
        for number in range(30):
            await house.make("secrets", "web", f"s{number}", {"ownerReferences": [meta | {"blockOwnerDeletion": True}]})
        await house.delete("configmaps", "web", "a", "Foreground")
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(20)
        assert house.get("namespaces", "", "web") is None

    within(story)
