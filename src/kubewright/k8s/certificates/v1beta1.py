"""The kinds of certificates/v1beta1 and their parts: ClusterTrustBundle, PodCertificateRequest.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Default, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, Time
from kubewright.model.status import Condition

__all__ = [
    "ClusterTrustBundle",
    "ClusterTrustBundleSpec",
    "PodCertificateRequest",
    "PodCertificateRequestSpec",
    "PodCertificateRequestStatus",
]


class ClusterTrustBundleSpec(Model):
    signer_name: str | None = None
    trust_bundle: str = REQUIRED


class PodCertificateRequestSpec(Model):
    max_expiration_seconds: Annotated[Int32 | None, Default(86400)] = None
    node_name: str = REQUIRED
    node_uid: str = field(default=REQUIRED, wire="nodeUID")
    pkix_public_key: bytes | None = None
    pod_name: str = REQUIRED
    pod_uid: str = field(default=REQUIRED, wire="podUID")
    proof_of_possession: bytes | None = None
    service_account_name: str = REQUIRED
    service_account_uid: str = field(default=REQUIRED, wire="serviceAccountUID")
    signer_name: str = REQUIRED
    stub_pkcs10_request: bytes = field(default=REQUIRED, wire="stubPKCS10Request")
    unverified_user_annotations: dict[str, str] = field(default_factory=dict)


class PodCertificateRequestStatus(Model):
    begin_refresh_at: Time | None = None
    certificate_chain: str | None = None
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)
    not_after: Time | None = None
    not_before: Time | None = None


class ClusterTrustBundle(Resource, group="certificates.k8s.io", version="v1beta1", scope="Cluster"):
    spec: ClusterTrustBundleSpec = field(default_factory=ClusterTrustBundleSpec, required=True)


class PodCertificateRequest(Resource, group="certificates.k8s.io", version="v1beta1"):
    spec: PodCertificateRequestSpec = field(default_factory=PodCertificateRequestSpec, required=True)
    status: PodCertificateRequestStatus = field(default_factory=PodCertificateRequestStatus)
