"""The kinds of scheduling/v1alpha2 and their parts: PodGroup, Workload.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Default, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32
from kubewright.model.status import Condition

__all__ = [
    "BasicSchedulingPolicy",
    "GangSchedulingPolicy",
    "PodGroup",
    "PodGroupResourceClaim",
    "PodGroupResourceClaimStatus",
    "PodGroupSchedulingConstraints",
    "PodGroupSchedulingPolicy",
    "PodGroupSpec",
    "PodGroupStatus",
    "PodGroupTemplate",
    "PodGroupTemplateReference",
    "TopologyConstraint",
    "TypedLocalObjectReference",
    "Workload",
    "WorkloadPodGroupTemplateReference",
    "WorkloadSpec",
]


class BasicSchedulingPolicy(Model):
    pass


class GangSchedulingPolicy(Model):
    min_count: Int32 = REQUIRED


class PodGroupResourceClaim(Model):
    name: str = REQUIRED
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodGroupResourceClaimStatus(Model):
    name: str = REQUIRED
    resource_claim_name: str | None = None


class PodGroupSchedulingConstraints(Model):
    topology: Annotated[list[TopologyConstraint], Atomic()] = field(default_factory=list)


class PodGroupSchedulingPolicy(Model):
    basic: BasicSchedulingPolicy | None = None
    gang: GangSchedulingPolicy | None = None


class PodGroupSpec(Model):
    disruption_mode: Annotated[str | None, Default("Pod")] = None
    pod_group_template_ref: PodGroupTemplateReference | None = None
    priority: Int32 | None = None
    priority_class_name: str | None = None
    resource_claims: Annotated[list[PodGroupResourceClaim], ListMap("name")] = field(default_factory=list)
    scheduling_constraints: PodGroupSchedulingConstraints | None = None
    scheduling_policy: PodGroupSchedulingPolicy = REQUIRED


class PodGroupStatus(Model):
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)
    resource_claim_statuses: Annotated[list[PodGroupResourceClaimStatus], ListMap("name")] = field(default_factory=list)


class PodGroupTemplate(Model):
    disruption_mode: str | None = None
    name: str = REQUIRED
    priority: Int32 | None = None
    priority_class_name: str | None = None
    resource_claims: Annotated[list[PodGroupResourceClaim], ListMap("name")] = field(default_factory=list)
    scheduling_constraints: PodGroupSchedulingConstraints | None = None
    scheduling_policy: PodGroupSchedulingPolicy = REQUIRED


class PodGroupTemplateReference(Model):
    workload: WorkloadPodGroupTemplateReference | None = None


class TopologyConstraint(Model):
    key: str = REQUIRED


class TypedLocalObjectReference(Model):
    api_group: str | None = None
    kind: str = REQUIRED
    name: str = REQUIRED


class WorkloadPodGroupTemplateReference(Model):
    pod_group_template_name: str = REQUIRED
    workload_name: str = REQUIRED


class WorkloadSpec(Model):
    controller_ref: TypedLocalObjectReference | None = None
    pod_group_templates: Annotated[list[PodGroupTemplate], ListMap("name")] = field(default_factory=list, required=True)


class PodGroup(Resource, group="scheduling.k8s.io", version="v1alpha2"):
    spec: PodGroupSpec = field(default_factory=PodGroupSpec, required=True)
    status: PodGroupStatus = field(default_factory=PodGroupStatus)


class Workload(Resource, group="scheduling.k8s.io", version="v1alpha2"):
    spec: WorkloadSpec = field(default_factory=WorkloadSpec, required=True)
