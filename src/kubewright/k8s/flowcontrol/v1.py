"""The kinds of flowcontrol/v1 and their parts: FlowSchema, PriorityLevelConfiguration.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Default, ListMap, ListSet
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, Time

__all__ = [
    "ExemptPriorityLevelConfiguration",
    "FlowDistinguisherMethod",
    "FlowSchema",
    "FlowSchemaCondition",
    "FlowSchemaSpec",
    "FlowSchemaStatus",
    "GroupSubject",
    "LimitResponse",
    "LimitedPriorityLevelConfiguration",
    "NonResourcePolicyRule",
    "PolicyRulesWithSubjects",
    "PriorityLevelConfiguration",
    "PriorityLevelConfigurationCondition",
    "PriorityLevelConfigurationReference",
    "PriorityLevelConfigurationSpec",
    "PriorityLevelConfigurationStatus",
    "QueuingConfiguration",
    "ResourcePolicyRule",
    "ServiceAccountSubject",
    "Subject",
    "UserSubject",
]


class ExemptPriorityLevelConfiguration(Model):
    lendable_percent: Int32 | None = None
    nominal_concurrency_shares: Int32 | None = None


class FlowDistinguisherMethod(Model):
    type: str = REQUIRED


class FlowSchemaCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str | None = None
    type: str | None = None


class FlowSchemaSpec(Model):
    distinguisher_method: FlowDistinguisherMethod | None = None
    matching_precedence: Annotated[Int32 | None, Default(0)] = None
    priority_level_configuration: PriorityLevelConfigurationReference = REQUIRED
    rules: Annotated[list[PolicyRulesWithSubjects], Atomic()] = field(default_factory=list)


class FlowSchemaStatus(Model):
    conditions: Annotated[list[FlowSchemaCondition], ListMap("type")] = field(default_factory=list)


class GroupSubject(Model):
    name: str = REQUIRED


class LimitResponse(Model):
    queuing: QueuingConfiguration | None = None
    type: str = REQUIRED


class LimitedPriorityLevelConfiguration(Model):
    borrowing_limit_percent: Int32 | None = None
    lendable_percent: Int32 | None = None
    limit_response: LimitResponse | None = None
    nominal_concurrency_shares: Int32 | None = None


class NonResourcePolicyRule(Model):
    non_resource_urls: Annotated[list[str], ListSet()] = field(
        default_factory=list, required=True, wire="nonResourceURLs"
    )
    verbs: Annotated[list[str], ListSet()] = field(default_factory=list, required=True)


class PolicyRulesWithSubjects(Model):
    non_resource_rules: Annotated[list[NonResourcePolicyRule], Atomic()] = field(default_factory=list)
    resource_rules: Annotated[list[ResourcePolicyRule], Atomic()] = field(default_factory=list)
    subjects: Annotated[list[Subject], Atomic()] = field(default_factory=list, required=True)


class PriorityLevelConfigurationCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str | None = None
    type: str | None = None


class PriorityLevelConfigurationReference(Model):
    name: str = REQUIRED


class PriorityLevelConfigurationSpec(Model):
    exempt: ExemptPriorityLevelConfiguration | None = None
    limited: LimitedPriorityLevelConfiguration | None = None
    type: str = REQUIRED


class PriorityLevelConfigurationStatus(Model):
    conditions: Annotated[list[PriorityLevelConfigurationCondition], ListMap("type")] = field(default_factory=list)


class QueuingConfiguration(Model):
    hand_size: Annotated[Int32 | None, Default(0)] = None
    queue_length_limit: Annotated[Int32 | None, Default(0)] = None
    queues: Annotated[Int32 | None, Default(0)] = None


class ResourcePolicyRule(Model):
    api_groups: Annotated[list[str], ListSet()] = field(default_factory=list, required=True)
    cluster_scope: bool | None = None
    namespaces: Annotated[list[str], ListSet()] = field(default_factory=list)
    resources: Annotated[list[str], ListSet()] = field(default_factory=list, required=True)
    verbs: Annotated[list[str], ListSet()] = field(default_factory=list, required=True)


class ServiceAccountSubject(Model):
    name: str = REQUIRED
    namespace: str = REQUIRED


class Subject(Model):
    group: GroupSubject | None = None
    kind: str = REQUIRED
    service_account: ServiceAccountSubject | None = None
    user: UserSubject | None = None


class UserSubject(Model):
    name: str = REQUIRED


class FlowSchema(Resource, group="flowcontrol.apiserver.k8s.io", version="v1", scope="Cluster"):
    spec: FlowSchemaSpec = field(default_factory=FlowSchemaSpec)
    status: FlowSchemaStatus = field(default_factory=FlowSchemaStatus)


class PriorityLevelConfiguration(Resource, group="flowcontrol.apiserver.k8s.io", version="v1", scope="Cluster"):
    spec: PriorityLevelConfigurationSpec = field(default_factory=PriorityLevelConfigurationSpec)
    status: PriorityLevelConfigurationStatus = field(default_factory=PriorityLevelConfigurationStatus)
