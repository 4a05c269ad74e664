"""The kinds of certificates/v1alpha1 and their parts: ClusterTrustBundle.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from kubewright.model.fields import REQUIRED, field
from kubewright.model.model import Model
from kubewright.model.resource import Resource

__all__ = ["ClusterTrustBundle", "ClusterTrustBundleSpec"]


class ClusterTrustBundleSpec(Model):
    signer_name: str | None = None
    trust_bundle: str = REQUIRED


class ClusterTrustBundle(Resource, group="certificates.k8s.io", version="v1alpha1", scope="Cluster"):
    spec: ClusterTrustBundleSpec = field(default_factory=ClusterTrustBundleSpec, required=True)
