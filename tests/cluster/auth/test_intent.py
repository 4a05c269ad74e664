from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.auth.intent import Intent, read_intent


def read(method: str, target: str) -> Intent:
    url = urlsplit(target)
    return read_intent(method, url.path, parse_qs(url.query, keep_blank_values=True))


@pytest.mark.parametrize(
    ("method", "target", "wanted"),
    [
        ("GET", "/api/v1/pods", {"verb": "list", "resource": "pods", "version": "v1", "group": ""}),
        ("GET", "/api/v1/pods?watch=1", {"verb": "watch"}),
        ("GET", "/api/v1/pods?watch=true", {"verb": "watch"}),
        ("GET", "/api/v1/pods?watch", {"verb": "watch"}),
        ("GET", "/api/v1/pods?watch=maybe", {"verb": "watch"}),
        ("GET", "/api/v1/pods?watch=0", {"verb": "list"}),
        ("GET", "/api/v1/pods?watch=False", {"verb": "list"}),
        ("GET", "/api/v1/namespaces/web/pods", {"verb": "list", "namespace": "web", "resource": "pods"}),
        ("GET", "/api/v1/namespaces/web/pods/a", {"verb": "get", "namespace": "web", "resource": "pods", "name": "a"}),
        ("HEAD", "/api/v1/namespaces/web/pods/a", {"verb": "get"}),
        ("POST", "/api/v1/namespaces/web/pods", {"verb": "create"}),
        ("PUT", "/api/v1/namespaces/web/pods/a/status", {"verb": "update", "name": "a", "subresource": "status"}),
        (
            "PATCH",
            "/apis/apps/v1/namespaces/web/deployments/a/scale",
            {"verb": "patch", "group": "apps", "subresource": "scale"},
        ),
        ("DELETE", "/api/v1/namespaces/web/pods", {"verb": "deletecollection"}),
        ("DELETE", "/api/v1/namespaces/web/pods/a", {"verb": "delete"}),
        ("GET", "/api/v1/namespaces", {"verb": "list", "resource": "namespaces", "namespace": ""}),
        ("GET", "/api/v1/namespaces/web", {"verb": "get", "resource": "namespaces", "name": "web", "namespace": "web"}),
        (
            "PUT",
            "/api/v1/namespaces/web/finalize",
            {"resource": "namespaces", "name": "web", "subresource": "finalize"},
        ),
        ("GET", "/api/v1/watch/namespaces/web/pods", {"verb": "watch", "namespace": "web", "resource": "pods"}),
        ("GET", "/api/v1/watch/namespaces/web/pods/a", {"verb": "watch", "name": "a"}),
        ("DELETE", "/api/v1/watch/namespaces/web/pods", {"verb": "watch"}),
        ("GET", "/apis/a.example.com/v1/nodes/a%2Fb", {"resource": "nodes", "name": "a", "subresource": "b"}),
    ],
)
def test_a_path_says_what_is_wanted(method: str, target: str, wanted: dict[str, Any]) -> None:
    intent = read(method, target)
    assert intent.is_resource
    assert {name: getattr(intent, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    "target", ["/", "", "/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/healthz", "/api/v1/watch"]
)
def test_other_paths_are_no_resources(target: str) -> None:
    assert not read("GET", target).is_resource


@given(st.text(), st.text())
def test_any_path_is_read(method: str, path: str) -> None:
    read_intent(method, path, {})
