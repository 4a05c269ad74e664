"""What every namespace has, and when somebody must wake up for it."""

import asyncio

import msgspec
import pytest
from tests.cluster.controllers.house import House, within

from kubewright.cluster.controllers.furnish import (
    CERTIFICATE,
    account,
    account_wakers,
    certificate_map,
    certificate_wakers,
    put_right,
)
from kubewright.cluster.controllers.sleeper import Waker
from kubewright.cluster.store import Record, Store

OURS = certificate_map("the certificate")
ENDING = {"metadata": {"name": "web", "deletionTimestamp": "2026-01-01T00:00:00Z"}}


def _store(**namespaces: dict[str, object]) -> Store:
    """Namespaces, each with its objects by key."""
    store = Store()
    for name, objects in namespaces.items():
        for key, document in {f"/namespaces/{name}": {"metadata": {"name": name}}, **objects}.items():
            _put(store, key, document)
    return store


def _put(store: Store, key: str, document: object) -> None:
    store.commit(key, 0, lambda _: msgspec.json.encode(document))


def _wakes(store: Store, wakers: tuple[Waker, ...]) -> bool:
    return any(waker.wakes(record) for waker in wakers for record in store.list(waker.prefix).records)


def test_a_map_is_put_right_with_what_others_added_to_its_metadata() -> None:
    found = {"metadata": {"name": CERTIFICATE, "labels": {"a": "b"}, "annotations": {"x": "y"}}, "data": {"more": "z"}}
    changed = put_right(found, "the certificate")
    assert changed is not None
    assert changed["data"] == {"ca.crt": "the certificate"}
    assert changed["metadata"]["labels"] == {"a": "b"}
    assert changed["metadata"]["annotations"] == {"x": "y", **OURS["metadata"]["annotations"]}
    assert put_right(changed, "the certificate") is None


def test_nobody_wakes_up_where_all_is_well() -> None:
    store = _store(web={"/serviceaccounts/web/default": account(), f"/configmaps/web/{CERTIFICATE}": OURS})
    assert not _wakes(store, account_wakers(store))
    assert not _wakes(store, certificate_wakers(store, "the certificate"))


def test_a_namespace_that_lacks_something_wakes_whose_it_is() -> None:
    store = _store(web={"/serviceaccounts/web/default": account()})
    assert not _wakes(store, account_wakers(store))
    assert _wakes(store, certificate_wakers(store, "the certificate"))


def test_another_certificate_wakes_and_another_map_does_not() -> None:
    store = _store(web={f"/configmaps/web/{CERTIFICATE}": OURS, "/configmaps/web/other": {"metadata": {}}})
    assert _wakes(store, certificate_wakers(store, "a new one"))
    assert not _wakes(store, certificate_wakers(store, "the certificate"))


@pytest.mark.parametrize(
    ("namespace", "wakes"), [({"metadata": {"name": "web"}}, True), (ENDING, False), (None, False)]
)
def test_the_end_of_an_account_wakes_where_the_namespace_stays(namespace: object, wakes: bool) -> None:
    store = Store()
    if namespace is not None:
        _put(store, "/namespaces/web", namespace)
    end = Record("/serviceaccounts/web/default", None, 5, 1, None)
    assert any(waker.wakes(end) for waker in account_wakers(store) if waker.prefix == "/serviceaccounts/") is wakes


def test_a_fresh_cluster_has_both_without_anybody_waking_up() -> None:
    async def story(house: House) -> None:
        assert house.names("serviceaccounts", "kube-system") == ["default"]
        assert CERTIFICATE in house.names("configmaps", "kube-system")
        at = house.store.revision
        await asyncio.sleep(3600)
        assert house.store.revision == at
        assert asyncio.all_tasks() == {asyncio.current_task()}

    within(story, "root-ca,serviceaccount")
