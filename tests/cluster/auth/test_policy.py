import pytest
from tests.cluster.auth.world import World, binding, role, rule

from kubewright.cluster.auth.policy import GROUP, MissingRole, RoleRef, UnsupportedRole
from kubewright.cluster.auth.user import User

JANE = User("jane", ("dev", "ops"))


def sources(world: World, user: User = JANE, namespace: str = "web") -> list[str]:
    return [grant.source or grant.error for grant in world.authorizer.policy.grants(user, namespace)]


def test_bindings_are_found_by_name_and_groups_those_of_the_cluster_first() -> None:
    world = World(
        role("r"),
        role("l", namespace="web"),
        binding("z", "Role/l", "User/jane", namespace="web"),
        binding("b", "ClusterRole/r", "Group/ops"),
        binding("a", "ClusterRole/r", "User/jane"),
        binding("other", "ClusterRole/r", "User/joe"),
        binding("far", "ClusterRole/r", "User/jane", namespace="shop"),
    )
    assert sources(world) == [
        'ClusterRoleBinding "a" of ClusterRole "r" to User "jane"',
        'ClusterRoleBinding "b" of ClusterRole "r" to Group "ops"',
        'RoleBinding "z/web" of Role "l" to User "jane"',
    ]
    assert len(sources(world, namespace="")) == 2


def test_a_binding_that_names_somebody_twice_counts_once_by_the_first() -> None:
    world = World(role("r"), binding("a", "ClusterRole/r", "User/x", "Group/dev", "User/jane"))
    assert sources(world) == ['ClusterRoleBinding "a" of ClusterRole "r" to Group "dev"']


def test_an_account_is_in_the_namespace_of_its_binding_unless_it_says_so() -> None:
    bob = User("system:serviceaccount:web:bob")
    world = World(
        role("r"),
        binding("a", "ClusterRole/r", "ServiceAccount/bob", namespace="web"),
        binding("b", "ClusterRole/r", "ServiceAccount/shop/bob", namespace="web"),
        binding("c", "ClusterRole/r", "ServiceAccount/web/bob"),
        binding("d", "ClusterRole/r", "ServiceAccount/bob"),
    )
    assert [source.split('"')[1] for source in sources(world, bob)] == ["c", "a/web"]


def test_a_binding_that_changes_its_subjects_is_found_by_the_new_ones_alone() -> None:
    world = World(role("r"), binding("a", "ClusterRole/r", "User/jane", "Group/dev"))
    assert sources(world)
    world.add(binding("a", "ClusterRole/r", "User/joe"))
    assert not sources(world)
    assert sources(world, User("joe"))
    world.remove(binding("a", "ClusterRole/r"))
    assert not sources(world, User("joe"))


def test_a_role_that_comes_later_is_found() -> None:
    world = World(binding("a", "Role/r", "User/jane", namespace="web"))
    assert sources(world) == ['role.rbac.authorization.k8s.io "r" not found']
    world.add(role("r", rule("get"), namespace="web"))
    assert sources(world) == ['RoleBinding "a/web" of Role "r" to User "jane"']


def test_what_is_no_role_cannot_be_looked_up() -> None:
    policy = World(role("r")).authorizer.policy
    assert policy.rules(RoleRef(GROUP, "ClusterRole", "r"), "web") == ()
    with pytest.raises(MissingRole):
        policy.rules(RoleRef(GROUP, "Role", "r"), "")
    with pytest.raises(UnsupportedRole, match='unsupported role reference kind: "Pod"'):
        policy.rules(RoleRef(GROUP, "Pod", "r"), "web")


def test_a_subject_of_no_known_kind_is_nobody() -> None:
    world = World(role("r"), binding("a", "ClusterRole/r", "Robot/jane", "User/jane"))
    assert sources(world) == ['ClusterRoleBinding "a" of ClusterRole "r" to User "jane"']
