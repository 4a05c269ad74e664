from typing import Any

from kubewright.cluster.auth.bootstrap import ensure_policy
from kubewright.cluster.auth.policy import GROUP
from kubewright.cluster.call import Api, timestamp
from kubewright.cluster.registry.builtin import builtin_resources
from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.store import Store
from kubewright.entropy import Entropy

VIEW = f"/clusterroles.{GROUP}/view"
ADMIN = f"/clusterrolebindings.{GROUP}/cluster-admin"
DISCOVERY = f"/clusterroles.{GROUP}/system:discovery"


def fresh(store: Store | None = None) -> Api:
    registry = Registry()
    registry.replace((), builtin_resources())
    api = Api(store or Store(), registry, Entropy(1), Entropy(2))
    ensure_policy(api.store, api.entropy, timestamp())
    return api


def document(api: Api, key: str) -> dict[str, Any]:
    resource = api.registry.find(GROUP, "v1", key[1:].partition(".")[0])
    record = api.store.get(key)
    assert resource is not None
    assert record is not None
    return resource.view.document(record)


def change(api: Api, key: str, **fields: Any) -> None:
    resource = api.registry.find(GROUP, "v1", key[1:].partition(".")[0])
    record = api.store.get(key)
    assert resource is not None
    assert record is not None
    made = document(api, key) | fields
    api.store.commit(key, record.revision, lambda _: resource.codec.write(made))


def test_a_fresh_cluster_has_them_as_if_they_had_been_written() -> None:
    api = fresh()
    counts = [
        api.store.count(f"/{kind}.{GROUP}/")
        for kind in ("clusterroles", "clusterrolebindings", "roles", "rolebindings")
    ]
    assert counts == [69, 50, 7, 7]
    for record in api.store.list("/").records:
        resource = api.registry.find(GROUP, "v1", record.key[1:].partition(".")[0])
        assert resource is not None
        obj = resource.view.document(record)
        assert resource.codec.write(obj) == record.value
        assert obj["metadata"]["resourceVersion"] == str(record.revision)
        place = [obj["metadata"]["namespace"]] if resource.namespaced else []
        assert record.key == f"/{resource.storage}/{'/'.join([*place, obj['metadata']['name']])}"


def test_no_two_share_a_uid() -> None:
    api = fresh()
    uids = {document(api, record.key)["metadata"]["uid"] for record in api.store.list("/").records}
    assert len(uids) == 133


def test_a_restart_writes_nothing() -> None:
    store = Store()
    fresh(store)
    at = store.revision
    fresh(store)
    assert store.revision == at


def test_what_is_missing_is_made_again_and_what_lacks_something_gets_it() -> None:
    store = Store()
    api = fresh(store)
    view = store.get(VIEW)
    assert view is not None
    store.commit(VIEW, view.revision, None)
    change(api, DISCOVERY, rules=[{"verbs": ["get"], "nonResourceURLs": ["/mine"]}])
    change(api, ADMIN, subjects=[])
    at = store.revision
    fresh(store)
    assert {record.key for record in store.changes("/", at)} == {VIEW, DISCOVERY, ADMIN}
    rules = document(api, DISCOVERY)["rules"]
    assert rules[0] == {"verbs": ["get"], "nonResourceURLs": ["/mine"]}
    assert {"verbs": ["get"], "nonResourceURLs": ["/api"]} in rules
    assert document(api, ADMIN)["subjects"] == [{"kind": "Group", "apiGroup": GROUP, "name": "system:masters"}]


def test_a_binding_to_another_role_is_replaced_by_a_new_one() -> None:
    store = Store()
    api = fresh(store)
    before = document(api, ADMIN)
    change(api, ADMIN, roleRef={"apiGroup": GROUP, "kind": "ClusterRole", "name": "view"})
    fresh(store)
    after = document(api, ADMIN)
    assert after["roleRef"] == before["roleRef"]
    assert after["metadata"]["uid"] != before["metadata"]["uid"]
