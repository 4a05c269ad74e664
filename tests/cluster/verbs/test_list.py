import asyncio

from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.stage import CONFIGMAPS, Stage, play


def test_pages_are_of_one_moment_whatever_is_written_between_them() -> None:
    async def story(stage: Stage) -> list[str]:
        await stage.put_configmaps(5)
        names: list[str] = []
        token = ""
        while True:
            _, page = await stage.ask("GET", f"{CONFIGMAPS}?limit=2&continue={token}")
            names += [item["metadata"]["name"] for item in page["items"]]
            assert page["metadata"].get("remainingItemCount", 0) == 5 - len(names)
            token = page["metadata"].get("continue", "")
            if not token:
                return names
            await stage.client.delete(f"{CONFIGMAPS}/c000{len(names)}")
            await stage.client.create(CONFIGMAPS, {"metadata": {"name": f"c000{len(names)}-new"}})

    assert play(story) == [f"c{number:04}" for number in range(5)]


def test_a_page_of_what_is_forgotten_offers_to_go_on_with_what_is_there() -> None:
    async def story(stage: Stage) -> list[str]:
        await stage.put_configmaps(4)
        _, first = await stage.ask("GET", f"{CONFIGMAPS}?limit=2")
        await stage.client.create(CONFIGMAPS, {"metadata": {"name": "z"}})
        stage.cluster.compact()
        code, gone = await stage.ask("GET", f"{CONFIGMAPS}?limit=2&continue={first['metadata']['continue']}")
        assert (code, gone["reason"]) == (410, "Expired")
        _, rest = await stage.ask("GET", f"{CONFIGMAPS}?continue={gone['metadata']['continue']}")
        return [item["metadata"]["name"] for item in rest["items"]]

    assert play(story) == ["c0002", "c0003", "z"]


def test_a_long_list_lets_the_others_run_and_shows_one_moment() -> None:
    async def story(stage: Stage) -> tuple[int, int, int]:
        await stage.put_configmaps(3000, size=300)
        listing = asyncio.create_task(stage.ask("GET", f"{CONFIGMAPS}?labelSelector=!nope"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        turns = 0
        while not listing.done():
            await stage.client.delete(f"{CONFIGMAPS}/c{2999 - turns:04}")
            await asyncio.sleep(0)
            turns += 1
        _, listed = listing.result()
        return turns, len(listed["items"]), int(listed["metadata"]["resourceVersion"])

    turns, count, revision = play(story)
    assert turns > 2
    assert count == 3000
    assert revision > 0


@given(st.lists(st.sampled_from(["app=web", "app=db", "tier=front", ""]), max_size=12), st.integers(1, 5))
def test_selected_pages_add_up_to_the_selected_list(labels: list[str], limit: int) -> None:
    async def story(stage: Stage) -> tuple[list[str], list[str]]:
        for number, label in enumerate(labels):
            key, _, value = label.partition("=")
            meta = {"name": f"c{number:02}", "labels": {key: value} if key else {}}
            await stage.client.create(CONFIGMAPS, {"metadata": meta})
        _, whole = await stage.ask("GET", f"{CONFIGMAPS}?labelSelector=app")
        names: list[str] = []
        token = ""
        while True:
            _, page = await stage.ask("GET", f"{CONFIGMAPS}?labelSelector=app&limit={limit}&continue={token}")
            assert len(page["items"]) <= limit
            names += [item["metadata"]["name"] for item in page["items"]]
            token = page["metadata"].get("continue", "")
            if not token:
                return names, [item["metadata"]["name"] for item in whole["items"]]

    paged, whole = play(story)
    assert paged == whole
