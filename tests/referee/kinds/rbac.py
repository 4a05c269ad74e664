"""Roles and their bindings."""

from tests.referee.kinds.kind import Kind, kind

__all__ = ["KINDS"]

KINDS: dict[str, Kind] = {
    "Role": kind(
        "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
        "rbac.authorization.k8s.io/v1",
        "Role",
        apart={"create": 12, "update": 12, "patch": 9},
        rules=[{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"], "resourceNames": ["x"]}],
    ),
}
