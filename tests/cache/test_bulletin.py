"""Each trouble is told once, and its end when that has lasted."""

import asyncio
from collections.abc import Callable

import pytest

from kubewright.cache.bulletin import Bulletin
from kubewright.cache.machine import Trouble
from kubewright.trials.loop import run

Told = list[tuple[str, str]]


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Callable[[Callable[[Bulletin], object]], Told]:
    def tell(happens: Callable[[Bulletin], object]) -> Told:
        async def story() -> None:
            coming = happens(Bulletin("things"))
            if asyncio.iscoroutine(coming):
                await coming

        with caplog.at_level("INFO", "kubewright.cache"):
            run(story())
        return [(record.levelname, record.message) for record in caplog.records]

    return tell


def test_the_same_trouble_is_told_once_whatever_its_sentence(told: Callable[..., Told]) -> None:
    def happens(bulletin: Bulletin) -> None:
        bulletin.trouble(Trouble.FORBIDDEN, "no")
        bulletin.trouble(Trouble.FORBIDDEN, "still no")

    assert told(happens) == [("WARNING", "things: forbidden: no")]


def test_why_nobody_is_reached_is_told_when_it_changes(told: Callable[..., Told]) -> None:
    def happens(bulletin: Bulletin) -> None:
        for why in ("refused", "refused", "not trusted"):
            bulletin.trouble(Trouble.UNREACHABLE, why)

    assert [text for _, text in told(happens)] == ["things: unreachable: refused", "things: unreachable: not trusted"]


def test_an_end_that_does_not_last_is_not_told(told: Callable[..., Told]) -> None:
    async def happens(bulletin: Bulletin) -> None:
        for _ in range(3):
            bulletin.trouble(Trouble.EXPIRED, "too old")
            bulletin.well()
            await asyncio.sleep(0.5)
        await asyncio.sleep(10)

    assert told(happens) == [("WARNING", "things: expired: too old"), ("INFO", "things: followed again.")]


def test_after_the_end_the_same_is_news(told: Callable[..., Told]) -> None:
    async def happens(bulletin: Bulletin) -> None:
        for _ in range(2):
            bulletin.trouble(Trouble.EXPIRED, "too old")
            bulletin.well()
            await asyncio.sleep(10)

    assert [level for level, _ in told(happens)] == ["WARNING", "INFO"] * 2


def test_nothing_is_told_after_it_is_closed(told: Callable[..., Told]) -> None:
    async def happens(bulletin: Bulletin) -> None:
        bulletin.trouble(Trouble.EXPIRED, "too old")
        bulletin.well()
        bulletin.close()
        await asyncio.sleep(10)

    assert [level for level, _ in told(happens)] == ["WARNING"]


@pytest.mark.parametrize(("bookmarks", "second"), [(False, "INFO"), (True, "WARNING")])
def test_a_second_stall_is_a_warning_only_of_who_sends_bookmarks(
    bookmarks: bool, second: str, told: Callable[..., Told]
) -> None:
    async def happens(bulletin: Bulletin) -> None:
        for _ in range(2):
            bulletin.trouble(Trouble.STALLED, "nothing")
            bulletin.well()
            await asyncio.sleep(10)
            if bookmarks:
                bulletin.bookmark()

    assert [level for level, text in told(happens) if "stalled" in text] == ["WARNING", second]
