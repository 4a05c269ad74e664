"""The kinds of apps/v1 and their parts: ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any

from kubewright.k8s.core.v1 import PersistentVolumeClaim, PodTemplateSpec
from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Default, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, IntOrString, Time

__all__ = [
    "ControllerRevision",
    "DaemonSet",
    "DaemonSetCondition",
    "DaemonSetSpec",
    "DaemonSetStatus",
    "DaemonSetUpdateStrategy",
    "Deployment",
    "DeploymentCondition",
    "DeploymentSpec",
    "DeploymentStatus",
    "DeploymentStrategy",
    "ReplicaSet",
    "ReplicaSetCondition",
    "ReplicaSetSpec",
    "ReplicaSetStatus",
    "RollingUpdateDaemonSet",
    "RollingUpdateDeployment",
    "RollingUpdateStatefulSetStrategy",
    "StatefulSet",
    "StatefulSetCondition",
    "StatefulSetOrdinals",
    "StatefulSetPersistentVolumeClaimRetentionPolicy",
    "StatefulSetSpec",
    "StatefulSetStatus",
    "StatefulSetUpdateStrategy",
]


class DaemonSetCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class DaemonSetSpec(Model):
    min_ready_seconds: Int32 | None = None
    revision_history_limit: Int32 | None = None
    selector: LabelSelector = REQUIRED
    template: PodTemplateSpec = REQUIRED
    update_strategy: DaemonSetUpdateStrategy | None = None


class DaemonSetStatus(Model):
    collision_count: Int32 | None = None
    conditions: Annotated[list[DaemonSetCondition], ListMap("type")] = field(default_factory=list)
    current_number_scheduled: Int32 = REQUIRED
    desired_number_scheduled: Int32 = REQUIRED
    number_available: Int32 | None = None
    number_misscheduled: Int32 = REQUIRED
    number_ready: Int32 = REQUIRED
    number_unavailable: Int32 | None = None
    observed_generation: int | None = None
    updated_number_scheduled: Int32 | None = None


class DaemonSetUpdateStrategy(Model):
    rolling_update: RollingUpdateDaemonSet | None = None
    type: str | None = None


class DeploymentCondition(Model):
    last_transition_time: Time | None = None
    last_update_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class DeploymentSpec(Model):
    min_ready_seconds: Int32 | None = None
    paused: bool | None = None
    progress_deadline_seconds: Int32 | None = None
    replicas: Int32 | None = None
    revision_history_limit: Int32 | None = None
    selector: LabelSelector = REQUIRED
    strategy: DeploymentStrategy | None = None
    template: PodTemplateSpec = REQUIRED


class DeploymentStatus(Model):
    available_replicas: Int32 | None = None
    collision_count: Int32 | None = None
    conditions: Annotated[list[DeploymentCondition], ListMap("type")] = field(default_factory=list)
    observed_generation: int | None = None
    ready_replicas: Int32 | None = None
    replicas: Int32 | None = None
    terminating_replicas: Int32 | None = None
    unavailable_replicas: Int32 | None = None
    updated_replicas: Int32 | None = None


class DeploymentStrategy(Model):
    rolling_update: RollingUpdateDeployment | None = None
    type: str | None = None


class ReplicaSetCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class ReplicaSetSpec(Model):
    min_ready_seconds: Int32 | None = None
    replicas: Int32 | None = None
    selector: LabelSelector = REQUIRED
    template: PodTemplateSpec | None = None


class ReplicaSetStatus(Model):
    available_replicas: Int32 | None = None
    conditions: Annotated[list[ReplicaSetCondition], ListMap("type")] = field(default_factory=list)
    fully_labeled_replicas: Int32 | None = None
    observed_generation: int | None = None
    ready_replicas: Int32 | None = None
    replicas: Int32 = REQUIRED
    terminating_replicas: Int32 | None = None


class RollingUpdateDaemonSet(Model):
    max_surge: IntOrString | None = None
    max_unavailable: IntOrString | None = None


class RollingUpdateDeployment(Model):
    max_surge: IntOrString | None = None
    max_unavailable: IntOrString | None = None


class RollingUpdateStatefulSetStrategy(Model):
    max_unavailable: IntOrString | None = None
    partition: Int32 | None = None


class StatefulSetCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class StatefulSetOrdinals(Model):
    start: Annotated[Int32 | None, Default(0)] = None


class StatefulSetPersistentVolumeClaimRetentionPolicy(Model):
    when_deleted: str | None = None
    when_scaled: str | None = None


class StatefulSetSpec(Model):
    min_ready_seconds: Int32 | None = None
    ordinals: StatefulSetOrdinals | None = None
    persistent_volume_claim_retention_policy: StatefulSetPersistentVolumeClaimRetentionPolicy | None = None
    pod_management_policy: str | None = None
    replicas: Int32 | None = None
    revision_history_limit: Int32 | None = None
    selector: LabelSelector = REQUIRED
    service_name: Annotated[str | None, Default("")] = None
    template: PodTemplateSpec = REQUIRED
    update_strategy: StatefulSetUpdateStrategy | None = None
    volume_claim_templates: Annotated[list[PersistentVolumeClaim], Atomic()] = field(default_factory=list)


class StatefulSetStatus(Model):
    available_replicas: Annotated[Int32 | None, Default(0)] = None
    collision_count: Int32 | None = None
    conditions: Annotated[list[StatefulSetCondition], ListMap("type")] = field(default_factory=list)
    current_replicas: Int32 | None = None
    current_revision: str | None = None
    observed_generation: int | None = None
    ready_replicas: Int32 | None = None
    replicas: Int32 = REQUIRED
    update_revision: str | None = None
    updated_replicas: Int32 | None = None


class StatefulSetUpdateStrategy(Model):
    rolling_update: RollingUpdateStatefulSetStrategy | None = None
    type: str | None = None


class ControllerRevision(Resource, group="apps", version="v1"):
    data: Any = None
    revision: int = REQUIRED


class DaemonSet(Resource, group="apps", version="v1", short_names=["ds"], categories=["all"]):
    spec: DaemonSetSpec = field(default_factory=DaemonSetSpec)
    status: DaemonSetStatus = field(default_factory=DaemonSetStatus)


class Deployment(Resource, group="apps", version="v1", short_names=["deploy"], categories=["all"]):
    spec: DeploymentSpec = field(default_factory=DeploymentSpec)
    status: DeploymentStatus = field(default_factory=DeploymentStatus)


class ReplicaSet(Resource, group="apps", version="v1", short_names=["rs"], categories=["all"]):
    spec: ReplicaSetSpec = field(default_factory=ReplicaSetSpec)
    status: ReplicaSetStatus = field(default_factory=ReplicaSetStatus)


class StatefulSet(Resource, group="apps", version="v1", short_names=["sts"], categories=["all"]):
    spec: StatefulSetSpec = field(default_factory=StatefulSetSpec)
    status: StatefulSetStatus = field(default_factory=StatefulSetStatus)
