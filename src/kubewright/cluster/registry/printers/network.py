"""Columns of services, what stands behind them, and what leads to them."""

from datetime import datetime
from typing import Any, Final

from kubewright.cluster.registry.columns import Columns, Document
from kubewright.cluster.registry.printers.lookup import at, created, format_labels, format_selector, more, table

__all__ = ["PRINTERS"]


def _service(obj: Document, now: datetime) -> list[Any]:
    spec = at(obj, "spec", default={})
    addresses = spec.get("clusterIPs") or ([spec["clusterIP"]] if spec.get("clusterIP") else [])
    return [
        spec.get("type", ""),
        addresses[0] if addresses else "<none>",
        _external(spec, at(obj, "status", "loadBalancer", default={})),
        ",".join(map(_port, spec.get("ports") or ())) or "<none>",
        created(obj, now),
        format_labels(spec.get("selector") or {}),
    ]


def _external(spec: Document, balancer: Document) -> str:
    kind, given = spec.get("type", ""), list(spec.get("externalIPs") or ())
    if kind in ("ClusterIP", "NodePort"):
        return ",".join(given) or "<none>"
    if kind == "LoadBalancer":
        balanced = _balancer(balancer)
        return ",".join([*balanced, *given]) or "<pending>"
    return spec.get("externalName", "") if kind == "ExternalName" else "<unknown>"


def _balancer(status: Document) -> list[str]:
    found = {each.get("ip") or each.get("hostname") for each in status.get("ingress") or ()}
    return sorted(address for address in found if address)


def _port(port: Document) -> str:
    node = f":{port['nodePort']}" if port.get("nodePort") else ""
    return f"{port.get('port', 0)}{node}/{port.get('protocol', '')}"


def _endpoints(obj: Document, now: datetime) -> list[Any]:
    subsets = obj.get("subsets") or ()
    found = []
    for subset in subsets:
        addresses = [each.get("ip", "") for each in subset.get("addresses") or ()]
        for port in subset.get("ports") or (None,):
            found += [address if port is None else _join(address, port.get("port", 0)) for address in addresses]
    return [more(found, 3, nothing="" if subsets else "<none>"), created(obj, now)]


def _join(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _endpoint_slice(obj: Document, now: datetime) -> list[Any]:
    ports = [str(at(port, "port", default=None) or port.get("name") or "*") for port in obj.get("ports") or ()]
    addresses = [address for each in obj.get("endpoints") or () for address in each.get("addresses") or ()]
    return [obj.get("addressType", ""), more(ports, 3), more(addresses, 3), created(obj, now)]


def _ingress(obj: Document, now: datetime) -> list[Any]:
    rules = at(obj, "spec", "rules", default=[])
    return [
        at(obj, "spec", "ingressClassName", default="<none>"),
        _hosts(rules),
        ",".join(_balancer(at(obj, "status", "loadBalancer", default={}))),
        "80, 443" if at(obj, "spec", "tls") else "80",
        created(obj, now),
    ]


def _hosts(rules: list[Document]) -> str:
    hosts: list[str] = []
    for rule in rules:
        if len(hosts) == 3:
            return f"{','.join(hosts)} + {len(rules) - 3} more..."
        if rule.get("host"):
            hosts.append(rule["host"])
    return ",".join(hosts) or "*"


def _ingress_class(obj: Document, now: datetime) -> list[Any]:
    name, parameters = at(obj, "metadata", "name", default=""), at(obj, "spec", "parameters")
    annotations = at(obj, "metadata", "annotations", default={})
    if annotations.get("ingressclass.kubernetes.io/is-default-class") == "true":
        name += " (default)"
    shown = "<none>"
    if parameters is not None:
        group = f".{parameters['apiGroup']}" if parameters.get("apiGroup") is not None else ""
        shown = f"{parameters.get('kind', '')}{group}/{parameters.get('name', '')}"
    return [name, at(obj, "spec", "controller", default=""), shown, created(obj, now)]


def _network_policy(obj: Document, now: datetime) -> list[Any]:
    return [format_selector(at(obj, "spec", "podSelector")), created(obj, now)]


def _service_cidr(obj: Document, now: datetime) -> list[Any]:
    return [",".join(at(obj, "spec", "cidrs", default=[])), created(obj, now)]


def _ip_address(obj: Document, now: datetime) -> list[Any]:
    parent = at(obj, "spec", "parentRef")
    if parent is None:
        return ["<none>", created(obj, now)]
    resource = ".".join(part for part in (parent.get("resource", ""), parent.get("group", "")) if part).lower()
    names = [part for part in (parent.get("namespace", ""),) if part] + [parent.get("name", "")]
    return ["/".join([resource, *names]), created(obj, now)]


PRINTERS: Final[dict[tuple[str, str], Columns]] = {
    ("", "Endpoints"): table("Endpoints, Age", _endpoints),
    ("", "Service"): table("Type, Cluster-IP, External-IP, Port(s), Age, +Selector", _service),
    ("discovery.k8s.io", "EndpointSlice"): table("AddressType, Ports, Endpoints, Age", _endpoint_slice),
    ("networking.k8s.io", "IPAddress"): table("ParentRef", _ip_address),
    ("networking.k8s.io", "Ingress"): table("Class, Hosts, Address, Ports, Age", _ingress),
    ("networking.k8s.io", "IngressClass"): table("Name, Controller, Parameters, Age", _ingress_class, own_name=True),
    ("networking.k8s.io", "NetworkPolicy"): table("Pod-Selector, Age", _network_policy),
    ("networking.k8s.io", "ServiceCIDR"): table("CIDRs, Age", _service_cidr),
}
