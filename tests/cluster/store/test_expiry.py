import asyncio
from collections.abc import Callable

import pytest

from kubewright.cluster.store import Record, Store, Unkept
from kubewright.cluster.store.expiry import Expiry
from kubewright.trials.loop import run


def put(store: Store, key: str) -> None:
    record = store.get(key)
    store.commit(key, record.revision if record else 0, lambda _: b"x")


def keys(store: Store) -> list[str]:
    return [record.key for record in store.list("/").records]


def test_what_nobody_writes_goes_in_its_time() -> None:
    async def story() -> list[list[str]]:
        store = Store()
        expiry = Expiry(store, "/e/", 60)
        expiry.start()
        put(store, "/e/a")
        await asyncio.sleep(30)
        put(store, "/e/b")
        put(store, "/other/c")
        seen = []
        for _ in range(4):
            await asyncio.sleep(29)
            seen.append(keys(store))
        expiry.stop()
        return seen

    assert run(story()) == [
        ["/e/a", "/e/b", "/other/c"],
        ["/e/b", "/other/c"],
        ["/other/c"],
        ["/other/c"],
    ]


def test_a_write_gives_another_while() -> None:
    async def story() -> list[bool]:
        store = Store()
        expiry = Expiry(store, "/e/", 60)
        expiry.start()
        put(store, "/e/a")
        await asyncio.sleep(50)
        put(store, "/e/a")
        seen = []
        for _ in range(3):
            await asyncio.sleep(25)
            seen.append(store.get("/e/a") is not None)
        return seen

    assert run(story()) == [True, True, False]


def test_what_was_there_has_its_whole_time() -> None:
    async def story() -> list[bool]:
        store = Store()
        put(store, "/e/a")
        expiry = Expiry(store, "/e/", 60)
        expiry.start()
        seen = []
        for _ in range(2):
            await asyncio.sleep(45)
            seen.append(store.get("/e/a") is not None)
        return seen

    assert run(story()) == [True, False]


def test_what_was_deleted_before_is_no_concern() -> None:
    async def story() -> int:
        store = Store()
        expiry = Expiry(store, "/e/", 60)
        expiry.start()
        put(store, "/e/a")
        store.commit("/e/a", 1, None)
        await asyncio.sleep(100)
        return store.revision

    assert run(story()) == 2


def test_many_go_one_after_the_other() -> None:
    async def story() -> int:
        store = Store()
        expiry = Expiry(store, "/e/", 60)
        expiry.start()
        for number in range(350):
            put(store, f"/e/{number}")
        await asyncio.sleep(61)
        return len(keys(store))

    assert run(story()) == 0


def test_nothing_goes_after_the_end() -> None:
    async def story() -> bool:
        store = Store()
        expiry = Expiry(store, "/e/", 60)
        expiry.start()
        put(store, "/e/a")
        expiry.stop()
        await asyncio.sleep(100)
        return store.get("/e/a") is not None

    assert run(story())


class Full(Store):
    """A store that keeps nothing for a while."""

    full = False

    def commit(self, key: str, expected: int, value: Callable[[int], bytes] | None) -> Record:
        if self.full:
            raise Unkept("the disk is full")
        return super().commit(key, expected, value)


def test_what_cannot_be_deleted_yet_is_said_and_goes_when_it_can(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> list[list[str]]:
        store = Full()
        expiry = Expiry(store, "/e/", 60)
        expiry.start()
        put(store, "/e/a")
        put(store, "/e/b")
        store.full = True
        await asyncio.sleep(61)
        seen = [keys(store)]
        store.full = False
        await asyncio.sleep(61)
        expiry.stop()
        return [*seen, keys(store)]

    assert run(story()) == [["/e/a", "/e/b"], []]
    assert [record.message for record in caplog.records] == [
        "/e/a has expired, but stays for 60 s more: the disk is full"
    ]
