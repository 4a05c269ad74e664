"""The kinds of resource/v1alpha3 and their parts: DeviceTaintRule, ResourcePoolStatusRequest.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Default, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, Time
from kubewright.model.status import Condition

__all__ = [
    "DeviceTaint",
    "DeviceTaintRule",
    "DeviceTaintRuleSpec",
    "DeviceTaintRuleStatus",
    "DeviceTaintSelector",
    "PoolStatus",
    "ResourcePoolStatusRequest",
    "ResourcePoolStatusRequestSpec",
    "ResourcePoolStatusRequestStatus",
]


class DeviceTaint(Model):
    effect: str = REQUIRED
    key: str = REQUIRED
    time_added: Time | None = None
    value: str | None = None


class DeviceTaintRuleSpec(Model):
    device_selector: DeviceTaintSelector | None = None
    taint: DeviceTaint = REQUIRED


class DeviceTaintRuleStatus(Model):
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)


class DeviceTaintSelector(Model):
    device: str | None = None
    driver: str | None = None
    pool: str | None = None


class PoolStatus(Model):
    allocated_devices: Int32 | None = None
    available_devices: Int32 | None = None
    driver: str = REQUIRED
    generation: int = REQUIRED
    node_name: str | None = None
    pool_name: str = REQUIRED
    resource_slice_count: Int32 | None = None
    total_devices: Int32 | None = None
    unavailable_devices: Int32 | None = None
    validation_error: str | None = None


class ResourcePoolStatusRequestSpec(Model):
    driver: str = REQUIRED
    limit: Annotated[Int32 | None, Default(100)] = None
    pool_name: str | None = None


class ResourcePoolStatusRequestStatus(Model):
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)
    pool_count: Int32 = REQUIRED
    pools: Annotated[list[PoolStatus], Atomic()] = field(default_factory=list)


class DeviceTaintRule(Resource, group="resource.k8s.io", version="v1alpha3", scope="Cluster"):
    spec: DeviceTaintRuleSpec = field(default_factory=DeviceTaintRuleSpec, required=True)
    status: DeviceTaintRuleStatus = field(default_factory=DeviceTaintRuleStatus)


class ResourcePoolStatusRequest(Resource, group="resource.k8s.io", version="v1alpha3", scope="Cluster"):
    spec: ResourcePoolStatusRequestSpec = field(default_factory=ResourcePoolStatusRequestSpec, required=True)
    status: ResourcePoolStatusRequestStatus = field(default_factory=ResourcePoolStatusRequestStatus)
