"""The kinds of storage/v1beta1 and their parts: VolumeAttributesClass.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from kubewright.model.fields import REQUIRED, field
from kubewright.model.resource import Resource

__all__ = ["VolumeAttributesClass"]


class VolumeAttributesClass(Resource, group="storage.k8s.io", version="v1beta1", scope="Cluster", short_names=["vac"]):
    driver_name: str = REQUIRED
    parameters: dict[str, str] = field(default_factory=dict)
