from typing import Any

import pytest
from tests.cluster.registry.kinds.service.specs import filled

from kubewright.cluster.registry.kinds.service.families import check_addresses, choose_families, family, is_settled


def chosen(old: dict[str, Any] | None = None, **spec: Any) -> tuple[Any, Any]:
    made = filled(**spec)["spec"]
    assert choose_families(made, old) == []
    return made.get("ipFamilyPolicy"), made.get("ipFamilies")


def refusals(**spec: Any) -> list[str]:
    return [error.field for error in choose_families(filled(**spec)["spec"], None)]


def test_a_service_is_in_the_one_family_that_there_is() -> None:
    assert chosen() == ("SingleStack", ["IPv4"])
    assert chosen(ipFamilyPolicy="PreferDualStack") == ("PreferDualStack", ["IPv4"])


def test_endpoints_of_somebody_else_may_be_of_both_families() -> None:
    headless: dict[str, Any] = {"clusterIP": "None", "clusterIPs": ["None"]}
    assert chosen(**headless) == ("RequireDualStack", ["IPv4", "IPv6"])
    assert chosen(**headless, selector={"a": "b"}) == ("SingleStack", ["IPv4"])
    assert chosen(**headless, ipFamilyPolicy="SingleStack") == ("SingleStack", ["IPv4"])


def test_a_name_for_something_outside_is_in_none() -> None:
    assert chosen(type="ExternalName") == (None, None)


def test_a_policy_stays_if_nothing_is_said_of_it() -> None:
    old = filled(ipFamilyPolicy="PreferDualStack", ipFamilies=["IPv4"])["spec"]
    assert chosen(old) == ("PreferDualStack", ["IPv4"])


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"ipFamilyPolicy": "RequireDualStack"}, "spec.ipFamilyPolicy"),
        ({"ipFamilies": ["IPv6"]}, "spec.ipFamilies[0]"),
        ({"ipFamilies": ["IPv4", "IPv6"]}, "spec.ipFamilyPolicy"),
        ({"clusterIP": "2001:db8::1", "clusterIPs": ["2001:db8::1"]}, "spec.clusterIPs[0]"),
        ({"ipFamilyPolicy": "x"}, "spec.ipFamilyPolicy"),
        ({"clusterIPs": ["10.0.0.5"]}, "spec.clusterIPs"),
    ],
)
def test_what_the_cluster_does_not_have_cannot_be_had(spec: dict[str, Any], field: str) -> None:
    assert refusals(**spec) == [field]


def test_addresses_that_are_none_are_told_alone() -> None:
    given = ["x", "10.0.0.1", "10.0.0.2"]
    fields = [error.field for error in check_addresses({"clusterIP": "x", "clusterIPs": given}, None)]
    assert fields == ["spec.clusterIPs[0]", "spec.clusterIPs"]


def test_an_address_that_was_there_before_may_stay() -> None:
    old = {"clusterIP": "10.0.0.05", "clusterIPs": ["10.0.0.05"]}
    assert check_addresses(old, old) == []
    assert [error.field for error in check_addresses(old, None)] == ["spec.clusterIPs[0]"]


def test_two_addresses_are_of_two_families() -> None:
    assert [e.field for e in check_addresses({"clusterIP": "1.1.1.1", "clusterIPs": ["1.1.1.1", "1.1.1.2"]}, None)] == [
        "spec.clusterIPs"
    ]
    assert check_addresses({"clusterIP": "1.1.1.1", "clusterIPs": ["1.1.1.1", "2001:db8::1"]}, None) == []


def test_who_prefers_two_families_and_has_one_is_left_with_it() -> None:
    old = filled(ipFamilyPolicy="PreferDualStack", ipFamilies=["IPv4"], clusterIPs=["10.0.0.5"])["spec"]
    assert is_settled(old | {"selector": {"a": "b"}}, old)
    assert not is_settled(old | {"ipFamilyPolicy": "SingleStack"}, old)
    assert not is_settled(old | {"type": "NodePort"}, old)


@pytest.mark.parametrize(("text", "name"), [("1.2.3.4", "IPv4"), ("::1", "IPv6"), ("::ffff:1.2.3.4", "IPv4")])
def test_the_family_of_an_address(text: str, name: str) -> None:
    assert family(text) == name
