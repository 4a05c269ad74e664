"""GC-1 through the verbs: what a client sees of owners and dependents."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from tests.cluster.controllers.house import Document, House, owned_by, within
from tests.cluster.controllers.test_custom import DEFINITION
from tests.operator.scene import Scene, play

from kubewright.client.discovery import Served
from kubewright.client.endpoint import Endpoint
from kubewright.client.errors import NotFound
from kubewright.cluster.controllers.garbage import followable, garbage_collector
from kubewright.cluster.controllers.graph import concerns
from kubewright.cluster.controllers.kinds import tell_kinds
from kubewright.cluster.store import Store
from kubewright.http import Request, Response
from kubewright.operator import Running


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
        await asyncio.sleep(31)  # nothing tells of a kind that comes without a definition; it is asked for at times
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


MAPS = "/api/v1/namespaces/default/configmaps"
SECRETS = "/api/v1/namespaces/default/secrets"


class Ground(Scene):
    """A cluster with nobody but the collector."""

    def __init__(self, scene: Scene, running: Running) -> None:
        super().__init__(scene.cluster)
        self.wire = scene.wire
        self.operator = running

    async def make(self, path: str, name: str, owner: Document | None = None, **meta: Any) -> Document:
        of = owned_by(owner) if owner is not None else {}
        made: Document = await self.client.create(path, {"metadata": {"name": name, **of, **meta}})
        return {"apiVersion": "v1", "kind": "Secret" if path == SECRETS else "ConfigMap"} | made

    async def there(self, path: str) -> bool:
        try:
            await self.client.get(path)
        except NotFound:
            return False
        return True


def collecting(story: Callable[[Ground], Awaitable[None]], *, told: bool = False) -> None:
    """Play with the collector in an operator of its own; `told` by the store which kinds concern it."""

    async def staged(scene: Scene) -> None:
        tell = partial(tell_kinds, scene.cluster.store, concerns) if told else None
        async with scene.running(garbage_collector(tell), name="collector") as running:
            await running.synced()
            await story(Ground(scene, running))

    play(staged)


def test_an_owner_that_the_cache_has_not_seen_is_asked_for_and_its_dependent_stays() -> None:
    async def story(ground: Ground) -> None:
        ground.wire.wedge("/api/v1/secrets")
        owner = await ground.make(SECRETS, "owner")
        await ground.make(MAPS, "dependent", owner)
        await asyncio.sleep(5)
        assert await ground.there(f"{MAPS}/dependent")
        assert ground.wire.reads.count(f"GET {SECRETS}/owner") == 1

    collecting(story)


def test_an_owner_that_is_seen_is_not_asked_for() -> None:
    async def story(ground: Ground) -> None:
        owner = await ground.make(SECRETS, "owner")
        await ground.make(MAPS, "dependent", owner)
        await asyncio.sleep(5)
        assert f"GET {SECRETS}/owner" not in ground.wire.reads

    collecting(story)


def test_an_owner_that_is_gone_is_asked_for_once_however_many_refer_to_it() -> None:
    async def story(ground: Ground) -> None:
        lost = {"apiVersion": "v1", "kind": "Secret"} | NOBODY
        await ground.make(MAPS, "first", lost)
        await asyncio.sleep(1)
        for number in range(5):
            await ground.make(MAPS, f"later-{number}", lost)
        await asyncio.sleep(1)
        assert [each["metadata"]["name"] for each in (await ground.client.get(MAPS))["items"]] == []
        assert ground.wire.reads.count(f"GET {SECRETS}/nobody") == 1

    collecting(story)


def test_an_owner_that_cannot_be_asked_for_holds_its_dependent_until_it_can() -> None:
    async def story(ground: Ground) -> None:
        ground.wire.refuse = lambda request: 500 if request.path.endswith("/secrets/nobody") else None
        await ground.make(MAPS, "dependent", {"apiVersion": "v1", "kind": "Secret"} | NOBODY)
        await asyncio.sleep(60)
        assert await ground.there(f"{MAPS}/dependent")
        ground.wire.refuse = lambda request: None
        await asyncio.sleep(600)
        assert not await ground.there(f"{MAPS}/dependent")

    collecting(story)


def test_every_delete_names_the_object_as_it_was_decided_about() -> None:
    """The collector has not seen that the dependent was given another owner: it does not delete it."""

    async def story(ground: Ground) -> None:
        owner = await ground.make(MAPS, "owner")
        other = await ground.make(SECRETS, "other")
        await ground.make("/api/v1/namespaces/default/serviceaccounts", "dependent", owner)
        await asyncio.sleep(1)
        ground.wire.wedge("/api/v1/serviceaccounts")
        path = "/api/v1/namespaces/default/serviceaccounts/dependent"
        await ground.client.patch(path, "merge", {"metadata": owned_by(other)})
        await ground.client.delete(f"{MAPS}/owner")
        await asyncio.sleep(10)
        assert await ground.there(path)
        assert f"DELETE {path}" in ground.wire.writes

    collecting(story)


def test_at_rest_nothing_is_written() -> None:
    async def story(ground: Ground) -> None:
        owner = await ground.make(SECRETS, "owner")
        await ground.make(MAPS, "dependent", owner)
        await asyncio.sleep(3600)
        assert not ground.wire.writes

    collecting(story)


def test_many_dependents_go() -> None:
    async def story(ground: Ground) -> None:
        owner = await ground.make(SECRETS, "owner")
        for number in range(300):
            await ground.make(MAPS, f"dependent-{number}", owner)
        await ground.client.delete(f"{SECRETS}/owner", {"propagationPolicy": "Foreground"})
        await asyncio.sleep(5)
        assert (await ground.client.get(MAPS))["items"] == []
        assert not await ground.there(f"{SECRETS}/owner")

    collecting(story)


def test_who_is_told_what_concerns_it_follows_nothing_else() -> None:
    async def story(ground: Ground) -> None:
        owner = await ground.make(SECRETS, "owner")
        await ground.make(MAPS, "free")
        await asyncio.sleep(3600)
        assert not ground.wire.watches
        await ground.make(MAPS, "dependent", owner)
        await asyncio.sleep(5)
        assert sorted(path for path, _ in ground.wire.watches) == ["/api/v1/configmaps", "/api/v1/secrets"]

    collecting(story, told=True)


def test_who_is_not_told_follows_all() -> None:
    async def story(ground: Ground) -> None:
        assert len({path for path, _ in ground.wire.watches}) > 40

    collecting(story)


@pytest.mark.parametrize("before", [True, False])
def test_an_owner_that_goes_when_its_kind_begins_to_be_followed_takes_its_dependent_along(before: bool) -> None:
    async def story(ground: Ground) -> None:
        owner = await ground.make(SECRETS, "owner")
        send, ended = ground.wire.send, False

        async def late(request: Request) -> Response:
            nonlocal ended
            if request.path != "/api/v1/secrets" or ended:
                return await send(request)
            ended = True
            if before:
                await ground.client.delete(f"{SECRETS}/owner")
                return await send(request)
            response = await send(request)
            await ground.client.delete(f"{SECRETS}/owner")
            return response

        ground.wire.send = late  # type: ignore[method-assign]
        await ground.make(MAPS, "dependent", owner)
        await asyncio.sleep(1)
        assert ended
        assert not await ground.there(f"{MAPS}/dependent")

    collecting(story, told=True)


def test_an_owner_whose_kind_was_not_followed_before_it_waited_is_let_go() -> None:
    async def story(ground: Ground) -> None:
        await ground.make(SECRETS, "owner")
        await asyncio.sleep(1)
        await ground.client.delete(f"{SECRETS}/owner", {"propagationPolicy": "Foreground"})
        await asyncio.sleep(1)
        assert not await ground.there(f"{SECRETS}/owner")

    collecting(story, told=True)


def test_an_owner_waits_for_dependents_of_a_kind_that_was_not_followed_when_they_came() -> None:
    async def story(ground: Ground) -> None:
        owner = await ground.make(SECRETS, "owner", finalizers=["example.com/held"])
        await ground.make(MAPS, "first", owner)
        await asyncio.sleep(1)
        at = ground.cluster.store.revision
        accounts = "/api/v1/namespaces/default/serviceaccounts"
        meta = {"name": "second", **owned_by(owner, blockOwnerDeletion=True)}
        await ground.client.create(accounts, {"metadata": meta})
        await ground.client.delete(f"{SECRETS}/owner", {"propagationPolicy": "Foreground"})
        await asyncio.sleep(1)
        *_, last = ground.cluster.store.changes("/secrets/", at)
        assert last.value is not None
        assert b'"foregroundDeletion"' not in last.value
        gone = next(each for each in ground.cluster.store.changes("/serviceaccounts/", at) if each.value is None)
        assert gone.revision < last.revision

    collecting(story, told=True)


def test_a_dependent_is_decided_about_when_the_kind_of_its_owner_has_come() -> None:
    """Nobody looks at times: the definition tells of itself."""

    async def story(ground: Ground) -> None:
        owner = {"apiVersion": "ex.com/v1", "kind": "Widget"} | NOBODY
        await ground.make(MAPS, "dependent", owner)
        await asyncio.sleep(3600)
        assert await ground.there(f"{MAPS}/dependent")
        await ground.client.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION)
        await asyncio.sleep(5)
        assert not await ground.there(f"{MAPS}/dependent")

    collecting(story, told=True)


def _served(group: str, version: str, plural: str, *verbs: str) -> Served:
    return Served(Endpoint(group, version, plural, plural.title(), True), frozenset(verbs))


@pytest.mark.parametrize(
    ("served", "followed"),
    [
        (_served("", "v1", "pods", "get", "delete", "list", "watch"), ["pods"]),
        (_served("", "v1", "bindings", "create"), []),
        (_served("x", "v1", "unwatched", "get", "delete", "list"), []),
        (_served("", "v1", "events", "delete", "list", "watch"), []),
        (_served("events.k8s.io", "v1", "events", "delete", "list", "watch"), []),
    ],
)
def test_what_can_be_deleted_and_watched_is_followed(served: Served, followed: list[str]) -> None:
    assert [plural for _, plural in followable([served])] == followed


def test_of_a_kind_the_first_version_is_followed_in_which_it_can_be() -> None:
    served = [
        _served("x", "v2", "things", "get"),
        *(_served("x", each, "things", *VERBS) for each in ("v1", "v1beta1")),
    ]
    (endpoint,) = followable(served).values()
    assert endpoint.version == "v1"


VERBS = ("delete", "list", "watch")
NOBODY: Document = {"metadata": {"name": "nobody", "uid": "nobody"}}
