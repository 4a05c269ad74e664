from typing import Any

from tests.cluster.registry.kinds.service.specs import filled

from kubewright.cluster.registry.kinds.service.carry import drop_useless, keep_given, match_addresses


def noded(*ports: dict[str, Any], **spec: Any) -> dict[str, Any]:
    found: dict[str, Any] = filled(type="NodePort", ports=[*ports], **spec)["spec"]
    return found


def test_addresses_stay_if_nothing_is_said_of_them() -> None:
    spec, old = filled()["spec"], filled(clusterIP="10.0.0.5", clusterIPs=["10.0.0.5"])["spec"]
    keep_given(spec, old)
    assert (spec["clusterIP"], spec["clusterIPs"]) == ("10.0.0.5", ["10.0.0.5"])


def test_a_port_of_nodes_stays_with_the_name_of_its_port() -> None:
    old = noded({"name": "a", "port": 1, "nodePort": 30001}, {"name": "b", "port": 2, "nodePort": 30002})
    spec = noded({"name": "b", "port": 3}, {"name": "c", "port": 1})
    keep_given(spec, old)
    assert [port.get("nodePort") for port in spec["ports"]] == [30002, None]


def test_a_port_of_nodes_that_another_port_took_does_not_stay() -> None:
    old = noded({"name": "a", "port": 1, "nodePort": 30001})
    spec = noded({"name": "a", "port": 1}, {"name": "b", "port": 2, "nodePort": 30001})
    keep_given(spec, old)
    assert "nodePort" not in spec["ports"][0]


def test_who_wants_no_ports_of_nodes_keeps_none() -> None:
    old = noded({"name": "a", "port": 1, "nodePort": 30001})
    spec = filled(type="LoadBalancer", allocateLoadBalancerNodePorts=False, ports=[{"name": "a", "port": 1}])["spec"]
    keep_given(spec, old)
    assert "nodePort" not in spec["ports"][0]


def test_the_list_of_addresses_follows_the_one_that_older_clients_know() -> None:
    spec: dict[str, Any] = {"clusterIP": "10.0.0.5"}
    match_addresses(spec, None)
    assert spec["clusterIPs"] == ["10.0.0.5"]


def test_who_takes_the_address_away_takes_the_list_away() -> None:
    spec: dict[str, Any] = {"clusterIPs": ["10.0.0.5"]}
    match_addresses(spec, {"clusterIP": "10.0.0.5", "clusterIPs": ["10.0.0.5"]})
    assert spec == {}


def test_an_address_that_is_changed_in_both_places_is_left_to_be_judged() -> None:
    spec = {"clusterIP": "10.0.0.6", "clusterIPs": ["10.0.0.7"]}
    match_addresses(spec, {"clusterIP": "10.0.0.5", "clusterIPs": ["10.0.0.5"]})
    assert spec["clusterIPs"] == ["10.0.0.7"]


def test_what_only_the_old_type_had_goes() -> None:
    given = {
        "clusterIP": "10.0.0.5",
        "clusterIPs": ["10.0.0.5"],
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "loadBalancerClass": "example.com/c",
        "externalTrafficPolicy": "Local",
        "healthCheckNodePort": 30003,
        "ports": [{"name": "a", "port": 1, "nodePort": 30001}],
    }
    old = filled(type="LoadBalancer", **given)["spec"]
    spec = filled(type="LoadBalancer", **given)["spec"] | {"type": "ExternalName"}
    drop_useless(spec, old)
    gone = {*given, "allocateLoadBalancerNodePorts"} - {"ports"}
    assert not gone & spec.keys()
    assert "nodePort" not in spec["ports"][0]


def test_what_the_client_changed_as_well_is_left_to_be_judged() -> None:
    old = filled(type="LoadBalancer", loadBalancerClass="a", ports=[{"port": 1, "nodePort": 30001}])["spec"]
    spec = filled(type="ClusterIP", loadBalancerClass="b", ports=[{"port": 1, "nodePort": 30002}])["spec"]
    drop_useless(spec, old)
    assert spec["loadBalancerClass"] == "b"
    assert spec["ports"][0]["nodePort"] == 30002
