import asyncio
import itertools

import pytest

from kubewright.cluster.store import Store
from kubewright.cluster.store.retention import Retention
from kubewright.trials.loop import run


def put(store: Store, key: str) -> None:
    record = store.get(key)
    store.commit(key, record.revision if record else 0, lambda _: b"x")


def test_what_is_older_than_the_age_is_forgotten() -> None:
    async def story() -> list[int]:
        store = Store()
        retention = Retention(store, age=120)
        retention.start()
        seen = []
        for _ in range(5):
            put(store, "/a")
            await asyncio.sleep(60)
            seen.append(store.compacted)
        retention.stop()
        put(store, "/a")
        await asyncio.sleep(600)
        return [*seen, store.compacted]

    # The change of the first minute goes once two whole minutes lie behind it.
    assert run(story()) == [0, 0, 1, 2, 3, 3]


def test_a_failure_to_forget_is_not_the_end_of_forgetting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> int:
        store = Store()
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        retention = Retention(store, age=60)
        retention.start()

        def full(revision: int) -> None:
            raise OSError("no space left")

        put(store, "/a")
        with monkeypatch.context() as patch:
            patch.setattr(store, "compact", full)
            await asyncio.sleep(130)
        await asyncio.sleep(130)
        retention.stop()
        return store.compacted

    assert run(story()) == 1


def test_a_burst_of_changes_does_not_wait_for_the_clock() -> None:
    async def story() -> int:
        store = Store()
        retention = Retention(store, size=100)
        retention.start()
        for number in range(250):
            put(store, f"/{number % 7}")
            await asyncio.sleep(0)
        retention.stop()
        return store.revision - store.compacted

    assert 50 <= run(story()) <= 101


def test_much_is_forgotten_in_strides_with_others_between() -> None:
    async def story() -> list[int]:
        store = Store()
        retention = Retention(store, size=4000)
        retention.start()
        for number in range(4001):
            put(store, f"/{number}")
        seen = [store.compacted]
        while seen[-1] < 2001:
            await asyncio.sleep(0)
            seen.append(store.compacted)
        retention.stop()
        return [after - before for before, after in itertools.pairwise(seen)]

    strides = run(story())
    assert sum(strides) == 2001
    assert max(strides) == 500
