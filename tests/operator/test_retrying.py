"""What fails is tried again, later and later, and holds up nobody else."""

import asyncio
import itertools

import pytest
from tests.operator.scene import Scene, play
from tests.operator.web import WEBS, WebServer, make

import kubewright as kw
from kubewright.http import Request
from kubewright.k8s.core.v1 import ConfigMap


def test_what_fails_is_tried_again_ever_later_and_what_succeeds_begins_anew() -> None:
    times: list[float] = []

    @kw.controller(WebServer)
    async def fails(web: WebServer, ctx: kw.Context) -> None:
        times.append(asyncio.get_running_loop().time())
        raise RuntimeError("boom")

    async def story(scene: Scene) -> None:
        async with scene.running(fails):
            await make(scene.client, "shop")
            await asyncio.sleep(10)

    play(story)
    pauses = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert 8 <= len(pauses) <= 12
    assert all(later > 1.5 * earlier for earlier, later in itertools.pairwise(pauses))


@pytest.mark.parametrize("code", [None, 401, 429, 500, 502, 503, 504])
def test_after_an_outage_nobody_waits_for_much_longer_than_it_took_a_server_to_come_back(code: int | None) -> None:
    times: list[float] = []

    @kw.controller(WebServer)
    async def tells(web: WebServer, ctx: kw.Context) -> kw.Requeue:
        await ctx.live.patch(ConfigMap, "told", {"data": {"web": web.metadata.name}}, namespace="default")
        times.append(asyncio.get_running_loop().time())
        return kw.Requeue(after=1)

    async def story(scene: Scene) -> float:
        await scene.client.create("/api/v1/namespaces/default/configmaps", {"metadata": {"name": "told"}})
        async with scene.running(tells) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            if code is None:
                scene.wire.dead = True
            else:
                scene.wire.refuse = lambda request: code if request.method == "PATCH" else None
            await asyncio.sleep(7200)
            scene.wire.dead, scene.wire.refuse = False, lambda request: None
            back = asyncio.get_running_loop().time()
            await asyncio.sleep(120)
            return min(each - back for each in times if each > back)

    assert play(story) < 61


def test_what_fails_by_itself_after_an_outage_does_not_wait_for_all_that_failed_in_it() -> None:
    times: list[float] = []

    @kw.controller(WebServer)
    async def tells(web: WebServer, ctx: kw.Context) -> kw.Requeue:
        times.append(asyncio.get_running_loop().time())
        await ctx.live.patch(ConfigMap, "told", {"data": {"web": web.metadata.name}}, namespace="default")
        return kw.Requeue(after=1)

    async def story(scene: Scene) -> float:
        await scene.client.create("/api/v1/namespaces/default/configmaps", {"metadata": {"name": "told"}})
        async with scene.running(tells) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            scene.wire.refuse = lambda request: 503 if request.method == "PATCH" else None
            await asyncio.sleep(7200)
            scene.wire.refuse = lambda request: 409 if request.method == "PATCH" else None
            back = asyncio.get_running_loop().time()
            await asyncio.sleep(300)
            first, second = [each - back for each in times if each > back][:2]
            return second - first

    assert 60 < play(story) < 120


def test_a_terminal_error_waits_for_the_next_change() -> None:
    runs: list[int] = []

    @kw.controller(WebServer)
    async def gives_up(web: WebServer, ctx: kw.Context) -> None:
        runs.append(web.metadata.generation)
        raise kw.Terminal("the image is not there")

    async def story(scene: Scene) -> None:
        async with scene.running(gives_up):
            await make(scene.client, "shop")
            await asyncio.sleep(3600)
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 4}})
            await asyncio.sleep(3600)

    play(story)
    assert runs == [1, 2]


def test_a_requeue_comes_again_at_its_time() -> None:
    times: list[float] = []

    @kw.controller(WebServer)
    async def polls(web: WebServer, ctx: kw.Context) -> kw.Requeue:
        times.append(asyncio.get_running_loop().time())
        return kw.Requeue(after=60)

    async def story(scene: Scene) -> None:
        async with scene.running(polls):
            await make(scene.client, "shop")
            await asyncio.sleep(200)

    play(story)
    assert [round(time - times[0]) for time in times] == [0, 60, 120, 180]


def test_a_requeue_without_a_time_comes_ever_later_and_is_no_failure() -> None:
    """One that came again at once would keep a processor busy with nothing."""
    times: list[float] = []

    @kw.controller(WebServer)
    async def asks(web: WebServer, ctx: kw.Context) -> kw.Requeue:
        times.append(asyncio.get_running_loop().time())
        return kw.Requeue()

    async def story(scene: Scene) -> str:
        async with scene.running(asks) as running:
            await make(scene.client, "shop")
            await asyncio.sleep(10)
            response = await running.metrics.answer(Request("GET", "/metrics"))
            return bytes(await response.read()).decode()

    page = play(story)
    pauses = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert 8 <= len(pauses) <= 12
    assert all(later > 1.5 * earlier for earlier, later in itertools.pairwise(pauses))
    assert f'controller_runtime_reconcile_total{{controller="asks",result="requeue"}} {len(times)}' in page
    assert 'controller_runtime_reconcile_errors_total{controller="asks"} 0' in page


def test_bounded_workers_are_not_held_by_objects_that_fail() -> None:
    """A framework whose workers sleep on retries never gets to the sixth object."""
    handled: list[str] = []

    @kw.controller(WebServer, concurrency=5)
    async def picky(web: WebServer, ctx: kw.Context) -> None:
        if web.metadata.name.startswith("bad"):
            raise kw.Retry("not yet", after=30)
        handled.append(web.metadata.name)

    async def story(scene: Scene) -> None:
        async with scene.running(picky):
            for number in range(5):
                await make(scene.client, f"bad-{number}")
            await asyncio.sleep(1)
            await make(scene.client, "good")
            await asyncio.sleep(1)

    play(story)
    assert handled == ["good"]


def test_two_hundred_objects_pass_ten_workers_at_once() -> None:
    """A framework whose workers idle while they hold their slot takes a minute and a half for these."""
    handled: list[str] = []

    @kw.controller(WebServer, concurrency=10)
    async def quick(web: WebServer, ctx: kw.Context) -> None:
        handled.append(web.metadata.name)

    async def story(scene: Scene) -> None:
        for number in range(200):
            await make(scene.client, f"shop-{number}")
        async with scene.running(quick):
            await asyncio.sleep(1)

    play(story)
    assert len(set(handled)) == 200
