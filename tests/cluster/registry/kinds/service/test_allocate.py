from typing import Any

import pytest
from tests.cluster.registry.kinds.service.specs import Document, filled

from kubewright.cluster.registry.kinds.service.allocate import allocate, release
from kubewright.cluster.registry.kinds.service.carry import keep_given, match_addresses
from kubewright.cluster.registry.kinds.service.pools import Taken
from kubewright.cluster.store import Store
from kubewright.cluster.wire.status import Failure
from kubewright.entropy import Entropy


class Pool:
    """A store, and writes to it."""

    def __init__(self) -> None:
        self.store = Store()
        self.entropy = Entropy(1)

    def write(self, old: Document | None = None, **spec: Any) -> Document:
        obj = filled(**spec)
        if old is not None:
            keep_given(obj["spec"], old["spec"])
        match_addresses(obj["spec"], old["spec"] if old is not None else None)
        taken = Taken(self.store, self.entropy, dry_run=False)
        try:
            allocate(obj, old, taken)
        except Failure:
            taken.settle(done=False)
            raise
        taken.settle(done=True)
        return obj

    @property
    def held(self) -> list[str]:
        return [record.key.rpartition("/")[2] for record in self.store.list("/").records]


def test_a_service_gets_an_address_and_says_so_in_two_places() -> None:
    pool = Pool()
    spec = pool.write()["spec"]
    assert [spec["clusterIP"]] == spec["clusterIPs"] == pool.held


def test_who_is_headless_or_outside_gets_none() -> None:
    pool = Pool()
    assert pool.write(clusterIP="None")["spec"]["clusterIPs"] == ["None"]
    assert "clusterIP" not in pool.write(type="ExternalName", externalName="x")["spec"]
    assert pool.held == []


def test_ports_of_one_number_share_a_port_of_nodes() -> None:
    ports = [{"name": "t", "port": 53}, {"name": "u", "port": 53, "protocol": "UDP"}, {"name": "h", "port": 80}]
    given = [port["nodePort"] for port in Pool().write(type="NodePort", ports=ports)["spec"]["ports"]]
    assert given[0] == given[1] != given[2]


def test_a_balancer_without_ports_of_nodes_takes_those_that_it_asks_for() -> None:
    ports = [{"name": "a", "port": 1}, {"name": "b", "port": 2, "nodePort": 30001}]
    made = Pool().write(type="LoadBalancer", allocateLoadBalancerNodePorts=False, ports=ports)
    assert [port.get("nodePort") for port in made["spec"]["ports"]] == [None, 30001]


def test_what_one_took_in_vain_is_free_again() -> None:
    pool = Pool()
    pool.write(ports=[{"port": 1, "nodePort": 30001}], type="NodePort", clusterIP="10.0.0.5")
    with pytest.raises(Failure) as refused:
        pool.write(ports=[{"port": 1, "nodePort": 30001}], type="NodePort", clusterIP="10.0.0.6")
    assert refused.value.document["details"]["causes"][0]["field"] == "spec.ports[0].nodePort"
    assert pool.held == ["10.0.0.5", "30001"]


def test_who_becomes_a_name_for_something_outside_gives_all_back() -> None:
    pool = Pool()
    old = pool.write(type="LoadBalancer", externalTrafficPolicy="Local")
    assert len(pool.held) == 3
    pool.write(old, type="ExternalName", externalName="x")
    assert pool.held == []


def test_a_port_that_is_left_out_is_given_back() -> None:
    pool = Pool()
    both = [{"name": "a", "port": 1, "nodePort": 30001}, {"name": "b", "port": 2, "nodePort": 30002}]
    old = pool.write(type="NodePort", ports=both, clusterIP="10.0.0.5")
    pool.write(old, type="NodePort", ports=[{"name": "b", "port": 2}])
    assert pool.held == ["10.0.0.5", "30002"]


def test_who_needs_no_health_check_any_more_gives_its_port_back() -> None:
    pool = Pool()
    old = pool.write(type="LoadBalancer", externalTrafficPolicy="Local", allocateLoadBalancerNodePorts=False)
    assert str(old["spec"]["healthCheckNodePort"]) in pool.held
    pool.write(old, type="LoadBalancer", externalTrafficPolicy="Cluster", allocateLoadBalancerNodePorts=False)
    assert pool.held == [old["spec"]["clusterIP"]]


def test_a_health_check_on_a_port_that_is_taken_is_a_failure_of_the_server() -> None:
    pool = Pool()
    pool.write(type="NodePort", ports=[{"port": 1, "nodePort": 30001}])
    with pytest.raises(Failure, match="failed to allocate requested HealthCheck NodePort 30001: provided port is"):
        pool.write(type="LoadBalancer", externalTrafficPolicy="Local", healthCheckNodePort=30001)


def test_a_port_of_nodes_for_two_ports_of_one_protocol_is_refused_on_a_change() -> None:
    pool = Pool()
    old = pool.write(type="NodePort", ports=[{"name": "a", "port": 1, "nodePort": 30001}])
    with pytest.raises(Failure, match=r"duplicate nodePort: \{TCP 30001\}"):
        pool.write(
            old, type="NodePort", ports=[{"name": n, "port": p, "nodePort": 30001} for n, p in (("a", 1), ("b", 2))]
        )


def test_who_goes_gives_all_back() -> None:
    pool = Pool()
    made = pool.write(type="LoadBalancer", externalTrafficPolicy="Local")
    taken = Taken(pool.store, pool.entropy, dry_run=False)
    release(made, taken)
    taken.settle(done=True)
    assert pool.held == []
