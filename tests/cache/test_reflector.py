"""A reflector loses nothing and keeps no ghost, whatever the server does; and it never hammers it."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.cache.server import JSON, Server, Viewer, play

from kubewright.cache import Caches, Informer, Key
from kubewright.http import Response, Stream
from kubewright.model.selectors import LabelSelector


def names(informer: Informer) -> list[str]:
    return sorted(cached.key.name for cached in informer.list())


def filled(count: int) -> Server:
    server = Server()
    for number in range(count):
        server.put(f"t{number:04}")
    return server


def lists(server: Server) -> list[str]:
    return [target for target in server.requests if "watch=" not in target]


async def until(reached: Callable[[], bool], seconds: float = 300.0) -> float:
    """How long it took; in simulated time, so that looking often costs little."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with asyncio.timeout(seconds):
        while not reached():  # noqa: ASYNC110 - time is simulated, and what is waited for tells nobody
            await asyncio.sleep(0.01)
    return loop.time() - began


def test_the_first_state_is_streamed_and_the_same_stream_goes_on() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.put("late")
        await asyncio.sleep(0.1)
        assert names(informer) == ["late", "t0000", "t0001"]
        assert len(server.requests) == 1
        assert "sendInitialEvents=true" in server.requests[0]
        assert "resourceVersion=" not in server.requests[0].replace("resourceVersionMatch", "")
        assert informer.state == "watching"

    play(story, server=filled(2))


def test_nobody_is_told_of_half_a_first_state() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        await asyncio.sleep(1)
        assert names(informer) == []
        assert not informer.synced.is_set()
        server.pause(False)
        await informer.synced.wait()
        assert names(informer) == ["t0000"]

    play(story, server=filled(1), synced=False)


def test_a_server_that_cannot_stream_is_listed_and_not_asked_to_stream_again() -> None:
    server = filled(3)
    server.streams = False

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        assert names(informer) == ["t0000", "t0001", "t0002"]
        server.forget()
        server.put("x")
        server.forget()
        server.cut()
        await until(lambda: "x" in names(informer))
        await until(lambda: len(lists(server)) == 2)
        assert streams(server) == 1

    play(story, server=server)


def test_a_paged_list_of_1200_is_cached_whole() -> None:
    server = filled(1200)
    server.streams = False

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        assert len(informer.list()) == 1200
        assert len(lists(server)) == 3
        assert all("resourceVersion=" not in target for target in lists(server))

    play(story, server=server)


def test_pages_that_expire_are_listed_again_in_one() -> None:
    server = filled(1200)
    server.streams = False
    server.latency = 0.1

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await until(lambda: len(lists(server)) == 2)
        server.put("new")
        server.forget()
        await informer.synced.wait()
        assert len(informer.list()) == 1201
        assert "limit" not in lists(server)[-1]

    play(story, server=server, synced=False)


@pytest.mark.parametrize("token", ["same", "new"])
def test_a_list_without_end_is_given_up_and_said(token: str, caplog: pytest.LogCaptureFixture) -> None:
    class Endless(Server):
        def _list(self, query: dict[str, Any], namespace: str, labels: LabelSelector) -> Response:
            number = len(self.requests) if token == "new" else 0
            meta = {"resourceVersion": "100", "continue": f"token-{number}"}
            items = [self.state()[Key("default", "t0000")]] if token == "new" else []
            return Response(200, JSON, msgspec.json.encode({"kind": "ThingList", "metadata": meta, "items": items}))

    server = Endless()
    server.put("t0000")
    server.streams = False

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await until(lambda: len(lists(server)) == 4)

    play(story, server=server, synced=False)
    told = [record.message for record in caplog.records]
    assert told == [
        "things.example.com: garbage: the list of things.example.com has no end: a page of it brought nothing new."
    ]


def test_empty_pages_without_end_are_given_up_and_said(caplog: pytest.LogCaptureFixture) -> None:
    class Empty(Server):
        def _list(self, query: dict[str, Any], namespace: str, labels: LabelSelector) -> Response:
            assert len(self.requests) < 5000, "it is hammered"
            meta = {"resourceVersion": "100", "continue": str(len(self.requests))}
            return Response(200, JSON, msgspec.json.encode({"kind": "ThingList", "metadata": meta, "items": []}))

    server = Empty()
    server.streams = False

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await until(lambda: informer.retry_in is not None)
        assert informer.state == "garbage"
        assert len(lists(server)) < 1100

    play(story, server=server, synced=False)
    assert "has no end: a page of it brought nothing new." in caplog.text


def test_an_empty_page_is_not_the_last() -> None:
    class Filtering(Server):
        def _list(self, query: dict[str, Any], namespace: str, labels: LabelSelector) -> Response:
            number = int(query.get("continue", 0))
            if number == 2:
                return super()._list({}, namespace, labels)
            body = {"kind": "ThingList", "metadata": {"resourceVersion": "101", "continue": str(number + 1)}}
            return Response(200, JSON, msgspec.json.encode(body))

    server = Filtering()
    server.put("t0000")
    server.streams = False

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        assert names(informer) == ["t0000"]

    play(story, server=server)


def test_what_was_deleted_in_a_410_gap_is_no_ghost() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        viewer = Viewer()
        informer.subscribe(viewer)
        server.pause(True)
        for number in range(3):
            server.remove(f"t{number:04}")
        server.put("t0003", spec=1)
        server.put("new")
        server.forget()
        server.cut()
        server.pause(False)
        await until(lambda: "new" in names(informer))
        assert names(informer) == ["new", "t0003", "t0004", "t0005"]
        # First what is gone, then what is new or different; what is the same is not told.
        assert viewer.told[6:9] == ["deleted t0000", "deleted t0001", "deleted t0002"]
        assert sorted(viewer.told[9:]) == ["added new", "updated t0003"]

    play(story, server=filled(6))


def test_an_object_made_anew_in_a_gap_is_a_deletion_and_an_addition() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        viewer = Viewer()
        informer.subscribe(viewer)
        server.pause(True)
        server.remove("t0000")
        server.put("t0000")
        server.forget()
        server.cut()
        server.pause(False)
        await until(lambda: len(viewer.told) == 3)
        assert viewer.told[1:] == ["deleted t0000", "added t0000"]

    play(story, server=filled(1))


def test_a_server_that_always_answers_410_is_not_hammered() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.refusals.extend([410] * 1000)
        server.cut()
        before = len(server.requests)
        await asyncio.sleep(60)
        assert len(server.requests) - before < 12

    play(story, server=filled(1))


def test_a_410_inside_the_stream_is_one_like_any_other() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.put("x")
        server.fail({"code": 410, "reason": "Expired", "message": "too old"})
        await until(lambda: "sendInitialEvents" in server.requests[-1] and len(server.requests) == 2)
        await until(lambda: informer.state == "watching")
        assert names(informer) == ["t0000", "x"]

    play(story, server=filled(1))


def test_a_401_in_the_middle_of_a_watch_is_seen_and_the_watch_taken_up_where_it_was() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.put("x")
        server.refusals.extend([401, 401])
        server.fail({"code": 401, "reason": "Unauthorized", "message": "Unauthorized"})
        await until(lambda: informer.state == "unauthorized")
        assert "Unauthorized" in informer.trouble
        server.put("y")
        await until(lambda: informer.state == "watching")
        await until(lambda: names(informer) == ["t0000", "x", "y"])
        assert all("resourceVersion=102" in target for target in server.requests[1:])

    play(story, server=filled(1))


@pytest.mark.parametrize(
    "status",
    [
        {
            "code": 504,
            "reason": "Timeout",
            "details": {"causes": [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}]},
        },
    ],
)
def test_a_revision_that_the_server_does_not_have_is_given_up(status: dict[str, object]) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.refusals.append(status)
        server.cut()
        await until(lambda: len(server.requests) == 3)
        assert "resourceVersion=101" in server.requests[1]
        assert "sendInitialEvents" in server.requests[2]

    play(story, server=filled(1))


@pytest.mark.parametrize(
    ("refusal", "state"),
    [(429, "throttled"), (401, "unauthorized"), (403, "forbidden"), (500, "failing"), (None, "unreachable")],
)
def test_a_watch_that_is_refused_is_taken_up_where_it_was_with_no_list(refusal: int | None, state: str) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.refusals.extend([refusal] * 3)
        server.cut()
        await until(lambda: informer.state == state)
        assert informer.trouble
        assert informer.retry_in is not None
        server.put("x")
        await until(lambda: informer.state == "watching")
        await until(lambda: "x" in names(informer))
        assert informer.trouble == ""
        assert all("resourceVersion=101" in target for target in server.requests[1:])
        assert len(server.requests) == 5

    play(story, server=filled(1))


def test_a_server_that_says_how_long_to_wait_is_given_that_long() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.refusals.append({"code": 429, "reason": "TooManyRequests", "details": {"retryAfterSeconds": 20}})
        server.cut()
        assert await until(lambda: len(server.requests) == 3) >= 20

    play(story, server=filled(1))


def test_a_watch_that_was_lost_is_taken_up_at_once() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.cut()
        server.put("x")
        assert await until(lambda: "x" in names(informer)) < 0.1

    play(story, server=filled(1))


def test_watches_that_end_as_soon_as_they_begin_are_not_hammered() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        before = len(server.requests)
        for _ in range(6000):
            server.end()
            await asyncio.sleep(0.01)
        assert len(server.requests) - before < 15

    play(story, server=filled(1))


def test_a_forbidden_kind_is_seen_and_recovers_by_itself() -> None:
    server = filled(1)
    server.refusals.extend([403] * 8)

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await until(lambda: informer.state == "forbidden")
        assert "403" in informer.trouble
        async with asyncio.timeout(300):
            await informer.synced.wait()
        assert informer.state == "watching"

    play(story, server=server, synced=False)


def test_a_nudge_cuts_a_rest_short() -> None:
    server = filled(1)
    server.refusals.extend([403] * 6)

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await until(lambda: len(server.requests) == 6 and informer.retry_in is not None)
        informer.nudge()
        async with asyncio.timeout(0.1):
            await informer.synced.wait()

    play(story, server=server, synced=False)


def test_a_crd_that_vanishes_and_comes_back_is_followed_again_within_ten_seconds() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.served = False
        server.remove("t0000")
        server.cut()
        await until(lambda: informer.state == "missing")
        await asyncio.sleep(600)
        server.served = True
        server.put("again")
        assert await until(lambda: names(informer) == ["again"]) < 10

    play(story, server=filled(1))


@pytest.mark.parametrize(
    "line", [b"garbage\n", b"{}\n", b'{"type":"ADDED","object":{"metadata":\n', b"\xff\xfe\n", b'{"type":5}\n']
)
def test_garbage_costs_nothing_that_came_before_or_after(line: bytes) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.put("before")
        server.say(line)
        server.put("after")
        await until(lambda: names(informer) == ["after", "before", "t0000"])
        await until(lambda: informer.state == "watching")
        assert lists(server) == []

    play(story, server=filled(1))


def test_a_frame_that_is_cut_off_is_told_again() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.say(b'{"type":"ADDED","object":{"metadata":{"name":"half')
        server.end()
        server.put("whole")
        await until(lambda: names(informer) == ["t0000", "whole"])

    play(story, server=filled(1))


def test_garbage_again_and_again_ends_in_a_fresh_start() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await until(lambda: informer.state == "watching")
        server.say(b"garbage\n")
        await until(lambda: len(server.requests) == 2)
        await until(lambda: informer.state == "watching")
        server.say(b"garbage\n")
        await until(lambda: len(server.requests) == 3)
        assert "sendInitialEvents" in server.requests[2]

    play(story, server=filled(1))


def test_an_object_that_is_none_is_left_out_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.say(b'{"type":"ADDED","object":{"metadata":{"name":5,"resourceVersion":"200"}}}\n')
        server.put("good")
        await until(lambda: "good" in names(informer))
        assert len(server.requests) == 1

    play(story, server=filled(1))
    assert "$.metadata.name" in caplog.text


def test_why_nobody_is_reached_is_told_once_and_again_when_it_changes(caplog: pytest.LogCaptureFixture) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.refusals.extend(["refused", "refused", "not trusted", "not trusted"])
        server.cut()
        server.put("later")
        await until(lambda: "later" in names(informer))

    play(story, server=filled(1))
    told = [record.message for record in caplog.records if "unreachable" in record.message]
    assert [text.rpartition(": ")[2] for text in told] == ["refused", "not trusted"]


def test_what_fails_as_soon_as_it_is_answered_is_told_once_and_its_end_once(caplog: pytest.LogCaptureFixture) -> None:
    """A server that lists, and then says that what it listed is too old, is not followed in between."""

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        for _ in range(5):
            asked = len(server.requests)
            server.fail({"code": 410, "reason": "Expired", "message": "too old"})
            await until(lambda asked=asked: len(server.requests) > asked and bool(server.watchers))  # type: ignore[misc]
        await asyncio.sleep(5)

    caplog.set_level("INFO", "kubewright.cache")
    play(story, server=filled(1))
    told = [record.message for record in caplog.records]
    assert told == ["things.example.com: expired: too old", "things.example.com: followed again."]


def test_a_server_without_bookmarks_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    """A quiet kind would otherwise be a warning every 90 seconds."""

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(600)
        assert len(server.requests) > 5

    play(story, server=filled(1))
    warned = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert warned == ["things.example.com: stalled: nothing was heard for 90 seconds"]


def test_an_event_of_a_type_nobody_knows_is_left_out_and_said(caplog: pytest.LogCaptureFixture) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.say(
            b'{"type":"WEIRD","object":{"metadata":{"name":"x","namespace":"default","uid":"u","resourceVersion":"200"}}}'
            b"\n"
        )
        server.put("good")
        await until(lambda: "good" in names(informer))
        assert names(informer) == ["good", "t0000"]
        assert len(server.requests) == 1

    play(story, server=filled(1))
    assert "of a type nobody knows" in caplog.text


def test_a_stream_of_which_nothing_is_heard_is_given_up_within_90_seconds() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)  # half open: no event, no error, not even a bookmark
        server.put("unheard")
        stuck = server.watchers[0]
        assert await until(lambda: stuck.stream.closed) <= 90
        assert informer.age <= 90.1
        server.pause(False)
        await until(lambda: "unheard" in names(informer))
        assert lists(server) == []

    play(story, server=filled(1))


def test_bookmarks_keep_a_quiet_watch_alive() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        for _ in range(4):
            await asyncio.sleep(65)
            server.bookmark()
        await asyncio.sleep(1)
        assert len(server.requests) == 1
        assert informer.age == 1

    play(story, server=filled(1))


def test_a_first_state_that_never_ends_is_listed_instead() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        await until(lambda: len(lists(server)) == 1)
        await informer.synced.wait()
        assert names(informer) == ["t0000"]

    play(story, server=filled(1), synced=False)


class Deaf(Server):
    """Ignores that the end of the first state is to be told."""

    def _send(self, watcher: Any, kind: str, document: dict[str, Any]) -> None:
        document.get("metadata", {}).pop("annotations", None)
        super()._send(watcher, kind, document)


def streams(server: Server) -> int:
    """How often a first state was asked for as a stream."""
    return sum("sendInitialEvents" in target for target in server.requests)


def lose(server: Server) -> None:
    """Have everything begin anew."""
    server.cut()
    server.put("t0001")
    server.forget()


def test_a_server_that_was_slow_once_is_asked_to_stream_again_later() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        await informer.synced.wait()
        server.pause(False)
        await asyncio.sleep(600)
        assert streams(server) == 1
        lose(server)
        await until(lambda: "t0001" in names(informer))
        assert streams(server) == 2
        lose(server)
        await until(lambda: streams(server) == 3)

    play(story, server=filled(1), synced=False)


def test_a_server_that_tells_no_end_again_is_not_waited_for_as_long() -> None:
    server = Deaf()
    server.put("t0000")

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(11)
        server.end()
        await informer.synced.wait()
        await asyncio.sleep(600)
        before = len(server.requests)
        lose(server)

        def told() -> bool:
            server.bookmark()  # it is not mute
            return "t0001" in names(informer)

        assert await until(told) < 20
        assert streams(server) == 2
        assert ["watch=" in target for target in server.requests[before:]] == [True, True, False, True]

    play(story, server=server, synced=False)


def test_a_first_state_that_never_ends_is_listed_though_the_server_was_restored() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        before = informer.revision
        server.put("t0001")
        await until(lambda: informer.revision > before)
        server.pause(True)
        server.revision = before
        server.fail({"code": 410})
        await until(lambda: informer.revision == before)
        assert streams(server) == 2

    play(story, server=filled(1))


def test_a_first_state_whose_end_is_not_told_is_warned_of_and_not_asked_for_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = Deaf()
    server.put("t0000")

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(9)
        assert caplog.messages == []
        await asyncio.sleep(2)
        assert len(caplog.messages) == 1
        assert "for 10 seconds the server has told what there is (2 events), and not yet that" in caplog.messages[0]
        server.end()
        await informer.synced.wait()
        assert names(informer) == ["t0000"]
        lose(server)
        await until(lambda: "t0001" in names(informer))
        assert len(lists(server)) == 2
        assert streams(server) == 1

    play(story, server=server, synced=False)


def test_a_first_state_that_is_told_in_time_is_not_wondered_at(caplog: pytest.LogCaptureFixture) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(20)

    play(story, server=filled(1))
    assert caplog.messages == []


def test_a_watch_goes_on_from_the_last_bookmark() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.revision = 500
        server.bookmark()
        await until(lambda: informer.revision == 500)
        server.cut()
        await until(lambda: len(server.requests) == 2)
        assert "resourceVersion=500" in server.requests[1]

    play(story, server=filled(1))


def test_a_bookmark_before_what_is_known_has_everything_read_anew(caplog: pytest.LogCaptureFixture) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        before = informer.revision
        server.put("t0000", spec=2)
        await until(lambda: informer.revision > before)
        server.revision = before  # restored: what happens from now on has numbers that were there already
        server.bookmark()
        await until(lambda: len(server.requests) == 2)
        await until(lambda: informer.revision == before)

    play(story, server=filled(1))
    assert "the server went back from" in caplog.text


def test_a_server_that_says_nothing_is_asked_how_far_it_is(caplog: pytest.LogCaptureFixture) -> None:
    """As kube-apiserver does while it has not reached the revision that it is asked about, since it was restored."""

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        before = informer.revision
        await asyncio.sleep(190)  # the first stream has told what there is, the next one nothing
        assert ["limit=1" in each for each in server.requests] == [False, False, True, False]
        assert "sendInitialEvents" not in server.requests[-1]  # it is where it was, and nothing has happened
        server.put("t0000", spec=2)
        await until(lambda: informer.revision > before)
        server.revision = before
        await until(lambda: informer.revision == before)
        assert "sendInitialEvents" in server.requests[-1]

    play(story, server=filled(1))
    assert "it was restored" in caplog.text


def test_a_server_whose_bookmarks_stay_behind_is_not_hammered() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        for _ in range(100):
            server.say(b'{"type":"BOOKMARK","object":{"kind":"Thing","metadata":{"resourceVersion":"1"}}}\n')
            await asyncio.sleep(0.1)
        assert len(server.requests) < 10

    play(story, server=filled(1))


def test_what_was_told_already_is_not_told_again() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        viewer = Viewer()
        informer.subscribe(viewer)
        old = server.log[0].document
        server.put("t0000", spec=2)
        await asyncio.sleep(0.1)
        assert old is not None
        server._send(server.watchers[0], "MODIFIED", old)
        await asyncio.sleep(0.1)
        assert viewer.told == ["added t0000", "updated t0000"]
        seen = informer.get(Key("default", "t0000"))
        assert seen is not None
        assert seen.document()["spec"] == 2

    play(story, server=filled(1))


def test_relisting_while_others_delete_ends_as_the_server_is() -> None:
    server = filled(1500)
    server.streams = False

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        for number in range(0, 1500, 3):
            server.remove(f"t{number:04}")
            if number % 300 == 0:
                server.forget()
                server.cut()
            await asyncio.sleep(0.01)
        await asyncio.sleep(120)
        assert names(informer) == sorted(key.name for key in server.state())

    play(story, server=server)


@pytest.mark.parametrize(
    "answer",
    [
        {"kind": "SomethingElse", "metadata": {"resourceVersion": "777"}},
        {"metadata": {"resourceVersion": "777"}, "items": []},
        {"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "777"}, "items": []},
    ],
)
def test_a_list_of_another_kind_empties_nothing_and_is_asked_for_again(answer: Any) -> None:
    class Led(Server):
        astray = False

        def _list(self, query: dict[str, Any], namespace: str, labels: LabelSelector) -> Response:
            if self.astray:
                return Response(200, JSON, msgspec.json.encode(answer))
            return super()._list(query, namespace, labels)

    server = Led()
    server.streams = False
    server.put("a")

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        assert isinstance(server, Led)
        server.astray = True
        server.put("b")
        server.forget()
        server.cut()
        await until(lambda: informer.state == "garbage")
        assert "a" in names(informer)
        assert "not ThingList" in informer.trouble
        server.astray = False
        await until(lambda: names(informer) == ["a", "b"])

    play(story, server=server)


def test_a_stream_of_another_kind_is_not_believed() -> None:
    class Led(Server):
        astray = False

        def _watch(self, query: dict[str, Any], namespace: str, labels: LabelSelector) -> Response:
            if not self.astray:
                return super()._watch(query, namespace, labels)
            stream = Stream()
            other = {"kind": "Pod", "metadata": {"name": "a", "namespace": "default", "resourceVersion": "900"}}
            stream.write(msgspec.json.encode({"type": "DELETED", "object": other}) + b"\n")
            return Response(200, JSON, stream)

    server = Led()
    server.put("a")

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        assert isinstance(server, Led)
        server.astray = True
        server.cut()
        await until(lambda: informer.state == "garbage")
        assert names(informer) == ["a"]
        assert "tells of the kind 'Pod'" in informer.trouble

    play(story, server=server)


def test_a_last_event_whose_line_has_no_end_is_taken() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.put("b")
        last = server.state()[Key("default", "a")]
        last = {**last, "metadata": {**last["metadata"], "resourceVersion": str(server.revision + 1), "uid": "new"}}
        server.say(msgspec.json.encode({"type": "MODIFIED", "object": last}))
        server.end()
        await until(lambda: any(each.uid == "new" for each in informer.list()), seconds=5)

    server = Server()
    server.put("a")
    play(story, server=server)
