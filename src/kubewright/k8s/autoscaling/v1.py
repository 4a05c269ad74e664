"""The kinds of autoscaling/v1 and their parts: HorizontalPodAutoscaler, Scale.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Default
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, Time

__all__ = [
    "CrossVersionObjectReference",
    "HorizontalPodAutoscaler",
    "HorizontalPodAutoscalerSpec",
    "HorizontalPodAutoscalerStatus",
    "Scale",
    "ScaleSpec",
    "ScaleStatus",
]


class CrossVersionObjectReference(Model, markers=[Atomic()]):
    api_version: str | None = None
    kind: str = REQUIRED
    name: str = REQUIRED


class HorizontalPodAutoscalerSpec(Model):
    max_replicas: Int32 = REQUIRED
    min_replicas: Int32 | None = None
    scale_target_ref: CrossVersionObjectReference = REQUIRED
    target_cpu_utilization_percentage: Int32 | None = field(default=None, wire="targetCPUUtilizationPercentage")


class HorizontalPodAutoscalerStatus(Model):
    current_cpu_utilization_percentage: Int32 | None = field(default=None, wire="currentCPUUtilizationPercentage")
    current_replicas: Int32 = REQUIRED
    desired_replicas: Int32 = REQUIRED
    last_scale_time: Time | None = None
    observed_generation: int | None = None


class ScaleSpec(Model):
    replicas: Annotated[Int32 | None, Default(0)] = None


class ScaleStatus(Model):
    replicas: Int32 = REQUIRED
    selector: str | None = None


class HorizontalPodAutoscaler(Resource, group="autoscaling", version="v1", short_names=["hpa"], categories=["all"]):
    spec: HorizontalPodAutoscalerSpec = field(default_factory=HorizontalPodAutoscalerSpec, required=True)
    status: HorizontalPodAutoscalerStatus = field(default_factory=HorizontalPodAutoscalerStatus)


class Scale(Resource, group="autoscaling", version="v1", status_subresource=False):
    spec: ScaleSpec = field(default_factory=ScaleSpec)
    status: ScaleStatus = field(default_factory=ScaleStatus)
