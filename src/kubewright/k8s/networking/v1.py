"""The kinds of networking/v1 and their parts: IPAddress, Ingress, IngressClass, NetworkPolicy, ServiceCIDR.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.core.v1 import TypedLocalObjectReference
from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, IntOrString
from kubewright.model.status import Condition

__all__ = [
    "HTTPIngressPath",
    "HTTPIngressRuleValue",
    "IPAddress",
    "IPAddressSpec",
    "IPBlock",
    "Ingress",
    "IngressBackend",
    "IngressClass",
    "IngressClassParametersReference",
    "IngressClassSpec",
    "IngressLoadBalancerIngress",
    "IngressLoadBalancerStatus",
    "IngressPortStatus",
    "IngressRule",
    "IngressServiceBackend",
    "IngressSpec",
    "IngressStatus",
    "IngressTLS",
    "NetworkPolicy",
    "NetworkPolicyEgressRule",
    "NetworkPolicyIngressRule",
    "NetworkPolicyPeer",
    "NetworkPolicyPort",
    "NetworkPolicySpec",
    "ParentReference",
    "ServiceBackendPort",
    "ServiceCIDR",
    "ServiceCIDRSpec",
    "ServiceCIDRStatus",
]


class HTTPIngressPath(Model):
    backend: IngressBackend = REQUIRED
    path: str | None = None
    path_type: str = REQUIRED


class HTTPIngressRuleValue(Model):
    paths: Annotated[list[HTTPIngressPath], Atomic()] = field(default_factory=list, required=True)


class IPAddressSpec(Model):
    parent_ref: ParentReference = REQUIRED


class IPBlock(Model):
    cidr: str = REQUIRED
    except_: Annotated[list[str], Atomic()] = field(default_factory=list)


class IngressBackend(Model):
    resource: TypedLocalObjectReference | None = None
    service: IngressServiceBackend | None = None


class IngressClassParametersReference(Model):
    api_group: str | None = None
    kind: str = REQUIRED
    name: str = REQUIRED
    namespace: str | None = None
    scope: str | None = None


class IngressClassSpec(Model):
    controller: str | None = None
    parameters: IngressClassParametersReference | None = None


class IngressLoadBalancerIngress(Model):
    hostname: str | None = None
    ip: str | None = None
    ports: Annotated[list[IngressPortStatus], Atomic()] = field(default_factory=list)


class IngressLoadBalancerStatus(Model):
    ingress: Annotated[list[IngressLoadBalancerIngress], Atomic()] = field(default_factory=list)


class IngressPortStatus(Model):
    error: str | None = None
    port: Int32 = REQUIRED
    protocol: str = REQUIRED


class IngressRule(Model):
    host: str | None = None
    http: HTTPIngressRuleValue | None = None


class IngressServiceBackend(Model):
    name: str = REQUIRED
    port: ServiceBackendPort | None = None


class IngressSpec(Model):
    default_backend: IngressBackend | None = None
    ingress_class_name: str | None = None
    rules: Annotated[list[IngressRule], Atomic()] = field(default_factory=list)
    tls: Annotated[list[IngressTLS], Atomic()] = field(default_factory=list)


class IngressStatus(Model):
    load_balancer: IngressLoadBalancerStatus | None = None


class IngressTLS(Model):
    hosts: Annotated[list[str], Atomic()] = field(default_factory=list)
    secret_name: str | None = None


class NetworkPolicyEgressRule(Model):
    ports: Annotated[list[NetworkPolicyPort], Atomic()] = field(default_factory=list)
    to: Annotated[list[NetworkPolicyPeer], Atomic()] = field(default_factory=list)


class NetworkPolicyIngressRule(Model):
    from_: Annotated[list[NetworkPolicyPeer], Atomic()] = field(default_factory=list)
    ports: Annotated[list[NetworkPolicyPort], Atomic()] = field(default_factory=list)


class NetworkPolicyPeer(Model):
    ip_block: IPBlock | None = None
    namespace_selector: LabelSelector | None = None
    pod_selector: LabelSelector | None = None


class NetworkPolicyPort(Model):
    end_port: Int32 | None = None
    port: IntOrString | None = None
    protocol: str | None = None


class NetworkPolicySpec(Model):
    egress: Annotated[list[NetworkPolicyEgressRule], Atomic()] = field(default_factory=list)
    ingress: Annotated[list[NetworkPolicyIngressRule], Atomic()] = field(default_factory=list)
    pod_selector: LabelSelector | None = None
    policy_types: Annotated[list[str], Atomic()] = field(default_factory=list)


class ParentReference(Model):
    group: str | None = None
    name: str = REQUIRED
    namespace: str | None = None
    resource: str = REQUIRED


class ServiceBackendPort(Model, markers=[Atomic()]):
    name: str | None = None
    number: Int32 | None = None


class ServiceCIDRSpec(Model):
    cidrs: Annotated[list[str], Atomic()] = field(default_factory=list)


class ServiceCIDRStatus(Model):
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)


class IPAddress(Resource, group="networking.k8s.io", version="v1", scope="Cluster", short_names=["ip"]):
    spec: IPAddressSpec = field(default_factory=IPAddressSpec, required=True)


class Ingress(Resource, group="networking.k8s.io", version="v1", short_names=["ing"]):
    spec: IngressSpec = field(default_factory=IngressSpec)
    status: IngressStatus = field(default_factory=IngressStatus)


class IngressClass(Resource, group="networking.k8s.io", version="v1", scope="Cluster"):
    spec: IngressClassSpec = field(default_factory=IngressClassSpec)


class NetworkPolicy(Resource, group="networking.k8s.io", version="v1", short_names=["netpol"]):
    spec: NetworkPolicySpec = field(default_factory=NetworkPolicySpec)


class ServiceCIDR(Resource, group="networking.k8s.io", version="v1", scope="Cluster"):
    spec: ServiceCIDRSpec = field(default_factory=ServiceCIDRSpec)
    status: ServiceCIDRStatus = field(default_factory=ServiceCIDRStatus)
