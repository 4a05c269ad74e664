"""The kinds of rbac/v1 and their parts: ClusterRole, ClusterRoleBinding, Role, RoleBinding.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Default
from kubewright.model.model import Model
from kubewright.model.resource import Resource

__all__ = [
    "AggregationRule",
    "ClusterRole",
    "ClusterRoleBinding",
    "PolicyRule",
    "Role",
    "RoleBinding",
    "RoleRef",
    "Subject",
]


class AggregationRule(Model):
    cluster_role_selectors: Annotated[list[LabelSelector], Atomic()] = field(default_factory=list)


class PolicyRule(Model):
    api_groups: Annotated[list[str], Atomic()] = field(default_factory=list)
    non_resource_urls: Annotated[list[str], Atomic()] = field(default_factory=list, wire="nonResourceURLs")
    resource_names: Annotated[list[str], Atomic()] = field(default_factory=list)
    resources: Annotated[list[str], Atomic()] = field(default_factory=list)
    verbs: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)


class RoleRef(Model, markers=[Atomic()]):
    api_group: Annotated[str | None, Default("")] = None
    kind: str = REQUIRED
    name: str = REQUIRED


class Subject(Model, markers=[Atomic()]):
    api_group: str | None = None
    kind: str = REQUIRED
    name: str = REQUIRED
    namespace: str | None = None


class ClusterRole(Resource, group="rbac.authorization.k8s.io", version="v1", scope="Cluster"):
    aggregation_rule: AggregationRule | None = None
    rules: Annotated[list[PolicyRule], Atomic()] = field(default_factory=list)


class ClusterRoleBinding(Resource, group="rbac.authorization.k8s.io", version="v1", scope="Cluster"):
    role_ref: RoleRef = REQUIRED
    subjects: Annotated[list[Subject], Atomic()] = field(default_factory=list)


class Role(Resource, group="rbac.authorization.k8s.io", version="v1"):
    rules: Annotated[list[PolicyRule], Atomic()] = field(default_factory=list)


class RoleBinding(Resource, group="rbac.authorization.k8s.io", version="v1"):
    role_ref: RoleRef = REQUIRED
    subjects: Annotated[list[Subject], Atomic()] = field(default_factory=list)
