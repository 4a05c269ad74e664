import asyncio
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.registry.custom.things import converted, crd, slow_webhook
from tests.cluster.stage import CONFIGMAPS, Stage, play

from kubewright.cluster.store import Record
from kubewright.cluster.verbs import watch
from kubewright.http import Chunk, Request, Response, Stream

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
THINGS = "/apis/example.com/v1/namespaces/default/things"
CONVERTED = THINGS.replace("v1", "v2")
THING = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}}


def test_a_watch_begins_with_what_is_there_and_goes_on_with_what_happens() -> None:
    async def story(stage: Stage) -> list[str]:
        await stage.put_configmaps(2)
        async with stage.watching() as seen:
            await asyncio.sleep(0.1)
            await stage.client.patch(f"{CONFIGMAPS}/c0000", "merge", {"data": {"k": "1"}})
            await stage.client.delete(f"{CONFIGMAPS}/c0001")
            await asyncio.sleep(0.1)
            return seen.told

    assert play(story) == ["ADDED c0000", "ADDED c0001", "MODIFIED c0000", "DELETED c0001"]


def test_a_watcher_who_asked_for_it_hears_every_minute_how_far_it_has_come() -> None:
    async def story(stage: Stage) -> tuple[list[str], list[int]]:
        async with stage.watching(allowWatchBookmarks="true") as seen:
            for _ in range(3):
                await asyncio.sleep(60.5)
                await stage.client.create("/api/v1/namespaces", {"metadata": {"generateName": "n-"}})
            return seen.told, [int(event["object"]["metadata"]["resourceVersion"]) for event in seen.events]

    told, versions = play(story)
    assert told == ["BOOKMARK"] * 4  # the first says that what was there has been told
    assert versions == sorted(versions)
    assert versions[-1] > versions[0]


def test_a_watch_ends_at_its_time_and_says_where_two_seconds_before() -> None:
    async def story(stage: Stage) -> tuple[list[float], bool]:
        loop = asyncio.get_running_loop()
        async with stage.watching(timeoutSeconds=10, allowWatchBookmarks="true", resourceVersion=1) as seen:
            began = loop.time()
            when = []
            while not seen.ended:
                before = len(seen.events)
                await asyncio.sleep(0.5)
                if len(seen.events) > before:
                    when.append(loop.time() - began)
            return [round(each) for each in when], seen.ended

    when, ended = play(story)
    assert when[-1] == 8
    assert ended


def test_a_watch_that_says_nothing_of_its_end_lasts_from_half_an_hour_to_an_hour() -> None:
    async def story(stage: Stage) -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with stage.watching() as seen:
            await seen.end.wait()
        return loop.time() - began

    assert 1800 <= play(story) <= 3660


def test_who_asks_for_what_is_forgotten_is_told_so_and_sent_away() -> None:
    async def story(stage: Stage) -> tuple[list[dict[str, object]], bool]:
        await stage.put_configmaps(3)
        stage.cluster.compact()
        async with stage.watching(resourceVersion=2) as seen:
            await asyncio.sleep(0.1)
            return seen.events, seen.ended

    events, ended = play(story)
    (event,) = events
    status = event["object"]
    assert isinstance(status, dict)
    assert (event["type"], status["code"], status["reason"], ended) == ("ERROR", 410, "Expired", True)


def test_a_reader_who_does_not_keep_up_is_cut_off() -> None:
    async def story(stage: Stage) -> tuple[bool, int]:
        response = await stage.send("GET", f"{CONFIGMAPS}?watch=1&resourceVersion=1")
        stream = response.body
        reading = aiter(response)  # and never read from
        await asyncio.sleep(0.1)
        for number in range(40):
            await stage.client.create(CONFIGMAPS, {"metadata": {"name": f"big-{number}"}, "data": {"k": "x" * 900_000}})
        watchers = sum(map(len, stage.cluster.api.watchers.values()))
        del reading
        return stream.failed, watchers  # type: ignore[union-attr]

    assert play(story) == (True, 0)


def test_a_long_beginning_does_not_hold_up_the_others() -> None:
    async def story(stage: Stage) -> int:
        await stage.put_configmaps(2000, size=500)
        turns = 0
        async with stage.watching() as seen:
            while len(seen.events) < 2000:
                await asyncio.sleep(0)
                turns += 1
        return turns

    assert play(story) > 10


def test_a_long_past_does_not_hold_up_the_others() -> None:
    async def story(stage: Stage) -> int:
        since = stage.cluster.store.revision
        await stage.put_configmaps(2000)
        turns = 0
        async with stage.watching(resourceVersion=since) as seen:
            while len(seen.events) < 2000:
                await asyncio.sleep(0)
                turns += 1
        return turns

    assert play(story) > 5


def test_watches_of_what_is_no_more_end_in_the_order_in_which_they_began() -> None:
    async def story(stage: Stage) -> list[int]:
        await stage.client.create(CRDS, crd())
        await asyncio.sleep(0.1)
        ended: list[int] = []
        for number in range(30):
            response = await stage.send("GET", f"{THINGS}?watch=1")
            assert isinstance(response.body, Stream)
            response.body.on_close(partial(ended.append, number))
        await stage.client.delete(f"{CRDS}/things.example.com")
        await asyncio.sleep(0.1)
        return ended

    assert play(story) == list(range(30))


def test_a_watch_begins_in_the_step_in_which_it_is_asked_for() -> None:
    """Or it would not be ended when, a step later, what it watches is no more."""

    async def story(stage: Stage) -> tuple[bool, int]:
        assert stage.cluster._front is not None
        response = stage.cluster._front(Request("GET", f"{CONFIGMAPS}?watch=1"))
        return isinstance(response, Response), len(stage.cluster.api.watchers)

    assert play(story) == (True, 1)


def test_a_bookmark_waits_for_what_is_still_being_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_webhook(monkeypatch, 1.0)

    async def story(stage: Stage) -> list[str]:
        await stage.client.create(CRDS, converted())
        await asyncio.sleep(0.1)
        since = stage.cluster.store.revision
        async with stage.watching(
            CONVERTED, allowWatchBookmarks="true", resourceVersion=since, timeoutSeconds=5
        ) as seen:
            await asyncio.sleep(2.5)
            await stage.client.create(THINGS, THING)  # two seconds before its end, half a second from now, a bookmark
            await asyncio.sleep(2.0)
            return seen.told

    assert play(story) == ["ADDED a", "BOOKMARK"]


def test_what_is_being_converted_is_told_though_the_past_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_webhook(monkeypatch, 1.0)

    async def story(stage: Stage) -> list[str]:
        await stage.client.create(CRDS, converted())
        await asyncio.sleep(0.1)
        await stage.client.create(THINGS, THING)
        async with stage.watching(CONVERTED, resourceVersion=stage.cluster.store.revision) as seen:
            await asyncio.sleep(0.1)
            await stage.client.delete(f"{THINGS}/a")
            stage.cluster.compact()
            await asyncio.sleep(5.0)
            return seen.told

    assert play(story) == ["DELETED a"]


@pytest.mark.parametrize(("form", "broken"), [("Table", "object_form"), ("PartialObjectMetadata", "metadata_of")])
def test_a_change_that_cannot_be_shown_is_no_concern_of_writers_and_others(
    form: str, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(stage: Stage) -> tuple[bool, list[str]]:
        accept = {"accept": f"application/json;as={form};g=meta.k8s.io;v=v1"}
        response = await stage.send("GET", f"{CONFIGMAPS}?watch=1", headers=accept)
        await asyncio.sleep(0.1)
        async with stage.watching() as seen:
            await asyncio.sleep(0.1)
            monkeypatch.delattr(f"kubewright.cluster.verbs.watch.{broken}")
            await stage.put_configmaps(1)
            await asyncio.sleep(0.1)
            assert isinstance(response.body, Stream)
            return response.body.failed, seen.told

    assert play(story) == (True, ["ADDED c0000"])


def test_nothing_is_left_of_a_watch_that_waited_for_a_webhook(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_webhook(monkeypatch, 1.0)

    async def story(stage: Stage) -> tuple[int, int]:
        await stage.client.create(CRDS, converted())
        await asyncio.sleep(0.1)
        before = len(asyncio.all_tasks())
        async with stage.watching(CONVERTED):
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.1)
        return before, len(asyncio.all_tasks())

    before, after = play(story)
    assert after == before


steps = st.lists(
    st.tuples(st.sampled_from(["create", "label", "unlabel", "delete", "wait"]), st.sampled_from("abc")), max_size=25
)


@given(steps, st.integers(0, 25))
def test_a_selecting_watch_ends_up_knowing_what_a_list_would_tell(script: list[tuple[str, str]], at: int) -> None:
    """Whenever it begins and whatever happens meanwhile, the events add up to the selected objects."""

    async def story(stage: Stage) -> tuple[dict[str, str], dict[str, str]]:
        known: dict[str, str] = {}

        async def do(action: str, name: str) -> None:
            path = f"{CONFIGMAPS}/{name}"
            code = 0
            if action == "create":
                code, _ = await stage.ask("POST", CONFIGMAPS, {"metadata": {"name": name, "labels": {"s": "y"}}})
            elif action == "delete":
                code, _ = await stage.ask("DELETE", path)
            elif action != "wait":
                value = "y" if action == "label" else None
                patch = {"metadata": {"labels": {"s": value}, "annotations": {"n": action}}}
                code, _ = await stage.ask("PATCH", path, patch, {"content-type": "application/merge-patch+json"})
            else:
                await asyncio.sleep(1)
            assert code in (0, 200, 201, 404, 409)

        for action in script[:at]:
            await do(*action)
        async with stage.watching(labelSelector="s%3Dy") as seen:
            for action in script[at:]:
                await do(*action)
            await asyncio.sleep(1)
            for event in seen.events:
                meta = event["object"]["metadata"]
                if event["type"] == "DELETED":
                    del known[meta["name"]]
                else:
                    assert (meta["name"] in known) == (event["type"] == "MODIFIED")
                    known[meta["name"]] = meta["resourceVersion"]
        _, listed = await stage.ask("GET", f"{CONFIGMAPS}?labelSelector=s%3Dy")
        return known, {item["metadata"]["name"]: item["metadata"]["resourceVersion"] for item in listed["items"]}

    known, there = play(story)
    assert known == there


def test_watchers_of_one_collection_come_and_go_without_the_others() -> None:
    async def story(stage: Stage) -> tuple[list[str], list[str], list[str]]:
        async with stage.watching(resourceVersion=1) as stays:
            async with stage.watching(resourceVersion=1) as leaves, stage.watching("/api/v1/configmaps") as wider:
                await asyncio.sleep(0.1)
                before = len(stays.told), len(leaves.told), len(wider.told)
                await stage.put_configmaps(1)
                await asyncio.sleep(0.1)
                first = [seen.told[told:] for seen, told in zip((stays, leaves, wider), before, strict=True)]
                assert first == [["ADDED c0000"]] * 3
            await stage.client.delete(f"{CONFIGMAPS}/c0000")
            async with stage.watching(resourceVersion=stage.cluster.store.revision) as comes:
                await asyncio.sleep(0.1)
                await stage.client.create(CONFIGMAPS, {"metadata": {"name": "new"}})
                await asyncio.sleep(0.1)
                return stays.told[before[0] :], leaves.told[before[1] :], comes.told

    assert play(story) == (["ADDED c0000", "DELETED c0000", "ADDED new"], ["ADDED c0000"], ["ADDED new"])


def test_a_watch_from_a_revision_that_is_still_to_come_is_told_what_lies_behind_it() -> None:
    async def story(stage: Stage) -> list[str]:
        async with stage.watching(resourceVersion=stage.cluster.store.revision + 2) as seen:
            await asyncio.sleep(0.1)
            await stage.put_configmaps(4)
            await asyncio.sleep(0.1)
            return seen.told

    assert play(story) == ["ADDED c0002", "ADDED c0003"]


TABLE = {"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
PARTIAL = {"accept": "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"}


@pytest.mark.parametrize("form", [TABLE, PARTIAL])
@pytest.mark.parametrize("selector", ["", "&labelSelector=a!%3Db"])
def test_a_large_object_in_another_form_is_told_as_any_other(
    form: dict[str, str], selector: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(stage: Stage) -> bytes:
        response = await stage.send("GET", f"{CONFIGMAPS}?watch=1&allowWatchBookmarks=true{selector}", None, form)
        told = bytearray()
        following = asyncio.ensure_future(follow(response, told))
        await asyncio.sleep(1)
        for name in ("a", "b"):
            body = {"metadata": {"name": name}, "data": {f"k{number}": "v" * 9 for number in range(5000)}}
            await stage.ask("POST", CONFIGMAPS, body)
            await stage.ask("POST", CONFIGMAPS, {"metadata": {"name": f"{name}-small"}})
        merge = {"content-type": "application/merge-patch+json"}
        await stage.ask("PATCH", f"{CONFIGMAPS}/a", {"metadata": {"labels": {"a": "b"}}}, merge)
        await stage.ask("DELETE", f"{CONFIGMAPS}/b")
        await asyncio.sleep(90)  # with a bookmark
        response.close()
        following.cancel()
        return bytes(told)

    in_turns = play(story)
    monkeypatch.setattr(watch, "LARGE", 10**9)
    assert in_turns == play(story)
    assert in_turns.count(b'"type"') >= 7


def test_who_watches_all_of_a_kind_waits_for_a_large_object_and_is_then_told_with_others_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoded: list[int] = []
    encode = watch.Frames._encode

    def noted(frames: watch.Frames, kind: str, record: Record, *more: Any) -> Chunk:
        encoded.append(len(record.value or b""))
        return encode(frames, kind, record, *more)

    monkeypatch.setattr(watch.Frames, "_encode", noted)

    async def story(stage: Stage) -> tuple[list[bytes], list[int], int]:
        await stage.ask("POST", CRDS, crd())
        await asyncio.sleep(6)
        responses = [await stage.send("GET", f"{THINGS}?watch=1", None, PARTIAL) for _ in range(3)]
        told = [bytearray() for _ in responses]
        following = [asyncio.ensure_future(follow(*each)) for each in zip(responses, told, strict=True)]
        await asyncio.sleep(1)
        (frames,) = stage.cluster.api.frames.values()
        (feed,) = frames._feeds.values()
        assert len(feed._streams) == 3
        large = THING | {"spec": {"old": "v" * 100_000}}
        await asyncio.gather(stage.ask("POST", THINGS, large), stage.ask("POST", THINGS, named("b")))
        responses[0].close()
        await asyncio.sleep(1)
        await stage.ask("POST", THINGS, named("c"))
        await asyncio.sleep(1)
        (feed,) = frames._feeds.values()
        together = len(feed._streams)
        for response, task in zip(responses, following, strict=True):
            response.close()
            task.cancel()
        return [bytes(each) for each in told], encoded, together

    (_, *told), encoded, together = play(story)
    assert together == 2
    assert max(encoded) < 10_000
    assert told[0] == told[1]
    assert [event.count(b'"ADDED"') for event in told] == [3, 3]


def named(name: str) -> dict[str, Any]:
    return {**THING, "metadata": {"name": name}}


async def follow(response: Response, told: bytearray) -> None:
    async for piece in response:
        told += piece
