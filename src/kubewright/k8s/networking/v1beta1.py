"""The kinds of networking/v1beta1 and their parts: IPAddress, ServiceCIDR.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.status import Condition

__all__ = ["IPAddress", "IPAddressSpec", "ParentReference", "ServiceCIDR", "ServiceCIDRSpec", "ServiceCIDRStatus"]


class IPAddressSpec(Model):
    parent_ref: ParentReference = REQUIRED


class ParentReference(Model):
    group: str | None = None
    name: str = REQUIRED
    namespace: str | None = None
    resource: str = REQUIRED


class ServiceCIDRSpec(Model):
    cidrs: Annotated[list[str], Atomic()] = field(default_factory=list)


class ServiceCIDRStatus(Model):
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)


class IPAddress(Resource, group="networking.k8s.io", version="v1beta1", scope="Cluster", short_names=["ip"]):
    spec: IPAddressSpec = field(default_factory=IPAddressSpec, required=True)


class ServiceCIDR(Resource, group="networking.k8s.io", version="v1beta1", scope="Cluster"):
    spec: ServiceCIDRSpec = field(default_factory=ServiceCIDRSpec)
    status: ServiceCIDRStatus = field(default_factory=ServiceCIDRStatus)
