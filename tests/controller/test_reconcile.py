"""One reconcile of one object: what is called in which order, and how it ends."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.controller.stage import MAPS, Scene, play, stage
from tests.operator.web import WEBS, WebServer, make

import kubewright as kw
from kubewright.cache import Key, Unsettled
from kubewright.client.errors import Forbidden, Invalid
from kubewright.controller.context import World
from kubewright.controller.declaration import Controller
from kubewright.controller.outcome import NonsenseError, Outcome, TimeLimitError
from kubewright.controller.reconcile import Reconciler
from kubewright.http import Request
from kubewright.k8s.core.v1 import ConfigMap

SHOP = Key("default", "shop")
PATH = f"{WEBS.format('default')}/shop"


class Play:
    """A reconciler of one controller, and what its function was called with."""

    def __init__(self, function: Callable[..., Any] | None = None, **options: Any) -> None:
        self.calls: list[str] = []
        self.function = function

        async def web(obj: WebServer, ctx: kw.Context) -> Any:
            self.calls.append("reconcile")
            return await self.function(obj, ctx) if self.function is not None else None

        self.controller: Controller[Any, Any] = kw.controller(WebServer, owns=[ConfigMap], **options)(web)

    def finalized_by(self, function: Callable[..., Any] | None = None) -> "Play":
        async def clean_up(obj: WebServer, ctx: kw.Context) -> Any:
            self.calls.append("finalize")
            return await function(obj, ctx) if function is not None else None

        self.controller.finalizer(clean_up)
        return self

    def run(self, story: Callable[[Scene, World, Reconciler], Any]) -> Any:
        async def staged(scene: Scene) -> Any:
            await make(scene.client, "shop")
            async with stage(scene, self.controller) as world:
                return await story(scene, world, Reconciler(self.controller, world))

        return play(staged)


async def settled(scene: Scene, world: World, reconciler: Reconciler) -> tuple[Outcome, list[str]]:
    return await reconciler.run(SHOP, "id"), scene.wire.writes


def test_an_absent_object_reaches_nothing() -> None:
    async def story(scene: Scene, world: World, reconciler: Reconciler) -> Outcome:
        return await reconciler.run(Key("default", "nowhere"), "id")

    acted = Play()
    assert acted.run(story).error is None
    assert acted.calls == []


def test_what_is_raised_for_an_absent_object_is_an_outcome_too() -> None:
    async def story(scene: Scene, world: World, reconciler: Reconciler) -> Outcome:
        return await reconciler.run(Key("default", "nowhere"), "id")

    async def gone(key: Key, ctx: kw.Context) -> None:
        raise asyncio.CancelledError

    acted = Play()
    acted.controller.absent(gone)
    assert isinstance(acted.run(story).error, asyncio.CancelledError)


def test_the_finalizer_is_there_before_the_function_is_called() -> None:
    held: list[Any] = []

    async def look(web: WebServer, ctx: kw.Context) -> None:
        held.append((web.metadata.finalizers, (await ctx.live.get(WebServer, "shop", "default")).metadata.finalizers))

    _, writes = Play(look).finalized_by().run(settled)
    assert writes[0] == f"PATCH {PATH}"
    assert held == [(["web.example.com/web"], ["web.example.com/web"])]


def test_one_that_is_deleted_while_its_finalizer_is_added_reaches_no_function_before_that_is_seen() -> None:
    async def story(scene: Scene, world: World, reconciler: Reconciler) -> bool:
        async def deleted(request: Request) -> None:
            scene.wire.lag = None
            await scene.client.delete(PATH)
            await asyncio.sleep(1)  # the watch tells of it before the answer does

        scene.wire.lag = deleted
        return (await reconciler.run(SHOP, "id")).done

    one = Play().finalized_by()
    assert one.run(story) is False
    assert one.calls == []


def test_an_object_being_deleted_reaches_its_finalizer_alone_which_then_goes() -> None:
    acted = Play().finalized_by()

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> list[str]:
        await reconciler.run(SHOP, "id")
        await scene.client.delete(PATH)
        await asyncio.sleep(1)
        await reconciler.run(SHOP, "id")
        await asyncio.sleep(1)
        await reconciler.run(SHOP, "id")
        return [item["metadata"]["name"] for item in (await scene.client.get(WEBS.format("default")))["items"]]

    assert acted.run(story) == []
    assert acted.calls == ["reconcile", "finalize"]


@pytest.mark.parametrize("others", [0, 1])
def test_that_a_deletion_was_seen_is_told_only_of_what_others_hold_as_well(others: int) -> None:
    acted = Play().finalized_by()

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> list[str]:
        hold = {"metadata": {"finalizers": ["example.com/hold"] * others}}
        await scene.client.patch(PATH, "merge", hold)
        await asyncio.sleep(1)
        await reconciler.run(SHOP, "id")
        await scene.client.delete(PATH)
        await asyncio.sleep(1)
        before = len(scene.wire.writes)
        await reconciler.run(SHOP, "id")
        return scene.wire.writes[before:]

    let_go = f"PATCH {PATH}"
    assert acted.run(story) == ([f"PATCH {PATH}/status"] if others else []) + [let_go]


@pytest.mark.parametrize("ending", [kw.Requeue(after=5), kw.Retry("not yet"), RuntimeError("broken")])
def test_a_finalizer_that_is_not_done_stays(ending: Any) -> None:
    async def ends(web: WebServer, ctx: kw.Context) -> Any:
        if isinstance(ending, RuntimeError):
            raise ending
        return ending

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> Any:
        await reconciler.run(SHOP, "id")
        await scene.client.delete(PATH)
        await asyncio.sleep(1)
        await reconciler.run(SHOP, "id")
        return (await scene.client.get(PATH))["metadata"]["finalizers"]

    assert Play().finalized_by(ends).run(story) == ["web.example.com/web"]


def test_a_finalizer_that_another_changed_meanwhile_is_patched_at_the_next_attempt() -> None:
    acted = Play().finalized_by()

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> tuple[Any, Any]:
        scene.wire.wedge()
        await scene.client.patch(PATH, "merge", {"metadata": {"labels": {"new": "yes"}}})
        first = await reconciler.run(SHOP, "id")
        return first.error, acted.calls

    error, calls = acted.run(story)
    assert isinstance(error, kw.Retry)
    assert calls == []  # nothing that would need it is done without it


def test_a_finalizer_that_the_server_does_not_take_is_told_with_its_reason() -> None:
    acted = Play().finalized_by()
    acted.controller.finalizer_name = "example.com/Bad Name!"
    outcome, _ = acted.run(settled)
    assert isinstance(outcome.error, Invalid)
    assert "Bad Name!" in str(outcome.error)
    assert acted.calls == []


def raises(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        (lambda: {"requeue": 1}, NonsenseError),
        (lambda: raises(ValueError("no")), ValueError),
        (lambda: raises(SystemExit(1)), SystemExit),
        (lambda: raises(GeneratorExit()), GeneratorExit),
        (lambda: kw.Retry("later"), kw.Retry),
        (lambda: kw.Terminal("never"), kw.Terminal),
    ],
    ids=["nonsense", "error", "exit", "close", "retry", "terminal"],
)
def test_whatever_the_function_does_is_an_outcome(ending: Callable[[], Any], kind: type[BaseException]) -> None:
    async def ends(web: WebServer, ctx: kw.Context) -> Any:
        return ending()

    outcome, _ = Play(ends).run(settled)
    assert isinstance(outcome.error, kind)
    assert outcome.terminal is (kind is kw.Terminal)


def test_a_synchronous_function_around_an_asynchronous_one_is_told_to_be_asynchronous() -> None:
    async def inner(web: WebServer, ctx: kw.Context) -> None:
        await asyncio.sleep(1000)

    def outer(web: WebServer, ctx: Any) -> Any:
        return inner(web, ctx)

    async def story(scene: Scene) -> Outcome:
        await make(scene.client, "shop")
        declared: Controller[Any, Any] = kw.controller(WebServer)(outer)
        async with stage(scene, declared) as world:
            return await Reconciler(declared, world).run(SHOP, "id")

    error = play(story).error
    assert isinstance(error, NonsenseError)
    assert "`async def`" in str(error)


def test_one_that_hangs_is_ended_at_its_limit() -> None:
    async def hangs(web: WebServer, ctx: kw.Context) -> None:
        await asyncio.Event().wait()

    outcome, _ = Play(hangs, timeout=7).run(settled)
    assert isinstance(outcome.error, TimeLimitError)
    assert "longer than its limit of 7 s" in str(outcome.error)


def test_a_time_out_of_its_own_is_its_own() -> None:
    async def waits(web: WebServer, ctx: kw.Context) -> None:
        async with asyncio.timeout(1):
            await asyncio.Event().wait()

    outcome, _ = Play(waits, timeout=7).run(settled)
    assert type(outcome.error) is TimeoutError


def test_one_that_cancels_itself_has_failed_and_one_that_is_cancelled_ends() -> None:
    async def gives_up(web: WebServer, ctx: kw.Context) -> None:
        raise asyncio.CancelledError

    outcome, _ = Play(gives_up).run(settled)
    assert isinstance(outcome.error, asyncio.CancelledError)

    async def waits(web: WebServer, ctx: kw.Context) -> None:
        await asyncio.Event().wait()

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> bool:
        task = asyncio.create_task(reconciler.run(SHOP, "id"))
        await asyncio.sleep(1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return task.cancelled()

    assert Play(waits).run(story)


def test_a_status_that_is_as_it_was_is_not_written() -> None:
    async def says(web: WebServer, ctx: kw.Context) -> None:
        web.status.ready_replicas = 3

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> list[int]:
        counts = []
        for _ in range(3):
            await reconciler.run(SHOP, "id")
            await asyncio.sleep(1)
            counts.append(len(scene.wire.writes))
        return counts

    assert Play(says).run(story) == [1, 1, 1]


def test_what_the_function_raised_is_told_also_where_its_status_cannot_be_written(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(web: WebServer, ctx: kw.Context) -> None:
        web.status.ready_replicas = 5
        raise ValueError("its own trouble")

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> Outcome:
        scene.wire.refuse = lambda request: 403 if request.path.endswith("/status") else None
        return await reconciler.run(SHOP, "id")

    assert isinstance(Play(fail).run(story).error, Forbidden)
    assert "its own trouble" in caplog.text


def test_a_status_that_came_too_late_is_written_to_the_object_as_it_is_now() -> None:
    async def says(web: WebServer, ctx: kw.Context) -> None:
        web.status.ready_replicas = 3

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> Any:
        scene.wire.wedge()
        await scene.client.patch(PATH, "merge", {"spec": {"replicas": 9}})
        await reconciler.run(SHOP, "id")
        return await scene.client.get(PATH)

    found = Play(says).run(story)
    assert found["spec"]["replicas"] == 9
    assert (found["status"]["readyReplicas"], found["status"]["observedGeneration"]) == (3, 1)


async def ending(scene: Scene) -> None:
    """A namespace that is being deleted, and does not go."""
    hold = {"metadata": {"name": "held", "finalizers": ["example.com/hold"]}}
    await scene.client.create(MAPS.replace("default", "ends"), hold)
    await scene.client.delete("/api/v1/namespaces/ends")


async def makes(web: WebServer, ctx: kw.Context) -> None:
    await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made")))


async def makes_at_once(web: WebServer, ctx: kw.Context) -> None:
    async with asyncio.TaskGroup() as group:
        for name in ("made", "too"):
            group.create_task(ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name=name))))


@pytest.mark.parametrize("makes", [makes, makes_at_once])
def test_a_namespace_that_is_being_deleted_ends_it_quietly(makes: Any) -> None:
    async def story(scene: Scene, world: World, reconciler: Reconciler) -> tuple[Outcome, Any]:
        await scene.put("/api/v1/namespaces", "ends")
        await make(scene.client, "shop", "ends")
        await ending(scene)
        outcome = await reconciler.run(Key("ends", "shop"), "id")
        return outcome, (await scene.client.get(f"{WEBS.format('ends')}/shop")).get("status")

    outcome, status = Play(makes).run(story)
    assert outcome.done
    assert status is None  # what it is about was not done


def test_the_end_of_another_namespace_is_a_failure_like_any_other() -> None:
    async def makes_elsewhere(web: WebServer, ctx: kw.Context) -> None:
        await ctx.live.create(ConfigMap(metadata=kw.ObjectMeta(name="made", namespace="ends")))

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> Outcome:
        await scene.put("/api/v1/namespaces", "ends")
        await ending(scene)
        return await reconciler.run(SHOP, "id")

    outcome = Play(makes_elsewhere).run(story)
    assert isinstance(outcome.error, Forbidden)
    assert not outcome.terminal


def test_a_finalizer_that_fails_because_its_namespace_is_being_deleted_stays() -> None:
    async def story(scene: Scene, world: World, reconciler: Reconciler) -> tuple[Outcome, Any]:
        await scene.put("/api/v1/namespaces", "ends")
        await make(scene.client, "shop", "ends")
        await asyncio.sleep(1)
        await reconciler.run(Key("ends", "shop"), "id")
        await ending(scene)
        await scene.client.delete(f"{WEBS.format('ends')}/shop")
        await asyncio.sleep(1)
        outcome = await reconciler.run(Key("ends", "shop"), "id")
        return outcome, (await scene.client.get(f"{WEBS.format('ends')}/shop"))["metadata"]["finalizers"]

    outcome, finalizers = Play().finalized_by(makes).run(story)
    assert isinstance(outcome.error, Forbidden)
    assert finalizers == ["web.example.com/web"]


def test_an_outcome_that_is_unknown_is_asked_about_before_the_function_is_called() -> None:
    seen: list[bool] = []

    async def looks(web: WebServer, ctx: kw.Context) -> None:
        seen.append(ctx.get(ConfigMap, "lost") is not None)

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> None:
        scene.wire.wedge()
        await scene.put(MAPS, "lost")
        for informer in world.informers.values():
            if informer.endpoint.kind == "ConfigMap":
                informer.unsure(Key("default", "lost"))
        await reconciler.run(SHOP, "id")

    Play(looks).run(story)
    assert seen == [True]


@pytest.mark.parametrize(("key", "seen"), [("lost", [None]), ("other", [None, True])])
def test_an_outcome_that_cannot_be_asked_about_now_keeps_only_its_reader_waiting(key: str, seen: list[Any]) -> None:
    looks: list[Any] = []

    async def looks_at(web: WebServer, ctx: kw.Context) -> None:
        looks.append(None)
        looks.append(ctx.get(ConfigMap, key) is not None)

    async def story(scene: Scene, world: World, reconciler: Reconciler) -> Outcome:
        await scene.put(MAPS, "other")
        await asyncio.sleep(1)
        for informer in world.informers.values():
            if informer.endpoint.kind == "ConfigMap":
                informer.unsure(Key("default", "lost"))
        scene.wire.refuse = lambda request: 404 if "configmaps" in request.path else None
        return await reconciler.run(SHOP, "id")

    outcome: Outcome = Play(looks_at).run(story)
    assert looks == seen
    assert isinstance(outcome.error, Unsettled) == (key == "lost")
