"""The kinds of certificates/v1 and their parts: CertificateSigningRequest.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, Time

__all__ = [
    "CertificateSigningRequest",
    "CertificateSigningRequestCondition",
    "CertificateSigningRequestSpec",
    "CertificateSigningRequestStatus",
]


class CertificateSigningRequestCondition(Model):
    last_transition_time: Time | None = None
    last_update_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class CertificateSigningRequestSpec(Model):
    expiration_seconds: Int32 | None = None
    extra: dict[str, list[str]] = field(default_factory=dict)
    groups: Annotated[list[str], Atomic()] = field(default_factory=list)
    request: bytes = REQUIRED
    signer_name: str = REQUIRED
    uid: str | None = None
    usages: Annotated[list[str], Atomic()] = field(default_factory=list)
    username: str | None = None


class CertificateSigningRequestStatus(Model):
    certificate: bytes | None = None
    conditions: Annotated[list[CertificateSigningRequestCondition], ListMap("type")] = field(default_factory=list)


class CertificateSigningRequest(
    Resource, group="certificates.k8s.io", version="v1", scope="Cluster", short_names=["csr"]
):
    spec: CertificateSigningRequestSpec = field(default_factory=CertificateSigningRequestSpec, required=True)
    status: CertificateSigningRequestStatus = field(default_factory=CertificateSigningRequestStatus)
