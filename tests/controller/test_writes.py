"""What a write is about."""

import pytest

from kubewright.controller.writes import Target, read_target


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/api/v1/pods", Target("/api/v1", "pods", "", "", "")),
        ("/api/v1/namespaces/a/pods", Target("/api/v1", "pods", "a", "", "")),
        ("/api/v1/namespaces/a/pods/b", Target("/api/v1", "pods", "a", "b", "")),
        ("/api/v1/namespaces/a/pods/b/status?x=1", Target("/api/v1", "pods", "a", "b", "status")),
        ("/api/v1/namespaces/a", Target("/api/v1", "namespaces", "", "a", "")),
        ("/api/v1/namespaces/a/finalize", Target("/api/v1", "namespaces", "", "a", "finalize")),
        ("/api/v1/namespaces", Target("/api/v1", "namespaces", "", "", "")),
        ("/apis/apps/v1/namespaces/a/deployments/b/scale", Target("/apis/apps/v1", "deployments", "a", "b", "scale")),
        ("/apis/g.x/v1/things/a%3Ab", Target("/apis/g.x/v1", "things", "", "a:b", "")),
        ("/healthz", None),
        ("/apis/apps/v1", None),
    ],
)
def test_a_path_says_which_object_it_is_about(path: str, target: Target | None) -> None:
    assert read_target(path) == target
