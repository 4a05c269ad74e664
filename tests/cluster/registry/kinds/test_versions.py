"""Which built-in kinds are the same objects."""

from kubewright.cluster.registry.kinds.versions import ELSEWHERE, relatives
from kubewright.cluster.wire.types import kind_type
from kubewright.model.resource import GroupVersionKind

KIND = "HorizontalPodAutoscaler"


def test_versions_of_a_group_know_each_other() -> None:
    for version in ("v1", "v2"):
        assert relatives(GroupVersionKind("autoscaling", version, KIND)).keys() == {"autoscaling/v1", "autoscaling/v2"}


def test_another_group_is_a_stranger() -> None:
    assert relatives(GroupVersionKind("", "v1", "Event")).keys() == {"v1"}
    assert relatives(GroupVersionKind("events.k8s.io", "v1", "Event")).keys() == {"events.k8s.io/v1"}


def test_every_kind_that_is_stored_elsewhere_exists_there() -> None:
    for kind, elsewhere in ELSEWHERE.items():
        for each in (kind, elsewhere.kind):
            assert kind_type(each.api_version, each.kind)
