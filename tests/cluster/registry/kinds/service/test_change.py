from typing import Any

import pytest
from tests.cluster.registry.kinds.service.specs import filled

from kubewright.cluster.registry.kinds.service.change import check_change

ADDRESS = {"clusterIP": "10.0.0.5", "clusterIPs": ["10.0.0.5"], "ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack"}
BALANCED = ADDRESS | {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": 30001}


def changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [error.field for error in check_change(filled(**after)["spec"], filled(**before)["spec"])]


@pytest.mark.parametrize(
    ("before", "after", "fields"),
    [
        (ADDRESS, ADDRESS, []),
        (ADDRESS, ADDRESS | {"clusterIPs": ["10.0.0.6"]}, ["spec.clusterIPs[0]"]),
        (ADDRESS, ADDRESS | {"clusterIPs": []}, ["spec.clusterIPs[0]"]),
        (ADDRESS, ADDRESS | {"clusterIPs": ["None"]}, ["spec.clusterIPs[0]"]),
        (ADDRESS, ADDRESS | {"clusterIPs": ["10.0.0.6", "::1"]}, ["spec.clusterIPs[0]"]),
        (ADDRESS, ADDRESS | {"ipFamilies": ["IPv6"]}, ["spec.ipFamilies[0]"]),
        (ADDRESS, {"type": "ExternalName"}, []),
        ({"clusterIPs": ["None"]}, {"clusterIPs": ["None"], "ipFamilies": ["IPv6"]}, []),
        (BALANCED, BALANCED | {"healthCheckNodePort": 30002}, ["spec.healthCheckNodePort"]),
        (BALANCED, BALANCED | {"loadBalancerClass": "x"}, ["spec.loadBalancerClass"]),
        (BALANCED, ADDRESS | {"type": "NodePort", "loadBalancerClass": "x"}, ["spec.loadBalancerClass"]),
    ],
)
def test_what_stays_once_it_is_set(before: dict[str, Any], after: dict[str, Any], fields: list[str]) -> None:
    assert changed(before, after) == fields


def test_who_gives_the_second_address_back_says_that_one_is_enough() -> None:
    two = ADDRESS | {"clusterIPs": ["10.0.0.5", "::1"], "ipFamilies": ["IPv4", "IPv6"]}
    assert changed(two | {"ipFamilyPolicy": "RequireDualStack"}, ADDRESS) == []
    policy = "spec.ipFamilyPolicy"
    assert changed(two, ADDRESS | {"ipFamilyPolicy": "PreferDualStack"}) == [policy, policy]
