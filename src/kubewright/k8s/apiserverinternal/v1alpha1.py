"""The kinds of apiserverinternal/v1alpha1 and their parts: StorageVersion.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import ListMap, ListSet
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Time

__all__ = [
    "ServerStorageVersion",
    "StorageVersion",
    "StorageVersionCondition",
    "StorageVersionSpec",
    "StorageVersionStatus",
]


class ServerStorageVersion(Model):
    api_server_id: str = field(default=REQUIRED, wire="apiServerID")
    decodable_versions: Annotated[list[str], ListSet()] = field(default_factory=list, required=True)
    encoding_version: str = REQUIRED
    served_versions: Annotated[list[str], ListSet()] = field(default_factory=list)


class StorageVersionCondition(Model):
    last_transition_time: Time | None = None
    message: str = REQUIRED
    observed_generation: int | None = None
    reason: str = REQUIRED
    status: str = REQUIRED
    type: str = REQUIRED


class StorageVersionSpec(Model):
    pass


class StorageVersionStatus(Model):
    common_encoding_version: str | None = None
    conditions: Annotated[list[StorageVersionCondition], ListMap("type")] = field(default_factory=list)
    storage_versions: Annotated[list[ServerStorageVersion], ListMap("api_server_id")] = field(default_factory=list)


class StorageVersion(Resource, group="internal.apiserver.k8s.io", version="v1alpha1", scope="Cluster"):
    spec: StorageVersionSpec = field(default_factory=StorageVersionSpec)
    status: StorageVersionStatus = field(default_factory=StorageVersionStatus)
