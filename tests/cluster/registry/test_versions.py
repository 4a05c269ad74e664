import random

from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.registry.versions import version_order

ORDERED = ["v10", "v2", "v1", "v3beta1", "v1beta10", "v1beta2", "v11alpha1", "v1alpha2", "foo1", "foo10", "v1gamma1"]


@given(st.randoms(use_true_random=False))
def test_versions_are_sorted_as_kubernetes_sorts_them(chance: random.Random) -> None:
    assert sorted(chance.sample(ORDERED, len(ORDERED)), key=version_order) == ORDERED
