"""The kinds of apiregistration/v1 and their parts: APIService.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Fragment, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, Time

__all__ = ["APIService", "APIServiceCondition", "APIServiceSpec", "APIServiceStatus", "ServiceReference"]


class APIServiceCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class APIServiceSpec(Model):
    ca_bundle: Annotated[bytes | None, Fragment({"x-kubernetes-list-type": "atomic"})] = None
    group: str | None = None
    group_priority_minimum: Int32 = REQUIRED
    insecure_skip_tls_verify: bool | None = field(default=None, wire="insecureSkipTLSVerify")
    service: ServiceReference | None = None
    version: str | None = None
    version_priority: Int32 = REQUIRED


class APIServiceStatus(Model):
    conditions: Annotated[list[APIServiceCondition], ListMap("type")] = field(default_factory=list)


class ServiceReference(Model):
    name: str | None = None
    namespace: str | None = None
    port: Int32 | None = None


class APIService(
    Resource, group="apiregistration.k8s.io", version="v1", scope="Cluster", categories=["api-extensions"]
):
    spec: APIServiceSpec = field(default_factory=APIServiceSpec)
    status: APIServiceStatus = field(default_factory=APIServiceStatus)
