"""The types of meta/v1.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic
from kubewright.model.metadata import ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference, PartialObjectMetadata
from kubewright.model.model import Model
from kubewright.model.shape import Int32
from kubewright.model.status import Condition

__all__ = [
    "APIGroup",
    "APIGroupList",
    "APIResource",
    "APIResourceList",
    "APIVersions",
    "Condition",
    "DeleteOptions",
    "FieldSelectorRequirement",
    "GroupResource",
    "GroupVersionForDiscovery",
    "LabelSelector",
    "LabelSelectorRequirement",
    "ListMeta",
    "ManagedFieldsEntry",
    "ObjectMeta",
    "OwnerReference",
    "PartialObjectMetadata",
    "Preconditions",
    "ServerAddressByClientCIDR",
    "ShardInfo",
    "Status",
    "StatusCause",
    "StatusDetails",
    "WatchEvent",
]


class APIGroup(Model):
    api_version: str | None = None
    kind: str | None = None
    name: str = REQUIRED
    preferred_version: GroupVersionForDiscovery | None = None
    server_address_by_client_cidrs: Annotated[list[ServerAddressByClientCIDR], Atomic()] = field(
        default_factory=list, wire="serverAddressByClientCIDRs"
    )
    versions: Annotated[list[GroupVersionForDiscovery], Atomic()] = field(default_factory=list, required=True)


class APIGroupList(Model):
    api_version: str | None = None
    groups: Annotated[list[APIGroup], Atomic()] = field(default_factory=list, required=True)
    kind: str | None = None


class APIResource(Model):
    categories: Annotated[list[str], Atomic()] = field(default_factory=list)
    group: str | None = None
    kind: str = REQUIRED
    name: str = REQUIRED
    namespaced: bool = REQUIRED
    short_names: Annotated[list[str], Atomic()] = field(default_factory=list)
    singular_name: str = REQUIRED
    storage_version_hash: str | None = None
    verbs: list[str] = field(default_factory=list, required=True)
    version: str | None = None


class APIResourceList(Model):
    api_version: str | None = None
    group_version: str = REQUIRED
    kind: str | None = None
    resources: Annotated[list[APIResource], Atomic()] = field(default_factory=list, required=True)


class APIVersions(Model):
    api_version: str | None = None
    kind: str | None = None
    server_address_by_client_cidrs: Annotated[list[ServerAddressByClientCIDR], Atomic()] = field(
        default_factory=list, required=True, wire="serverAddressByClientCIDRs"
    )
    versions: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)


class DeleteOptions(Model):
    api_version: str | None = None
    dry_run: Annotated[list[str], Atomic()] = field(default_factory=list)
    grace_period_seconds: int | None = None
    ignore_store_read_error_with_cluster_breaking_potential: bool | None = None
    kind: str | None = None
    orphan_dependents: bool | None = None
    preconditions: Preconditions | None = None
    propagation_policy: str | None = None


class FieldSelectorRequirement(Model):
    key: str = REQUIRED
    operator: str = REQUIRED
    values: Annotated[list[str], Atomic()] = field(default_factory=list)


class GroupResource(Model):
    group: str = REQUIRED
    resource: str = REQUIRED


class GroupVersionForDiscovery(Model):
    group_version: str = REQUIRED
    version: str = REQUIRED


class LabelSelector(Model, markers=[Atomic()]):
    match_expressions: Annotated[list[LabelSelectorRequirement], Atomic()] = field(default_factory=list)
    match_labels: dict[str, str] = field(default_factory=dict)


class LabelSelectorRequirement(Model):
    key: str = REQUIRED
    operator: str = REQUIRED
    values: Annotated[list[str], Atomic()] = field(default_factory=list)


class Preconditions(Model):
    resource_version: str | None = None
    uid: str | None = None


class ServerAddressByClientCIDR(Model):
    client_cidr: str = field(default=REQUIRED, wire="clientCIDR")
    server_address: str = REQUIRED


class ShardInfo(Model):
    selector: str = REQUIRED


class Status(Model):
    api_version: str | None = None
    code: Int32 | None = None
    details: StatusDetails | None = None
    kind: str | None = None
    message: str | None = None
    metadata: ListMeta | None = None
    reason: str | None = None
    status: str | None = None


class StatusCause(Model):
    field_: str | None = None
    message: str | None = None
    reason: str | None = None


class StatusDetails(Model):
    causes: Annotated[list[StatusCause], Atomic()] = field(default_factory=list)
    group: str | None = None
    kind: str | None = None
    name: str | None = None
    retry_after_seconds: Int32 | None = None
    uid: str | None = None


class WatchEvent(Model):
    object_: Any = REQUIRED
    type: str = REQUIRED
