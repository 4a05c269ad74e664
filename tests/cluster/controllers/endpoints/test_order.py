"""The order of kube-controller-manager; the hashes were computed by Kubernetes' own code."""

from typing import Any

from kubewright.cluster.controllers.endpoints.order import _hash, _port, _subset, port_order, sort_ports, sort_subsets

TARGET = {"kind": "Pod", "namespace": "d", "name": "p", "uid": "u"}
ADDRESS = {"ip": "10.0.0.1", "nodeName": "n1", "targetRef": TARGET}
PORT = {"name": "http", "port": 80, "protocol": "TCP"}


def test_ports_of_slices_have_the_hash_of_kubernetes() -> None:
    assert port_order(PORT).hex() == "b6c4d325122a5ba6f795b0bbffcebb6f"
    assert port_order({**PORT, "appProtocol": "h2c"}).hex() == "eb07b9ef5470399cb9ded94171e44d47"


def test_ports_and_subsets_of_endpoints_have_the_hash_of_kubernetes() -> None:
    assert _hash(f"(v1.EndpointPort){_port(PORT)}").hex() == "754b003f50f133a539c60d18cfb30a55"
    ready = {"addresses": [ADDRESS], "ports": [PORT]}
    assert _hash(_subset(ready)).hex() == "e4df3770510bbdada943f9d9d9b033e4"
    unready = {"notReadyAddresses": [ADDRESS], "ports": [PORT]}
    assert _hash(_subset(unready)).hex() == "bd0542e7cb97d4b1331721a0bec18fb8"


def test_the_order_does_not_depend_on_that_of_coming() -> None:
    ports: list[dict[str, Any]] = [{"name": name, "port": 80, "protocol": "TCP"} for name in "abcd"]
    assert sort_ports(ports) == sort_ports(ports[::-1])
    subsets = [{"addresses": [ADDRESS], "ports": [port]} for port in ports]
    assert sort_subsets(subsets) == sort_subsets(subsets[::-1])
