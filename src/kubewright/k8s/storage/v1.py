"""The kinds of storage/v1 and their parts: CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment,
VolumeAttributesClass.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.core.v1 import PersistentVolumeSpec, TopologySelectorTerm
from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, ListMap, ListSet
from kubewright.model.model import Model
from kubewright.model.quantity import Quantity
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, Time

__all__ = [
    "CSIDriver",
    "CSIDriverSpec",
    "CSINode",
    "CSINodeDriver",
    "CSINodeSpec",
    "CSIStorageCapacity",
    "StorageClass",
    "TokenRequest",
    "VolumeAttachment",
    "VolumeAttachmentSource",
    "VolumeAttachmentSpec",
    "VolumeAttachmentStatus",
    "VolumeAttributesClass",
    "VolumeError",
    "VolumeNodeResources",
]


class CSIDriverSpec(Model):
    attach_required: bool | None = None
    fs_group_policy: str | None = None
    node_allocatable_update_period_seconds: int | None = None
    pod_info_on_mount: bool | None = None
    prevent_pod_scheduling_if_missing: bool | None = None
    requires_republish: bool | None = None
    se_linux_mount: bool | None = None
    service_account_token_in_secrets: bool | None = None
    storage_capacity: bool | None = None
    token_requests: Annotated[list[TokenRequest], Atomic()] = field(default_factory=list)
    volume_lifecycle_modes: Annotated[list[str], ListSet()] = field(default_factory=list)


class CSINodeDriver(Model):
    allocatable: VolumeNodeResources | None = None
    name: str = REQUIRED
    node_id: str = field(default=REQUIRED, wire="nodeID")
    topology_keys: Annotated[list[str], Atomic()] = field(default_factory=list)


class CSINodeSpec(Model):
    drivers: Annotated[list[CSINodeDriver], ListMap("name")] = field(default_factory=list, required=True)


class TokenRequest(Model):
    audience: str = REQUIRED
    expiration_seconds: int | None = None


class VolumeAttachmentSource(Model):
    inline_volume_spec: PersistentVolumeSpec | None = None
    persistent_volume_name: str | None = None


class VolumeAttachmentSpec(Model):
    attacher: str = REQUIRED
    node_name: str = REQUIRED
    source: VolumeAttachmentSource = REQUIRED


class VolumeAttachmentStatus(Model):
    attach_error: VolumeError | None = None
    attached: bool = REQUIRED
    attachment_metadata: dict[str, str] = field(default_factory=dict)
    detach_error: VolumeError | None = None


class VolumeError(Model):
    error_code: Int32 | None = None
    message: str | None = None
    time: Time | None = None


class VolumeNodeResources(Model):
    count: Int32 | None = None


class CSIDriver(Resource, group="storage.k8s.io", version="v1", scope="Cluster"):
    spec: CSIDriverSpec = field(default_factory=CSIDriverSpec, required=True)


class CSINode(Resource, group="storage.k8s.io", version="v1", scope="Cluster"):
    spec: CSINodeSpec = field(default_factory=CSINodeSpec, required=True)


class CSIStorageCapacity(Resource, group="storage.k8s.io", version="v1"):
    capacity: Quantity | None = None
    maximum_volume_size: Quantity | None = None
    node_topology: LabelSelector | None = None
    storage_class_name: str = REQUIRED


class StorageClass(Resource, group="storage.k8s.io", version="v1", scope="Cluster", short_names=["sc"]):
    allow_volume_expansion: bool | None = None
    allowed_topologies: Annotated[list[TopologySelectorTerm], Atomic()] = field(default_factory=list)
    mount_options: Annotated[list[str], Atomic()] = field(default_factory=list)
    parameters: dict[str, str] = field(default_factory=dict)
    provisioner: str = REQUIRED
    reclaim_policy: str | None = None
    volume_binding_mode: str | None = None


class VolumeAttachment(Resource, group="storage.k8s.io", version="v1", scope="Cluster"):
    spec: VolumeAttachmentSpec = field(default_factory=VolumeAttachmentSpec, required=True)
    status: VolumeAttachmentStatus = field(default_factory=VolumeAttachmentStatus)


class VolumeAttributesClass(Resource, group="storage.k8s.io", version="v1", scope="Cluster", short_names=["vac"]):
    driver_name: str = REQUIRED
    parameters: dict[str, str] = field(default_factory=dict)
