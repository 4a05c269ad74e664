"""The kinds of resource/v1beta1 and their parts: DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any

from kubewright.k8s.core.v1 import NodeSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Default, ListMap
from kubewright.model.metadata import ObjectMeta
from kubewright.model.model import Model
from kubewright.model.quantity import Quantity
from kubewright.model.resource import Resource
from kubewright.model.shape import Time
from kubewright.model.status import Condition

__all__ = [
    "AllocatedDeviceStatus",
    "AllocationResult",
    "BasicDevice",
    "CELDeviceSelector",
    "CapacityRequestPolicy",
    "CapacityRequestPolicyRange",
    "CapacityRequirements",
    "Counter",
    "CounterSet",
    "Device",
    "DeviceAllocationConfiguration",
    "DeviceAllocationResult",
    "DeviceAttribute",
    "DeviceCapacity",
    "DeviceClaim",
    "DeviceClaimConfiguration",
    "DeviceClass",
    "DeviceClassConfiguration",
    "DeviceClassSpec",
    "DeviceConstraint",
    "DeviceCounterConsumption",
    "DeviceRequest",
    "DeviceRequestAllocationResult",
    "DeviceSelector",
    "DeviceSubRequest",
    "DeviceTaint",
    "DeviceToleration",
    "NetworkDeviceData",
    "NodeAllocatableResourceMapping",
    "OpaqueDeviceConfiguration",
    "ResourceClaim",
    "ResourceClaimConsumerReference",
    "ResourceClaimSpec",
    "ResourceClaimStatus",
    "ResourceClaimTemplate",
    "ResourceClaimTemplateSpec",
    "ResourcePool",
    "ResourceSlice",
    "ResourceSliceSpec",
]


class AllocatedDeviceStatus(Model):
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)
    data: Any = None
    device: str = REQUIRED
    driver: str = REQUIRED
    network_data: NetworkDeviceData | None = None
    pool: str = REQUIRED
    share_id: str | None = field(default=None, wire="shareID")


class AllocationResult(Model):
    allocation_timestamp: Time | None = None
    devices: DeviceAllocationResult | None = None
    node_selector: NodeSelector | None = None


class BasicDevice(Model):
    all_nodes: bool | None = None
    allow_multiple_allocations: bool | None = None
    attributes: dict[str, DeviceAttribute] = field(default_factory=dict)
    binding_conditions: Annotated[list[str], Atomic()] = field(default_factory=list)
    binding_failure_conditions: Annotated[list[str], Atomic()] = field(default_factory=list)
    binds_to_node: bool | None = None
    capacity: dict[str, DeviceCapacity] = field(default_factory=dict)
    consumes_counters: Annotated[list[DeviceCounterConsumption], Atomic()] = field(default_factory=list)
    node_allocatable_resource_mappings: dict[str, NodeAllocatableResourceMapping] = field(default_factory=dict)
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    taints: Annotated[list[DeviceTaint], Atomic()] = field(default_factory=list)


class CELDeviceSelector(Model):
    expression: str = REQUIRED


class CapacityRequestPolicy(Model):
    default: Quantity | None = None
    valid_range: CapacityRequestPolicyRange | None = None
    valid_values: Annotated[list[Quantity], Atomic()] = field(default_factory=list)


class CapacityRequestPolicyRange(Model):
    max: Quantity | None = None
    min: Quantity = REQUIRED
    step: Quantity | None = None


class CapacityRequirements(Model):
    requests: dict[str, Quantity] = field(default_factory=dict)


class Counter(Model):
    value: Quantity = REQUIRED


class CounterSet(Model):
    counters: dict[str, Counter] = field(default_factory=dict, required=True)
    name: str = REQUIRED


class Device(Model):
    basic: BasicDevice | None = None
    name: str = REQUIRED


class DeviceAllocationConfiguration(Model):
    opaque: OpaqueDeviceConfiguration | None = None
    requests: Annotated[list[str], Atomic()] = field(default_factory=list)
    source: str = REQUIRED


class DeviceAllocationResult(Model):
    config: Annotated[list[DeviceAllocationConfiguration], Atomic()] = field(default_factory=list)
    results: Annotated[list[DeviceRequestAllocationResult], Atomic()] = field(default_factory=list)


class DeviceAttribute(Model):
    bool_: bool | None = None
    bools: Annotated[list[bool], Atomic()] = field(default_factory=list)
    int_: int | None = None
    ints: Annotated[list[int], Atomic()] = field(default_factory=list)
    string: str | None = None
    strings: Annotated[list[str], Atomic()] = field(default_factory=list)
    version: str | None = None
    versions: Annotated[list[str], Atomic()] = field(default_factory=list)


class DeviceCapacity(Model):
    request_policy: CapacityRequestPolicy | None = None
    value: Quantity = REQUIRED


class DeviceClaim(Model):
    config: Annotated[list[DeviceClaimConfiguration], Atomic()] = field(default_factory=list)
    constraints: Annotated[list[DeviceConstraint], Atomic()] = field(default_factory=list)
    requests: Annotated[list[DeviceRequest], Atomic()] = field(default_factory=list)


class DeviceClaimConfiguration(Model):
    opaque: OpaqueDeviceConfiguration | None = None
    requests: Annotated[list[str], Atomic()] = field(default_factory=list)


class DeviceClassConfiguration(Model):
    opaque: OpaqueDeviceConfiguration | None = None


class DeviceClassSpec(Model):
    config: Annotated[list[DeviceClassConfiguration], Atomic()] = field(default_factory=list)
    extended_resource_name: str | None = None
    selectors: Annotated[list[DeviceSelector], Atomic()] = field(default_factory=list)


class DeviceConstraint(Model):
    distinct_attribute: str | None = None
    match_attribute: str | None = None
    requests: Annotated[list[str], Atomic()] = field(default_factory=list)


class DeviceCounterConsumption(Model):
    counter_set: str = REQUIRED
    counters: dict[str, Counter] = field(default_factory=dict, required=True)


class DeviceRequest(Model):
    admin_access: bool | None = None
    allocation_mode: str | None = None
    capacity: CapacityRequirements | None = None
    count: int | None = None
    device_class_name: Annotated[str | None, Default("")] = None
    first_available: Annotated[list[DeviceSubRequest], Atomic()] = field(default_factory=list)
    name: str = REQUIRED
    selectors: Annotated[list[DeviceSelector], Atomic()] = field(default_factory=list)
    tolerations: Annotated[list[DeviceToleration], Atomic()] = field(default_factory=list)


class DeviceRequestAllocationResult(Model):
    admin_access: bool | None = None
    binding_conditions: Annotated[list[str], Atomic()] = field(default_factory=list)
    binding_failure_conditions: Annotated[list[str], Atomic()] = field(default_factory=list)
    consumed_capacity: dict[str, Quantity] = field(default_factory=dict)
    device: str = REQUIRED
    driver: str = REQUIRED
    pool: str = REQUIRED
    request: str = REQUIRED
    share_id: str | None = field(default=None, wire="shareID")
    tolerations: Annotated[list[DeviceToleration], Atomic()] = field(default_factory=list)


class DeviceSelector(Model):
    cel: CELDeviceSelector | None = None


class DeviceSubRequest(Model):
    allocation_mode: str | None = None
    capacity: CapacityRequirements | None = None
    count: int | None = None
    device_class_name: str = REQUIRED
    name: str = REQUIRED
    selectors: Annotated[list[DeviceSelector], Atomic()] = field(default_factory=list)
    tolerations: Annotated[list[DeviceToleration], Atomic()] = field(default_factory=list)


class DeviceTaint(Model):
    effect: str = REQUIRED
    key: str = REQUIRED
    time_added: Time | None = None
    value: str | None = None


class DeviceToleration(Model):
    effect: str | None = None
    key: str | None = None
    operator: Annotated[str | None, Default("Equal")] = None
    toleration_seconds: int | None = None
    value: str | None = None


class NetworkDeviceData(Model):
    hardware_address: str | None = None
    interface_name: str | None = None
    ips: Annotated[list[str], Atomic()] = field(default_factory=list)


class NodeAllocatableResourceMapping(Model):
    allocation_multiplier: Quantity | None = None
    capacity_key: str | None = None


class OpaqueDeviceConfiguration(Model):
    driver: str = REQUIRED
    parameters: Any = REQUIRED


class ResourceClaimConsumerReference(Model):
    api_group: str | None = None
    name: str = REQUIRED
    resource: str = REQUIRED
    uid: str = REQUIRED


class ResourceClaimSpec(Model):
    devices: DeviceClaim | None = None


class ResourceClaimStatus(Model):
    allocation: AllocationResult | None = None
    devices: Annotated[list[AllocatedDeviceStatus], ListMap("driver", "device", "pool", "share_id")] = field(
        default_factory=list
    )
    reserved_for: Annotated[list[ResourceClaimConsumerReference], ListMap("uid")] = field(default_factory=list)


class ResourceClaimTemplateSpec(Model):
    metadata: ObjectMeta | None = None
    spec: ResourceClaimSpec = REQUIRED


class ResourcePool(Model):
    generation: int = REQUIRED
    name: str = REQUIRED
    resource_slice_count: int = REQUIRED


class ResourceSliceSpec(Model):
    all_nodes: bool | None = None
    devices: Annotated[list[Device], Atomic()] = field(default_factory=list)
    driver: str = REQUIRED
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    per_device_node_selection: bool | None = None
    pool: ResourcePool = REQUIRED
    shared_counters: Annotated[list[CounterSet], Atomic()] = field(default_factory=list)


class DeviceClass(Resource, group="resource.k8s.io", version="v1beta1", scope="Cluster"):
    spec: DeviceClassSpec = field(default_factory=DeviceClassSpec, required=True)


class ResourceClaim(Resource, group="resource.k8s.io", version="v1beta1"):
    spec: ResourceClaimSpec = field(default_factory=ResourceClaimSpec, required=True)
    status: ResourceClaimStatus = field(default_factory=ResourceClaimStatus)


class ResourceClaimTemplate(Resource, group="resource.k8s.io", version="v1beta1"):
    spec: ResourceClaimTemplateSpec = field(default_factory=ResourceClaimTemplateSpec, required=True)


class ResourceSlice(Resource, group="resource.k8s.io", version="v1beta1", scope="Cluster"):
    spec: ResourceSliceSpec = field(default_factory=ResourceSliceSpec, required=True)
