import asyncio
import gc
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tests.cluster.nodes.pods import make_pod

import kubewright as kw
from kubewright.client import Api, KubeconfigError, SyncApi
from kubewright.client.endpoint import EndpointError
from kubewright.client.errors import NotFound
from kubewright.client.kubeconfig import load_kubeconfig
from kubewright.cluster import Cluster
from kubewright.http import ConnectError, HttpError, TimedOutError
from kubewright.k8s.core.v1 import ConfigMap, Namespace, Pod
from kubewright.testing.beside import beside


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with beside(Cluster(controllers="none")) as running:
        yield running


def test_calls_lists_and_watches_need_no_loop(cluster: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(cluster.kubeconfig)) as api:
        for name in ("a", "b"):
            api.create(ConfigMap(metadata=kw.ObjectMeta(name=name)))
        assert [each.metadata.name for each in api.list(ConfigMap, namespace="default", limit=1)] == ["a", "b"]
        page = api.list(ConfigMap, namespace="default").all()
        with api.watch(ConfigMap, resource_version=page.resource_version) as watch:
            api.delete(ConfigMap, "a")
            assert next(iter(watch)).object.metadata.name == "a"
        with pytest.raises(NotFound):
            api.get(ConfigMap, "a")
        assert api.namespace == "default"


def test_a_list_is_followed_by_a_watch_from_its_version(cluster: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(cluster.kubeconfig)) as api:
        for name in ("one", "two"):
            api.create(ConfigMap(metadata=kw.ObjectMeta(name=name, labels={"story": "followed"})))
        found = api.list(ConfigMap, namespace="default", labels="story=followed", limit=1)
        assert [each.metadata.name for each in found.items] == ["one", "two"]
        api.delete(ConfigMap, "one")
        with api.watch(ConfigMap, labels="story=followed", resource_version=found.resource_version) as watch:
            event = next(iter(watch))
        assert (event.type, event.object.metadata.name) == ("DELETED", "one")


def test_items_and_their_version_stay_those_of_one_moment(cluster: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(cluster.kubeconfig)) as api:
        found = api.list(ConfigMap, namespace="default", labels="story=moment")
        version = found.resource_version
        api.create(ConfigMap(metadata=kw.ObjectMeta(name="late", labels={"story": "moment"})))
        assert (found.items, found.resource_version) == ([], version)
        assert [each.metadata.name for each in found] == [each.metadata.name for each in found.all().items] == ["late"]


def test_a_list_is_read_page_by_page(cluster: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(cluster.kubeconfig)) as api:
        for name in ("p", "q", "r"):
            api.create(ConfigMap(metadata=kw.ObjectMeta(name=name, labels={"story": "paged"})))
        pages = list(api.list(ConfigMap, namespace="default", labels="story=paged", limit=2).pages())
        assert [[each.metadata.name for each in page.items] for page in pages] == [["p", "q"], ["r"]]
        assert len({page.resource_version for page in pages}) == 1


def test_one_request_can_have_other_settings(cluster: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(cluster.kubeconfig), field_manager="me") as api:
        other = api.but(namespace="kube-system")
        assert (other.namespace, api.namespace) == ("kube-system", "default")
        assert other.field_manager == "me"
        with pytest.raises(TimedOutError, match="not answered within 0 seconds"):
            api.but(timeout=0).get(ConfigMap, "a")
    with pytest.raises(ConnectError, match="this client is closed"):
        other.get(ConfigMap, "a")


def test_a_gate_keeps_writes_from_being_sent(cluster: Cluster) -> None:
    def gate() -> None:
        raise RuntimeError("not now")

    with SyncApi.connect(load_kubeconfig(cluster.kubeconfig)) as api:
        with pytest.raises(RuntimeError, match="not now"):
            api.gated(gate).create(ConfigMap(metadata=kw.ObjectMeta(name="kept-out")))
        with pytest.raises(NotFound):
            api.gated(gate).get(ConfigMap, "kept-out")


def test_it_can_do_what_the_client_with_a_loop_can() -> None:
    assert {name for name in vars(Api) if not name.startswith("_")} <= set(vars(SyncApi))


def test_a_deletion_of_no_name_deletes_nothing(cluster: Cluster) -> None:
    nobody: Any = None
    with SyncApi.connect(load_kubeconfig(cluster.kubeconfig)) as api:
        api.apply(ConfigMap(metadata=kw.ObjectMeta(name="kept")))
        with pytest.raises(EndpointError, match="an object of configmaps is named by a string, not by None"):
            api.delete(ConfigMap, nobody, "default")
        assert api.get(ConfigMap, "kept").metadata.name == "kept"


def test_it_works_inside_a_running_loop(cluster: Cluster) -> None:
    async def notebook() -> str:
        with SyncApi.connect(load_kubeconfig(cluster.kubeconfig)) as api:
            return api.get(api.resource("namespace"), "default")["metadata"]["name"]  # type: ignore[no-any-return]

    assert asyncio.run(notebook()) == "default"


def test_a_watch_that_is_dropped_and_a_client_that_is_closed_leave_no_thread(cluster: Cluster) -> None:
    before = set(threading.enumerate())
    with SyncApi.connect(load_kubeconfig(cluster.kubeconfig)) as api:
        watch = api.watch(ConfigMap)
        api.apply(ConfigMap(metadata=kw.ObjectMeta(name="seen")))
        assert next(iter(watch)).type == "ADDED"
        del watch
    assert set(threading.enumerate()) == before


@pytest.mark.filterwarnings("error")
def test_one_that_is_closed_says_so_and_may_be_closed_again(cluster: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(cluster.kubeconfig)) as api:
        pass
    api.close()
    with pytest.raises(ConnectError, match="this client is closed"):
        api.get(ConfigMap, "a")


def test_one_that_cannot_begin_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    with pytest.raises(KubeconfigError):
        SyncApi.connect(kubeconfig="/nowhere")
    assert set(threading.enumerate()) == before


@pytest.fixture(scope="module")
def running_pods() -> Iterator[Cluster]:
    with beside(Cluster(controllers="none", nodes=1)) as running:
        yield running


def run_pod(api: SyncApi, name: str, **stage: str) -> None:
    """Make a pod, and wait until its container runs."""
    with api.watch(Pod, namespace="default", fields=f"metadata.name={name}") as watch:
        api.create({"apiVersion": "v1", "kind": "Pod", **make_pod(name, stage)})
        next(event for event in watch if event.object.status.phase == "Running")


def test_a_log_is_read_whole_or_by_its_lines(running_pods: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(running_pods.kubeconfig)) as api:
        run_pod(api, "written", log="one\ntwo\nthree\n")
        assert api.logs("written").text() == "one\ntwo\nthree\n"
        assert list(api.logs("written", "default", tail=2)) == ["two", "three"]


def test_a_log_is_followed_until_the_container_ends(running_pods: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(running_pods.kubeconfig)) as api:
        run_pod(api, "followed", log="one\ntwo\n")
        lines = iter(api.logs("followed", follow=True))
        assert next(lines) == "one"
        api.delete(Pod, "followed")
        assert list(lines) == ["two"]


def test_a_reader_may_leave_a_log_that_goes_on(running_pods: Cluster) -> None:
    before = set(threading.enumerate())
    with SyncApi.connect(load_kubeconfig(running_pods.kubeconfig)) as api:
        run_pod(api, "left", log="one\n")
        assert next(iter(api.logs("left", follow=True))) == "one"
        assert api.get(Pod, "left").status.phase == "Running"
    assert set(threading.enumerate()) == before


def test_a_pod_that_is_not_there_has_no_log(running_pods: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(running_pods.kubeconfig)) as api:
        with pytest.raises(NotFound):
            api.logs("nobody").text()
        with pytest.raises(NotFound):
            next(iter(api.logs("nobody", follow=True)))


def test_a_command_is_run_to_its_end(running_pods: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(running_pods.kubeconfig)) as api:
        run_pod(api, "asked", exec="check: {error: broken, code: 3}")
        assert tuple(api.exec("asked", ["check"])) == (3, b"", b"broken\n")
        assert api.exec("asked", ["cat"], stdin=b"through").output == "through"


def test_a_port_is_led_to_a_pod_while_the_block_runs(running_pods: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(running_pods.kubeconfig)) as api:
        run_pod(api, "reached", ports="80: echo")
        with api.port_forward("reached", 80) as port, socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"hello")
            assert line.recv(100) == b"hello"
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))


@pytest.mark.filterwarnings("error")
def test_one_that_is_dropped_leaves_no_thread(cluster: Cluster) -> None:
    before = set(threading.enumerate())
    api = SyncApi.connect(load_kubeconfig(cluster.kubeconfig))
    assert api.get(Namespace, "default").metadata.name == "default"
    (thread,) = set(threading.enumerate()) - before
    del api
    gc.collect()
    thread.join(10)
    assert not thread.is_alive()


def test_a_watch_that_another_thread_closes_ends(cluster: Cluster) -> None:
    with SyncApi.connect(load_kubeconfig(cluster.kubeconfig)) as api:
        watch = api.watch(ConfigMap, labels="story=closed")
        threading.Timer(0.1, watch.close).start()
        assert list(watch) == []


def test_who_waits_while_the_client_is_closed_is_told_so(cluster: Cluster) -> None:
    api = SyncApi.connect(load_kubeconfig(cluster.kubeconfig))
    watch = api.watch(ConfigMap, labels="story=closed")
    threading.Timer(0.1, api.close).start()
    with pytest.raises(HttpError, match="this client was closed"):
        list(watch)


def test_whoever_asks_while_it_is_closed_by_several_is_answered_or_refused(cluster: Cluster) -> None:
    api = SyncApi.connect(load_kubeconfig(cluster.kubeconfig))
    refused: list[str] = []

    def ask() -> None:
        try:
            while True:
                api.get(Namespace, "default")
        except HttpError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    closers = [threading.Thread(target=api.close) for _ in range(2)]
    for thread in closers:
        thread.start()
    for thread in (*threads, *closers):
        thread.join(10)
        assert not thread.is_alive()
    assert len(refused) == 3
