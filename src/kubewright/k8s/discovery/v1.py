"""The kinds of discovery/v1 and their parts: EndpointSlice.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.core.v1 import ObjectReference
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, ListSet
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32

__all__ = ["Endpoint", "EndpointConditions", "EndpointHints", "EndpointPort", "EndpointSlice", "ForNode", "ForZone"]


class Endpoint(Model):
    addresses: Annotated[list[str], ListSet()] = field(default_factory=list, required=True)
    conditions: EndpointConditions | None = None
    deprecated_topology: dict[str, str] = field(default_factory=dict)
    hints: EndpointHints | None = None
    hostname: str | None = None
    node_name: str | None = None
    target_ref: ObjectReference | None = None
    zone: str | None = None


class EndpointConditions(Model):
    ready: bool | None = None
    serving: bool | None = None
    terminating: bool | None = None


class EndpointHints(Model):
    for_nodes: Annotated[list[ForNode], Atomic()] = field(default_factory=list)
    for_zones: Annotated[list[ForZone], Atomic()] = field(default_factory=list)


class EndpointPort(Model, markers=[Atomic()]):
    app_protocol: str | None = None
    name: str | None = None
    port: Int32 | None = None
    protocol: str | None = None


class ForNode(Model):
    name: str = REQUIRED


class ForZone(Model):
    name: str = REQUIRED


class EndpointSlice(Resource, group="discovery.k8s.io", version="v1"):
    address_type: str = REQUIRED
    endpoints: Annotated[list[Endpoint], Atomic()] = field(default_factory=list)
    ports: Annotated[list[EndpointPort], Atomic()] = field(default_factory=list)
