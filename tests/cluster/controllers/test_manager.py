"""Who belongs to which crew, and what wakes it."""

import pytest

from kubewright.client import Client
from kubewright.cluster.controllers.manager import MEMBERS, Means, Member, crews
from kubewright.cluster.registry.builtin import builtin_resources
from kubewright.cluster.store import Store
from kubewright.controller.declaration import Controller
from kubewright.controller.rover import Rover
from kubewright.entropy import Entropy


def _nobody() -> Client:
    raise AssertionError("nobody is awake")


MEANS = Means(
    Store(), _nobody, Entropy(1), "the certificate", lambda namespace: [], lambda concerned, redefined: lambda: None
)


@pytest.mark.parametrize("member", MEMBERS.values(), ids=MEMBERS)
def test_what_wakes_is_a_kind_that_is_served_or_anything(member: Member) -> None:
    known = {each.key("") for each in builtin_resources()} | {"/"}
    assert {waker.prefix for waker in member.wakers_in(MEANS)} <= known


@pytest.mark.parametrize("member", MEMBERS.values(), ids=MEMBERS)
def test_every_member_is_found_where_it_is_said_to_be(member: Member) -> None:
    loaded = list(member.load(MEANS))
    assert len(loaded) == len(member.places)
    assert all(isinstance(each, Controller | Rover) for each in loaded)


def test_members_of_a_crew_sleep_together_and_who_is_in_none_is_left_out() -> None:
    names = ["deployment-controller", "replicaset-controller", "serviceaccount-token-controller"]
    assert len(list(crews(names, MEANS))) == 1
    assert not list(crews(["serviceaccount-token-controller"], MEANS))
