"""The kinds of storagemigration/v1beta1 and their parts: StorageVersionMigration.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.meta.v1 import GroupResource
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.status import Condition

__all__ = ["StorageVersionMigration", "StorageVersionMigrationSpec", "StorageVersionMigrationStatus"]


class StorageVersionMigrationSpec(Model):
    resource: GroupResource = REQUIRED


class StorageVersionMigrationStatus(Model):
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)
    resource_version: str | None = None


class StorageVersionMigration(Resource, group="storagemigration.k8s.io", version="v1beta1", scope="Cluster"):
    spec: StorageVersionMigrationSpec = field(default_factory=StorageVersionMigrationSpec)
    status: StorageVersionMigrationStatus = field(default_factory=StorageVersionMigrationStatus)
