"""Of several operators one leads: standbys, kills, and a lease that cannot be renewed."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.operator.scene import Scene, Wire, play
from tests.operator.web import WEBS, WebServer, make

import kubewright as kw
from kubewright import clock
from kubewright.client.transport import Transport
from kubewright.controller.election import LeadershipLost
from kubewright.http import Request, Response
from kubewright.k8s.core.v1 import ConfigMap
from kubewright.operator import Running
from kubewright.trials.loop import SimulatedLoop


def test_a_standby_has_synced_caches_and_takes_over() -> None:
    leads: list[str] = []

    def controller(who: str) -> Any:
        @kw.controller(WebServer, name="web")
        async def reconcile(web: WebServer, ctx: kw.Context) -> None:
            leads.append(who)

        return reconcile

    async def story(scene: Scene) -> Any:
        await make(scene.client, "shop")
        async with scene.running(controller("two"), leader_election=True) as two:
            await two.synced()
            async with scene.running(controller("one"), leader_election=True) as one:
                await asyncio.sleep(60)
                warm = [each.synced.is_set() for each in one.informers]
                working = [runner.working for runner in one.runners.values()]
                assert leads == ["two"]
                await two.__aexit__(None, None, None)
                await asyncio.wait_for(one.synced(), 10)
                await one.idle()
                return warm, working

    assert play(story) == ([True], [False])
    assert leads == ["two", "one"]


def test_a_standby_shows_no_backlog_and_a_leader_that_waits_for_a_kind_does() -> None:
    @kw.controller(WebServer, name="web", owns=[ConfigMap])
    async def nothing(web: WebServer, ctx: kw.Context) -> None:
        pass

    async def backlog(running: Running) -> list[str]:
        response = await running.metrics.answer(Request("GET", "/metrics"))
        told = bytes(await response.read()).decode().splitlines()
        names = ("workqueue_depth", "workqueue_adds_total", "kubewright_queue_oldest_seconds")
        return [line.split()[-1] for name in names for line in told if line.startswith(name)]

    async def story(scene: Scene) -> list[list[str]]:
        await make(scene.client, "shop")
        async with scene.running(nothing, leader_election=True) as leads:
            await leads.synced()
            scene.wire.refuse = lambda request: 403 if "configmaps" in request.path else None
            async with scene.running(nothing, leader_election=True) as stands_by:
                await asyncio.sleep(60)
                before = await backlog(stands_by)
                await leads.__aexit__(None, None, None)
                await asyncio.sleep(10)
                during = await backlog(stands_by)
                scene.wire.refuse = lambda request: None
                await stands_by.idle()
                return [before, during[:-1], await backlog(stands_by)]

    # What was there before has a priority of its own, so a line of its own.
    assert play(story) == [["0", "0", "0"], ["1", "0", "1"], ["0", "0", "1", "0"]]


def test_a_standby_keeps_nothing_of_what_is_gone() -> None:
    @kw.controller(WebServer, name="web", owns=[ConfigMap])
    async def one_map(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name=web.metadata.name)))

    async def story(scene: Scene) -> tuple[int, int, int]:
        async with scene.running(one_map, leader_election=True) as leads:
            await leads.synced()
            async with scene.running(one_map, leader_election=True) as stands_by:
                for number in range(20):
                    await make(scene.client, f"web-{number}")
                await leads.idle()
                await asyncio.sleep(60)
                (runner,) = stands_by.runners.values()
                all_of_them = len(runner.queue)
                for number in range(19):
                    await scene.client.delete(f"{WEBS.format('default')}/web-{number}")
                for number in range(19):  # which the garbage collector does after its owner's end
                    await scene.client.delete(f"/api/v1/namespaces/default/configmaps/web-{number}")
                await asyncio.sleep(60)
                return all_of_them, len(runner.queue), len(runner._why)

    assert play(story) == (20, 1, 1)


def test_a_leader_that_cannot_renew_its_lease_stops_and_says_so() -> None:
    async def story(scene: Scene) -> list[str]:
        @kw.controller(WebServer, owns=[ConfigMap])
        async def makes(web: WebServer, ctx: kw.Context) -> kw.Requeue:
            await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made"), data={"at": str(clock.now())}))
            return kw.Requeue(after=0.5)

        async with scene.running(makes, leader_election=True) as running:
            await make(scene.client, "shop")
            await running.synced()
            scene.wire.refuse = lambda request: 503 if "leases" in request.path else None
            with pytest.raises(LeadershipLost):
                await asyncio.wait_for(running.wait(), 60)
            scene.wire.writes.clear()
            await asyncio.sleep(60)
            assert "run" in running.health.problems()
        return [each for each in scene.wire.writes if "configmaps" in each]

    assert play(story) == []


def test_a_leader_that_is_killed_is_followed_when_its_lease_has_run_out() -> None:
    leads: list[tuple[str, float]] = []

    def controller(who: str) -> Any:
        @kw.controller(WebServer, name="web")
        async def reconcile(web: WebServer, ctx: kw.Context) -> None:
            leads.append((who, asyncio.get_running_loop().time()))

        return reconcile

    async def story(scene: Scene) -> float:
        other = Scene(scene.cluster)
        await make(scene.client, "shop")
        async with scene.running(controller("killed"), leader_election=True) as killed:
            await killed.idle()
            async with other.running(controller("heir"), leader_election=True) as heir:
                await asyncio.sleep(30)
                died = asyncio.get_running_loop().time()
                scene.wire.dead = True  # it says nothing more, not even good-bye
                await asyncio.wait_for(heir.idle(), 60)
                return died

    died = play(story)
    assert [who for who, _ in leads] == ["killed", "heir"]
    assert 10 < leads[1][1] - died < 25


def test_a_leader_frozen_for_twenty_seconds_sends_nothing_before_its_lease_is_renewed() -> None:
    """Nothing of the process runs for longer than the lease lasts; then it goes on in the middle of a reconcile."""
    calls: list[int] = []

    @kw.controller(WebServer, owns=[ConfigMap])
    async def makes(web: WebServer, ctx: kw.Context) -> kw.Requeue:
        calls.append(web.spec.replicas)
        if calls == [1, 2]:
            loop = asyncio.get_running_loop()
            assert isinstance(loop, SimulatedLoop)
            loop._simulated.elapsed += 20
            await ctx.live.delete(ConfigMap, "made", "default")
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made"), data={"a": str(web.spec.replicas)}))
        return kw.Requeue(after=600)

    async def story(scene: Scene) -> tuple[list[str], Any]:
        async with scene.running(makes, leader_election=True) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            scene.wire.writes.clear()
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 2}})
            await asyncio.sleep(60)
            assert not running.ended
        found = await scene.client.get("/api/v1/namespaces/default/configmaps/made")
        return [each for each in scene.wire.writes if "events" not in each], found["data"]

    writes, data = play(story)
    made = next(number for number, each in enumerate(writes) if "configmaps" in each)
    assert made > 0
    assert "leases" in writes[made - 1]
    assert data == {"a": "2"}


def test_a_reconciler_that_always_blocks_for_longer_than_the_lease_is_renewed_gets_its_writes_out() -> None:
    renewals = 0
    written: list[int] = []
    calls: list[int] = []

    async def slowly(request: Request) -> None:
        nonlocal renewals
        await asyncio.sleep(0.1)
        renewals += "leases" in request.path
        if "/status" in request.path:
            written.append(renewals)

    @kw.controller(WebServer)
    async def blocks(web: WebServer, ctx: kw.Context) -> None:
        calls.append(renewals)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        loop._simulated.elapsed += 12
        web.status.set("Done", True, reason="Done")

    async def story(scene: Scene) -> Any:
        scene.wire.lag = slowly
        async with scene.running(blocks, leader_election=True) as running:
            await make(scene.client, "shop")
            await asyncio.sleep(60)
            assert not running.ended
        return (await scene.client.get(f"{WEBS.format('default')}/shop"))["status"]

    assert play(story)["conditions"][0]["type"] == "Done"
    assert len(calls) == len(written) == 1
    assert calls[0] < written[0]


def test_the_lease_is_given_back_only_when_what_was_under_way_has_ended() -> None:
    told: list[str] = []

    @kw.controller(WebServer, owns=[ConfigMap])
    async def slow(web: WebServer, ctx: kw.Context) -> None:
        told.append("begins")
        await asyncio.sleep(20)
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made")))
        told.append("ends")

    async def story(scene: Scene) -> tuple[list[str], str]:
        async with scene.running(slow, leader_election=True) as running:
            await make(scene.client, "shop")
            await running.synced()
            await asyncio.sleep(1)
            scene.wire.writes.clear()
        lease = await scene.client.get("/apis/coordination.k8s.io/v1/namespaces/default/leases/web-operator")
        return [each for each in scene.wire.writes if "events" not in each], lease["spec"]["holderIdentity"]

    writes, holder = play(story)
    assert told == ["begins", "ends"]
    assert holder == ""
    kinds = ["lease" if "leases" in each else "child" for each in writes if "/status" not in each]
    assert kinds.count("child") == 1
    assert kinds[-1] == "lease"
    assert "lease" in kinds[: kinds.index("child")]  # renewed meanwhile


def noting(who: str, seen: list[tuple[str, int]]) -> Any:
    """A controller that notes what it is handed."""

    @kw.controller(WebServer, name="web", status=False)
    async def reconcile(web: WebServer, ctx: kw.Context) -> None:
        seen.append((who, web.spec.replicas))

    return reconcile


def test_a_new_leader_does_not_act_on_an_older_view_than_the_last_one_had() -> None:
    """The standby's watch stands still, and the leader has seen more: that is in the Lease."""
    seen: list[tuple[str, int]] = []

    async def story(scene: Scene) -> None:
        other = Scene(scene.cluster)
        await make(scene.client, "shop", replicas=1)
        async with scene.running(noting("first", seen), leader_election=True) as first:
            await first.idle()
            async with other.running(noting("second", seen), leader_election=True) as second:
                await second.informers[0].synced.wait()
                other.wire.wedge()
                await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 7}})
                await asyncio.sleep(10)  # the lease is renewed, with how far the leader has seen
                await first.__aexit__(None, None, None)
                await asyncio.wait_for(second.idle(), 30)

    play(story)
    assert [each for who, each in seen if who == "first"] == [1, 7]
    assert [each for who, each in seen if who == "second"] == [7]


def test_a_new_leader_whose_first_state_was_asked_for_under_the_last_one_does_not_act_on_that() -> None:
    """The server takes its time to tell what was there; meanwhile the leader has seen more, and goes."""
    seen: list[tuple[str, int]] = []

    async def story(scene: Scene) -> None:
        other = Scene(scene.cluster)
        other.wire = Slow(other.wire._transport)
        await make(scene.client, "shop", replicas=1)
        async with scene.running(noting("first", seen), leader_election=True) as first:
            await first.idle()
            async with other.running(noting("second", seen), leader_election=True) as second:
                await asyncio.sleep(1)
                await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 7}})
                await asyncio.sleep(5)  # the lease is renewed, with how far the leader has seen
                await first.__aexit__(None, None, None)
                await asyncio.wait_for(second.idle(), 60)

    play(story)
    assert [each for who, each in seen if who == "second"] == [7]


class Slow(Wire):
    """A wire on which the first watch takes long to begin, and then a while for each line."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.began = False

    async def send(self, request: Request) -> Response:
        response = await super().send(request)
        if self.began or "watch=true" not in request.query:
            return response
        self.began = True
        return Response(200, response.headers, self._drip(response))

    async def _drip(self, response: Response) -> AsyncIterator[bytes]:
        await asyncio.sleep(20)
        async for piece in response:
            for line in piece.splitlines(keepends=True):
                yield line
                await asyncio.sleep(2)


def test_a_new_leader_works_with_the_kinds_that_it_can_read() -> None:
    """Of the other one the last leader has seen more, and the new one may not ask what there is."""
    seen: list[str] = []

    def controllers(who: str) -> list[Any]:
        @kw.controller(WebServer, name="web", status=False)
        async def web(web: WebServer, ctx: kw.Context) -> None:
            seen.append(f"{who} {web.metadata.name}")

        @kw.controller(ConfigMap, name="maps", status=False)
        async def maps(config: ConfigMap, ctx: kw.Context) -> None:
            seen.append(f"{who} {config.metadata.name}")

        return [web, maps]

    async def story(scene: Scene) -> Any:
        other = Scene(scene.cluster)
        await make(scene.client, "shop")
        async with scene.running(*controllers("first"), leader_election=True) as first:
            await first.idle()
            async with other.running(*controllers("second"), leader_election=True) as second:
                for informer in second.informers:
                    await informer.synced.wait()
                other.wire.refuse = lambda request: 403 if "configmaps" in request.path else None
                scene.cut()
                await asyncio.sleep(1)
                await scene.put("/api/v1/namespaces/default/configmaps", "new")
                await asyncio.sleep(10)  # the lease is renewed, with how far the leader has seen
                await first.__aexit__(None, None, None)
                await asyncio.sleep(60)
                before = list(seen)
                other.wire.refuse = lambda request: None
                await asyncio.wait_for(second.idle(), 120)
                return before

    before = play(story)
    assert [each for each in before if each.startswith("second")] == ["second shop"]
    assert "second new" in seen


def test_a_reconciler_that_takes_its_cancellation_for_something_else_does_not_keep_a_lost_leader_going() -> None:
    @kw.controller(WebServer, status=False, concurrency=1)
    async def stubborn(web: WebServer, ctx: kw.Context) -> kw.Requeue:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(30)
        return kw.Requeue(after=0.5)

    async def story(scene: Scene) -> None:
        async with scene.running(stubborn, leader_election=True) as running:
            await make(scene.client, "shop")
            await running.synced()
            scene.wire.refuse = lambda request: 503 if "leases" in request.path else None
            with pytest.raises(LeadershipLost):
                await asyncio.wait_for(running.wait(), 600)

    play(story)


def test_the_lease_is_given_back_when_the_last_that_was_cancelled_has_tidied_up() -> None:
    told: list[str] = []

    @kw.controller(WebServer, owns=[ConfigMap], status=False)
    async def slow(web: WebServer, ctx: kw.Context) -> None:
        try:
            await asyncio.sleep(100)
        finally:
            if web.metadata.name == "thorough":
                await asyncio.sleep(3)
                await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="tidied")))
            told.append(web.metadata.name)

    @kw.controller(ConfigMap, status=False)
    async def other(config: ConfigMap, ctx: kw.Context) -> None:
        if config.metadata.name == "long":
            await asyncio.sleep(100)

    async def story(scene: Scene) -> list[str]:
        await scene.put("/api/v1/namespaces/default/configmaps", "long")
        async with scene.running(slow, other, leader_election=True, grace=1) as running:
            await make(scene.client, "quick")
            await make(scene.client, "thorough")
            await running.synced()
            await asyncio.sleep(1)
        return [each for each in scene.wire.writes if "events" not in each]

    writes = play(story)
    assert told == ["quick", "thorough"]
    assert "configmaps/tidied" in writes[-2]
    assert "leases" in writes[-1]
