"""The kinds of admissionregistration/v1 and their parts: MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding,
MutatingWebhookConfiguration, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding,
ValidatingWebhookConfiguration.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, ListMap, ListSet
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32
from kubewright.model.status import Condition

__all__ = [
    "ApplyConfiguration",
    "AuditAnnotation",
    "ExpressionWarning",
    "JSONPatch",
    "MatchCondition",
    "MatchResources",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "MutatingAdmissionPolicyBindingSpec",
    "MutatingAdmissionPolicySpec",
    "MutatingWebhook",
    "MutatingWebhookConfiguration",
    "Mutation",
    "NamedRuleWithOperations",
    "ParamKind",
    "ParamRef",
    "RuleWithOperations",
    "ServiceReference",
    "TypeChecking",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "ValidatingAdmissionPolicyBindingSpec",
    "ValidatingAdmissionPolicySpec",
    "ValidatingAdmissionPolicyStatus",
    "ValidatingWebhook",
    "ValidatingWebhookConfiguration",
    "Validation",
    "Variable",
    "WebhookClientConfig",
]


class ApplyConfiguration(Model):
    expression: str | None = None


class AuditAnnotation(Model):
    key: str = REQUIRED
    value_expression: str = REQUIRED


class ExpressionWarning(Model):
    field_ref: str = REQUIRED
    warning: str = REQUIRED


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


class MutatingWebhook(Model):
    admission_review_versions: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)
    client_config: WebhookClientConfig = REQUIRED
    failure_policy: str | None = None
    match_conditions: Annotated[list[MatchCondition], ListMap("name")] = field(default_factory=list)
    match_policy: str | None = None
    name: str = REQUIRED
    namespace_selector: LabelSelector | None = None
    object_selector: LabelSelector | None = None
    reinvocation_policy: str | None = None
    rules: Annotated[list[RuleWithOperations], Atomic()] = field(default_factory=list)
    side_effects: str = REQUIRED
    timeout_seconds: Int32 | None = None


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


class RuleWithOperations(Model):
    api_groups: Annotated[list[str], Atomic()] = field(default_factory=list)
    api_versions: Annotated[list[str], Atomic()] = field(default_factory=list)
    operations: Annotated[list[str], Atomic()] = field(default_factory=list)
    resources: Annotated[list[str], Atomic()] = field(default_factory=list)
    scope: str | None = None


class ServiceReference(Model):
    name: str = REQUIRED
    namespace: str = REQUIRED
    path: str | None = None
    port: Int32 | None = None


class TypeChecking(Model):
    expression_warnings: Annotated[list[ExpressionWarning], Atomic()] = field(default_factory=list)


class ValidatingAdmissionPolicyBindingSpec(Model):
    match_resources: MatchResources | None = None
    param_ref: ParamRef | None = None
    policy_name: str = REQUIRED
    validation_actions: Annotated[list[str], ListSet()] = field(default_factory=list, required=True)


class ValidatingAdmissionPolicySpec(Model):
    audit_annotations: Annotated[list[AuditAnnotation], Atomic()] = field(default_factory=list)
    failure_policy: str | None = None
    match_conditions: Annotated[list[MatchCondition], ListMap("name")] = field(default_factory=list)
    match_constraints: MatchResources | None = None
    param_kind: ParamKind | None = None
    validations: Annotated[list[Validation], Atomic()] = field(default_factory=list)
    variables: Annotated[list[Variable], ListMap("name")] = field(default_factory=list)


class ValidatingAdmissionPolicyStatus(Model):
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)
    observed_generation: int | None = None
    type_checking: TypeChecking | None = None


class ValidatingWebhook(Model):
    admission_review_versions: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)
    client_config: WebhookClientConfig = REQUIRED
    failure_policy: str | None = None
    match_conditions: Annotated[list[MatchCondition], ListMap("name")] = field(default_factory=list)
    match_policy: str | None = None
    name: str = REQUIRED
    namespace_selector: LabelSelector | None = None
    object_selector: LabelSelector | None = None
    rules: Annotated[list[RuleWithOperations], Atomic()] = field(default_factory=list)
    side_effects: str = REQUIRED
    timeout_seconds: Int32 | None = None


class Validation(Model):
    expression: str = REQUIRED
    message: str | None = None
    message_expression: str | None = None
    reason: str | None = None


class Variable(Model, markers=[Atomic()]):
    expression: str = REQUIRED
    name: str = REQUIRED


class WebhookClientConfig(Model):
    ca_bundle: bytes | None = None
    service: ServiceReference | None = None
    url: str | None = None


class MutatingAdmissionPolicy(
    Resource, group="admissionregistration.k8s.io", version="v1", scope="Cluster", categories=["api-extensions"]
):
    spec: MutatingAdmissionPolicySpec = field(default_factory=MutatingAdmissionPolicySpec)


class MutatingAdmissionPolicyBinding(
    Resource, group="admissionregistration.k8s.io", version="v1", scope="Cluster", categories=["api-extensions"]
):
    spec: MutatingAdmissionPolicyBindingSpec = field(default_factory=MutatingAdmissionPolicyBindingSpec)


class MutatingWebhookConfiguration(
    Resource, group="admissionregistration.k8s.io", version="v1", scope="Cluster", categories=["api-extensions"]
):
    webhooks: Annotated[list[MutatingWebhook], ListMap("name")] = field(default_factory=list)


class ValidatingAdmissionPolicy(
    Resource, group="admissionregistration.k8s.io", version="v1", scope="Cluster", categories=["api-extensions"]
):
    spec: ValidatingAdmissionPolicySpec = field(default_factory=ValidatingAdmissionPolicySpec)
    status: ValidatingAdmissionPolicyStatus = field(default_factory=ValidatingAdmissionPolicyStatus)


class ValidatingAdmissionPolicyBinding(
    Resource, group="admissionregistration.k8s.io", version="v1", scope="Cluster", categories=["api-extensions"]
):
    spec: ValidatingAdmissionPolicyBindingSpec = field(
        default_factory=ValidatingAdmissionPolicyBindingSpec, required=True
    )


class ValidatingWebhookConfiguration(
    Resource, group="admissionregistration.k8s.io", version="v1", scope="Cluster", categories=["api-extensions"]
):
    webhooks: Annotated[list[ValidatingWebhook], ListMap("name")] = field(default_factory=list)
