"""The kinds of autoscaling/v2 and their parts: HorizontalPodAutoscaler.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, ListMap
from kubewright.model.model import Model
from kubewright.model.quantity import Quantity
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, Time

__all__ = [
    "ContainerResourceMetricSource",
    "ContainerResourceMetricStatus",
    "CrossVersionObjectReference",
    "ExternalMetricSource",
    "ExternalMetricStatus",
    "HPAScalingPolicy",
    "HPAScalingRules",
    "HorizontalPodAutoscaler",
    "HorizontalPodAutoscalerBehavior",
    "HorizontalPodAutoscalerCondition",
    "HorizontalPodAutoscalerSpec",
    "HorizontalPodAutoscalerStatus",
    "MetricIdentifier",
    "MetricSpec",
    "MetricStatus",
    "MetricTarget",
    "MetricValueStatus",
    "ObjectMetricSource",
    "ObjectMetricStatus",
    "PodsMetricSource",
    "PodsMetricStatus",
    "ResourceMetricSource",
    "ResourceMetricStatus",
]


class ContainerResourceMetricSource(Model):
    container: str = REQUIRED
    name: str = REQUIRED
    target: MetricTarget = REQUIRED


class ContainerResourceMetricStatus(Model):
    container: str = REQUIRED
    current: MetricValueStatus = REQUIRED
    name: str = REQUIRED


class CrossVersionObjectReference(Model):
    api_version: str | None = None
    kind: str = REQUIRED
    name: str = REQUIRED


class ExternalMetricSource(Model):
    metric: MetricIdentifier = REQUIRED
    target: MetricTarget = REQUIRED


class ExternalMetricStatus(Model):
    current: MetricValueStatus = REQUIRED
    metric: MetricIdentifier = REQUIRED


class HPAScalingPolicy(Model):
    period_seconds: Int32 = REQUIRED
    type: str = REQUIRED
    value: Int32 = REQUIRED


class HPAScalingRules(Model):
    policies: Annotated[list[HPAScalingPolicy], Atomic()] = field(default_factory=list)
    select_policy: str | None = None
    stabilization_window_seconds: Int32 | None = None
    tolerance: Quantity | None = None


class HorizontalPodAutoscalerBehavior(Model):
    scale_down: HPAScalingRules | None = None
    scale_up: HPAScalingRules | None = None


class HorizontalPodAutoscalerCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class HorizontalPodAutoscalerSpec(Model):
    behavior: HorizontalPodAutoscalerBehavior | None = None
    max_replicas: Int32 = REQUIRED
    metrics: Annotated[list[MetricSpec], Atomic()] = field(default_factory=list)
    min_replicas: Int32 | None = None
    scale_target_ref: CrossVersionObjectReference = REQUIRED


class HorizontalPodAutoscalerStatus(Model):
    conditions: Annotated[list[HorizontalPodAutoscalerCondition], ListMap("type")] = field(default_factory=list)
    current_metrics: Annotated[list[MetricStatus], Atomic()] = field(default_factory=list)
    current_replicas: Int32 | None = None
    desired_replicas: Int32 = REQUIRED
    last_scale_time: Time | None = None
    observed_generation: int | None = None


class MetricIdentifier(Model):
    name: str = REQUIRED
    selector: LabelSelector | None = None


class MetricSpec(Model):
    container_resource: ContainerResourceMetricSource | None = None
    external: ExternalMetricSource | None = None
    object_: ObjectMetricSource | None = None
    pods: PodsMetricSource | None = None
    resource: ResourceMetricSource | None = None
    type: str = REQUIRED


class MetricStatus(Model):
    container_resource: ContainerResourceMetricStatus | None = None
    external: ExternalMetricStatus | None = None
    object_: ObjectMetricStatus | None = None
    pods: PodsMetricStatus | None = None
    resource: ResourceMetricStatus | None = None
    type: str = REQUIRED


class MetricTarget(Model):
    average_utilization: Int32 | None = None
    average_value: Quantity | None = None
    type: str = REQUIRED
    value: Quantity | None = None


class MetricValueStatus(Model):
    average_utilization: Int32 | None = None
    average_value: Quantity | None = None
    value: Quantity | None = None


class ObjectMetricSource(Model):
    described_object: CrossVersionObjectReference = REQUIRED
    metric: MetricIdentifier = REQUIRED
    target: MetricTarget = REQUIRED


class ObjectMetricStatus(Model):
    current: MetricValueStatus = REQUIRED
    described_object: CrossVersionObjectReference = REQUIRED
    metric: MetricIdentifier = REQUIRED


class PodsMetricSource(Model):
    metric: MetricIdentifier = REQUIRED
    target: MetricTarget = REQUIRED


class PodsMetricStatus(Model):
    current: MetricValueStatus = REQUIRED
    metric: MetricIdentifier = REQUIRED


class ResourceMetricSource(Model):
    name: str = REQUIRED
    target: MetricTarget = REQUIRED


class ResourceMetricStatus(Model):
    current: MetricValueStatus = REQUIRED
    name: str = REQUIRED


class HorizontalPodAutoscaler(Resource, group="autoscaling", version="v2", short_names=["hpa"], categories=["all"]):
    spec: HorizontalPodAutoscalerSpec = field(default_factory=HorizontalPodAutoscalerSpec, required=True)
    status: HorizontalPodAutoscalerStatus = field(default_factory=HorizontalPodAutoscalerStatus)
