"""LEASE-1: what a Lease may say."""

from typing import Any

import pytest

from kubewright.cluster.registry.kinds.lease import LeaseStrategy
from kubewright.cluster.registry.kinds.plain import plain_strategy


def strategy() -> LeaseStrategy:
    made = plain_strategy("leases.coordination.k8s.io", namespaced=True, empty_status=None, kind=LeaseStrategy)
    assert isinstance(made, LeaseStrategy)
    return made


def lease(**spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": "a", "namespace": "default"}, "spec": spec}


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({}, []),
        ({"leaseDurationSeconds": 1, "leaseTransitions": 0}, []),
        ({"leaseDurationSeconds": 0}, ["spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"]),
        ({"leaseTransitions": -1}, ["spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0"]),
    ],
)
def test_numbers_have_bounds(spec: dict[str, int], said: list[str]) -> None:
    assert [str(error) for error in strategy().validate(lease(**spec))] == said


def test_coordinated_election_is_not_kept() -> None:
    obj = lease(strategy="OldestEmulationVersion", preferredHolder="me", holderIdentity="me")
    strategy().prepare_create(obj)
    assert obj["spec"] == {"holderIdentity": "me"}


def test_an_update_must_say_of_which_version_it_is_and_may_create() -> None:
    assert not strategy().unconditional_update
    assert strategy().create_on_update
