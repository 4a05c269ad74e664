"""The metadata every object has.

Absent strings read as `""` and absent numbers as `0`, as in Go, because code reads a name or a namespace far more
often than it asks whether there is one; maps and lists read as empty ones that can be filled in place. Nothing of that
is sent unless it was set.
"""

from typing import Annotated

import msgspec

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, ListMap, ListSet
from kubewright.model.model import Model
from kubewright.model.shape import Time

__all__ = ["ListMeta", "ManagedFieldsEntry", "ObjectMeta", "OwnerReference", "PartialObjectMetadata"]


class OwnerReference(Model, markers=[Atomic()]):
    """Who owns an object, and is asked before it is collected."""

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class ManagedFieldsEntry(Model):
    """Which fields one manager owns. The set itself stays raw JSON until somebody needs it."""

    manager: str = ""
    operation: str = ""
    api_version: str = ""
    time: Time | None = None
    fields_type: str = ""
    fields_v1: msgspec.Raw | None = None
    subresource: str = ""


class ObjectMeta(Model):
    """What all objects have in common."""

    name: str = field(default_factory=str)
    generate_name: str = field(default_factory=str)
    namespace: str = field(default_factory=str)
    labels: dict[str, str] = field(default_factory=dict)
    annotations: dict[str, str] = field(default_factory=dict)
    finalizers: Annotated[list[str], ListSet()] = field(default_factory=list)
    owner_references: Annotated[list[OwnerReference], ListMap("uid")] = field(default_factory=list)
    uid: str = field(default_factory=str)
    resource_version: str = field(default_factory=str)
    generation: int = field(default_factory=int)
    creation_timestamp: Time | None = None
    deletion_timestamp: Time | None = None
    deletion_grace_period_seconds: int | None = None
    managed_fields: Annotated[list[ManagedFieldsEntry], Atomic()] = field(default_factory=list)
    self_link: str = field(default_factory=str)


class ListMeta(Model):
    """What all lists have in common."""

    resource_version: str = field(default_factory=str)
    continue_: str = field(default_factory=str)
    remaining_item_count: int | None = None
    self_link: str = field(default_factory=str)


class PartialObjectMetadata(Model):
    """Any object, of which only the envelope is read; the rest stays in the document."""

    api_version: str = REQUIRED
    kind: str = REQUIRED
    metadata: ObjectMeta = field(default_factory=ObjectMeta)
