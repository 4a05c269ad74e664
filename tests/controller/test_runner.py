"""A controller at work: what fills its queue, and what becomes of what it takes."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from tests.controller.stage import MAPS, Scene, informer_of, play, read, stage
from tests.operator.web import WEBS, WebServer, make

import kubewright as kw
from kubewright.cache import Change, Key
from kubewright.client.endpoint import EndpointError
from kubewright.controller.runner import INITIAL, Runner
from kubewright.entropy import Entropy
from kubewright.k8s.core.v1 import ConfigMap
from kubewright.observe import Cause, Metrics

PATH = f"{WEBS.format('default')}/shop"


def declared(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    async def web(obj: WebServer, ctx: kw.Context) -> Any:
        return await function(obj, ctx) if function is not None else None

    return kw.controller(WebServer, **options)(web)


def noting(story: Callable[[Scene, Runner], Any], *, work: bool = False, made: bool = True, **options: Any) -> Any:
    """Play with a runner whose sources run, and whose workers do if asked."""

    async def staged(scene: Scene) -> Any:
        if made:
            await make(scene.client, "shop")
        controller = options.pop("controller", None) or declared(**options)
        async with stage(scene, controller) as world:
            runner = Runner(controller, world, Metrics(), entropy=Entropy(1))
            runner.start_sources()
            working = asyncio.create_task(runner.work()) if work else None
            try:
                return await story(scene, runner)
            finally:
                runner.stop()
                if working is not None:
                    await working

    return play(staged)


async def take(runner: Runner) -> list[str]:
    """The keys that are ready."""
    await asyncio.sleep(1)
    taken = []
    while len(runner.queue):
        key = await runner.queue.get()
        taken.append(str(key))
        runner.queue.done(key)
    return taken


def test_what_was_there_yields_to_what_changes() -> None:
    async def story(scene: Scene, runner: Runner) -> tuple[Any, list[str]]:
        await make(scene.client, "newer")
        await asyncio.sleep(1)
        return runner.queue.depths(), await take(runner)

    assert noting(story) == ({INITIAL: 1, 0: 1}, ["default/newer", "default/shop"])


def test_a_change_of_the_spec_counts_and_one_of_the_status_does_not() -> None:
    async def story(scene: Scene, runner: Runner) -> list[list[str]]:
        await take(runner)
        await scene.client.patch(f"{PATH}/status", "merge", {"status": {"readyReplicas": 2}})
        first = await take(runner)
        await scene.client.patch(PATH, "merge", {"spec": {"replicas": 2}})
        return [first, await take(runner)]

    assert noting(story) == [[], ["default/shop"]]


def test_a_child_leads_to_its_owner_and_one_that_changes_hands_to_both() -> None:
    async def story(scene: Scene, runner: Runner) -> list[list[str]]:
        await make(scene.client, "other")
        await take(runner)
        taken = []
        meta: dict[str, Any] = {"name": "child"}
        await scene.client.create(MAPS, {"metadata": meta})
        taken.append(await take(runner))
        for owner in ("shop", "other"):
            uid = read(runner._world, WebServer, owner).uid
            reference = {"apiVersion": "web.example.com/v1", "kind": "WebServer", "name": owner, "uid": uid}
            change = {"metadata": {"ownerReferences": [{**reference, "controller": True}]}}
            await scene.client.patch(f"{MAPS}/child", "merge", change)
            taken.append(sorted(await take(runner)))
        await scene.client.delete(f"{MAPS}/child")
        taken.append(await take(runner))
        return taken

    assert noting(story, owns=[ConfigMap]) == [
        [],
        ["default/shop"],
        ["default/other", "default/shop"],
        ["default/other"],
    ]


def test_a_child_that_names_its_owner_wrongly_leads_no_other_child_astray() -> None:
    async def story(scene: Scene, runner: Runner) -> list[list[str]]:
        await take(runner)
        uid = read(runner._world, WebServer, "shop").uid
        reference = {"apiVersion": "web.example.com/v1", "kind": "WebServer", "uid": uid, "controller": True}
        taken = []
        for name in ("typo", "shop"):
            owner = {**reference, "name": name}
            await scene.client.create(MAPS, {"metadata": {"name": f"of-{name}", "ownerReferences": [owner]}})
            taken.append(await take(runner))
        return taken

    assert noting(story, owns=[ConfigMap]) == [["default/shop"], ["default/shop"]]


def test_an_owner_that_does_not_control_or_is_of_another_kind_is_none() -> None:
    async def story(scene: Scene, runner: Runner) -> list[str]:
        await take(runner)
        uid = read(runner._world, WebServer, "shop").uid
        loose = {"apiVersion": "web.example.com/v1", "kind": "WebServer", "name": "shop", "uid": uid}
        other = {"apiVersion": "example.com/v1", "kind": "WebServer", "name": "shop", "uid": "u", "controller": True}
        for number, owner in enumerate((loose, other)):
            await scene.client.create(MAPS, {"metadata": {"name": f"c{number}", "ownerReferences": [owner]}})
        return await take(runner)

    assert noting(story, owns=[ConfigMap]) == []


def test_a_map_that_fails_is_logged_and_the_next_object_is_mapped(caplog: pytest.LogCaptureFixture) -> None:
    def webs_of(config: ConfigMap) -> list[str]:
        if config.metadata.name == "bad":
            raise KeyError("web")
        return ["shop"]

    async def story(scene: Scene, runner: Runner) -> list[str]:
        await take(runner)
        await scene.put(MAPS, "bad")
        await scene.put(MAPS, "good")
        await scene.client.patch(f"{MAPS}/bad", "merge", {"data": {"a": "1"}})
        return await take(runner)

    assert noting(story, watches=[kw.watch(ConfigMap, map=webs_of)]) == ["default/shop"]
    # Once for each change, though it is asked about what was there before as well.
    assert caplog.text.count("the map for ConfigMap fails on default/bad") == 2


def test_a_map_may_look_around_while_the_outcome_of_a_write_is_unknown() -> None:
    def webs(config: ConfigMap, reader: Any) -> list[str]:
        named = reader.get(WebServer, "shop")
        return [each.metadata.name for each in reader.list(WebServer)] if named is not None else []

    async def story(scene: Scene, runner: Runner) -> list[str]:
        await take(runner)
        informer_of(runner._world, WebServer).unsure(Key("default", "shop"))
        await scene.put(MAPS, "config")
        return await take(runner)

    assert noting(story, watches=[kw.watch(ConfigMap, map=webs)]) == ["default/shop"]


FAULTS = [KeyError("x"), asyncio.CancelledError(), SystemExit(1)]


@pytest.mark.parametrize("error", FAULTS, ids=repr)
def test_a_predicate_that_fails_lets_the_change_count(error: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    def broken(change: Change) -> bool:
        raise error

    async def story(scene: Scene, runner: Runner) -> list[str]:
        return await take(runner)

    assert noting(story, predicates=[broken]) == ["default/shop"]
    assert "a predicate fails on default/shop; the change counts" in caplog.text


@pytest.mark.parametrize("error", FAULTS, ids=repr)
def test_a_map_that_fails_keeps_nothing_else_from_being_seen(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(config: ConfigMap) -> list[str]:
        raise error

    async def story(scene: Scene, runner: Runner) -> list[str]:
        await take(runner)
        await scene.put(MAPS, "one")
        await asyncio.sleep(1)
        await scene.put(MAPS, "other")
        return await take(runner)

    watches = [kw.watch(ConfigMap, map=broken), kw.watch(ConfigMap, map=lambda config: [config.metadata.name])]
    assert noting(story, watches=watches) == ["default/one", "default/other"]
    assert "the map for ConfigMap fails on default/other" in caplog.text


def test_a_stream_that_waits_for_what_was_cancelled_is_begun_anew_and_one_that_ended_is_a_problem(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def tickets() -> AsyncIterator[kw.Key]:
        yield kw.Key("default", "shop")
        helper = asyncio.create_task(asyncio.sleep(1))
        helper.cancel()
        await helper

    async def story(scene: Scene, runner: Runner) -> tuple[list[str], list[str | None]]:
        await take(runner)
        await asyncio.sleep(20)
        taken, before = await take(runner), runner.problem()
        runner._tasks[0].cancel()
        await asyncio.sleep(1)
        return taken, [before, runner.problem()]

    taken, problems = noting(story, watches=[kw.stream(tickets)])
    assert taken == ["default/shop"]
    assert problems == [None, "the source 0 of web has ended"]
    assert "a stream fails; it is begun anew" in caplog.text


def test_a_stream_that_fails_or_ends_is_begun_anew_after_longer_and_longer_pauses() -> None:
    begun: list[float] = []

    async def tickets() -> AsyncIterator[kw.Key]:
        begun.append(asyncio.get_running_loop().time())
        if len(begun) == 4:
            yield kw.Key("default", "shop")
        if len(begun) % 2:
            raise ConnectionError("gone")

    async def story(scene: Scene, runner: Runner) -> list[str]:
        await take(runner)
        await asyncio.sleep(20)
        return await take(runner)

    assert noting(story, watches=[kw.stream(tickets)]) == ["default/shop"]
    pauses = [round(after - before) for before, after in itertools.pairwise(begun)]
    assert pauses[:5] == [1, 2, 4, 1, 2]


def test_a_stream_that_fails_each_time_after_a_key_pauses_longer_and_longer() -> None:
    begun: list[float] = []

    async def tickets() -> AsyncIterator[kw.Key]:
        begun.append(asyncio.get_running_loop().time())
        yield kw.Key("default", "shop")
        if len(begun) == 4:
            await asyncio.sleep(100)
        raise ConnectionError("gone")

    async def story(scene: Scene, runner: Runner) -> None:
        await asyncio.sleep(120)

    noting(story, watches=[kw.stream(tickets)])
    pauses = [round(after - before) for before, after in itertools.pairwise(begun)]
    assert pauses[:5] == [1, 2, 4, 101, 2]


def test_the_same_watch_is_followed_once() -> None:
    watch = kw.watch(ConfigMap, map=lambda config: ["shop"])

    async def story(scene: Scene, runner: Runner) -> int:
        before = len(runner._subscriptions)
        for _ in range(3):
            runner.start_watch(watch)
        return len(runner._subscriptions) - before

    assert noting(story) == 1


def test_lambdas_of_the_same_code_are_the_same_watch_in_one_module_and_not_in_two() -> None:
    here = [kw.watch(ConfigMap, map=lambda config: ["shop"], predicates=[lambda change: True]) for _ in range(3)]
    code = "watch = kw.watch(ConfigMap, map=lambda config: [name])"
    modules: list[dict[str, Any]] = [{"kw": kw, "ConfigMap": ConfigMap, "name": name} for name in ("shop", "stall")]
    for module in modules:
        exec(code, module)  # two modules whose lambdas stand in the same line

    async def story(scene: Scene, runner: Runner) -> list[int]:
        counts = [len(runner._subscriptions)]
        for watches in (here, [module["watch"] for module in modules]):
            for watch in watches:
                runner.start_watch(watch)
            counts.append(len(runner._subscriptions))
        return [after - before for before, after in itertools.pairwise(counts)]

    assert noting(story) == [1, 2]


def test_a_watch_that_cannot_be_is_refused_each_time() -> None:
    watch = kw.watch(int, map=lambda config: ["shop"])  # type: ignore[arg-type]

    async def story(scene: Scene, runner: Runner) -> None:
        for _ in range(2):
            with pytest.raises(EndpointError, match="is no kind"):
                runner.start_watch(watch)

    noting(story)


def test_each_way_to_end_has_its_consequence() -> None:
    endings: dict[str, Any] = {
        "fine": lambda: None,
        "again": lambda: kw.Requeue(after=100),
        "retry": lambda: kw.Retry("later", after=50),
        "never": lambda: kw.Terminal("no"),
        "fails": lambda: 1 / 0,
    }

    async def ends(web: WebServer, ctx: kw.Context) -> Any:
        return endings[web.metadata.name]()

    async def story(scene: Scene, runner: Runner) -> Any:
        for name in endings:
            await make(scene.client, name)
        await asyncio.sleep(0.004)
        await runner.idle()
        failures = {name: runner.queue.failures(Key("default", name)) for name in endings}
        return failures, runner.queue.waiting

    failures, waiting = noting(story, controller=declared(ends), work=True, made=False)
    assert failures == {"fine": 0, "again": 0, "retry": 0, "never": 0, "fails": failures["fails"]}
    assert failures["fails"] >= 1
    assert waiting == 3


def test_a_function_that_cancels_the_task_it_runs_in_ends_no_worker(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[str] = []

    async def cancels(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)
        task = asyncio.current_task()
        assert task is not None
        if web.metadata.name == "outright" and seen.count("outright") == 1:
            task.cancel()
            await asyncio.sleep(1)
        if web.metadata.name == "at-last":
            task.cancel()
        if web.metadata.name == "too-late":
            asyncio.get_running_loop().call_soon(task.cancel)
        if web.metadata.name == "home-made":  # a time limit that forgets to take its cancellation back
            asyncio.get_running_loop().call_later(0.1, task.cancel)
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(5)
        if web.metadata.name == "helper" and seen.count("helper") == 1:
            helper = asyncio.get_running_loop().create_future()
            helper.cancel()
            await helper

    async def story(scene: Scene, runner: Runner) -> bool:
        for name in ("outright", "at-last", "too-late", "home-made", "helper", "last"):
            await make(scene.client, name)
            await asyncio.sleep(2)
        return runner.working

    options: dict[str, Any] = {"concurrency": 1, "status": False}
    assert noting(story, controller=declared(cancels, **options), work=True, made=False)
    assert seen == ["outright", "outright", "at-last", "too-late", "home-made", "helper", "helper", "last"]
    assert [each.getMessage() for each in caplog.records if "raised" in each.getMessage()] != []


def test_it_says_why_it_ran_and_nothing_is_kept_of_what_is_gone() -> None:
    async def story(scene: Scene, runner: Runner) -> tuple[str, list[str]]:
        key = Key("default", "shop")
        runner.add(key, Cause("triggered", detail="by hand"))
        causes = str(runner._why.take(key))
        await take(runner)
        runner.queue.add(key)
        await runner.queue.get()
        runner.queue.failed(key)
        runner.queue.done(key)
        await scene.client.delete(PATH)
        await asyncio.sleep(1)
        return causes, [str(runner.queue.failures(key))]

    causes, failures = noting(story)
    assert "by hand" in causes
    assert failures == ["0"]


def test_after_its_stop_nothing_new_begins() -> None:
    seen: list[str] = []

    async def notes(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    async def story(scene: Scene, runner: Runner) -> None:
        await asyncio.sleep(1)
        runner.stop()
        await make(scene.client, "late")
        await asyncio.sleep(10)

    noting(story, controller=declared(notes), work=True)
    assert seen == ["shop"]


def test_reconciles_that_wait_for_nothing_let_others_run() -> None:
    async def story(scene: Scene, runner: Runner) -> None:
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        await runner.idle()
        for number in range(500):
            runner.add(Key("default", f"absent-{number}"), Cause("triggered"))
        task = asyncio.create_task(others())
        await runner.idle()
        task.cancel()
        assert turns > 20

    noting(story, work=True)


def test_whoever_was_in_the_way_of_a_child_brings_its_owner_back_when_he_goes() -> None:
    async def story(scene: Scene, runner: Runner) -> list[list[str]]:
        await scene.put(MAPS, "made", data={"a": "theirs"})
        await take(runner)
        outcome = await runner.reconciler.run(Key("default", "shop"), "id")
        assert "exists and is not WebServer default/shop's" in str(outcome.error)
        await scene.client.patch(f"{MAPS}/made", "merge", {"data": {"a": "changed"}})
        changed = await take(runner)
        await scene.client.delete(f"{MAPS}/made")
        return [changed, await take(runner)]

    async def one_child(obj: WebServer, ctx: kw.Context) -> None:
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made")))

    assert noting(story, function=one_child, owns=[ConfigMap]) == [[], ["default/shop"]]


@pytest.mark.parametrize("shared", [False, True], ids=["of its own", "shared"])
def test_an_object_that_leaves_the_selection_with_our_finalizer_is_told_of(
    shared: bool, caplog: pytest.LogCaptureFixture
) -> None:
    # Who may read all of its kind has a cache of all: what leaves the selection is then a change like any other.
    controller = declared(labels="tier=gold", reads=[WebServer] if shared else [])
    controller.finalizer(lambda obj, ctx: None)

    async def story(scene: Scene, runner: Runner) -> None:
        labels = {"labels": {"tier": "gold"}}
        await make(scene.client, "plain")
        await make(scene.client, "ended")
        for name, finalizers in (("shop", [controller.finalizer_name]), ("plain", []), ("ended", ["example.com/x"])):
            path = f"{WEBS.format('default')}/{name}"
            await scene.client.patch(path, "merge", {"metadata": {**labels, "finalizers": finalizers}})
        await take(runner)
        for name in ("shop", "plain"):
            await scene.client.patch(f"{WEBS.format('default')}/{name}", "merge", {"metadata": {"labels": None}})
        await take(runner)

    noting(story, controller=controller)
    (said,) = [each.getMessage() for each in caplog.records if "still has its finalizer" in each.getMessage()]
    assert "WebServer default/shop is not among those that it is for any more" in said


@pytest.mark.parametrize("shared", [False, True], ids=["of its own", "shared"])
def test_one_that_leaves_it_while_it_is_being_deleted_is_told_of_and_one_that_was_let_go_is_not(
    shared: bool, caplog: pytest.LogCaptureFixture
) -> None:
    controller = declared(labels="tier=gold", reads=[WebServer] if shared else [])

    async def clean_up(obj: WebServer, ctx: kw.Context) -> kw.Retry | None:
        return kw.Retry("not yet", after=1000) if obj.metadata.name == "shop" else None

    controller.finalizer(clean_up)

    async def story(scene: Scene, runner: Runner) -> None:
        await make(scene.client, "ended")
        for name in ("shop", "ended"):
            path = f"{WEBS.format('default')}/{name}"
            await scene.client.patch(path, "merge", {"metadata": {"labels": {"tier": "gold"}}})
            await asyncio.sleep(1)
            await scene.client.delete(path)
            await asyncio.sleep(1)
        await scene.client.patch(PATH, "merge", {"metadata": {"labels": None}})
        await asyncio.sleep(1)

    noting(story, controller=controller, work=True)
    (said,) = [each.getMessage() for each in caplog.records if "still has its finalizer" in each.getMessage()]
    assert "WebServer default/shop is not among those that it is for any more" in said


def test_an_object_that_is_deleted_has_not_left_the_selection(caplog: pytest.LogCaptureFixture) -> None:
    controller = declared(labels="tier=gold")
    controller.finalizer(lambda obj, ctx: None)

    async def story(scene: Scene, runner: Runner) -> None:
        finalizers = [controller.finalizer_name]
        await scene.client.patch(PATH, "merge", {"metadata": {"labels": {"tier": "gold"}, "finalizers": finalizers}})
        await take(runner)
        await scene.client.delete(PATH)
        await take(runner)
        await scene.client.patch(PATH, "merge", {"metadata": {"finalizers": None}})
        await take(runner)

    noting(story, controller=controller)
    assert "still has its finalizer" not in caplog.text


def test_an_object_is_not_looked_at_again_because_of_our_own_finalizer() -> None:
    controller = declared(owns=[])
    controller.finalizer(lambda obj, ctx: None)

    async def story(scene: Scene, runner: Runner) -> list[list[str]]:
        first = await take(runner)
        await runner.reconciler.run(Key("default", "shop"), "id")
        again = await take(runner)
        await scene.client.patch(PATH, "merge", {"metadata": {"finalizers": None}})
        return [first, again, await take(runner)]

    assert noting(story, controller=controller) == [["default/shop"], [], ["default/shop"]]
