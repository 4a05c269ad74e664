import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.auth.world import World, binding, role, rule

from kubewright.cluster.auth.impersonate import Impersonation, wanted_user
from kubewright.cluster.auth.intent import Intent, read_intent
from kubewright.cluster.auth.user import User
from kubewright.cluster.wire.status import Failure
from kubewright.http import Headers

LIST = read_intent("GET", "/api/v1/namespaces/web/pods", {})
AUTH = "authentication.k8s.io"
BOB = User("bob", ("system:authenticated",))
KIM = User("kim", ("system:authenticated",))
ADMIN = User("admin", ("system:masters",))


def asked(**headers: str) -> Headers:
    pairs = [(f"Impersonate-{name.replace('__', '-')}".encode(), value.encode()) for name, value in headers.items()]
    return Headers([(b"Accept", b"*/*"), *pairs])


def allowed(*rules: dict[str, object]) -> Impersonation:
    return Impersonation(World(role("r", *rules), binding("b", "ClusterRole/r", "User/bob")).authorizer)


def become(modes: Impersonation, headers: Headers, user: User = BOB, intent: Intent = LIST) -> User:
    return modes.user(user, intent, headers)


def refusal(modes: Impersonation, headers: Headers, user: User = BOB) -> str:
    with pytest.raises(Failure) as caught:
        become(modes, headers, user)
    assert caught.value.code == 403
    return str(caught.value)


def test_without_headers_everybody_is_himself() -> None:
    assert become(allowed(), Headers()) is BOB


def test_all_that_headers_say_is_taken() -> None:
    pairs = [(b"impersonate-user", b"kim"), (b"impersonate-group", b"a"), (b"impersonate-group", b"b")]
    more = [(b"Impersonate-Uid", b"7"), (b"Impersonate-Extra-X%2fY", b"1"), (b"impersonate-extra-x%2fy", b"2")]
    assert wanted_user(Headers([*pairs, *more])) == User("kim", ("a", "b"), "7", (("x/y", ("1", "2")),))


def test_parts_without_a_name_make_no_sense() -> None:
    with pytest.raises(Failure) as caught:
        wanted_user(asked(Group="dev", Extra__a="b"))
    assert str(caught.value) == (
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"dev"}, '
        'Extra:map[string][]string{"a":[]string{"b"}}} without impersonating a user name'
    )


def test_a_master_is_whoever_he_wants_to_be() -> None:
    modes = allowed()
    assert become(modes, asked(User="kim"), ADMIN) == KIM
    assert become(modes, asked(User="kim", Group="system:masters"), ADMIN).groups == (
        "system:masters",
        "system:authenticated",
    )


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        (
            "system:serviceaccount:web:a",
            ("system:serviceaccounts", "system:serviceaccounts:web", "system:authenticated"),
        ),
        ("system:anonymous", ("system:unauthenticated",)),
    ],
)
def test_some_names_have_groups_of_their_own(name: str, groups: tuple[str, ...]) -> None:
    assert become(allowed(), asked(User=name), ADMIN).groups == groups


def test_a_node_has_its_group_where_that_is_looked_at() -> None:
    on = rule("impersonate-on:arbitrary-node:list", "pods")
    modes = allowed(on, rule("impersonate:arbitrary-node", "nodes", AUTH, "n1"))
    assert become(modes, asked(User="system:node:n1")).groups == ("system:nodes", "system:authenticated")
    assert "impersonate:arbitrary-node" in refusal(modes, asked(User="system:node:n2"))


def test_the_node_of_ones_own_pod_may_be_any() -> None:
    on = rule("impersonate-on:associated-node:list", "pods")
    modes = Impersonation(
        World(
            role("r", on, rule("impersonate:associated-node", "nodes", AUTH)),
            binding("b", "ClusterRole/r", "ServiceAccount/web/bob"),
        ).authorizer
    )
    bob = User("system:serviceaccount:web:bob", (), "", (("authentication.kubernetes.io/node-name", ("n1",)),))
    assert become(modes, asked(User="system:node:n1"), bob).groups == ("system:nodes", "system:authenticated")
    assert "arbitrary-node" in refusal(modes, asked(User="system:node:n2"), bob)


def test_the_old_way_asks_for_each_part() -> None:
    modes = allowed(rule("impersonate", "users", names="kim"), rule("impersonate", "groups", names="dev"))
    assert become(modes, asked(User="kim", Group="dev")).groups == ("dev", "system:authenticated")
    assert refusal(modes, asked(User="kim", Group="ops")).startswith('groups "ops" is forbidden')
    assert refusal(modes, asked(User="kim", Uid="7")).startswith('uids.authentication.k8s.io "7" is forbidden')


def test_many_groups_are_had_at_once_by_who_may_have_all() -> None:
    on = rule("impersonate-on:user-info:list", "pods")
    modes = allowed(
        on, rule("impersonate:user-info", "users", AUTH), rule("impersonate:user-info", "groups", AUTH, "*")
    )
    groups = [(b"Impersonate-Group", f"g{number}".encode()) for number in range(4)]
    assert len(become(modes, Headers([(b"Impersonate-User", b"kim"), *groups])).groups) == 5
    assert 'groups.authentication.k8s.io "g0"' in refusal(modes, Headers([(b"Impersonate-User", b"kim"), *groups[:3]]))


def test_who_may_not_is_told_of_the_way_he_came_last() -> None:
    modes = allowed(rule("impersonate", "users", names="kim"))
    assert "impersonate-on:user-info:list" in refusal(modes, asked(User="lea"))
    assert become(modes, asked(User="kim")) == KIM
    assert refusal(modes, asked(User="lea")).startswith(
        'users "lea" is forbidden: User "bob" cannot impersonate resource'
    )


@pytest.mark.parametrize(
    ("key", "complaint"),
    [
        ("a", "must be a domain-prefixed path"),
        ("a.b%2f%20", "Invalid path (regex used for validation is"),
        ("A_%2fb", "a lowercase RFC 1123 subdomain must consist of"),
    ],
)
def test_what_is_extra_has_a_domain_in_the_new_way(key: str, complaint: str) -> None:
    on = rule("impersonate-on:user-info:list", "pods")
    modes = allowed(on, rule("impersonate:user-info", "users userextras/* *", AUTH))
    headers = Headers([(b"Impersonate-User", b"kim"), (f"Impersonate-Extra-{key}".encode(), b"1")])
    assert complaint in refusal(modes, headers)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                [b"Impersonate-User", b"Impersonate-Group", b"Impersonate-Uid", b"Impersonate-Extra-a%2fb"]
            ),
            st.binary(max_size=12),
        ),
        max_size=5,
    )
)
def test_whatever_headers_say_bob_is_himself_or_refused(pairs: list[tuple[bytes, bytes]]) -> None:
    try:
        assert become(allowed(), Headers(pairs)) is BOB
    except Failure as failure:
        assert failure.code in (400, 403)  # noqa: PT017 - either is right
