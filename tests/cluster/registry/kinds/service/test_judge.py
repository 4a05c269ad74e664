from typing import Any

import pytest
from tests.cluster.registry.kinds.service.specs import filled

from kubewright.cluster.registry.kinds.service.judge import check_balancer, check_host, check_service

ADDRESS = {"clusterIP": "10.0.0.5", "clusterIPs": ["10.0.0.5"], "ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack"}


def fields(**spec: Any) -> list[str]:
    return [error.field for error in check_service(filled(**ADDRESS, **spec), None)]


def test_a_service_that_is_right() -> None:
    assert fields() == []
    assert fields(type="NodePort", ports=[{"port": 1, "nodePort": 30001}]) == []


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"ports": []}, "spec.ports"),
        ({"ports": [{"port": 0, "targetPort": 1}]}, "spec.ports[0].port"),
        ({"ports": [{"port": 1, "targetPort": "_"}]}, "spec.ports[0].targetPort"),
        ({"ports": [{"port": 1, "protocol": "x"}]}, "spec.ports[0].protocol"),
        ({"ports": [{"port": 1, "appProtocol": "/"}]}, "spec.ports[0].appProtocol"),
        ({"ports": [{"port": 1, "nodePort": 1}]}, "spec.ports[0].nodePort"),
        ({"ports": [{"port": 1, "name": "A"}]}, "spec.ports[0].name"),
        ({"ports": [{"port": 1, "name": "a"}, {"port": 2}]}, "spec.ports[1].name"),
        ({"ports": [{"port": 1, "name": "a"}, {"port": 2, "name": "a"}]}, "spec.ports[1].name"),
        ({"ports": [{"port": 1, "name": "a"}, {"port": 1, "name": "b"}]}, "spec.ports[1]"),
        ({"selector": {"-": "x"}}, "spec.selector"),
        ({"sessionAffinity": "x"}, "spec.sessionAffinity"),
        ({"externalIPs": ["127.0.0.1"]}, "spec.externalIPs[0]"),
        ({"externalIPs": ["1.2.3"]}, "spec.externalIPs[0]"),
        ({"type": "x", "internalTrafficPolicy": "Local"}, "spec.type"),
        ({"loadBalancerSourceRanges": ["10.0.0.0/8"]}, "spec.LoadBalancerSourceRanges"),
        ({"allocateLoadBalancerNodePorts": True}, "spec.allocateLoadBalancerNodePorts"),
        ({"loadBalancerClass": "x"}, "spec.loadBalancerClass"),
        ({"externalTrafficPolicy": "Local"}, "spec.externalTrafficPolicy"),
        ({"healthCheckNodePort": 1}, "spec.healthCheckNodePort"),
        ({"internalTrafficPolicy": "x"}, "spec.internalTrafficPolicy"),
        ({"trafficDistribution": "x"}, "spec.trafficDistribution"),
    ],
)
def test_what_is_wrong_is_told_where_it_is(spec: dict[str, Any], field: str) -> None:
    assert {*fields(**spec)} == {field}


def test_ports_that_repeat_are_told_as_the_inner_type_prints_them() -> None:
    errors = [*check_service(filled(**ADDRESS, ports=[{"port": 1, "name": "a"}, {"port": 1, "name": "b"}]), None)]
    shown = '{"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}'
    assert [error.message for error in errors] == [f"Duplicate value: {shown}"]


def test_a_name_for_something_outside_has_no_address() -> None:
    spec = {"type": "ExternalName", "externalName": "example.com."}
    assert fields(**spec) == ["spec.clusterIPs", "spec.ipFamilies", "spec.ipFamilyPolicy"]


def test_the_name_of_something_outside_is_a_domain() -> None:
    for name, field in (("", "spec.externalName"), ("A", "spec.externalName")):
        obj = filled(type="ExternalName", externalName=name)
        assert [error.field for error in check_service(obj, None)] == [field]


def test_ranges_of_an_annotation_are_judged_when_they_are_new() -> None:
    obj = filled(**ADDRESS, type="LoadBalancer")
    key = "service.beta.kubernetes.io/load-balancer-source-ranges"
    obj["metadata"]["annotations"] = {key: "10.0.0.0/8, x"}
    assert [error.field for error in check_service(obj, None)] == [f"metadata.annotations[{key}]"]
    assert [*check_service(obj, obj)] == []


def test_hints_and_mode_agree() -> None:
    obj = filled(**ADDRESS)
    names = ("service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode")
    obj["metadata"]["annotations"] = dict(zip(names, ("a", "b"), strict=True))
    assert [error.field for error in check_service(obj, None)] == [f"metadata.annotations[{names[1]}]"]


@pytest.mark.parametrize(
    ("ingress", "field"),
    [
        ({"ip": "x", "ipMode": "VIP"}, "ip"),
        ({"ip": "1.2.3.4"}, "ipMode"),
        ({"ip": "1.2.3.4", "ipMode": "x"}, "ipMode"),
        ({"hostname": "h", "ipMode": "VIP"}, "ipMode"),
        ({"hostname": "1.2.3.4"}, "hostname"),
    ],
)
def test_what_a_balancer_tells_of_itself(ingress: dict[str, str], field: str) -> None:
    errors = check_balancer({"ingress": [ingress]}, {}, {"type": "LoadBalancer"}, "p")
    assert [error.field for error in errors] == [f"p.ingress[0].{field}"]


def test_only_a_balanced_service_has_a_balancer() -> None:
    errors = check_balancer({"ingress": [{"hostname": "h"}]}, {}, {"type": "NodePort"}, "p")
    assert [error.field for error in errors] == ["p.ingress"]


def test_no_host_is_no_mistake() -> None:
    assert [*check_host("", "p")] == []
