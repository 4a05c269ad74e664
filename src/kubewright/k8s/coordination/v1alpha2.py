"""The kinds of coordination/v1alpha2 and their parts: LeaseCandidate.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from kubewright.model.fields import REQUIRED, field
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import MicroTime

__all__ = ["LeaseCandidate", "LeaseCandidateSpec"]


class LeaseCandidateSpec(Model):
    binary_version: str = REQUIRED
    emulation_version: str | None = None
    lease_name: str = REQUIRED
    ping_time: MicroTime | None = None
    renew_time: MicroTime | None = None
    strategy: str = REQUIRED


class LeaseCandidate(Resource, group="coordination.k8s.io", version="v1alpha2"):
    spec: LeaseCandidateSpec = field(default_factory=LeaseCandidateSpec, required=True)
