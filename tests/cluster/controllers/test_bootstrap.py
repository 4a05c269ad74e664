"""NS-2: what a fresh cluster has."""

import asyncio
from typing import Any

import msgspec
import pytest
from tests.cluster.controllers.house import House, within

from kubewright.cluster.controllers import bootstrap
from kubewright.cluster.store import Store
from kubewright.trials.loop import run


def _fresh(**options: Any) -> House:
    house = House()
    run(bootstrap(house.api, **options))
    return house


def test_the_namespaces_of_the_system_are_there() -> None:
    assert _fresh().names("namespaces") == ["default", "kube-node-lease", "kube-public", "kube-system"]


def test_a_namespace_of_the_system_is_like_any_other() -> None:
    namespace = _fresh().get("namespaces", "", "kube-public")
    assert namespace is not None
    assert namespace["spec"] == {"finalizers": ["kubernetes"]}
    assert namespace["status"] == {"phase": "Active"}
    assert namespace["metadata"]["labels"] == {"kubernetes.io/metadata.name": "kube-public"}


def test_the_api_has_a_service() -> None:
    service = _fresh(port=40001).get("services", "default", "kubernetes")
    assert service is not None
    assert service["metadata"]["labels"] == {"component": "apiserver", "provider": "kubernetes"}
    assert service["spec"] == {
        "clusterIP": "10.0.0.1",
        "clusterIPs": ["10.0.0.1"],
        "internalTrafficPolicy": "Cluster",
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "ports": [{"name": "https", "port": 443, "protocol": "TCP", "targetPort": 40001}],
        "sessionAffinity": "None",
        "type": "ClusterIP",
    }
    assert service["status"] == {"loadBalancer": {}}


def test_its_address_and_the_range_of_addresses_are_there() -> None:
    house = _fresh()
    address, cidr = house.get("ipaddresses", "", "10.0.0.1"), house.get("servicecidrs", "", "kubernetes")
    assert address is not None
    assert cidr is not None
    assert address["spec"]["parentRef"] == {"name": "kubernetes", "namespace": "default", "resource": "services"}
    assert cidr["spec"] == {"cidrs": ["10.0.0.0/24"]}
    (ready,) = cidr["status"]["conditions"]
    assert (ready["type"], ready["status"], ready["reason"]) == ("Ready", "True", "")
    assert ready["message"] == "Kubernetes default Service CIDR is ready"


@pytest.mark.parametrize(
    ("name", "value"), [("system-node-critical", 2000001000), ("system-cluster-critical", 2000000000)]
)
def test_the_priorities_of_the_system_are_there(name: str, value: int) -> None:
    priority = _fresh().get("priorityclasses", "", name)
    assert priority is not None
    assert priority["value"] == value
    assert priority["preemptionPolicy"] == "PreemptLowerPriority"
    assert priority["metadata"]["generation"] == 1


def test_the_authority_of_clients_is_published_if_there_is_one() -> None:
    name = "extension-apiserver-authentication"
    assert _fresh().get("configmaps", "kube-system", name) is None
    published = _fresh(certificate="PEM").get("configmaps", "kube-system", name)
    assert published is not None
    assert published["data"] == {"client-ca-file": "PEM"}


def test_a_restart_makes_only_what_is_missing() -> None:
    store = Store()

    async def before(house: House) -> None:
        await house.merge("priorityclasses", "", "system-node-critical", {"description": "mine"})
        await house.delete("services", "default", "kubernetes")
        await asyncio.sleep(1)

    async def after(house: House) -> None:
        await asyncio.sleep(1)
        made = [record.key for record in store.changes("/", at)]
        assert made == ["/ipaddresses.networking.k8s.io/10.0.0.1", "/services/default/kubernetes"]

    within(before, "all", store)
    at = store.revision
    within(after, "all", store)


def test_a_seed_gives_the_same_bytes() -> None:
    def written() -> list[tuple[str, bytes | None]]:
        store = Store()

        async def story(house: House) -> None:
            await house.make("namespaces", "", "web")
            await asyncio.sleep(1)

        within(story, "all", store)
        return [(record.key, record.value) for record in store.changes("/", 0)]

    first = written()
    assert first == written()
    assert msgspec.json.decode(first[0][1] or b"{}")["metadata"]["creationTimestamp"] == "2000-01-01T00:00:00Z"
