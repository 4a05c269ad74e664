"""Which changes of a pod matter to endpoints."""

from typing import Any

import msgspec
import pytest
from tests.cluster.controllers.endpoints.make import make_pod, make_service

from kubewright.cache import Cached, Change, Key
from kubewright.cluster.controllers.endpoints.aspect import matters, selects
from kubewright.k8s.core.v1 import Pod
from kubewright.model.codec import to_dict


def cached(pod: Pod) -> Cached:
    raw = msgspec.json.encode(to_dict(pod))
    return Cached(Key("default", "a"), "u", 1, 1, False, (), (), raw, None)  # type: ignore[arg-type]


def change(old: Pod | None, new: Pod | None) -> Change:
    before, after = (cached(each) if each is not None else None for each in (old, new))
    return Change("updated", Key("default", "a"), before, after)


@pytest.mark.parametrize(
    "other",
    [
        {"ready": False},
        {"deleted": True},
        {"phase": "Failed"},
        {"hostname": "h"},
        {"subdomain": "s"},
    ],
)
def test_readiness_deletion_end_and_name_matter(other: dict[str, Any]) -> None:
    assert matters(change(make_pod("a", "10.2.0.1"), make_pod("a", "10.2.0.1", **other)))


def test_addresses_and_labels_matter_and_coming_and_going() -> None:
    pod, other = make_pod("a", "10.2.0.1"), make_pod("a", "10.2.0.1")
    other.metadata.labels["x"] = "y"
    assert matters(change(pod, make_pod("a", "10.2.0.2")))
    assert matters(change(pod, other))
    assert matters(change(None, pod))
    assert matters(change(pod, None))


def test_nothing_else_matters() -> None:
    other = make_pod("a", "10.2.0.1", since="2026-01-01T13:00:00Z", phase="Pending")
    other.metadata.annotations["x"] = "y"
    assert not matters(change(make_pod("a", "10.2.0.1"), other))


def test_a_service_that_is_another_name_or_has_no_selector_selects_nothing() -> None:
    assert selects(make_service()) == {"app": "web"}
    assert not selects(make_service(type="ExternalName"))
    assert not selects(make_service(selector=None))
