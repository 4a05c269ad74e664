import pytest

from kubewright.cluster.auth.authorize import authorize
from kubewright.cluster.auth.user import ANONYMOUS, User
from kubewright.cluster.front.intent import read_intent
from kubewright.cluster.verbs.status import Failure


@pytest.mark.parametrize("path", ["/version", "/healthz", "/readyz/ping", "/api", "/apis/apps/v1", "/openapi/v3"])
def test_anyone_may_look_around(path: str) -> None:
    authorize(ANONYMOUS, read_intent("GET", path, {}))


@pytest.mark.parametrize(
    ("method", "path", "message"),
    [
        (
            "GET",
            "/api/v1/namespaces/web/configmaps/a",
            'configmaps "a" is forbidden: User "system:anonymous" cannot get resource "configmaps" in API group "" in the '
            'namespace "web"',
        ),
        (
            "PATCH",
            "/apis/apps/v1/namespaces/web/deployments/d/scale",
            'deployments.apps "d" is forbidden: User "system:anonymous" cannot patch resource "deployments/scale" in API '
            'group "apps" in the namespace "web"',
        ),
        (
            "GET",
            "/api/v1/nodes",
            'nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope',
        ),
        ("GET", "/metrics", 'forbidden: User "system:anonymous" cannot get path "/metrics"'),
        ("POST", "/version", 'forbidden: User "system:anonymous" cannot create path "/version"'),
    ],
)
def test_nobody_in_particular_may_do_no_more(method: str, path: str, message: str) -> None:
    with pytest.raises(Failure) as caught:
        authorize(ANONYMOUS, read_intent(method, path, {}))
    assert (caught.value.code, caught.value.document["message"]) == (403, message)


def test_who_is_somebody_may_do_everything() -> None:
    authorize(User("jane", ("system:authenticated",)), read_intent("DELETE", "/api/v1/nodes/a", {}))
