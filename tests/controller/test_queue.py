"""The work queue: workers wait for keys, failed keys come back, in simulated time."""

import asyncio
import itertools
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvloop
from hypothesis import given
from hypothesis import strategies as st
from tests.seeds import seeds

from kubewright.controller.backoff import Backoff
from kubewright.controller.queue import Queue, ShutDown
from kubewright.entropy import Entropy
from kubewright.observe import Metrics
from kubewright.observe.exposition import expose
from kubewright.trials.loop import SimulatedLoop, run

Story = Callable[[Queue[Any]], Awaitable[None]]


def play(story: Story) -> None:
    async def staged() -> None:
        await story(Queue(backoff=Backoff(entropy=Entropy(1))))

    run(staged())


def now() -> float:
    return asyncio.get_running_loop().time()


async def take(queue: Queue[Any]) -> Any:
    key = await queue.get()
    queue.done(key)
    return key


def test_a_worker_that_waits_gets_the_key_at_once() -> None:
    async def story(queue: Queue[str]) -> None:
        worker = asyncio.create_task(queue.get())
        await asyncio.sleep(5)
        queue.add("a")
        assert await worker == "a"
        assert now() == 5

    play(story)


def test_what_became_due_while_the_loop_was_held_up_goes_to_workers_that_wait() -> None:
    """A worker that asks before the timer has fired sees several that are due, and takes one."""

    async def story(queue: Queue[str]) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        waiting = asyncio.create_task(queue.get())
        await asyncio.sleep(1)
        queue.add("a", after=5)
        queue.add("b", after=5)
        loop._simulated.elapsed += 5
        assert await queue.get() == "a"
        assert await waiting == "b"

    play(story)


def test_any_hashable_value_is_a_key() -> None:
    async def story(queue: Queue[Any]) -> None:
        for key in (None, ("ns", "name"), frozenset({1}), 0):
            queue.add(key)
            assert await take(queue) == key

    play(story)


def test_a_key_comes_after_its_delay() -> None:
    async def story(queue: Queue[str]) -> None:
        queue.add("a", after=30)
        assert queue.waiting == 1
        assert await take(queue) == "a"
        assert now() == pytest.approx(30)

    play(story)


def test_the_earlier_of_two_delays_wins_in_either_order() -> None:
    async def story(queue: Queue[str]) -> None:
        queue.add("a", after=30)
        queue.add("a", after=10)
        queue.add("b", after=20)
        queue.add("b", after=40)
        assert [await take(queue), now()] == ["a", pytest.approx(10)]
        assert [await take(queue), now()] == ["b", pytest.approx(20)]
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(queue.get(), 1000)

    play(story)


def test_an_add_for_now_replaces_one_that_waits() -> None:
    async def story(queue: Queue[str]) -> None:
        queue.add("a", after=30)
        queue.add("a")
        assert [await take(queue), now()] == ["a", 0]
        assert queue.waiting == 0

    play(story)


def test_an_add_during_work_is_worked_on_afterwards() -> None:
    async def story(queue: Queue[str]) -> None:
        queue.add("a")
        await queue.get()
        queue.add("a")
        other = asyncio.create_task(queue.get())
        await asyncio.sleep(5)
        assert not other.done()
        queue.done("a")
        assert await other == "a"

    play(story)


def test_a_delay_that_ends_during_work_waits_for_its_end() -> None:
    async def story(queue: Queue[str]) -> None:
        queue.add("a")
        await queue.get()
        queue.add("a", after=5)
        other = asyncio.create_task(queue.get())
        await asyncio.sleep(20)
        assert not other.done()
        queue.done("a")
        assert await other == "a"
        assert now() == 20

    play(story)


def test_a_failed_key_comes_back_later_and_later_with_its_priority() -> None:
    async def story(queue: Queue[str]) -> None:
        queue.add("a", priority=7)
        moments = []
        for _ in range(4):
            assert await queue.get() == "a"
            moments.append(now())
            queue.failed("a")
            queue.done("a")
        assert queue.failures("a") == 4
        gaps = [later - earlier for earlier, later in itertools.pairwise(moments)]
        assert all(0.005 * 2**n <= gap <= 0.00625 * 2**n + 1e-9 for n, gap in enumerate(gaps))
        await asyncio.sleep(1)
        assert queue.depths() == {7: 1}

    play(story)


def test_a_requeue_keeps_the_priority_and_forgets_failures() -> None:
    async def story(queue: Queue[str]) -> None:
        queue.add("a", priority=-100)
        await queue.get()
        queue.failed("a")
        queue.requeue("a", 0)
        assert queue.failures("a") == 0
        queue.done("a")
        assert queue.depths() == {-100: 1}

    play(story)


def test_every_add_for_later_counts_as_a_retry_and_none_for_now_does() -> None:
    """As controller-runtime's queue counts them: whoever asks, and whether or not the key is there already."""

    async def story() -> None:
        metrics = Metrics()
        queue = Queue[str](backoff=Backoff(entropy=Entropy(1)), meter=metrics.queue("web"))
        retries = metrics.registry.counter("workqueue_retries_total", "", ("name", "controller")).of("web", "web")
        queue.add("a")
        assert retries.read() == 0
        for again, counted in (
            (lambda: queue.requeue("a", 0.05), 1),
            (lambda: queue.failed("a"), 2),
            (lambda: queue.add("a", after=1.0), 3),
            (lambda: queue.add("b", after=1.0), 4),
            (lambda: queue.requeue("a", 0.0), 4),
        ):
            key = await queue.get()
            again()
            queue.done(key)
            assert retries.read() == counted
            queue.add("a")

    run(story())


def test_what_is_kept_while_standing_by_counts_from_the_begin() -> None:
    async def story() -> None:
        metrics = Metrics()
        meter = metrics.queue("web")
        queue = Queue[str](meter=meter)
        meter.reads(queue)

        def told() -> dict[str, float]:
            lines = [line for line in expose(metrics.registry).decode().splitlines() if '"web"' in line]
            words = [line.replace("{", " ").split() for line in lines if "_bucket" not in line]
            return {each[0]: float(each[-1]) for each in words if float(each[-1])}

        queue.stand_by()
        queue.add("a")
        queue.add("b", after=5)
        queue.add("c", after=100)
        await asyncio.sleep(60)
        assert told() == {}
        queue.begin()
        queue.begin()
        assert told() == {
            "workqueue_depth": 2,
            "workqueue_adds_total": 2,
            "kubewright_queue_waiting": 1,
            "kubewright_queue_next_retry_seconds": 40,
        }
        await asyncio.sleep(3)
        assert told()["kubewright_queue_oldest_seconds"] == 3
        assert [await take(queue), await take(queue)] == ["a", "b"]
        assert told()["workqueue_queue_duration_seconds_sum"] == 6

    run(story())


def test_failing_keys_hold_no_worker_while_they_sleep() -> None:
    # Five workers, five keys that always fail: a sixth key is worked on at once all the same.
    async def story(queue: Queue[str]) -> None:
        served = asyncio.Event()

        async def worker() -> None:
            while True:
                key = await queue.get()
                if key == "healthy":
                    served.set()
                else:
                    queue.failed(key)
                queue.done(key)

        workers = [asyncio.create_task(worker()) for _ in range(5)]
        for number in range(5):
            queue.add(f"failing{number}")
        await asyncio.sleep(1000)
        before = now()
        queue.add("healthy")
        await served.wait()
        assert now() == before
        for task in workers:
            task.cancel()

    play(story)


def test_a_worker_cancelled_as_it_is_woken_passes_the_key_on() -> None:
    async def story(queue: Queue[str]) -> None:
        first, second = asyncio.create_task(queue.get()), asyncio.create_task(queue.get())
        await asyncio.sleep(1)
        queue.add("a")
        first.cancel()
        assert await second == "a"
        with pytest.raises(asyncio.CancelledError):
            await first

    play(story)


def test_a_worker_cancelled_while_it_waits_is_not_woken() -> None:
    async def story(queue: Queue[str]) -> None:
        first, second = asyncio.create_task(queue.get()), asyncio.create_task(queue.get())
        await asyncio.sleep(1)
        first.cancel()
        await asyncio.sleep(1)
        queue.add("a")
        assert await second == "a"

    play(story)


def test_what_is_ready_is_drained_after_shutting_down_and_what_waits_is_dropped() -> None:
    async def story(queue: Queue[str]) -> None:
        queue.add("a")
        queue.add("b")
        queue.add("late", after=5)
        await queue.get()
        queue.add("a")  # came in during the work: drained too
        queue.shut_down(drain=True)
        queue.add("c")
        assert await take(queue) == "b"
        joined = asyncio.create_task(queue.join())
        await asyncio.sleep(1)
        assert not joined.done()
        queue.failed("a")  # its retry would come too late
        queue.done("a")
        assert await take(queue) == "a"
        await joined
        with pytest.raises(ShutDown):
            await queue.get()
        assert queue.waiting == 0

    play(story)


def test_nothing_is_handed_out_after_shutting_down_without_draining() -> None:
    async def story(queue: Queue[str]) -> None:
        queue.add("a")
        queue.add("b")
        await queue.get()
        queue.add("a")
        queue.shut_down(drain=False)
        with pytest.raises(ShutDown):
            await queue.get()
        queue.done("a")
        await queue.join()
        assert len(queue) == 0

    play(story)


def test_shutting_down_sends_home_every_worker_that_waits() -> None:
    async def story(queue: Queue[str]) -> None:
        workers = [asyncio.create_task(queue.get()) for _ in range(3)]
        await asyncio.sleep(1)
        queue.shut_down()
        told = await asyncio.gather(*workers, return_exceptions=True)
        assert [type(one) for one in told] == [ShutDown] * 3

    play(story)


def test_ages_are_told_while_work_goes_on() -> None:
    async def story(queue: Queue[str]) -> None:
        queue.add("a")
        queue.add("b")
        queue.add("c")
        await queue.get()
        await asyncio.sleep(2)
        await queue.get()
        await asyncio.sleep(1)
        assert (queue.unfinished(), queue.longest(), queue.waited(), len(queue)) == (4, 3, 3, 1)

    play(story)


def test_when_the_first_retry_is_due_is_told_also_after_one_was_brought_forward() -> None:
    async def story(queue: Queue[str]) -> None:
        told = [queue.next_retry()]
        queue.add("late", after=60)
        queue.add("soon", after=10)
        told.append(queue.next_retry())
        await asyncio.sleep(4)
        told.append(queue.next_retry())
        queue.add("soon")
        told.append(queue.next_retry())
        queue.add("late")
        told.append(queue.next_retry())
        assert told == [None, 10, 6, 56, None]

    play(story)


class Life:
    """Workers, producers and cancellations at random; what must hold is checked as they go."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.queue: Queue[int] = Queue(backoff=Backoff(base=0.1, cap=20, entropy=Entropy(seed)), patience=5.0)
        self.busy: set[int] = set()
        self.owed: dict[int, float] = {}  # key: the earliest deadline since its work last began
        self.begun: dict[int, int] = defaultdict(int)
        self.asked: dict[int, int] = defaultdict(int)

    async def produce(self) -> None:
        for _ in range(self.random.randint(20, 60)):
            await asyncio.sleep(self.random.choice([0, 0, 0.01, 0.5, 3]))
            after = self.random.choice([0, 0, 0, 0.3, 7])
            self.ask(self.random.randint(0, 9), after)

    def ask(self, key: int, after: float) -> None:
        self.asked[key] += 1
        self.owed[key] = min(self.owed.get(key, float("inf")), now() + after)
        self.queue.add(key, self.random.choice([-100, 0, 0, 10]), after)

    async def work(self) -> None:
        while True:
            try:
                key = await self.queue.get()
            except ShutDown:
                return
            assert key not in self.busy, "two workers on one key"
            assert self.owed.pop(key) <= now() + 1e-6, "it came too early, or for nothing"
            self.busy.add(key)
            self.begun[key] += 1
            try:
                await asyncio.sleep(self.random.choice([0, 0.001, 0.2, 2]))
                if self.random.random() < 0.3:
                    self.asked[key] += 1
                    self.owed[key] = min(self.owed.get(key, float("inf")), now() + self.queue.failed(key))
                else:
                    self.queue.forget(key)
            finally:
                self.busy.remove(key)
                self.queue.done(key)

    async def live(self) -> None:
        workers = [asyncio.create_task(self.work()) for _ in range(self.random.randint(1, 4))]
        producers = [asyncio.create_task(self.produce()) for _ in range(self.random.randint(1, 3))]
        while not all(task.done() for task in producers):
            await asyncio.sleep(self.random.random() * 10)
            victim = self.random.randrange(len(workers))  # a worker goes, another comes
            if workers[victim].cancel():
                lost = await asyncio.gather(workers[victim], return_exceptions=True)
                assert isinstance(lost[0], asyncio.CancelledError), lost
            workers[victim] = asyncio.create_task(self.work())
        await asyncio.gather(*producers)
        while self.owed or self.busy:  # noqa: ASYNC110 - in simulated time
            await asyncio.sleep(30)
        self.queue.shut_down(drain=True)
        await self.queue.join()
        await asyncio.gather(*workers)
        assert all(1 <= self.begun[key] <= asked for key, asked in self.asked.items())
        assert (len(self.queue), self.queue.waiting, self.queue.unfinished()) == (0, 0, 0)


async def live(seed: int) -> None:
    await asyncio.wait_for(Life(seed).live(), 100_000)


@given(st.integers(0, 2**32))
def test_in_a_life_of_latencies_failures_and_cancellations_no_key_is_lost_or_shared(seed: int) -> None:
    run(live(seed))


def test_in_hundreds_of_lives_no_key_is_lost_or_shared() -> None:
    for seed in range(200):
        run(live(seed))


@pytest.mark.deep
def test_in_five_thousand_lives_no_key_is_lost_or_shared() -> None:
    for seed in seeds(5000):
        run(live(seed))


@given(st.integers(0, 2**32))
def test_an_old_key_is_served_within_its_bound_under_a_flood_of_urgent_ones(seed: int) -> None:
    # One worker, fully busy with urgent keys for ever; ten unimportant ones wait among them.
    async def story(queue: Queue[str]) -> None:
        chance = random.Random(seed)
        for number in range(10):
            queue.add(f"old{number}", -100)
        taken: list[tuple[float, str]] = []
        while sum(key.startswith("old") for _, key in taken) < 10:
            for number in range(3):
                queue.add(f"urgent{len(taken)}.{number}", 1_000_000)
            key = await queue.get()
            taken.append((now(), key))
            await asyncio.sleep(chance.random())
            queue.done(key)
        old = [index for index, (_, key) in enumerate(taken) if key.startswith("old")]
        first_late = next(index for index, (at, _) in enumerate(taken) if at >= 10.0)
        assert old[0] >= first_late
        assert all(index < first_late + 2 * (place + 1) for place, index in enumerate(old))

    play(story)


def test_a_key_that_is_due_already_does_not_upset_the_alarm_for_others() -> None:
    # uvloop calls what is due at once without a timer, whose handle knows no time.
    async def story() -> None:
        queue: Queue[str] = Queue()
        queue.add("now", after=1e-9)
        queue.add("soon", after=0.001)
        assert [await take(queue), await take(queue)] == ["now", "soon"]

    uvloop.run(story())
