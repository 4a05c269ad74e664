import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.auth.world import World, binding, role, rule

from kubewright.cluster.auth.authorize import Decision
from kubewright.cluster.auth.intent import read_intent
from kubewright.cluster.auth.user import ANONYMOUS, User
from kubewright.cluster.wire.status import Failure

JANE = User("jane", ("dev",))


def decide(world: World, method: str, path: str, user: User = JANE, **query: list[str]) -> Decision:
    return world.authorizer.decide(user, read_intent(method, path, query))


def test_a_role_that_is_bound_everywhere_holds_everywhere() -> None:
    world = World(role("r", rule("get list")), binding("b", "ClusterRole/r", "User/jane"))
    assert decide(world, "GET", "/api/v1/pods").allowed
    assert decide(world, "GET", "/api/v1/namespaces/web/pods/a").allowed
    assert not decide(world, "DELETE", "/api/v1/namespaces/web/pods/a").allowed
    assert not decide(world, "GET", "/api/v1/pods", User("joe")).allowed


def test_a_role_that_is_bound_in_a_namespace_holds_there() -> None:
    world = World(role("r", rule("get list")), binding("b", "ClusterRole/r", "Group/dev", namespace="web"))
    assert decide(world, "GET", "/api/v1/namespaces/web/pods").allowed
    assert not decide(world, "GET", "/api/v1/namespaces/shop/pods").allowed
    assert not decide(world, "GET", "/api/v1/pods").allowed


def test_a_namespace_may_be_read_by_who_may_in_it() -> None:
    world = World(
        role("r", rule("get", "namespaces"), namespace="web"), binding("b", "Role/r", "User/jane", namespace="web")
    )
    assert decide(world, "GET", "/api/v1/namespaces/web").allowed
    assert not decide(world, "GET", "/api/v1/namespaces/shop").allowed


def test_names_are_looked_at_one_by_one() -> None:
    world = World(role("r", rule("get list watch", names="a b")), binding("b", "ClusterRole/r", "User/jane"))
    assert decide(world, "GET", "/api/v1/namespaces/web/pods/a").allowed
    assert not decide(world, "GET", "/api/v1/namespaces/web/pods/c").allowed
    assert decide(world, "GET", "/api/v1/namespaces/web/pods/b").allowed
    assert not decide(world, "GET", "/api/v1/namespaces/web/pods").allowed
    assert decide(world, "GET", "/api/v1/namespaces/web/pods", fieldSelector=["metadata.name=a"]).allowed
    assert not decide(world, "GET", "/api/v1/namespaces/web/pods", fieldSelector=["metadata.name=c"]).allowed


def test_who_is_a_master_may_do_everything() -> None:
    assert decide(World(), "DELETE", "/api/v1/nodes/a", User("admin", ("system:masters",))) == Decision(True)


def test_a_change_of_a_role_counts_at_once() -> None:
    world = World(role("r", rule("get")), binding("b", "ClusterRole/r", "User/jane"))
    assert decide(world, "GET", "/api/v1/namespaces/web/pods/a").allowed
    world.add(role("r", rule("list")))
    assert not decide(world, "GET", "/api/v1/namespaces/web/pods/a").allowed
    world.add(role("r", rule("get")))
    assert decide(world, "GET", "/api/v1/namespaces/web/pods/a").allowed
    world.remove(binding("b", "ClusterRole/r"))
    assert not decide(world, "GET", "/api/v1/namespaces/web/pods/a").allowed


def test_it_is_told_what_allows() -> None:
    world = World(
        role("r", rule("get"), namespace="web"),
        binding("b", "Role/r", "User/joe", "ServiceAccount/bob", namespace="web"),
    )
    bob = User("system:serviceaccount:web:bob")
    assert decide(world, "GET", "/api/v1/namespaces/web/pods/a", bob).reason == (
        'RBAC: allowed by RoleBinding "b/web" of Role "r" to ServiceAccount "bob/web"'
    )


def test_it_is_told_which_roles_are_missing_each_once() -> None:
    world = World(
        binding("a", "ClusterRole/gone", "User/jane"),
        binding("b", "ClusterRole/gone", "Group/dev"),
        binding("c", "Role/other", "User/jane", namespace="web"),
    )
    with pytest.raises(Failure) as caught:
        world.authorizer.authorize(JANE, read_intent("GET", "/api/v1/namespaces/web/pods", {}))
    assert str(caught.value) == (
        'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "web": RBAC: '
        '[clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "other" not found]'
    )


@pytest.mark.parametrize(
    ("method", "path", "message"),
    [
        (
            "GET",
            "/api/v1/namespaces/web/configmaps/a",
            (
                'configmaps "a" is forbidden: User "system:anonymous" cannot get resource "configmaps" in API group "" '
                'in the namespace "web"'
            ),
        ),
        (
            "PATCH",
            "/apis/apps/v1/namespaces/web/deployments/d/scale",
            (
                'deployments.apps "d" is forbidden: User "system:anonymous" cannot patch resource "deployments/scale" '
                'in API group "apps" in the namespace "web"'
            ),
        ),
        (
            "DELETE",
            "/apis/nope/v1/foos",
            (
                'foos.nope is forbidden: User "system:anonymous" cannot deletecollection resource "foos" in API group '
                '"nope" at the cluster scope'
            ),
        ),
        ("POST", "/a%20b/%3C", 'forbidden: User "system:anonymous" cannot post path "/a b/&lt;"'),
    ],
)
def test_a_refusal_tells_who_may_not_do_what(method: str, path: str, message: str) -> None:
    with pytest.raises(Failure) as caught:
        World().authorizer.authorize(ANONYMOUS, read_intent(method, path, {}))
    assert (caught.value.code, str(caught.value), caught.value.nosniff) == (403, message, True)


_rules = st.builds(
    rule,
    st.sampled_from(["get", "list", "*", "get list"]),
    st.sampled_from(["pods", "*", "pods/log", "*/log"]),
    st.sampled_from(["", "apps", "*"]),
    st.sampled_from(["", "a", "a b"]),
)
_asked = st.sampled_from(
    ["/api/v1/pods", "/api/v1/namespaces/web/pods/a", "/api/v1/namespaces/web/pods/b/log", "/apis/apps/v1/pods", "/x"]
)


@given(st.lists(_rules, max_size=3), st.lists(_rules, max_size=3), _asked)
def test_more_rules_never_allow_less(some: list[dict[str, object]], more: list[dict[str, object]], path: str) -> None:
    few = World(role("r", *some), binding("b", "ClusterRole/r", "User/jane"))
    many = World(role("r", *some, *more), binding("b", "ClusterRole/r", "User/jane"))
    assert decide(few, "GET", path).allowed <= decide(many, "GET", path).allowed
