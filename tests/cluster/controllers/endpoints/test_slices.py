"""Slices as they should be, and the writes that lead there."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cluster.controllers.endpoints.make import make_node, make_pod, make_service

from kubewright.cluster.controllers.endpoints.slices import HEADLESS, MANAGED_BY, MANAGER, SERVICE_NAME, Changes, plan
from kubewright.k8s.core.v1 import Pod, Service

Document = dict[str, Any]
OURS = {SERVICE_NAME: "web", MANAGED_BY: MANAGER}


class Server:
    """Keeps slices as they are written."""

    def __init__(self) -> None:
        self.slices: dict[str, Document] = {}
        self.count = 0

    def sync(self, service: Service, pods: list[Pod]) -> Changes:
        changes = plan(service, pods, lambda name: make_node("east"), list(self.slices.values()))
        for each in changes.create:
            self.count += 1
            name = f"s{self.count}"
            self.slices[name] = {**each, "metadata": {**each["metadata"], "name": name}}
        for each in changes.update:
            assert self.slices[each["metadata"]["name"]]["addressType"] == each["addressType"]
            self.slices[each["metadata"]["name"]] = each
        for each in changes.delete:
            del self.slices[each["metadata"]["name"]]
        return changes

    def sizes(self) -> list[int]:
        return sorted(len(each["endpoints"]) for each in self.slices.values())


def pods(*numbers: int, **options: Any) -> list[Pod]:
    return [make_pod(f"p{number}", f"10.2.{number // 250}.{number % 250}", **options) for number in numbers]


def addresses(server: Server) -> list[str]:
    found = (one["addresses"][0] for each in server.slices.values() for one in each["endpoints"])
    return sorted(found)


def test_a_service_without_pods_has_one_empty_slice() -> None:
    server = Server()
    (made,) = server.sync(make_service(), []).create
    assert (made["endpoints"], made["ports"], made["metadata"]["labels"]) == ([], [], OURS)
    assert made["metadata"]["generateName"] == "web-"
    assert not server.sync(make_service(), [])


def test_the_empty_slice_is_used_for_the_first_endpoint_and_the_last_leaves_it() -> None:
    server = Server()
    server.sync(make_service(), [])
    changes = server.sync(make_service(), pods(1))
    assert (len(changes.create), len(changes.update), len(changes.delete)) == (0, 1, 0)
    changes = server.sync(make_service(), [])
    assert (len(changes.create), len(changes.update), len(changes.delete)) == (0, 1, 0)
    assert server.sizes() == [0]


def test_a_slice_for_each_set_of_ports() -> None:
    server = Server()
    server.sync(make_service(), [*pods(1, 2), *pods(3, port=9090)])
    assert server.sizes() == [1, 2]
    server.sync(make_service(), pods(1, 2))
    assert server.sizes() == [2]


def test_new_endpoints_go_where_something_changes_anyway() -> None:
    server = Server()
    server.sync(make_service(), pods(*range(150)))
    assert server.sizes() == [50, 100]
    changes = server.sync(make_service(), pods(*range(1, 151)))
    assert (len(changes.create), len(changes.update)) == (0, 1)
    assert server.sizes() == [50, 100]


def test_else_they_go_into_the_fullest_slice_that_has_room_for_all() -> None:
    server = Server()
    server.sync(make_service(), pods(*range(250)))
    server.sync(make_service(), pods(*range(20, 250)))
    assert server.sizes() == [50, 80, 100]
    server.sync(make_service(), pods(*range(20, 260)))
    assert server.sizes() == [50, 90, 100]
    server.sync(make_service(), pods(*range(20, 300)))
    assert server.sizes() == [90, 90, 100]


def test_a_pod_that_changes_stays_in_its_slice() -> None:
    server = Server()
    server.sync(make_service(), pods(*range(150)))
    changes = server.sync(make_service(), [*pods(*range(149)), *pods(149, ready=False)])
    assert (len(changes.create), len(changes.update)) == (0, 1)
    assert server.sizes() == [50, 100]


def test_each_family_has_its_slices() -> None:
    both = [make_pod("a", "10.2.0.1", "fd00::1")]
    server = Server()
    server.sync(make_service(ipFamilies=["IPv4", "IPv6"]), both)
    assert sorted(each["addressType"] for each in server.slices.values()) == ["IPv4", "IPv6"]
    changes = server.sync(make_service(), both)
    assert len(changes.delete) == 1
    assert addresses(server) == ["10.2.0.1"]


def test_labels_of_the_service_are_the_slices_but_not_those_that_are_ours() -> None:
    server = Server()
    server.sync(make_service(labels={"x": "1"}), pods(1))
    changes = server.sync(make_service(labels={"x": "2", MANAGED_BY: "me"}, clusterIP="None"), pods(1))
    assert [each["metadata"]["labels"] for each in changes.update] == [{"x": "2", HEADLESS: "", **OURS}]


def test_slices_of_another_service_of_that_name_are_deleted_and_not_used() -> None:
    server = Server()
    server.sync(make_service(uid="old"), pods(1))
    changes = server.sync(make_service(), pods(1))
    assert (len(changes.create), len(changes.update), len(changes.delete)) == (1, 0, 1)


def test_a_pod_on_an_unknown_node_is_left_out_and_told() -> None:
    changes = plan(make_service(), pods(1), lambda name: None, [])
    assert changes.problems == ["skipping Pod p1 for Service default/web: Node n1 Not Found"]
    assert [each["endpoints"] for each in changes.create] == [[]]
    published = plan(make_service(publishNotReadyAddresses=True), pods(1), lambda name: None, [])
    assert published.problems == []


NUMBERS = st.sets(st.integers(0, 320), max_size=320)


@settings(max_examples=40)
@given(st.lists(st.tuples(NUMBERS, st.sets(st.integers(0, 320), max_size=50), st.booleans()), min_size=1, max_size=4))
def test_whatever_happens_slices_have_what_is_there_and_then_nothing_is_written(
    steps: list[tuple[set[int], set[int], bool]],
) -> None:
    server = Server()
    for numbers, unready, near in steps:
        service = make_service(trafficDistribution="PreferSameZone" if near else None)
        some = [*pods(*sorted(numbers - unready)), *pods(*sorted(numbers & unready), ready=False, port=81)]
        server.sync(service, some)
        assert addresses(server) == sorted(f"10.2.{number // 250}.{number % 250}" for number in numbers)
        assert all(len(each["endpoints"]) <= 100 for each in server.slices.values())
        assert server.slices
        for each in server.slices.values():
            for one in each["endpoints"]:
                assert ("hints" in one) is (near and one["conditions"]["ready"])
        assert not server.sync(service, some)
