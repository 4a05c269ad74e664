"""Leader election among processes that stop, die and lose touch, in simulated time."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.controller.world import Process, World
from tests.seeds import seeds

from kubewright.client import Client
from kubewright.cluster import Cluster
from kubewright.controller.candidacy import WATERMARKS
from kubewright.controller.election import Durations, Election, ElectionError
from kubewright.controller.fence import NotLeading
from kubewright.entropy import Entropy
from kubewright.trials.loop import run

Work = Callable[[Process], Coroutine[Any, Any, None]]
SEEDS = st.integers(0, 2**32)
#: A minute of several processes takes as long as a hundred ordinary examples.
few = settings(max_examples=settings.default.max_examples // 5)  # type: ignore[union-attr]
#: From a kill to the next leader: LeaseDuration + RetryPeriod · 2.2, and the time that four messages take.
BOUND = 15 + 2 * 2.2


async def idle(process: Process) -> None:
    await asyncio.Event().wait()


async def busy(process: Process) -> None:
    """Write about twice a second, whatever becomes of it."""
    while True:
        with contextlib.suppress(Exception):
            await process.led.create("/things", {"by": process.name, "at": process.world.now})
        await asyncio.sleep(process.world.random.random())


@contextlib.contextmanager
def world(seed: int = 1, candidates: int = 2, work: Work = idle, **options: Any) -> Iterator[World]:
    made = World(seed, **options)
    for _ in range(candidates):
        made.process().stand(work)
    try:
        yield made
    finally:
        made.close()


def rival(one: World, leader: Process) -> Process:
    return next(other for other in one.processes if other is not leader)


@few
@given(SEEDS)
def test_one_of_three_leads_at_once(seed: int) -> None:
    with world(seed, 3) as one:
        leader = one.leader(until=1)
        assert one.server.spec["holderIdentity"] == leader.election.identity
        assert one.server.spec["leaseTransitions"] == 0
        one.run(60)
        assert one.open() == [leader.name]
        assert leader.told == ["became leader"]


@few
@given(SEEDS)
def test_a_killed_leader_is_followed_within_the_bound(seed: int) -> None:
    with world(seed, 3) as one:
        first = one.leader(until=1)
        one.run(one.random.uniform(20, 60))
        killed = one.now
        first.dead = True
        second = one.leader(until=killed + 60)
        assert second is not first
        assert one.now - killed <= BOUND + 4 * one.latency
        assert one.server.spec["leaseTransitions"] == 1


def test_renewal_keeps_acquire_time_and_transitions_and_needs_no_read() -> None:
    with world(candidates=1) as one:
        leader = one.leader(until=1)
        acquired, renewed = one.server.spec["acquireTime"], one.server.spec["renewTime"]
        one.server.asked.clear()
        one.run(21)
        assert set(one.server.asked) == {"PUT"}
        assert 9 <= len(one.server.asked) <= 10
        assert one.server.spec["acquireTime"] == acquired
        assert one.server.spec["renewTime"] > renewed
        assert one.server.spec["leaseTransitions"] == 0
        assert one.server.spec["leaseDurationSeconds"] == 15
        assert leader.told == ["became leader"]


def test_a_conflict_is_answered_by_the_slow_path() -> None:
    with world(candidates=1) as one:
        leader = one.leader(until=1)
        assert one.server.lease is not None
        one.server.store(one.server.lease, note="touched")
        one.run(10)
        assert leader.told == ["became leader", "slow path"]
        assert one.open() == [leader.name]
        assert one.server.lease["metadata"]["note"] == "touched"


@few
@given(SEEDS)
def test_a_clean_exit_hands_over_within_one_look(seed: int) -> None:
    with world(seed) as one:
        leader = one.leader(until=1)
        one.run(30)
        assert leader.task is not None
        leader.task.cancel()
        assert one.run(30.3, lambda: one.server.spec["holderIdentity"] == "")
        assert (one.server.spec["leaseDurationSeconds"], one.server.spec["leaseTransitions"]) == (1, 0)
        assert leader.told == ["became leader", "stopped leading"]
        assert one.leader(until=30 + 2 * 2.2 + 0.5) is rival(one, leader)


def test_the_lease_is_kept_while_cancelled_work_cleans_up() -> None:
    ended = []

    async def slow_to_end(process: Process) -> None:
        try:
            await idle(process)
        finally:
            await asyncio.sleep(40)
            await process.led.create("/things", {"last": "words"})
            ended.append(process.world.now)

    with world(work=slow_to_end) as one:
        leader = one.leader(until=1)
        one.run(10)
        assert leader.task is not None
        leader.task.cancel()
        one.run(49)
        assert one.open() == [leader.name]
        one.run(55, lambda: bool(ended))
        assert one.server.written == [("/things", {"last": "words"})]


def test_work_that_raises_releases_the_lease_and_the_error_comes_through() -> None:
    async def broken(process: Process) -> None:
        raise ValueError("no good")

    with world(candidates=0) as one:
        process = one.process()
        process.stand(broken, again=False)
        one.run(5)
        assert process.ended == ["ValueError: no good"]
        assert one.server.spec["holderIdentity"] == ""


def test_a_release_that_nobody_answers_is_told_with_a_reason(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(process: Process) -> None:
        process.world.down = True
        raise ValueError("no good")

    with world(candidates=0) as one:
        process = one.process()
        process.stand(broken, again=False)
        one.run(60)
        assert process.ended == ["ValueError: no good"]
    (said,) = [each.getMessage() for each in caplog.records if "will run out" in each.getMessage()]
    assert not said.endswith(": ")


def test_while_the_server_is_down_the_fence_shuts_in_time_and_the_work_is_cancelled() -> None:
    with world() as one:
        leader = one.leader(until=1)
        one.run(20)
        one.down = True
        one.run(20 + 10.2, lambda: not one.open())
        assert one.open() == []
        one.run(20 + 12.2, lambda: bool(leader.ended))
        assert leader.ended[0].startswith("LeadershipLost: the lease default/op was lost: it could not be renewed")
        one.run(100)
        one.down = False
        assert one.leader(until=100 + 2 * 2.2 + 5.2)


def test_a_short_outage_costs_nothing() -> None:
    with world() as one:
        leader = one.leader(until=1)
        one.run(20)
        one.down = True
        one.run(27)
        one.down = False
        one.run(60)
        assert leader.told.count("became leader") == 1
        assert leader.ended == []
        assert one.open() == [leader.name]


def test_after_standing_still_with_no_rival_nothing_is_sent_before_the_renewal() -> None:
    with world(candidates=1, work=busy) as one:
        leader = one.leader(until=1)
        one.run(30)
        leader.frozen_until = 50
        one.run(30 + 1)  # what was on its way has arrived
        before, renewals = len(one.server.written), one.server.spec["renewTime"]

        def check() -> None:
            if len(one.server.written) > before:
                assert one.server.spec["renewTime"] > renewals

        one.watching = check
        one.run(60)
        assert len(one.server.written) > before
        assert leader.told == ["became leader"], "nobody took the lease: the work went on"


def test_after_standing_still_while_another_took_over_nothing_is_sent() -> None:
    with world(work=busy) as one:
        leader = one.leader(until=1)
        one.run(30)
        leader.frozen_until = 60
        other = rival(one, leader)
        one.run(59)
        assert one.open() == [other.name]
        written = len(one.server.written)
        one.run(90)
        assert {document["by"] for _, document in one.server.written[written:]} == {other.name}
        (end,) = leader.ended
        assert end.startswith(f"LeadershipLost: the lease default/op was lost: {other.election.identity} holds it; ")


def test_a_leader_whose_clock_of_the_day_jumps_ahead_renews_and_goes_on() -> None:
    with world(candidates=1) as one:
        leader = one.leader(until=1)
        one.run(21)
        leader.loop._start += 3600
        assert one.open() == []
        one.run(24)
        assert one.open() == [leader.name]
        assert leader.ended == []


@pytest.mark.parametrize("jump", [3600.0, -3600.0, -1e8])
def test_clocks_of_the_day_that_jump_take_the_lease_from_nobody(jump: float) -> None:
    with world() as one:
        leader = one.leader(until=1)
        one.run(21)
        for process in one.processes:
            process.loop._start += jump
            jump = -jump
        one.run(100)
        assert one.open() == [leader.name]
        assert leader.ended == []


@few
@given(SEEDS)
def test_a_lease_deleted_by_hand_is_made_anew_by_its_leader(seed: int) -> None:
    with world(seed, 3) as one:
        leader = one.leader(until=1)
        one.run(one.random.uniform(20, 30))
        one.server.lease = None
        one.run(60)
        assert one.open() == [leader.name]
        assert leader.ended == []


def test_a_lease_deleted_under_a_dead_leader_is_free_after_its_duration() -> None:
    with world() as one:
        leader = one.leader(until=1)
        one.run(20)
        leader.dead = True
        one.server.lease = None
        one.leader(until=20 + BOUND + 0.2)
        assert one.now > 20 + 15


@pytest.mark.parametrize("edit", [{"holderIdentity": ""}, {"leaseDurationSeconds": 1}, {"holderIdentity": "somebody"}])
def test_a_lease_changed_by_hand_never_makes_two_leaders(edit: dict[str, Any]) -> None:
    with world(candidates=3) as one:
        one.leader(until=1)
        one.run(20)
        one.server.edit(**edit)
        one.run(60)
        assert len(one.open()) == 1


@pytest.mark.parametrize("same_uuid", [False, True])
def test_of_two_with_one_identity_one_leads(same_uuid: bool) -> None:
    one = World(1)
    for _ in range(2):
        one.process("twin", seed=7 if same_uuid else None).stand(idle)
    first = one.leader(until=1)
    one.run(60)
    assert one.open() == [first.name]
    first.dead = True
    assert one.leader(until=60 + BOUND + 0.2) is rival(one, first)
    first.dead = False  # as if it had stood still: it finds its own name in the record, but not its own record
    one.run(120)
    assert one.open() == [rival(one, first).name]
    one.close()


def test_a_lease_whose_acquisition_was_not_confirmed_is_ours_at_the_next_look() -> None:
    with world(candidates=1) as one:
        handle = one.server.handle
        lost: list[str] = []

        def lose_the_answer(method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
            answer = handle(method, path, body)
            if method == "POST":
                lost.append(path)
                return 503, {}
            return answer

        one.server.handle = lose_the_answer  # type: ignore[method-assign]
        one.leader(until=5)
        assert len(lost) == 1


def test_watermarks_are_kept_in_the_lease_and_only_rise() -> None:
    with world() as one:
        leader = one.leader(until=1)
        leader.seen |= {"pods": 100, "webservers.example.com": 7}
        one.run(10)
        leader.seen["pods"] = 90
        one.run(20)
        assert leader.election.watermarks == {"pods": 100, "webservers.example.com": 7}
        leader.dead = True
        second = one.leader(until=60)
        assert second.election.watermarks == {"pods": 100, "webservers.example.com": 7}
        second.seen["pods"] = 120
        one.run(one.now + 5)
        assert second.election.watermarks["pods"] == 120


def test_a_watermark_that_was_reset_begins_anew() -> None:
    with world(candidates=1) as one:
        leader = one.leader(until=1)
        leader.seen["pods"] = 100
        one.run(10)
        leader.seen["pods"] = 5
        leader.election.reset_watermark("pods")
        one.run(20)
        assert leader.election.watermarks == {"pods": 5}


def test_watermarks_that_somebody_made_unreadable_are_none() -> None:
    with world() as one:
        leader = one.leader(until=1)
        leader.dead = True
        assert one.server.lease is not None
        one.server.store(one.server.lease, annotations={WATERMARKS: "{"})  # type: ignore[arg-type]
        assert one.leader(until=60).election.watermarks == {}


@pytest.mark.parametrize(
    ("durations", "said"),
    [
        ((15, 15, 2), "must be longer than renew"),
        ((15, 2, 2), "1.2 times retry"),
        ((0.5, 0.4, 0.1), "whole number"),
        (("15", 10, 2), "lease='15' must be seconds, a number"),
        ((15, None, 2), "renew=None must be seconds, a number"),
        ((15, 10, float("nan")), "retry=nan must be seconds, a number"),
    ],
)
def test_durations_that_cannot_work_are_refused(durations: tuple[Any, ...], said: str) -> None:
    with pytest.raises(ElectionError, match=said):
        Durations(*durations)


def test_an_election_without_an_identity_is_refused() -> None:
    one = World(1)
    with pytest.raises(ElectionError, match="an identity"):
        Election(Client(one.process()), "op", "default", "")
    one.close()


def _has_seen_it(process: Process) -> bool:
    candidacy = process.election._candidacy
    return candidacy._observed is not None and not candidacy._vanished


class Chaos:
    """Everything that can befall candidates, at random, for a while; then peace, in which one must lead."""

    def __init__(self, seed: int) -> None:
        self.world = World(seed, latency=random.Random(seed).choice([0.01, 0.3, 2.0]), drifting=True)
        self.random = self.world.random
        self.candidates = [self.start() for _ in range(self.random.choice([2, 3]))]
        # Whoever does both releases the lease by hand, and means it.
        self.edit: dict[str, Any] = self.random.choice([{"holderIdentity": ""}, {"leaseDurationSeconds": 1}])

    def start(self) -> Process:
        process = self.world.process()
        process.stand(busy)
        return process

    def befall(self) -> None:
        index = self.random.randrange(len(self.candidates))
        victim, now = self.candidates[index], self.world.now
        later = now + self.random.uniform(0, 30)
        match self.random.choice(["freeze", "freeze", "kill", "stop", "cut", "down", "loss", "hand", "delete", "jump"]):
            case "freeze":
                victim.frozen_until = later
            case "kill":
                victim.dead = True
                self.candidates[index] = self.start()
            case "stop" if victim.task is not None:
                victim.task.cancel()  # it goes in its own time, and another comes at once
                self.candidates[index] = self.start()
            case "cut":
                victim.cut = True
                self.world.at(later, lambda: setattr(victim, "cut", False))
            case "down":
                self.world.down = True
                self.world.at(later, lambda: setattr(self.world, "down", False))
            case "loss":
                self.world.loss = self.random.choice([0.0, 0.05, 0.3, 0.7])
            case "hand":
                self.world.server.edit(**self.random.choice([self.edit, {"renewTime": None}]))
            case "delete":
                # Those who have not seen it yet cannot know that it was there.
                if all(_has_seen_it(process) for process in self.candidates):
                    self.world.server.lease = None
                    self.world.run(now + 16)
            case "jump":
                victim.loop._start += self.random.uniform(-1e4, 1e4)

    def play(self) -> None:
        try:
            while self.world.now < 200:
                self.world.run(self.world.now + self.random.uniform(0, 15))
                self.befall()
            self.world.loss, self.world.down, self.world.latency = 0.0, False, 0.05
            for process in self.candidates:
                process.cut = False
            thawed = max([self.world.now, *(process.frozen_until for process in self.candidates)])
            self.world.run(thawed + 60)
            assert len(self.world.open()) == 1, f"seed {self.world.seed}: nobody leads in peace"
        finally:
            self.world.close()


@few
@given(SEEDS)
def test_in_any_chaos_at_most_one_fence_is_open_and_in_peace_one(seed: int) -> None:
    Chaos(seed).play()


@pytest.mark.deep
def test_in_three_thousand_chaoses_at_most_one_fence_is_open() -> None:
    for seed in seeds(3000):
        Chaos(seed).play()


def test_it_runs_on_the_embedded_cluster() -> None:
    async def story() -> None:
        async with Cluster(port=None, controllers="none", seed=1) as cluster:
            elections = [
                Election(cluster.client(), "op", "default", f"c{number}", entropy=Entropy(number))
                for number in range(2)
            ]
            led: list[int] = []

            async def lead(number: int) -> None:
                async def work() -> None:
                    led.append(number)
                    gated = cluster.client().but(gate=elections[number].fence)
                    await gated.create("/api/v1/namespaces/default/configmaps", {"metadata": {"name": f"c{number}"}})
                    await asyncio.sleep(100)

                await elections[number].lead(work)

            await asyncio.gather(lead(0), lead(1))
            assert sorted(led) == [0, 1]
            lease = await cluster.client().get("/apis/coordination.k8s.io/v1/namespaces/default/leases/op")
            assert (lease["spec"]["leaseTransitions"], lease["spec"].get("holderIdentity") or "") == (1, "")
            with pytest.raises(NotLeading, match="not sent: the lease default/op"):
                elections[0].fence()

    run(story())


def test_a_lease_deleted_by_hand_on_the_embedded_cluster_is_made_anew() -> None:
    async def story() -> None:
        path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/op"
        async with Cluster(port=None, controllers="none", seed=1) as cluster:
            election = Election(cluster.client(), "op", "default", "c", entropy=Entropy(1))

            async def work() -> None:
                before = await cluster.client().get(path)
                await cluster.client().delete(path)
                await asyncio.sleep(10)
                after = await cluster.client().get(path)
                assert after["metadata"]["uid"] != before["metadata"]["uid"]
                assert after["spec"]["acquireTime"] == before["spec"]["acquireTime"]

            await election.lead(work)

    run(story())
