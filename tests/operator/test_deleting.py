"""Objects that are being deleted: finalizers, and what never sees them."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.operator.scene import Scene, play
from tests.operator.web import WEBS, WebServer, make

import kubewright as kw
from kubewright.client.errors import NotFound
from kubewright.errors import KubewrightError
from kubewright.k8s.core.v1 import ConfigMap, Service

CONFIGMAPS = "/api/v1/namespaces/default/configmaps"


def test_a_finalizer_is_there_before_any_other_work_and_goes_after_it() -> None:
    order: list[str] = []

    @kw.controller(WebServer, owns=[ConfigMap])
    async def guarded(web: WebServer, ctx: kw.Context) -> None:
        order.append(f"reconcile {web.metadata.finalizers}")
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made")))

    @guarded.finalizer
    async def clean_up(web: WebServer, ctx: kw.Context) -> kw.Retry | None:
        order.append("clean up")
        return kw.Retry("not yet", after=5) if order.count("clean up") < 3 else None

    async def story(scene: Scene) -> list[str]:
        async with scene.running(guarded) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            assert scene.wire.writes[0] == f"PATCH {WEBS.format('default')}/shop"
            await scene.client.delete(f"{WEBS.format('default')}/shop")
            await asyncio.sleep(3)
            assert (await scene.web())["metadata"]["finalizers"] == ["web.example.com/guarded"]
            await asyncio.sleep(30)
            with pytest.raises(NotFound):
                await scene.web()
        return order

    told = play(story)
    assert told[0] == "reconcile ['web.example.com/guarded']"
    assert told[-3:] == ["clean up"] * 3
    assert all(each.startswith("reconcile") for each in told[:-3])


def test_finalizers_of_others_survive_ours() -> None:
    @kw.controller(WebServer)
    async def guarded(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    @guarded.finalizer
    async def clean_up(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    async def story(scene: Scene) -> Any:
        async with scene.running(guarded) as running:
            await scene.client.create(
                WEBS.format("default"),
                {
                    "apiVersion": "web.example.com/v1",
                    "kind": "WebServer",
                    "metadata": {"name": "shop", "finalizers": ["example.com/theirs"]},
                    "spec": {"image": "nginx"},
                },
            )
            await scene.settle(running)
            before = (await scene.web())["metadata"]["finalizers"]
            await scene.client.delete(f"{WEBS.format('default')}/shop")
            await scene.settle(running)
            return before, (await scene.web())["metadata"]["finalizers"]

    before, after = play(story)
    assert before == ["example.com/theirs", "web.example.com/guarded"]
    assert after == ["example.com/theirs"]


def test_an_object_made_anew_while_the_old_one_is_cleaned_up_has_a_clean_up_of_its_own() -> None:
    """Somebody forced the old one out, and the new one, which has our finalizer from the start, is to go as well."""
    cleaned: list[str] = []

    @kw.controller(WebServer, status=False)
    async def guarded(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    @guarded.finalizer
    async def clean_up(web: WebServer, ctx: kw.Context) -> None:
        cleaned.append(web.spec.image)
        await asyncio.sleep(10)

    async def story(scene: Scene) -> None:
        path = f"{WEBS.format('default')}/shop"
        async with scene.running(guarded) as running:
            await make(scene.client, "shop", image="old")
            await scene.settle(running)
            metadata = {"name": "shop", "finalizers": (await scene.web())["metadata"]["finalizers"]}
            await scene.client.delete(path)
            await asyncio.sleep(1)
            await scene.client.patch(path, "merge", {"metadata": {"finalizers": None}})
            new = {"apiVersion": "web.example.com/v1", "kind": "WebServer", "spec": {"image": "new"}}
            await scene.client.create(WEBS.format("default"), {**new, "metadata": metadata})
            await scene.client.delete(path)
            await scene.settle(running, 30)
            with pytest.raises(NotFound):
                await scene.web()

    play(story)
    assert cleaned == ["old", "new"]


def test_an_object_being_deleted_never_reaches_the_reconciler() -> None:
    seen: list[bool] = []

    @kw.controller(WebServer)
    async def watches(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.deletion_timestamp is not None)

    async def story(scene: Scene) -> None:
        async with scene.running(watches) as running:
            await scene.client.create(
                WEBS.format("default"),
                {
                    "apiVersion": "web.example.com/v1",
                    "kind": "WebServer",
                    "metadata": {"name": "shop", "finalizers": ["example.com/theirs"]},
                    "spec": {"image": "nginx"},
                },
            )
            await scene.settle(running)
            await scene.client.delete(f"{WEBS.format('default')}/shop")
            await scene.client.patch(
                f"{WEBS.format('default')}/shop", "merge", {"metadata": {"labels": {"touched": "yes"}}}
            )
            await scene.settle(running)

    play(story)
    assert seen == [False]


def test_an_object_that_waits_for_a_finalizer_that_the_controller_had_once_is_told_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @kw.controller(WebServer)
    async def guarded(web: WebServer, ctx: kw.Context) -> None:
        """It had a finalizer, in the last version."""

    async def story(scene: Scene) -> None:
        for name, finalizer in (("shop", "web.example.com/guarded"), ("till", "example.com/theirs")):
            await make(scene.client, name)
            path = f"{WEBS.format('default')}/{name}"
            await scene.client.patch(path, "merge", {"metadata": {"finalizers": [finalizer]}})
            await scene.client.delete(path)
        async with scene.running(guarded) as running:
            await scene.settle(running)
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"metadata": {"labels": {"a": "b"}}})
            await scene.settle(running)

    play(story)
    told = [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]
    assert len(told) == 1
    assert "WebServer default/shop is being deleted and waits for the finalizer web.example.com/guarded" in told[0]


def test_an_object_being_deleted_reaches_a_reconciler_that_asks_for_it() -> None:
    seen: list[bool] = []

    @kw.controller(ConfigMap, deleting=True, labels="watched")
    async def watches(config: ConfigMap, ctx: kw.Context) -> None:
        seen.append(config.metadata.deletion_timestamp is not None)

    async def story(scene: Scene) -> None:
        async with scene.running(watches) as running:
            meta = {"name": "shop", "labels": {"watched": ""}, "finalizers": ["example.com/theirs"]}
            await scene.client.create(CONFIGMAPS, {"metadata": meta})
            await scene.settle(running)
            await scene.client.delete(f"{CONFIGMAPS}/shop")
            await scene.settle(running)

    play(story)
    assert seen == [False, True]


def test_an_object_that_is_gone_or_only_named_reaches_the_function_for_that() -> None:
    seen: list[str] = []

    @kw.controller(WebServer, watches=[kw.watch(Service, map=lambda service: service.metadata.name)])
    async def watches(web: WebServer, ctx: kw.Context) -> None:
        seen.append("there")

    @watches.absent
    async def tidy(key: kw.Key, ctx: kw.Context) -> None:
        seen.append(f"{key} is gone")

    async def story(scene: Scene) -> None:
        async with scene.running(watches) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            await scene.client.delete(f"{WEBS.format('default')}/shop")
            await scene.settle(running)
            spec = {"clusterIP": "None"}
            await scene.put("/api/v1/namespaces/default/services", "other", spec=spec)
            await scene.settle(running)

    play(story)
    assert [told for told in seen if "kubernetes" not in told] == [
        "there",
        "default/shop is gone",
        "default/other is gone",
    ]


@pytest.mark.parametrize(
    "others", [{"labels": "tier=gold"}, {"namespaces": ["elsewhere"]}], ids=["labels", "namespaces"]
)
def test_an_object_that_is_only_not_selected_is_not_gone(others: dict[str, Any]) -> None:
    seen: list[str] = []
    gone = kw.Key("default", "gone")

    async def names() -> AsyncIterator[kw.Key]:
        for key in (kw.Key("default", "shop"), gone, kw.Key("elsewhere", "gone")):
            yield key
        await asyncio.Event().wait()

    @kw.controller(WebServer, watches=[kw.stream(names)], **others)
    async def watches(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    @watches.absent
    async def tidy(key: kw.Key, ctx: kw.Context) -> None:
        seen.append(str(key))

    async def story(scene: Scene) -> None:
        await make(scene.client, "shop")
        async with scene.running(watches) as running:
            await scene.settle(running)

    play(story)
    assert seen == (["default/gone", "elsewhere/gone"] if "labels" in others else ["elsewhere/gone"])


def test_who_is_gone_has_no_children() -> None:
    told: list[str] = []

    @kw.controller(WebServer, owns=[ConfigMap])
    async def owns(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    @owns.absent
    async def tidy(key: kw.Key, ctx: kw.Context) -> None:
        for children, prune in (([ConfigMap(metadata=kw.ObjectMeta(name="x"))], False), ([], True)):
            try:
                await ctx.apply_all(children, prune=prune)
            except KubewrightError as error:
                told.append(str(error))

    async def story(scene: Scene) -> None:
        await make(scene.client, "shop")
        async with scene.running(owns) as running:
            await scene.settle(running)
            await scene.client.delete(f"{WEBS.format('default')}/shop")
            await scene.settle(running)

    play(story)
    assert told == [
        "WebServer default/shop is not there, so nothing can be its child: make with ctx.live what shall outlast it.",
        "WebServer default/shop is not there, so nothing is its to prune: ctx.delete what is left of it.",
    ]
