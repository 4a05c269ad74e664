import pytest

from kubewright.cluster.auth.authorize import authorize
from kubewright.cluster.auth.user import ANONYMOUS, User
from kubewright.cluster.front.intent import read_intent
from kubewright.cluster.verbs.status import Failure


@pytest.mark.parametrize("path", ["/version", "/healthz", "/readyz/ping", "/api", "/apis/apps/v1", "/openapi/v3"])
def test_anyone_may_look_around(path: str) -> None:
    authorize(ANONYMOUS, read_intent("GET", path, {}))


@pytest.mark.parametrize(
    ("method", "path", "what", "may_not"),
    [
        ("GET", "/api/v1/namespaces/web/configmaps/a", 'configmaps "a"', 'get resource "configmaps" in API group ""'),
        (
            "PATCH",
            "/apis/apps/v1/namespaces/web/deployments/d/scale",
            'deployments.apps "d"',
            'patch resource "deployments/scale" in API group "apps"',
        ),
    ],
)
def test_nobody_in_particular_may_touch_objects(method: str, path: str, what: str, may_not: str) -> None:
    assert refusal(method, path) == (
        403,
        f'{what} is forbidden: User "system:anonymous" cannot {may_not} in the namespace "web"',
    )


@pytest.mark.parametrize(
    ("method", "path", "message"),
    [
        ("GET", "/metrics", 'forbidden: User "system:anonymous" cannot get path "/metrics"'),
        ("POST", "/version", 'forbidden: User "system:anonymous" cannot create path "/version"'),
    ],
)
def test_nobody_in_particular_may_do_no_more(method: str, path: str, message: str) -> None:
    assert refusal(method, path) == (403, message)


def refusal(method: str, path: str) -> tuple[int, str]:
    with pytest.raises(Failure) as caught:
        authorize(ANONYMOUS, read_intent(method, path, {}))
    return caught.value.code, caught.value.document["message"]


def test_who_is_somebody_may_do_everything() -> None:
    authorize(User("jane", ("system:authenticated",)), read_intent("DELETE", "/api/v1/nodes/a", {}))
