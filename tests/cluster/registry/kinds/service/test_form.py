import pytest

from kubewright.cluster.registry.kinds.service.form import has_health_check, is_headless, is_reachable, node_ports


@pytest.mark.parametrize(
    ("spec", "reachable"),
    [
        ({"type": "ClusterIP"}, False),
        ({"type": "ClusterIP", "externalIPs": ["1.2.3.4"]}, True),
        ({"type": "NodePort"}, True),
        ({"type": "LoadBalancer"}, True),
        ({"type": "ExternalName", "externalIPs": ["1.2.3.4"]}, False),
    ],
)
def test_what_is_reached_from_outside(spec: dict[str, object], reachable: bool) -> None:
    assert is_reachable(spec) is reachable


def test_headless_is_who_has_none_for_its_only_address() -> None:
    assert is_headless({"clusterIPs": ["None"]})
    assert not is_headless({"clusterIPs": ["None", "10.0.0.1"]})
    assert not is_headless({})


def test_only_a_balancer_of_local_traffic_asks_for_health() -> None:
    assert has_health_check({"type": "LoadBalancer", "externalTrafficPolicy": "Local"})
    assert not has_health_check({"type": "LoadBalancer", "externalTrafficPolicy": "Cluster"})
    assert not has_health_check({"type": "NodePort", "externalTrafficPolicy": "Local"})


def test_ports_of_nodes_are_those_that_were_given() -> None:
    assert node_ports({"ports": [{"port": 1, "nodePort": 30001}, {"port": 2}]}) == [30001]
