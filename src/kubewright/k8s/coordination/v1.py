"""The kinds of coordination/v1 and their parts: Lease.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from kubewright.model.fields import field
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, MicroTime

__all__ = ["Lease", "LeaseSpec"]


class LeaseSpec(Model):
    acquire_time: MicroTime | None = None
    holder_identity: str | None = None
    lease_duration_seconds: Int32 | None = None
    lease_transitions: Int32 | None = None
    preferred_holder: str | None = None
    renew_time: MicroTime | None = None
    strategy: str | None = None


class Lease(Resource, group="coordination.k8s.io", version="v1"):
    spec: LeaseSpec = field(default_factory=LeaseSpec)
