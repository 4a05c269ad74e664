"""The kinds of admissionregistration/v1alpha1 and their parts: MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource

__all__ = [
    "ApplyConfiguration",
    "JSONPatch",
    "MatchCondition",
    "MatchResources",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "MutatingAdmissionPolicyBindingSpec",
    "MutatingAdmissionPolicySpec",
    "Mutation",
    "NamedRuleWithOperations",
    "ParamKind",
    "ParamRef",
    "Variable",
]


class ApplyConfiguration(Model):
    expression: str | None = None


class JSONPatch(Model):
    expression: str | None = None


class MatchCondition(Model):
    expression: str = REQUIRED
    name: str = REQUIRED


class MatchResources(Model, markers=[Atomic()]):
    exclude_resource_rules: Annotated[list[NamedRuleWithOperations], Atomic()] = field(default_factory=list)
    match_policy: str | None = None
    namespace_selector: LabelSelector | None = None
    object_selector: LabelSelector | None = None
    resource_rules: Annotated[list[NamedRuleWithOperations], Atomic()] = field(default_factory=list)


class MutatingAdmissionPolicyBindingSpec(Model):
    match_resources: MatchResources | None = None
    param_ref: ParamRef | None = None
    policy_name: str | None = None


class MutatingAdmissionPolicySpec(Model):
    failure_policy: str | None = None
    match_conditions: Annotated[list[MatchCondition], ListMap("name")] = field(default_factory=list)
    match_constraints: MatchResources | None = None
    mutations: Annotated[list[Mutation], Atomic()] = field(default_factory=list)
    param_kind: ParamKind | None = None
    reinvocation_policy: str | None = None
    variables: Annotated[list[Variable], Atomic()] = field(default_factory=list)


class Mutation(Model):
    apply_configuration: ApplyConfiguration | None = None
    json_patch: JSONPatch | None = None
    patch_type: str = REQUIRED


class NamedRuleWithOperations(Model, markers=[Atomic()]):
    api_groups: Annotated[list[str], Atomic()] = field(default_factory=list)
    api_versions: Annotated[list[str], Atomic()] = field(default_factory=list)
    operations: Annotated[list[str], Atomic()] = field(default_factory=list)
    resource_names: Annotated[list[str], Atomic()] = field(default_factory=list)
    resources: Annotated[list[str], Atomic()] = field(default_factory=list)
    scope: str | None = None


class ParamKind(Model, markers=[Atomic()]):
    api_version: str | None = None
    kind: str | None = None


class ParamRef(Model, markers=[Atomic()]):
    name: str | None = None
    namespace: str | None = None
    parameter_not_found_action: str | None = None
    selector: LabelSelector | None = None


class Variable(Model):
    expression: str = REQUIRED
    name: str = REQUIRED


class MutatingAdmissionPolicy(
    Resource, group="admissionregistration.k8s.io", version="v1alpha1", scope="Cluster", categories=["api-extensions"]
):
    spec: MutatingAdmissionPolicySpec = field(default_factory=MutatingAdmissionPolicySpec)


class MutatingAdmissionPolicyBinding(
    Resource, group="admissionregistration.k8s.io", version="v1alpha1", scope="Cluster", categories=["api-extensions"]
):
    spec: MutatingAdmissionPolicyBindingSpec = field(default_factory=MutatingAdmissionPolicyBindingSpec)
