"""What is filled in when a service is read."""

from typing import Final

from kubewright.cluster.registry.kinds.service.form import Document, is_balanced, is_reachable

__all__ = ["fill_in"]

_AFFINITY_SECONDS: Final = 10800


def fill_in(obj: Document) -> None:
    """Fill in the defaults, in place."""
    spec = obj["spec"]
    affinity = spec["sessionAffinity"] = spec.get("sessionAffinity") or "None"
    if affinity == "None":
        spec.pop("sessionAffinityConfig", None)
    elif affinity == "ClientIP":
        client = (spec.get("sessionAffinityConfig") or {}).get("clientIP") or {}
        if client.get("timeoutSeconds") is None:
            spec["sessionAffinityConfig"] = {"clientIP": {"timeoutSeconds": _AFFINITY_SECONDS}}
    kind = spec["type"] = spec.get("type") or "ClusterIP"
    for port in spec.get("ports") or ():
        port["protocol"] = port.get("protocol") or "TCP"
        port["targetPort"] = port.get("targetPort") or port.get("port", 0)
    if is_reachable(spec) and not spec.get("externalTrafficPolicy"):
        spec["externalTrafficPolicy"] = "Cluster"
    if kind in ("ClusterIP", "LoadBalancer", "NodePort"):
        spec.setdefault("internalTrafficPolicy", "Cluster")
    if is_balanced(spec):
        spec.setdefault("allocateLoadBalancerNodePorts", True)
        for ingress in (obj.get("status") or {}).get("loadBalancer", {}).get("ingress") or ():
            if ingress.get("ip"):
                ingress.setdefault("ipMode", "VIP")
