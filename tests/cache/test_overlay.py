"""Own writes are seen until the watch has told them, and not a moment longer."""

import asyncio

import msgspec
import pytest
from tests.cache.server import THINGS, Document, Server, play

from kubewright.cache import Cached, Caches, Informer, Key, Unsettled
from kubewright.cache.overlay import Overlay
from kubewright.client import Endpoint
from kubewright.errors import KubewrightError
from kubewright.model.selectors import FieldSelector, LabelSelector

A = Key("default", "a")
PLACE = Key("default", "")
WEB = LabelSelector.parse("app=web")


def one() -> Server:
    server = Server()
    server.put("a", labels={"app": "web"}, spec=1)
    return server


def wrote(caches: Caches, document: Document) -> None:
    caches.wrote(THINGS, msgspec.json.encode(document))


def spec(informer: Informer, key: Key = A) -> object:
    seen = informer.get(key)
    return None if seen is None else seen.document()["spec"]


def test_a_write_is_seen_while_the_watch_stands_still() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        wrote(caches, server.put("a", spec=2))
        wrote(caches, server.put("new", spec=3))
        assert spec(informer) == 2
        assert sorted(cached.document()["spec"] for cached in informer.list()) == [2, 3]

    play(story, server=one())


def test_listeners_are_told_by_the_watch_alone() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        told = []
        informer.subscribe(lambda change: told.append((change.kind, change.initial)))
        server.pause(True)
        wrote(caches, server.put("a", spec=2))
        assert told == [("added", True)]
        server.pause(False)
        await asyncio.sleep(0.1)
        assert told == [("added", True), ("updated", False)]

    play(story, server=one())


def test_what_the_watch_told_before_the_answer_came_is_not_laid_over() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        mine = server.put("a", spec=2)
        server.put("a", spec=3)
        await asyncio.sleep(0.1)
        wrote(caches, mine)
        assert spec(informer) == 3

    play(story, server=one())


def test_of_two_answers_the_newer_counts_in_whatever_order_they_come() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        first, second = server.put("a", spec=2), server.put("a", spec=3)
        wrote(caches, second)
        wrote(caches, first)
        assert spec(informer) == 3

    play(story, server=one())


def test_a_deleted_object_is_hidden_until_its_end_is_told() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        gone = server.remove("a")
        assert gone is not None
        caches.deleted(THINGS, A, gone["metadata"]["uid"])
        assert informer.get(A) is None
        assert informer.list() == []
        server.put("a", spec=9)  # somebody makes it anew
        server.pause(False)
        await asyncio.sleep(0.1)
        assert spec(informer) == 9

    play(story, server=one())


def test_what_was_made_and_deleted_before_the_watch_told_is_not_seen_in_between() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        mine = server.put("b", spec=1)
        wrote(caches, mine)
        server.remove("b")
        caches.deleted(THINGS, Key("default", "b"), mine["metadata"]["uid"])
        server.drip()  # only that it was added
        await asyncio.sleep(0.1)
        assert informer.objects == 2
        assert informer.get(Key("default", "b")) is None

    play(story, server=one())


def test_deleted_made_anew_and_deleted_again_the_first_is_not_seen_either() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        for _ in range(2):
            gone = server.remove("a")
            assert gone is not None
            caches.deleted(THINGS, A, gone["metadata"]["uid"])
            assert informer.get(A) is None
            wrote(caches, server.put("a", spec=2))
            assert spec(informer) == 2

    play(story, server=one())


def test_deleting_what_somebody_made_in_the_place_of_ours_hides_ours_too() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        wrote(caches, server.put("a", spec=2))
        server.remove("a")  # somebody
        server.put("a", spec=3)  # somebody
        gone = server.remove("a")
        assert gone is not None
        caches.deleted(THINGS, A, gone["metadata"]["uid"])
        await informer.settle()
        assert informer.get(A) is None

    play(story, server=one())


def test_deleting_what_is_outside_the_selection_leaves_nothing_behind() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        wrote(caches, server.put("a", labels={"app": "db"}))
        gone = server.remove("a")
        assert gone is not None
        caches.deleted(THINGS, A, gone["metadata"]["uid"])
        await informer.settle()
        assert informer.get(A) is None
        server.pause(False)
        server.bookmark()
        await asyncio.sleep(0.1)
        assert informer.get(A) is None
        assert not informer._overlay

    play(story, server=one(), labels=WEB)


def test_deleting_what_the_watch_has_not_told_makes_the_key_unsettled() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        other = server.put("b", spec=1)
        server.remove("b")
        key = Key("default", "b")
        caches.deleted(THINGS, key, other["metadata"]["uid"])
        with pytest.raises(Unsettled):
            informer.get(key)
        await informer.settle()
        server.drip()
        await asyncio.sleep(0.1)
        assert informer.get(key) is None

    play(story, server=one())


def test_a_delete_that_is_answered_after_its_end_was_told_leaves_nothing_behind() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        uids = [server.put(name, spec=2)["metadata"]["uid"] for name in ("a", "b")]
        server.remove("a")
        await asyncio.sleep(0.1)
        server.cut()
        server.remove("b")
        server.forget()
        await asyncio.sleep(60)  # a list without it is as good as its end
        for name, uid in zip(("a", "b"), uids, strict=True):
            caches.deleted(THINGS, Key("default", name), uid)
            assert informer.get(Key("default", name)) is None
        assert not informer._overlay
        assert len(informer._ends) == 2

    play(story, server=one())


@pytest.mark.parametrize("done", [True, False])
def test_an_unknown_outcome_is_asked_about_before_it_is_read(done: bool) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        if done:
            server.put("a", spec=2)
        caches.unsure(THINGS, A)
        with pytest.raises(Unsettled, match="default/a"):
            informer.get(A)
        with pytest.raises(Unsettled):
            informer.list()
        assert informer.list("other") == []
        await informer.settle()
        assert spec(informer) == (2 if done else 1)
        before = len(server.requests)
        await informer.settle()
        assert len(server.requests) == before

    play(story, server=one())


def test_an_unknown_outcome_that_was_a_deletion_is_seen_as_one() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        server.remove("a")
        caches.unsure(THINGS, A)
        await informer.settle()
        assert informer.get(A) is None
        server.pause(False)
        await asyncio.sleep(0.1)
        assert not informer._overlay

    play(story, server=one())


def test_a_server_that_cannot_be_asked_leaves_the_key_unsettled() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        caches.unsure(THINGS, A)
        server.refusals.append(None)
        with pytest.raises(KubewrightError):
            await informer.settle()
        with pytest.raises(Unsettled):
            informer.get(A)
        await informer.settle()
        assert spec(informer) == 1

    play(story, server=one())


def test_what_lies_outside_the_selection_is_not_seen() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        wrote(caches, server.put("b", labels={"app": "db"}))
        wrote(caches, server.put("c", "other", labels={"app": "web"}))
        assert [cached.key.name for cached in informer.list()] == ["a"]
        server.pause(False)
        server.bookmark()
        await asyncio.sleep(0.1)
        assert not informer._overlay

    play(story, server=one(), labels=WEB, namespaces=("default",))


def test_what_somebody_put_into_the_selection_and_we_took_out_is_not_seen_while_the_watch_tells_of_that() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        server.put("b", labels={"app": "web"})
        wrote(caches, server.put("b", labels={"app": "db"}))
        server.drip()
        await asyncio.sleep(0.1)
        assert informer.objects == 2
        assert informer.get(Key("default", "b")) is None

    play(story, server=one(), labels=WEB)


def test_a_write_that_takes_an_object_out_of_the_selection_hides_it() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        wrote(caches, server.put("a", labels={"app": "db"}, spec=2))
        assert informer.get(A) is None
        wrote(caches, server.put("a", labels={"app": "web"}, spec=3))
        assert spec(informer) == 3

    play(story, server=one(), labels=WEB)


def test_one_that_takes_it_out_before_the_first_list_has_come_hides_it_there() -> None:
    """What the server lists was so before the write."""

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        await asyncio.sleep(1)
        server.pause(False)
        server.end()
        wrote(caches, server.put("a", labels={"app": "db"}, spec=2))
        server.latency = 10.0
        await informer.synced.wait()
        assert informer.objects == 1
        assert informer.get(A) is None

    play(story, server=one(), synced=False, labels=WEB)


def test_whether_fields_are_selected_only_the_server_says() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        wrote(caches, server.put("a", spec=2))
        with pytest.raises(Unsettled):
            informer.get(A)
        await informer.settle()
        assert "status.phase%3DRunning" in server.requests[-1]
        assert "metadata.name%3Da" in server.requests[-1]
        assert spec(informer) == 2

    play(story, server=one(), fields=FieldSelector.parse("status.phase=Running"))


def test_a_write_through_another_version_is_asked_for_in_the_version_that_is_kept() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        older: Endpoint[Document] = Endpoint("example.com", "v1beta1", "things", "Thing", True)
        server.pause(True)
        caches.wrote(older, msgspec.json.encode(server.put("a", spec=2)))
        assert caches.is_elsewhere(older)
        assert not caches.is_elsewhere(THINGS)
        await caches.look(THINGS, A, elsewhere=True)
        assert spec(informer) == 1
        await caches.look(older, A, elsewhere=True)
        assert spec(informer) == 2

    play(story, server=one())


def test_an_index_and_labels_see_own_writes() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        owner = {"ownerReferences": [{"uid": "o1"}]}
        wrote(caches, server.put("a", labels={"app": "db"}, metadata=owner))
        assert [cached.key for cached in informer.list(index=("owner", "o1"))] == [A]
        assert informer.list(labels=WEB) == []

    play(story, server=one())


def test_a_restored_server_takes_own_writes_back(caplog: pytest.LogCaptureFixture) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        wrote(caches, server.put("a", spec=2))
        await asyncio.sleep(2)
        del server.log[1:]
        server.revision = 101
        server.fail({"code": 410, "reason": "Expired"})
        await asyncio.sleep(5)
        assert spec(informer) == 1
        assert informer.revision == 101

    play(story, server=one())
    assert "went back from 102 to 101" in caplog.text


def test_what_is_asked_after_a_write_is_laid_over_unless_another_was_lost_meanwhile() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        server.put("a", spec=2)
        await caches.look(THINGS, A)
        assert spec(informer) == 2
        looking = asyncio.ensure_future(caches.look(THINGS, A))
        await asyncio.sleep(0)
        caches.unsure(THINGS, A)
        await looking
        with pytest.raises(Unsettled):
            informer.get(A)

    play(story, server=one())


def test_of_a_write_that_names_nothing_the_whole_namespace_is_asked_about_before_it_is_read() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.put("c", "other", spec=3)
        await asyncio.sleep(0.1)
        server.pause(True)
        server.put("b", spec=2)
        server.remove("a")
        caches.unsure(THINGS, PLACE)
        for name in ("a", "b", "unheard-of"):
            with pytest.raises(Unsettled, match="to something in default is unknown"):
                informer.get(Key("default", name))
        for namespace in ("default", None):
            with pytest.raises(Unsettled):
                informer.list(namespace)
        assert spec(informer, Key("other", "c")) == 3
        assert len(informer.list("other")) == 1
        before = len(server.requests)
        await informer.settle()
        await informer.settle()
        assert server.requests[before:] == ["/apis/example.com/v1/namespaces/default/things"]
        assert [cached.key.name for cached in informer.list("default")] == ["b"]
        server.pause(False)
        server.bookmark()
        await asyncio.sleep(0.1)
        assert not informer._overlay
        assert sorted(cached.key.name for cached in informer.list()) == ["b", "c"]

    play(story, server=one())


def test_what_was_made_unseen_and_had_ended_when_its_namespace_was_looked_at_is_not_seen_later() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        server.put("b")
        server.remove("b")
        await caches.look(THINGS, PLACE)
        server.drip()
        await asyncio.sleep(0.1)
        assert informer.objects == 2
        assert [cached.key for cached in informer.list()] == [A]

    play(story, server=one())


def test_a_namespace_that_is_not_kept_is_not_asked_about_and_of_everything_those_that_are() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        caches.unsure(THINGS, Key("elsewhere", ""))
        assert not informer.unsettled
        caches.unsure(THINGS, Key("", ""))
        before = len(server.requests)
        await informer.settle()
        assert [target.split("/")[5] for target in server.requests[before:]] == ["default", "other"]

    play(story, server=one(), namespaces=("default", "other"))


def test_a_namespace_of_which_the_server_does_not_tell_stays_unsettled() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.refusals.append(503)
        await caches.look(THINGS, PLACE)
        with pytest.raises(Unsettled):
            informer.list()
        server.refusals.append(503)
        with pytest.raises(KubewrightError):
            await informer.settle()
        with pytest.raises(Unsettled):
            informer.list()
        await informer.settle()
        assert [cached.key for cached in informer.list()] == [A]

    play(story, server=one())


def test_what_is_lost_while_a_namespace_is_looked_at_is_asked_about_too() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        server.latency = 1.0
        caches.unsure(THINGS, PLACE)
        settling = asyncio.ensure_future(informer.settle())
        await asyncio.sleep(0.5)
        server.put("b", spec=2)
        caches.unsure(THINGS, PLACE)
        await settling
        assert spec(informer, Key("default", "b")) == 2

    play(story, server=one())


def test_an_object_that_cannot_be_read_does_not_keep_the_others_unsettled(caplog: pytest.LogCaptureFixture) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        server.put("b", metadata={"ownerReferences": "none"})
        server.put("c", spec=3)
        await caches.look(THINGS, PLACE)
        assert [cached.key.name for cached in informer.list()] == ["a", "c"]

    play(story, server=one())
    assert "It is left out of the cache." in caplog.text


def version(revision: int, key: Key = A, uid: str = "u") -> Cached:
    return Cached(key, uid, revision, 1, False, (), (), b"{}", None)  # type: ignore[arg-type]


def survey(overlay: Overlay, at: int, *found: Cached, passed: int = 0) -> None:
    """Look at the namespace: at that revision these were there."""
    overlay.settled(PLACE, overlay.doubts.get(PLACE), {each.key: each for each in found}, at, (), passed)


def test_an_answer_that_comes_after_its_object_was_seen_to_have_ended_is_not_laid_over() -> None:
    overlay = Overlay()
    survey(overlay, 8)
    overlay.wrote(version(5), True, 0)
    assert overlay.see(A, None, 0) is None
    overlay.wrote(version(9), True, 0)
    assert overlay.see(A, None, 0) is not None


def test_a_list_from_before_its_namespace_was_looked_at_shows_nothing_that_had_ended_then() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.pause(True)
        server.put("b")
        await asyncio.sleep(1)  # the first state is on its way
        server.remove("b")
        await caches.look(THINGS, PLACE)
        for _ in range(3):
            server.drip()
        await informer.synced.wait()
        assert informer.objects == 2
        assert [cached.key for cached in informer.list()] == [A]
        server.pause(False)
        await asyncio.sleep(1)
        assert not informer._overlay

    play(story, server=one(), synced=False)


def test_a_key_that_is_unsure_itself_stays_so_when_its_namespace_is_looked_at() -> None:
    overlay = Overlay()
    overlay.unsure(A)
    survey(overlay, 8, version(5))
    with pytest.raises(Unsettled):
        overlay.check(A)


def test_what_was_made_and_deleted_while_its_namespace_was_looked_at_stays_hidden() -> None:
    overlay = Overlay()
    overlay.wrote(version(9), True, 0)
    overlay.deleted(A, "u", None, 0)
    survey(overlay, 8)
    overlay.told(A, 9)
    assert overlay.see(A, version(9), 9) is None
