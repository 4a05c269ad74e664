"""Where a pod answers for a Service: its address, its ports by number, and whether it does so now. Pure."""

import ipaddress
from typing import Any

from kubewright.cluster.controllers.pods import is_ready, is_terminal
from kubewright.k8s.core.v1 import Container, Node, Pod, Service, ServicePort

__all__ = [
    "addresses_of",
    "endpoint_of_pod",
    "families_of",
    "find_port",
    "has_address",
    "hostname_of",
    "is_headless",
    "ports_of",
    "publishes_unready",
    "reference_to",
]


def is_headless(service: Service) -> bool:
    """Whether a Service has no address of its own."""
    return service.spec is None or service.spec.cluster_ip in (None, "", "None")


def publishes_unready(service: Service) -> bool:
    """Whether addresses of pods are told that are not ready."""
    return service.spec is not None and bool(service.spec.publish_not_ready_addresses)


def families_of(service: Service) -> list[str]:
    """The kinds of address that a Service has: IPv4, IPv6, or both."""
    spec = service.spec
    if spec is None or spec.ip_families:
        return list(spec.ip_families) if spec is not None else []
    if is_headless(service):
        return ["IPv4", "IPv6"]
    return ["IPv6" if ":" in (spec.cluster_ip or "") else "IPv4"]


def has_address(pod: Pod, *, terminating: bool) -> bool:
    """Whether a pod is in reach; one being deleted only if `terminating` ones are wanted."""
    if is_terminal(pod) or pod.status is None or not (pod.status.pod_ip or pod.status.pod_ips):
        return False
    return terminating or pod.metadata.deletion_timestamp is None


def addresses_of(pod: Pod, family: str) -> list[str]:
    """The addresses of a pod of one family, as they are written."""
    found = [str(ipaddress.ip_address(each.ip)) for each in (pod.status.pod_ips if pod.status is not None else ())]
    return [address for address in found if (":" in address) == (family == "IPv6")]


def hostname_of(pod: Pod, service: Service) -> str:
    """The name by which a pod is found below the name of the Service; empty if by none."""
    spec = pod.spec
    if spec is None or spec.subdomain != service.metadata.name or pod.metadata.namespace != service.metadata.namespace:
        return ""
    return spec.hostname or ""


def find_port(pod: Pod, port: ServicePort) -> int | None:
    """The number of a port of a Service on this pod; None if the pod has no port of that name."""
    target = port.target_port
    if isinstance(target, int):
        return target
    if target is None:
        return port.port
    if target.isdigit():
        return int(target)
    for container in _containers(pod):
        for each in container.ports:
            if each.name == target and (each.protocol or "TCP") == (port.protocol or "TCP"):
                return each.container_port
    return None


def _containers(pod: Pod) -> list[Container]:
    """The containers that run as long as the pod does."""
    if pod.spec is None:
        return []
    return [*pod.spec.containers, *(each for each in pod.spec.init_containers if each.restart_policy == "Always")]


def ports_of(service: Service, pod: Pod) -> list[dict[str, Any]]:
    """The ports of a Service as they are on this pod; those that it has not are left out."""
    found = []
    for port in service.spec.ports if service.spec is not None else ():
        number = find_port(pod, port)
        if number is not None:
            document: dict[str, Any] = {"name": port.name or "", "port": number, "protocol": port.protocol or "TCP"}
            if port.app_protocol is not None:
                document["appProtocol"] = port.app_protocol
            found.append(document)
    return found


def reference_to(pod: Pod) -> dict[str, Any]:
    """Which pod it is."""
    meta = pod.metadata
    return {"kind": "Pod", "namespace": meta.namespace, "name": meta.name, "uid": meta.uid}


def endpoint_of_pod(service: Service, pod: Pod, node: Node | None, family: str) -> dict[str, Any]:
    """A pod as an endpoint of a slice.

    One that is being deleted serves as long as it is ready, but is not called ready.
    """
    serving, terminating = is_ready(pod), pod.metadata.deletion_timestamp is not None
    endpoint: dict[str, Any] = {
        "addresses": addresses_of(pod, family),
        "conditions": {
            "ready": publishes_unready(service) or (serving and not terminating),
            "serving": serving,
            "terminating": terminating,
        },
        "targetRef": reference_to(pod),
    }
    if pod.spec is not None and pod.spec.node_name:
        endpoint["nodeName"] = pod.spec.node_name
    if node is not None and (zone := node.metadata.labels.get("topology.kubernetes.io/zone")):
        endpoint["zone"] = zone
    if hostname := hostname_of(pod, service):
        endpoint["hostname"] = hostname
    return endpoint
