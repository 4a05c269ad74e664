"""Endpoints as they should be."""

from typing import Any

from tests.cluster.controllers.endpoints.make import PORTS, make_pod, make_service

from kubewright.cluster.controllers.endpoints.slices import HEADLESS
from kubewright.cluster.controllers.endpoints.subsets import MANAGED_BY, OVER_CAPACITY, endpoints_of, subsets_of
from kubewright.cluster.controllers.endpoints.trigger import ANNOTATION
from kubewright.k8s.core.v1 import Pod

HTTP = {"name": "http", "port": 8080, "protocol": "TCP"}


def ips(subset: dict[str, Any], key: str = "addresses") -> list[str]:
    return [each["ip"] for each in subset.get(key, [])]


def many(count: int, start: int = 0, **options: Any) -> list[Pod]:
    return [make_pod(f"p{n}", f"10.2.{n // 250}.{n % 250}", **options) for n in range(start, start + count)]


def test_addresses_with_the_same_ports_are_one_subset() -> None:
    pods = [make_pod("a", "10.2.0.2"), make_pod("b", "10.2.0.1"), make_pod("c", "10.2.0.3", ready=False)]
    (subset,) = subsets_of(make_service(), pods)
    assert (ips(subset), ips(subset, "notReadyAddresses")) == (["10.2.0.1", "10.2.0.2"], ["10.2.0.3"])
    assert subset["ports"] == [HTTP]


def test_ports_with_the_same_addresses_share_a_subset_and_others_do_not() -> None:
    ports = [*PORTS, {"name": "metrics", "port": 81, "targetPort": 9100, "protocol": "TCP"}]
    same = subsets_of(make_service(ports=ports), [make_pod("a", "10.2.0.1"), make_pod("b", "10.2.0.2")])
    assert [sorted(port["name"] for port in each["ports"]) for each in same] == [["http", "metrics"]]
    other = subsets_of(make_service(ports=ports), [make_pod("a", "10.2.0.1"), make_pod("b", "10.2.0.2", port=81)])
    assert sorted((len(ips(each)), each["ports"][0]["port"]) for each in other) == [(1, 81), (1, 8080), (2, 9100)]


def test_a_headless_service_needs_no_ports_and_another_has_none_without() -> None:
    pod = make_pod("a", "10.2.0.1")
    (subset,) = subsets_of(make_service(clusterIP="None", ports=[]), [pod])
    assert (ips(subset), "ports" in subset) == (["10.2.0.1"], False)
    assert subsets_of(make_service(ports=[]), [pod]) == []


def test_pods_that_are_going_are_left_out_unless_all_are_published() -> None:
    going = make_pod("a", "10.2.0.1", deleted=True, ready=False)
    assert subsets_of(make_service(), [going]) == []
    (subset,) = subsets_of(make_service(publishNotReadyAddresses=True), [going])
    assert ips(subset) == ["10.2.0.1"]


def test_the_first_family_of_the_service_is_told() -> None:
    pod = make_pod("a", "10.2.0.1", "fd00::1")
    assert ips(subsets_of(make_service(ipFamilies=["IPv6", "IPv4"]), [pod])[0]) == ["fd00::1"]
    assert subsets_of(make_service(ipFamilies=["IPv6"]), [make_pod("a", "10.2.0.1")]) == []


def test_what_will_do_is_left_as_it_is() -> None:
    service, pods = make_service(labels={"x": "y"}), [make_pod("a", "10.2.0.1")]
    made = endpoints_of(service, pods, None, "then")
    assert made is not None
    assert made["metadata"]["labels"] == {"x": "y", MANAGED_BY: "endpoint-controller"}
    assert made["metadata"]["annotations"] == {ANNOTATION: "then"}
    assert endpoints_of(service, pods, made, "later") is None
    changed = endpoints_of(service, [], made, "")
    assert changed is not None
    assert (changed["subsets"], changed["metadata"]["annotations"]) == ([], {})


def test_labels_follow_the_service() -> None:
    made = endpoints_of(make_service(), [], None, "")
    assert made is not None
    relabelled = endpoints_of(make_service(labels={"x": "y"}, clusterIP="None"), [], made, "")
    assert relabelled is not None
    assert relabelled["metadata"]["labels"] == {"x": "y", HEADLESS: "", MANAGED_BY: "endpoint-controller"}
    by_hand = {**made, "metadata": {**made["metadata"], "labels": {}}}
    assert endpoints_of(make_service(), [], by_hand, "") is not None


def test_there_are_a_thousand_addresses_at_most_and_ready_ones_first() -> None:
    made = endpoints_of(make_service(), [*many(900), *many(200, 900, ready=False)], None, "")
    assert made is not None
    (subset,) = made["subsets"]
    assert (len(ips(subset)), len(ips(subset, "notReadyAddresses"))) == (900, 100)
    assert made["metadata"]["annotations"] == {OVER_CAPACITY: "truncated"}
    assert endpoints_of(make_service(), [*many(900), *many(200, 900, ready=False)], made, "") is None
    made = endpoints_of(make_service(), [*many(800), *many(400, 800, port=81), *many(9, 1200, ready=False)], None, "")
    assert made is not None
    assert sorted(len(ips(each)) for each in made["subsets"]) in ([333, 667], [334, 666])
    assert not any("notReadyAddresses" in each for each in made["subsets"])
    less = endpoints_of(make_service(), many(5), made, "")
    assert less is not None
    assert OVER_CAPACITY not in less["metadata"]["annotations"]
