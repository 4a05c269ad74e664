import asyncio
import threading
from collections.abc import Iterator

import pytest

import kubewright as kw
from kubewright.client import KubeconfigError, SyncApi
from kubewright.client.errors import NotFound
from kubewright.client.kubeconfig import load_kubeconfig
from kubewright.cluster import Cluster
from kubewright.k8s.core.v1 import ConfigMap
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


def test_one_that_cannot_begin_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    with pytest.raises(KubeconfigError):
        SyncApi.connect(kubeconfig="/nowhere")
    assert set(threading.enumerate()) == before
