"""An informer: who subscribes when, who fails, how it fares, and a new leader that wants to be up to date."""

import asyncio

import msgspec
import pytest
from tests.cache.server import THINGS, Server, Viewer, play
from tests.cluster.stage import Stage
from tests.cluster.stage import play as on_a_cluster

from kubewright.cache import Caches, Informer, Key, Selection
from kubewright.cache.store import UnknownIndex
from kubewright.client import Client, LocalTransport, endpoint_of
from kubewright.client.errors import Forbidden
from kubewright.errors import KubewrightError
from kubewright.http import Headers, Request, Response
from kubewright.k8s.core.v1 import ConfigMap
from kubewright.model.selectors import FieldSelector, LabelSelector
from kubewright.trials.loop import run


def filled(count: int) -> Server:
    server = Server()
    for number in range(count):
        server.put(f"t{number:03}")
    return server


def test_what_is_there_at_first_is_told_as_initial() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        viewer = Viewer()
        informer.subscribe(viewer)
        assert viewer.told == []
        await informer.synced.wait()
        server.put("new")
        await asyncio.sleep(0.1)
        assert viewer.told == ["added t000", "added t001", "added new"]
        assert viewer.initial == ["t000", "t001"]

    play(story, server=filled(2), synced=False)


def test_a_late_subscriber_is_told_what_is_there_and_then_every_change() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        viewer = Viewer()
        informer.subscribe(viewer)
        assert viewer.initial == ["t000", "t001"]
        server.put("t000", spec=1)
        await asyncio.sleep(0.1)
        assert viewer.told[2:] == ["updated t000"]

    play(story, server=filled(2))


def test_who_subscribes_while_others_are_being_told_misses_nothing_and_hears_nothing_twice() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        viewers = [Viewer()]
        informer.subscribe(viewers[0])

        def join() -> None:
            viewers.append(Viewer())
            informer.subscribe(viewers[-1])

        async with asyncio.timeout(60):
            while len(viewers[0].told) < 600:  # noqa: ASYNC110 - in the middle of the first population
                await asyncio.sleep(0)
        assert not informer.synced.is_set()
        join()
        server.put("new")
        await asyncio.sleep(1)
        for viewer in viewers:  # a viewer fails on what does not follow from what it was told
            assert len(viewer.objects) == 1001

    play(story, server=filled(1000), synced=False)


@pytest.mark.parametrize("kind", [RuntimeError, asyncio.CancelledError, SystemExit])
def test_a_listener_that_fails_is_logged_and_the_others_go_on(
    kind: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    def broken(change: object) -> None:
        raise kind("of no use")

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        viewer = Viewer()
        informer.subscribe(broken)
        informer.subscribe(viewer)
        server.put("x")
        await asyncio.sleep(0.1)
        assert viewer.told == ["added x"]
        assert len(server.requests) == 1

    play(story)
    assert "of no use" in caplog.text


def test_who_has_cancelled_is_told_nothing_more() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        viewer = Viewer()
        informer.subscribe(viewer).cancel()
        server.put("x")
        await asyncio.sleep(0.1)
        assert viewer.told == []

    play(story)


def test_several_namespaces_are_one_cache_that_is_synced_when_all_are() -> None:
    server = Server()
    for namespace in ("a", "b", "c"):
        server.put("x", namespace)

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        assert [cached.key.namespace for cached in informer.list()] == ["a", "b"]
        assert [cached.key.namespace for cached in informer.list("b")] == ["b"]
        assert len(server.requests) == 2
        server.put("y", "a")
        await asyncio.sleep(0.1)
        assert informer.revision == 103  # up to where all of it is known
        server.bookmark()
        await asyncio.sleep(0.1)
        assert informer.revision == 104

    play(story, server=server, namespaces=("b", "a", "a"))


def test_a_relist_of_one_namespace_leaves_the_others_alone() -> None:
    server = Server()
    server.put("x", "a")
    server.put("x", "b")

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.forget()
        server.put("y", "a")
        server.forget()
        server.watchers[0].stream.abort()
        await asyncio.sleep(10)
        assert [str(cached.key) for cached in informer.list()] == ["a/x", "b/x", "a/y"]

    play(story, server=server, namespaces=("a", "b"))


def test_the_state_is_that_of_the_namespace_that_fares_worst() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await asyncio.sleep(2)
        server.refusals.append(403)
        server.watchers[1].stream.abort()
        await asyncio.sleep(0.5)
        assert informer.state == "forbidden"
        await asyncio.sleep(5)
        assert informer.state == "watching"

    play(story, server=filled(1), namespaces=("default", "other"))


def test_an_index_of_ones_own_is_kept_and_may_come_late() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        informer.add_index("size", lambda cached: [str(cached.document()["spec"])])
        assert [cached.key.name for cached in informer.list(index=("size", "1"))] == ["a"]
        server.put("a", spec=2)
        server.put("b", spec=2)
        await asyncio.sleep(0.1)
        assert informer.list(index=("size", "1")) == []
        assert [cached.key.name for cached in informer.list(index=("size", "2"))] == ["a", "b"]

    server = Server()
    server.put("a", spec=1)
    play(story, server=server)


def test_an_index_that_fails_on_one_object_keeps_the_others(caplog: pytest.LogCaptureFixture) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        informer.add_index("size", lambda cached: [cached.document()["spec"]["size"]])
        server.put("bad")
        server.put("good", spec={"size": "1"})
        await asyncio.sleep(0.1)
        assert [cached.key.name for cached in informer.list(index=("size", "1"))] == ["good"]
        server.put("bad", spec={"size": "1"})
        await asyncio.sleep(0.1)
        assert len(informer.list(index=("size", "1"))) == 2

    play(story)
    assert "default/bad" in caplog.text


def test_a_label_is_indexed_when_it_is_asked_for() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        for app in ("web", "db"):
            server.put(app, labels={"app": app})
        await asyncio.sleep(0.1)
        assert [cached.key.name for cached in informer.list(index=("label:app", "web"))] == ["web"]
        assert [cached.key.name for cached in informer.list(labels=LabelSelector.parse("app=db"))] == ["db"]
        assert [cached.key.name for cached in informer.list(labels=LabelSelector.parse("app in (a,db)"))] == ["db"]

    play(story)


def test_an_index_that_is_not_there_is_named() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        with pytest.raises(UnknownIndex, match=r"no index 'size'; .* There are: namespace, owner"):
            informer.list(index=("size", "1"))
        with pytest.raises(UnknownIndex, match="already"):
            informer.add_index("owner", lambda cached: ())

    play(story)


def test_an_object_that_does_not_fit_its_type_is_reported_with_the_field_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story(stage: Stage) -> None:
        await stage.put_configmaps(2)
        async with Caches(stage.client) as caches:
            informer = caches.open(Selection(endpoint_of(ConfigMap), namespaces=("default",)))
            await informer.synced.wait()
            cached = informer.get(Key("default", "c0000"))
            assert cached is not None
            bad = msgspec.structs.replace(cached, raw=cached.raw.replace(b'"k":""', b'"k":5'))
            for _ in range(2):
                assert bad.object().metadata.name == "c0000"
            assert "data[...]: a string is wanted, and this is an integer" in informer.misfits[cached.key]
            good = informer.get(Key("default", "c0001"))
            assert good is not None
            assert good.object(ConfigMap).data == {"k": ""}
            await stage.client.delete("/api/v1/namespaces/default/configmaps/c0000")
            await asyncio.sleep(0.1)
            assert informer.misfits == {}

    on_a_cluster(story)
    assert caplog.text.count("does not fit its type") == 1


def test_metadata_alone_is_asked_for_and_kept() -> None:
    async def story(stage: Stage) -> None:
        await stage.put_configmaps(2, size=1000)
        async with Caches(stage.client) as caches:
            selection = Selection(endpoint_of(ConfigMap), namespaces=("default",), metadata_only=True)
            informer = caches.open(selection)
            await informer.synced.wait()
            patch = {"data": {"k": "y" * 2000}}
            await stage.client.patch("/api/v1/namespaces/default/configmaps/c0001", "merge", patch)
            await asyncio.sleep(0.1)
            assert informer.objects == 2
            assert informer.bytes < 1000

    on_a_cluster(story)


def test_a_new_leader_that_is_behind_reads_everything_anew() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        wedged = server.watchers.pop()  # nothing comes from it any more
        server.put("x")
        await informer.reach(102)
        assert informer.get(Key("default", "x")) is not None
        assert wedged.stream.closed

    play(story, server=filled(1))


def test_a_list_that_was_under_way_already_does_not_count_as_read_anew(caplog: pytest.LogCaptureFixture) -> None:
    """Its first page is of before, and says nothing of what the last leader saw since."""

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.put("gap")
        server.forget()
        server.latency = 5.0
        server.end()
        while not any("limit=500" in each and "continue" in each for each in server.requests[3:]):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        server.put("x")
        await informer.reach(server.revision)
        assert informer.get(Key("default", "x")) is not None

    server = filled(600)
    server.streams = False
    play(story, server=server)
    assert "restored" not in caplog.text


def test_a_new_leader_that_is_up_to_date_asks_nothing() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        server.put("x")
        await informer.reach(102)
        assert informer.get(Key("default", "x")) is not None
        assert len(server.requests) == 1

    play(story, server=filled(1))


def test_a_watermark_beyond_what_a_restored_server_has_is_given_up_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await informer.reach(5000)
        assert informer.revision == 101
        assert len(server.requests) == 2

    play(story, server=filled(1))
    assert "before 5000" in caplog.text


@pytest.mark.parametrize("error", [RuntimeError("a fault"), asyncio.CancelledError("a fault")], ids=repr)
def test_a_fault_of_ours_is_logged_and_it_goes_on(error: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object) -> None:
        raise error

    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        put, informer._store.put = informer._store.put, fail  # type: ignore[method-assign, assignment]  # a fault
        server.put("x")
        await asyncio.sleep(0.1)
        assert informer.state == "failing"
        assert not informer.ended
        informer._store.put = put  # type: ignore[method-assign]
        await asyncio.sleep(5)
        assert informer.get(Key("default", "x")) is not None

    play(story)
    assert "following things.example.com failed" in caplog.text


def test_one_that_follows_no_longer_has_ended_unless_it_was_stopped() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        assert not informer.ended
        informer._tasks[0].cancel()
        await asyncio.sleep(0.1)
        assert informer.ended
        await informer.stop()
        assert not informer.ended

    play(story)


def test_a_client_that_repeats_by_itself_does_not_do_so_here() -> None:
    async def story() -> None:
        server = filled(1)
        server.refusals.append({"code": 429, "details": {"retryAfterSeconds": 5}})
        client = Client(LocalTransport(server))
        async with Caches(client) as caches:
            informer = caches.open(Selection(THINGS))
            await asyncio.sleep(1)
            assert informer.state == "throttled"

    run(story())


def test_what_is_done_to_objects_that_are_not_selected_leaves_nothing_to_settle() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        named = caches.open(Selection(THINGS, fields=FieldSelector.parse("metadata.name=t000")))
        await named.synced.wait()
        caches.deleted(THINGS, Key("x", "t001"), "some uid")
        caches.unsure(THINGS, Key("x", "t001"))
        assert not named.unsettled
        caches.unsure(THINGS, Key("x", "t000"))
        assert named.unsettled

    play(story, server=filled(2))


FAILURE = b'{"kind": "Status", "status": "Failure", "metadata": {}, "code": 500, "message": "no leader"}'


@pytest.mark.parametrize(
    ("body", "problem"),
    [(b"<html>log in</html>", r"is no list .*it begins b'<html>"), (FAILURE, "no leader"), (b"{}", "is no list")],
)
def test_what_is_no_list_settles_nothing_and_is_told_in_a_sentence(body: bytes, problem: str) -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        async def proxy(request: Request) -> Response:
            return Response(200, Headers(), body)

        informer.unsure(Key("default", "t000"))
        informer._client = Client(LocalTransport(proxy))
        with pytest.raises(KubewrightError, match=problem):
            await informer.settle()
        await informer.settle_if_answered()
        assert informer.unsettled

    play(story, server=filled(1))


def test_what_the_server_refuses_to_tell_keeps_nobody_from_asking_about_the_others() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        async def half(request: Request) -> Response:
            asked.append(request.query)
            if "t000" in request.query:
                return Response(403, Headers(), b"no")
            return await server(request)

        asked: list[str] = []
        for name in ("t000", "t001"):
            informer.unsure(Key("default", name))
        informer._client = Client(LocalTransport(half))
        await informer.settle_if_answered()
        assert list(informer.unsettled) == [Key("default", "t000")]
        assert len(asked) == 2
        for _ in range(10):  # not again at once, whoever comes
            await informer.settle_if_answered()
        assert len(asked) == 2
        with pytest.raises(Forbidden):
            await informer.settle()

    play(story, server=filled(2))


def test_a_server_that_hangs_is_asked_once_for_all_who_wait() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> list[float]:
        async def hangs(request: Request) -> Response:
            await asyncio.sleep(30)
            return Response(500, Headers(), b"no")

        loop = asyncio.get_running_loop()
        began = loop.time()
        informer.unsure(Key("default", "t000"))
        informer._client = Client(LocalTransport(hangs))
        await asyncio.gather(*(informer.settle_if_answered() for _ in range(32)))
        return [round(loop.time() - began)]

    assert play(story, server=filled(1)) == [30]
