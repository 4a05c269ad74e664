import pytest
from tests.cluster.registry.kinds.judged import Judged

GROUP = "rbac.authorization.k8s.io"
ROLES = Judged(f"roles.{GROUP}")
CLUSTER_ROLES = Judged(f"clusterroles.{GROUP}")
BINDINGS = Judged(f"rolebindings.{GROUP}")
CLUSTER_BINDINGS = Judged(f"clusterrolebindings.{GROUP}")
ROLE = {"kind": "Role", "name": "r"}


def test_a_binding_says_of_which_group_everybody_is() -> None:
    people = [{"kind": "User", "name": "a"}, {"kind": "Group", "name": "b"}, {"kind": "ServiceAccount", "name": "c"}]
    made = BINDINGS.made(roleRef=ROLE, subjects=people)
    assert made["roleRef"]["apiGroup"] == GROUP
    assert [subject.get("apiGroup", "") for subject in made["subjects"]] == [GROUP, GROUP, ""]


def test_a_rule_needs_verbs_and_what_they_are_about() -> None:
    assert ROLES.refused(rules=[{}]) == [
        "rules[0].verbs: Required value: verbs must contain at least one value",
        "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
        "rules[0].resources: Required value: resource rules must supply at least one resource",
    ]


def test_paths_are_the_clusters() -> None:
    rule = {"verbs": ["get"], "nonResourceURLs": ["/x"]}
    assert CLUSTER_ROLES.refused(rules=[rule]) == []
    assert ROLES.refused(rules=[rule]) == [
        'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs'
    ]
    assert CLUSTER_ROLES.refused(rules=[rule | {"resources": ["pods"]}]) == [
        (
            'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and '
            "non-resource URLs"
        )
    ]


def test_a_role_that_gathers_says_what() -> None:
    assert CLUSTER_ROLES.refused(aggregationRule={}) == [
        (
            "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if "
            "aggregationRule is non-nil"
        )
    ]
    selector = {"matchExpressions": [{"key": "a", "operator": "Foo"}]}
    assert CLUSTER_ROLES.refused(aggregationRule={"clusterRoleSelectors": [selector]}) == [
        (
            'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Foo": not a valid '
            "selector operator"
        ),
        "aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.",
    ]


@pytest.mark.parametrize(
    ("ref", "wrong"),
    [
        (
            {"kind": "Pod", "name": "a"},
            'roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"',
        ),
        ({"kind": "Role"}, "roleRef.name: Required value"),
        ({"kind": "Role", "name": "a/b"}, "roleRef.name: Invalid value: \"a/b\": may not contain '/'"),
    ],
)
def test_a_binding_binds_a_role(ref: dict[str, str], wrong: str) -> None:
    assert BINDINGS.refused(roleRef=ref) == [wrong]


def test_a_binding_of_the_cluster_binds_roles_of_the_cluster_to_accounts_of_namespaces() -> None:
    assert CLUSTER_BINDINGS.refused(roleRef=ROLE, subjects=[{"kind": "ServiceAccount", "name": "a"}]) == [
        'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
        "subjects[0].namespace: Required value",
    ]


@pytest.mark.parametrize(
    ("subject", "wrong"),
    [
        ({"kind": "User", "name": ""}, "subjects[0].name: Required value"),
        (
            {"kind": "Robot", "name": "a"},
            'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
        ),
        (
            {"kind": "ServiceAccount", "name": "a", "apiGroup": "x"},
            'subjects[0].apiGroup: Unsupported value: "x": supported values: ""',
        ),
    ],
)
def test_a_subject_is_somebody(subject: dict[str, str], wrong: str) -> None:
    assert BINDINGS.refused(roleRef=ROLE, subjects=[subject]) == [wrong]


def test_a_binding_stays_with_its_role() -> None:
    old = BINDINGS.made(roleRef=ROLE)
    assert BINDINGS.kept(old, {"subjects": [{"kind": "User", "name": "a", "apiGroup": GROUP}]}) == []
    assert BINDINGS.kept(old, {"roleRef": {"name": "other"}}) == [
        (
            'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: '
            "cannot change roleRef"
        )
    ]
