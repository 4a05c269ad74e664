"""Roles and their bindings."""

from tests.referee.kinds.kind import Kind, kind

__all__ = ["KINDS"]

_GROUP = "rbac.authorization.k8s.io"
_VERSION = f"{_GROUP}/v1"
_RULE = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"], "resourceNames": ["x"]}
_PEOPLE = [
    {"kind": "User", "name": "jane", "apiGroup": _GROUP},
    {"kind": "Group", "name": "dev", "apiGroup": _GROUP},
    {"kind": "ServiceAccount", "name": "bob", "namespace": "x"},
]

KINDS: dict[str, Kind] = {
    "Role": kind(
        f"/apis/{_VERSION}/namespaces/{{ns}}/roles",
        _VERSION,
        "Role",
        variants=({"rules": None},),
        rules=[_RULE],
    ),
    "ClusterRole": kind(
        f"/apis/{_VERSION}/clusterroles",
        _VERSION,
        "ClusterRole",
        cluster=True,
        variants=({"rules": [_RULE]}, {"aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"{own}": "b"}}]}}),
        rules=[_RULE, {"nonResourceURLs": ["/x"], "verbs": ["get"]}],
        aggregationRule={
            "clusterRoleSelectors": [
                {
                    "matchLabels": {"{own}": "b"},
                    "matchExpressions": [{"key": "c", "operator": "In", "values": ["d"]}],
                }
            ]
        },
    ),
    "RoleBinding": kind(
        f"/apis/{_VERSION}/namespaces/{{ns}}/rolebindings",
        _VERSION,
        "RoleBinding",
        variants=({"roleRef": {"kind": "ClusterRole", "name": "x"}, "subjects": [{"kind": "User", "name": "x"}]},),
        roleRef={"apiGroup": _GROUP, "kind": "Role", "name": "x"},
        subjects=_PEOPLE,
    ),
    "ClusterRoleBinding": kind(
        f"/apis/{_VERSION}/clusterrolebindings",
        _VERSION,
        "ClusterRoleBinding",
        cluster=True,
        variants=({"roleRef": {"kind": "ClusterRole", "name": "x"}},),
        roleRef={"apiGroup": _GROUP, "kind": "ClusterRole", "name": "x"},
        subjects=_PEOPLE,
    ),
}
