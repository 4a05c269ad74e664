from tests.cluster.registry.kinds.service.specs import filled

from kubewright.cluster.registry.kinds.service.defaults import fill_in


def test_a_service_is_of_the_cluster_if_it_does_not_say() -> None:
    assert filled()["spec"] == {
        "type": "ClusterIP",
        "sessionAffinity": "None",
        "internalTrafficPolicy": "Cluster",
        "ports": [{"name": "http", "port": 80, "targetPort": 80, "protocol": "TCP"}],
    }


def test_filling_in_twice_changes_nothing() -> None:
    obj = filled(type="LoadBalancer", sessionAffinity="ClientIP")
    again = filled(type="LoadBalancer", sessionAffinity="ClientIP")
    fill_in(again)
    assert again == obj


def test_affinity_lasts_three_hours() -> None:
    spec = filled(sessionAffinity="ClientIP", sessionAffinityConfig={"clientIP": {}})["spec"]
    assert spec["sessionAffinityConfig"] == {"clientIP": {"timeoutSeconds": 10800}}


def test_without_affinity_there_is_nothing_to_say_of_it() -> None:
    assert "sessionAffinityConfig" not in filled(sessionAffinityConfig={"clientIP": {"timeoutSeconds": 1}})["spec"]


def test_a_target_port_is_that_of_the_service_unless_it_has_a_name() -> None:
    ports = filled(ports=[{"port": 1}, {"port": 2, "targetPort": ""}, {"port": 3, "targetPort": "x"}])["spec"]["ports"]
    assert [port["targetPort"] for port in ports] == [1, 2, "x"]


def test_a_balancer_gets_ports_of_nodes_unless_it_says_not() -> None:
    assert filled(type="LoadBalancer")["spec"]["allocateLoadBalancerNodePorts"] is True
    assert filled(type="LoadBalancer", allocateLoadBalancerNodePorts=False)["spec"][
        "allocateLoadBalancerNodePorts"
    ] is False  # fmt: skip


def test_an_address_of_a_balancer_is_its_own() -> None:
    obj = filled(type="LoadBalancer") | {
        "status": {"loadBalancer": {"ingress": [{"ip": "1.2.3.4"}, {"hostname": "h"}]}}
    }
    fill_in(obj)
    assert obj["status"]["loadBalancer"]["ingress"] == [{"ip": "1.2.3.4", "ipMode": "VIP"}, {"hostname": "h"}]


def test_a_name_for_something_outside_has_no_policies() -> None:
    spec = filled(type="ExternalName", externalName="example.com")["spec"]
    assert not {"internalTrafficPolicy", "externalTrafficPolicy"} & spec.keys()
