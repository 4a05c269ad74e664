"""What a reconciler has in hand."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast
from unittest.mock import create_autospec

import pytest
from tests.controller.stage import MAPS, Notes, Scene, context_of, controller, informer_of, play, stage
from tests.operator.web import make

import kubewright as kw
from kubewright.cache import Key, Unsettled
from kubewright.controller.bridge import call
from kubewright.controller.children import ChildError
from kubewright.controller.context import ContextError, SyncContext
from kubewright.controller.event import EventError
from kubewright.http import Request
from kubewright.k8s.core.v1 import ConfigMap, PersistentVolumeClaim, Secret, Service


def config(name: str, **data: str) -> ConfigMap:
    return ConfigMap(metadata=kw.ObjectMeta(name=name), data=data)


def on_stage(story: Any, notes: Notes | None = None, **options: Any) -> Any:
    async def staged(scene: Scene) -> Any:
        await make(scene.client, "shop")
        async with stage(scene, controller(**{"owns": [ConfigMap], **options}), notes) as world:
            return await story(scene, context_of(world))

    return play(staged)


def test_reading_is_in_the_objects_namespace_unless_another_is_named() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> Any:
        await scene.put("/api/v1/namespaces", "other")
        await scene.put(MAPS, "here")
        await scene.put(MAPS.replace("default", "other"), "there")
        await asyncio.sleep(1)
        mine, all_ = ctx.list(ConfigMap), ctx.list(ConfigMap, namespace="")
        found = [ctx.get(ConfigMap, "there"), ctx.get(ConfigMap, "there", "other")]
        return [[each.metadata.name for each in some] for some in (mine, all_)], [each is not None for each in found]

    names, found = on_stage(story)
    assert names[0] == ["here"]
    assert {"here", "there"} <= set(names[1])
    assert found == [False, True]


def test_what_is_read_is_the_readers_own_copy_and_knows_own_writes() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> Any:
        scene.wire.wedge()  # the watch says nothing any more
        await ctx.apply(config("made", a="1"))
        first = ctx.get(ConfigMap, "made")
        assert first is not None
        first.data["a"] = "spoilt"
        again = ctx.get(ConfigMap, "made")
        assert again is not None
        await ctx.delete(again)
        return again.data, ctx.get(ConfigMap, "made")

    assert on_stage(story) == ({"a": "1"}, None)


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda ctx: ctx.get(Secret, "x"), r"does not declare Secret.*reads=\[Secret\].*ctx\.live"),
        (lambda ctx: ctx.list(Service), "only watches Service, so only its metadata"),
    ],
)
def test_reading_what_is_not_declared_says_what_to_add(use: Any, words: str) -> None:
    async def story(scene: Scene, ctx: kw.Context) -> None:
        with pytest.raises(ContextError, match=words):
            use(ctx)

    on_stage(story, watches=[kw.watch(Service, map=lambda service: [])])


@pytest.mark.parametrize(
    ("child", "error", "words"),
    [
        (Secret(metadata=kw.ObjectMeta(name="x")), ContextError, r"does not own Secret: add owns=\[Secret\]"),
        ({"apiVersion": "v1", "kind": "Gadget"}, ContextError, "declares no v1 Gadget"),
        ({"kind": "Secret"}, ContextError, "does not say what it is: give it apiVersion and kind"),
        (42, ChildError, "42 is no child"),
    ],
)
def test_applying_what_is_not_declared_says_what_to_add(child: Any, error: type[Exception], words: str) -> None:
    async def story(scene: Scene, ctx: kw.Context) -> None:
        with pytest.raises(error, match=words):
            await ctx.apply(child)

    on_stage(story)


def test_a_document_is_a_child_like_any_other() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> Any:
        document = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "made"}, "data": {"a": "1"}}
        made: Any = await ctx.apply(document)
        return made["data"], made["metadata"]["ownerReferences"][0]["name"], len(scene.wire.writes)

    assert on_stage(story) == ({"a": "1"}, "shop", 1)


def test_only_what_was_read_is_deleted_and_what_is_gone_is_fine() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> list[str]:
        with pytest.raises(ContextError, match="has no uid, so it was not read"):
            await ctx.delete(config("made"))
        made = await ctx.apply(config("made", a="1"))
        await ctx.delete(made)
        await ctx.delete(made)
        return scene.wire.writes

    assert on_stage(story) == [f"PATCH {MAPS}/made", f"DELETE {MAPS}/made", f"DELETE {MAPS}/made"]


def test_one_that_was_made_anew_under_the_same_name_is_not_deleted() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> Any:
        made = await ctx.apply(config("made", a="1"))
        await scene.client.delete(f"{MAPS}/made")
        await scene.put(MAPS, "made")
        with pytest.raises(kw.KubewrightError):
            await ctx.delete(made)
        return (await scene.client.get(f"{MAPS}/made"))["metadata"]["name"]

    assert on_stage(story) == "made"


def test_pruning_takes_only_what_this_controller_applied_for_this_object() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> set[str]:
        await ctx.apply_all([config("old"), config("kept")])
        owner = ctx._owner.reference
        await scene.client.create(MAPS, {"metadata": {"name": "not-applied", "ownerReferences": [owner]}})
        await scene.put(MAPS, "strangers")
        await asyncio.sleep(1)
        later = type(ctx)(ctx._world, ctx._owner, "later")  # another reconcile of the same object
        await later.apply(config("early"))
        await later.apply_all([config("kept")], prune=True)
        items = (await scene.client.get(MAPS))["items"]
        return {item["metadata"]["name"] for item in items}

    assert on_stage(story) == {"early", "kept", "not-applied", "strangers"}


def test_nothing_is_applied_after_it_was_said_that_all_is_there() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> list[str]:
        await ctx.apply(config("before"))
        await ctx.apply_all([config("among")], prune=True)
        await ctx.apply(config("before"))  # it counts among them
        for apply in (lambda: ctx.apply(config("after")), lambda: ctx.apply_all([config("after")], prune=True)):
            with pytest.raises(ChildError, match=r"ConfigMap default/after comes after ctx\.apply_all"):
                await apply()
        return sorted(each.metadata.name for each in ctx.list(ConfigMap, owned=True))

    assert on_stage(story) == ["among", "before"]


def test_what_could_not_be_applied_keeps_the_same_reconcile_from_pruning_until_it_is() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> list[list[str]]:
        await ctx.apply_all([config("old"), config("kept"), config("broken")])
        later = type(ctx)(ctx._world, ctx._owner, "later")
        unfit = config("broken", **{"no key": "1"})
        foreign = ConfigMap(metadata=kw.ObjectMeta(name="kept", namespace="elsewhere"))
        seen = []
        for failing, words in ((unfit, "ConfigMap default/broken"), (foreign, "a ConfigMap")):
            with pytest.raises(kw.KubewrightError):
                await later.apply(failing)
            with pytest.raises(ChildError, match=f"nothing is pruned: {words} could not be applied"):
                await later.apply_all([config("kept")], prune=True)
            seen.append(sorted(each.metadata.name for each in later.list(ConfigMap)))
            later = type(ctx)(ctx._world, ctx._owner, "later")
        with pytest.raises(kw.KubewrightError):
            await later.apply(unfit)
        await later.apply(config("broken", a="1"))
        await later.apply_all([config("kept")], prune=True)
        return [*seen, sorted(each.metadata.name for each in later.list(ConfigMap))]

    everything = ["broken", "kept", "old"]
    assert on_stage(story) == [everything, everything, ["broken", "kept"]]


def test_what_is_applied_at_the_same_time_is_neither_pruned_nor_applied_otherwise() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> Any:
        await ctx.apply_all([config("old"), config("kept"), config("beside")])
        scene.wire.writes.clear()
        later = type(ctx)(ctx._world, ctx._owner, "later")
        _, second, _ = await asyncio.gather(
            later.apply(config("beside", a="1")),
            later.apply(config("beside", a="2")),
            later.apply_all([config("kept")], prune=[ConfigMap]),
            return_exceptions=True,
        )
        return second, scene.wire.writes

    second, writes = on_stage(story)
    assert "was applied otherwise in this same reconcile" in str(second)
    assert [each for each in writes if "DELETE" in each] == []  # for one of them has failed
    assert f"PATCH {MAPS}/beside" in writes


def test_what_is_under_way_counts_among_all_there_shall_be() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> Any:
        await ctx.apply_all([config("old"), config("kept"), config("beside")])
        later = type(ctx)(ctx._world, ctx._owner, "later")
        scene.wire.delay = lambda request: asyncio.sleep(5 if request.path.endswith("/beside") else 0)
        await asyncio.gather(later.apply(config("beside", a="1")), later.apply_all([config("kept")], prune=True))
        return sorted(each.metadata.name for each in later.list(ConfigMap)), scene.wire.writes

    names, writes = on_stage(story)
    assert names == ["beside", "kept"]
    assert [each for each in writes if "DELETE" in each] == [f"DELETE {MAPS}/old"]


def test_what_fails_while_others_are_pruned_is_wanted_all_the_same() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> list[str]:
        await ctx.apply_all([config("a-old"), config("b-old"), config("beside"), config("kept")])
        later = type(ctx)(ctx._world, ctx._owner, "later")

        async def slow(request: Request) -> None:
            if request.method == "DELETE":
                await asyncio.sleep(5)
            elif request.path.endswith("/beside"):
                await asyncio.sleep(2)
                raise kw.KubewrightError("lost")

        scene.wire.delay = slow
        pruned = later.apply_all([config("kept")], prune=True)
        await asyncio.gather(later.apply(config("beside", a="1")), pruned, return_exceptions=True)
        return [each for each in scene.wire.writes if "DELETE" in each]

    assert on_stage(story) == [f"DELETE {MAPS}/a-old", f"DELETE {MAPS}/b-old"]


def test_what_was_applied_though_it_failed_before_stays() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> list[list[str]]:
        await ctx.apply_all([config("old"), config("twice", a="1"), config("kept")])
        seen = []
        later = type(ctx)(ctx._world, ctx._owner, "later")
        attempts = 0

        async def first_fails(request: Request) -> None:
            nonlocal attempts
            if request.path.endswith("/twice"):
                attempts += 1
                await asyncio.sleep(attempts)
                if attempts == 2:  # both are under way: the first to wake is the first that was sent
                    attempts = 3
                    raise kw.KubewrightError("lost")

        scene.wire.delay = first_fails
        both = [later.apply(config("twice", a="2")) for _ in range(2)]
        await asyncio.gather(*both, return_exceptions=True)
        await later.apply_all([config("kept")], prune=True)
        seen.append(sorted(each.metadata.name for each in later.list(ConfigMap)))
        # What is as it was last found, too, counts as applied.
        again = type(ctx)(ctx._world, ctx._owner, "again")
        with pytest.raises(kw.KubewrightError):
            await again.apply(config("twice", **{"no key": "1"}))
        await again.apply(config("twice", a="2"))
        await again.apply_all([config("kept")], prune=True)
        return [*seen, sorted(each.metadata.name for each in again.list(ConfigMap))]

    assert on_stage(story) == [["kept", "twice"], ["kept", "twice"]]


def test_what_was_applied_is_compared_as_it_was_then() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> None:
        first = config("page", a="1")
        await ctx.apply(first)
        first.data["a"] = "2"
        for again in (first, config("page", a="2")):
            with pytest.raises(ChildError, match="was applied otherwise in this same reconcile"):
                await ctx.apply(again)

    on_stage(story)


async def generated() -> AsyncIterator[ConfigMap]:
    yield config("one")


@pytest.mark.parametrize("given", [config("one"), None, "one", generated()], ids=["one", "none", "text", "async"])
def test_one_child_is_no_list_of_them(given: Any) -> None:
    async def story(scene: Scene, ctx: kw.Context) -> None:
        with pytest.raises(ContextError, match="takes children: a list"):
            await ctx.apply_all(given)

    on_stage(story)


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda ctx: ctx.apply_all([], prune=None), r"prune is True, False, or a list of kinds"),
        (lambda ctx: ctx.apply_all([], prune=ConfigMap), r"prune is True, False, or a list of kinds"),
        (lambda ctx: ctx.delete(None), "ctx.delete takes an object that was read, not None"),
        (lambda ctx: ctx.delete({"metadata": 5}), "ctx.delete takes an object that was read"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(use: Any, words: str) -> None:
    async def story(scene: Scene, ctx: kw.Context) -> None:
        with pytest.raises(ContextError, match=words):
            await use(ctx)

    on_stage(story)


def test_what_is_no_name_and_what_is_no_watch_is_told_at_once() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> None:
        for name in (None, "", 5):
            with pytest.raises(ContextError, match="is no name of a ConfigMap"):
                ctx.get(ConfigMap, name)  # type: ignore[arg-type]
        with pytest.raises(ContextError, match=r"ctx\.watch takes a watch, as in"):
            ctx.watch(Secret)  # type: ignore[arg-type]

    on_stage(story)


def test_what_is_not_owned_cannot_be_pruned() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> None:
        with pytest.raises(ContextError, match="does not own PersistentVolumeClaim: nothing to prune"):
            await ctx.apply_all([], prune=[PersistentVolumeClaim])

    on_stage(story)


def test_a_child_that_nobody_can_be_asked_about_keeps_no_other_from_being_applied() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> None:
        await ctx.apply(config("lost"))
        await asyncio.sleep(1)
        informer_of(ctx._world, ConfigMap).unsure(Key("default", "lost"))
        scene.wire.refuse = lambda request: 403 if request.method == "GET" else None
        assert (await ctx.apply(config("made", a="1"))).data == {"a": "1"}
        with pytest.raises(Unsettled):
            await ctx.apply(config("lost"))
        with pytest.raises(ChildError, match="nothing is pruned: ConfigMap default/lost could not be applied"):
            await ctx.apply_all([], prune=True)

    on_stage(story)


def test_events_are_about_the_object_or_another_that_is_there() -> None:
    notes = Notes()

    async def story(scene: Scene, ctx: kw.Context) -> None:
        ctx.event("Scaled", "to 3")
        ctx.event("Failed", type="Warning")
        ctx.event("Made", about=await ctx.apply(config("made", a="1")))
        for nothing in (config("made"), {"kind": "ConfigMap"}, "made"):
            with pytest.raises(ContextError, match="is no object as it was read or applied"):
                ctx.event("Made", about=cast("Any", nothing))

    on_stage(story, notes)
    assert notes.told == [
        ("default/shop", "Normal", "Scaled", "to 3"),
        ("default/shop", "Warning", "Failed", ""),
        ("default/made", "Normal", "Made", ""),
    ]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"reason": ""}, "the reason of an Event is a word of 128 bytes at most, not ''"),
        ({"reason": "ü" * 65}, "the reason of an Event"),
        ({"action": ""}, "the action of an Event"),
        ({"type": "Bad"}, "an Event is of type Normal or Warning, not 'Bad'"),
        ({"note": None}, "the note of an Event is a text, not None"),
    ],
)
def test_what_no_server_would_take_as_an_event_is_refused_at_once(given: Any, words: str) -> None:
    async def story(scene: Scene, ctx: kw.Context) -> None:
        with pytest.raises(EventError, match=words):
            ctx.event(**{"reason": "Scaled", **given})

    on_stage(story)


def test_a_watch_needs_a_controller_that_runs() -> None:
    async def story(scene: Scene, ctx: kw.Context) -> None:
        with pytest.raises(ContextError, match="does not run, so it can watch nothing"):
            ctx.watch(kw.watch(Secret, map=lambda secret: []))

    on_stage(story)


def test_the_same_calls_without_await_are_a_synchronous_reconcilers() -> None:
    notes = Notes()

    def work(ctx: kw.SyncContext) -> Any:
        made = ctx.apply(config("made", a="1"))
        ctx.apply_all([config("other")])
        ctx.event("Made", about=made)
        read = ctx.get(ConfigMap, "made")
        live = ctx.wait(ctx.live.get(ConfigMap, "made", ctx.namespace))
        names = sorted(each.metadata.name for each in ctx.list(ConfigMap, owned=True))
        ctx.delete(made)
        assert read is not None
        return read.data, live.data, names, ctx.get(ConfigMap, "made"), (ctx.name, ctx.namespace, ctx.reconcile_id)

    async def story(scene: Scene, ctx: kw.Context) -> Any:
        returned, raised = await call(lambda bridge: work(SyncContext(ctx, bridge)))
        if raised is not None:
            raise raised
        return returned

    assert on_stage(story, notes) == (
        {"a": "1"},
        {"a": "1"},
        ["made", "other"],
        None,
        ("shop", "default", "id"),
    )
    assert [reason for _, _, reason, _ in notes.told] == ["Made"]


@pytest.mark.parametrize("kind", [kw.Context, kw.SyncContext])
def test_a_mock_of_a_context_has_all_that_reconcilers_use(kind: type[Any]) -> None:
    ctx = create_autospec(kind, instance=True)
    ctx.log.info("%s in %s: %s", ctx.name, ctx.namespace, ctx.reconcile_id)
    assert ctx.log.info.called
    assert ctx.live.get(ConfigMap, "shop") is not None
