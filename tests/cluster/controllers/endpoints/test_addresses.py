"""Where a pod answers for a Service."""

from typing import Any

import pytest
from tests.cluster.controllers.endpoints.make import make_node, make_pod, make_service

from kubewright.cluster.controllers.endpoints.addresses import (
    addresses_of,
    endpoint_of_pod,
    families_of,
    find_port,
    has_address,
    hostname_of,
    is_headless,
    ports_of,
)
from kubewright.k8s.core.v1 import ServicePort
from kubewright.model.codec import from_dict


@pytest.mark.parametrize(
    ("spec", "families"),
    [
        ({}, ["IPv4"]),
        ({"ipFamilies": ["IPv6", "IPv4"]}, ["IPv6", "IPv4"]),
        ({"ipFamilies": None, "clusterIP": "fd00::1"}, ["IPv6"]),
        ({"ipFamilies": None, "clusterIP": "10.0.0.1"}, ["IPv4"]),
        ({"ipFamilies": None, "clusterIP": "None"}, ["IPv4", "IPv6"]),
    ],
)
def test_a_service_has_the_families_it_says_or_that_of_its_address(spec: dict[str, Any], families: list[str]) -> None:
    assert families_of(make_service(**spec)) == families


@pytest.mark.parametrize(("address", "headless"), [("10.0.0.1", False), ("None", True), ("", True), (None, True)])
def test_a_service_without_an_address_is_headless(address: str | None, headless: bool) -> None:
    assert is_headless(make_service(clusterIP=address)) is headless


def test_a_pod_is_in_reach_while_it_runs_and_has_an_address() -> None:
    assert has_address(make_pod("a", "10.2.0.1", ready=False), terminating=False)
    assert not has_address(make_pod("a"), terminating=True)
    assert not has_address(make_pod("a", "10.2.0.1", phase="Failed"), terminating=True)
    going = make_pod("a", "10.2.0.1", deleted=True)
    assert has_address(going, terminating=True)
    assert not has_address(going, terminating=False)


def test_addresses_are_of_one_family_and_written_one_way() -> None:
    pod = make_pod("a", "10.2.0.1", "FD00:0::1")
    assert addresses_of(pod, "IPv4") == ["10.2.0.1"]
    assert addresses_of(pod, "IPv6") == ["fd00::1"]


@pytest.mark.parametrize(
    ("port", "number"),
    [
        ({"port": 80, "targetPort": 9000}, 9000),
        ({"port": 80, "targetPort": "http"}, 8080),
        ({"port": 80, "targetPort": "http", "protocol": "UDP"}, None),
        ({"port": 80, "targetPort": "other"}, None),
        ({"port": 80, "targetPort": "side"}, 7000),
        ({"port": 80, "targetPort": "init"}, None),
    ],
)
def test_a_port_is_a_number_or_the_name_of_one(port: dict[str, Any], number: int | None) -> None:
    init = [
        {"name": "s", "restartPolicy": "Always", "ports": [{"name": "side", "containerPort": 7000}]},
        {"name": "i", "ports": [{"name": "init", "containerPort": 7001}]},
    ]
    assert find_port(make_pod("a", initContainers=init), from_dict(port, ServicePort)) == number


def test_ports_that_a_pod_has_not_are_left_out() -> None:
    ports = [
        {"name": "http", "port": 80, "targetPort": "http", "appProtocol": "h2c"},
        {"name": "lost", "port": 81, "targetPort": "lost"},
        {"port": 82, "targetPort": 83},
    ]
    assert ports_of(make_service(ports=ports), make_pod("a")) == [
        {"name": "http", "port": 8080, "protocol": "TCP", "appProtocol": "h2c"},
        {"name": "", "port": 83, "protocol": "TCP"},
    ]


@pytest.mark.parametrize(
    ("ready", "deleted", "publish", "conditions"),
    [
        (True, False, False, (True, True, False)),
        (False, False, False, (False, False, False)),
        (True, True, False, (False, True, True)),
        (False, True, True, (True, False, True)),
    ],
)
def test_a_pod_that_is_going_serves_but_is_not_ready(
    ready: bool, deleted: bool, publish: bool, conditions: tuple[bool, ...]
) -> None:
    pod = make_pod("a", "10.2.0.1", ready=ready, deleted=deleted)
    found = endpoint_of_pod(make_service(publishNotReadyAddresses=publish), pod, make_node(), "IPv4")["conditions"]
    assert (found["ready"], found["serving"], found["terminating"]) == conditions


def test_an_endpoint_says_which_pod_and_where() -> None:
    pod = make_pod("a", "10.2.0.1", hostname="h", subdomain="web")
    assert endpoint_of_pod(make_service(), pod, make_node("east"), "IPv4") == {
        "addresses": ["10.2.0.1"],
        "conditions": {"ready": True, "serving": True, "terminating": False},
        "targetRef": {"kind": "Pod", "namespace": "default", "name": "a", "uid": "uid-a"},
        "nodeName": "n1",
        "zone": "east",
        "hostname": "h",
    }


def test_a_pod_has_a_name_below_the_service_of_its_subdomain_alone() -> None:
    assert hostname_of(make_pod("a", hostname="h", subdomain="web"), make_service("other")) == ""
    assert hostname_of(make_pod("a", subdomain="web"), make_service()) == ""
