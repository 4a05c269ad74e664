"""Services, what stands behind them, and what leads to them. A service of each type is drawn from by itself."""

from typing import Any

from tests.referee.kinds.kind import META, Kind, kind

__all__ = ["KINDS"]

_PORTS: list[dict[str, Any]] = [
    {"name": "http", "port": 80, "targetPort": 8080, "protocol": "TCP", "appProtocol": "example.com/x"},
    {"name": "dns", "port": 53, "targetPort": "dns", "protocol": "UDP"},
]
_ONE = [{"port": 80}]
_BACKEND = {"service": {"name": "s", "port": {"name": "http"}}}
_HTTP = {"paths": [{"path": "/a", "pathType": "Prefix", "backend": {"service": {"name": "s", "port": {"number": 80}}}}]}
_OBJECT = {"resource": {"apiGroup": "example.com", "kind": "Bucket", "name": "b"}}
_SELECTOR = {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "k", "operator": "In", "values": ["v"]}]}


def _service(*, variants: tuple[dict[str, Any], ...] = (), **spec: Any) -> Kind:
    shown = tuple({"spec": variant} for variant in variants)
    return kind("{services}", "v1", "Service", variants=shown, metadata=META, spec=spec)


KINDS: dict[str, Kind] = {
    "Service": _service(
        type="ClusterIP",
        selector={"a": "b"},
        sessionAffinity="ClientIP",
        sessionAffinityConfig={"clientIP": {"timeoutSeconds": 10}},
        internalTrafficPolicy="Local",
        trafficDistribution="PreferSameZone",
        publishNotReadyAddresses=True,
        ipFamilies=["IPv4"],
        ipFamilyPolicy="SingleStack",
        ports=_PORTS,
        variants=(
            {"ports": _ONE},
            {"clusterIP": "None"},
            {"clusterIP": "None", "selector": {"a": "b"}, "ports": _ONE, "loadBalancerIP": "1.2.3.4"},
            {"clusterIP": "None", "clusterIPs": ["None"], "ipFamilies": ["IPv6"], "ipFamilyPolicy": "PreferDualStack"},
            {"clusterIP": "10.0.0.5", "clusterIPs": ["10.0.0.5"], "ports": _ONE},
            {"clusterIP": "10.0.0.6", "ports": _ONE, "externalIPs": ["1.2.3.4"], "externalTrafficPolicy": "Local"},
            {"ipFamilyPolicy": "PreferDualStack", "ports": _ONE, "trafficDistribution": "PreferClose"},
            {"ports": _ONE, "sessionAffinity": "ClientIP", "externalName": "x"},
        ),
    ),
    "NodePortService": _service(
        type="NodePort",
        selector={"a": "b"},
        externalTrafficPolicy="Local",
        externalIPs=["1.2.3.4", "2001:db8::1"],
        ports=_PORTS,
        variants=(
            {"type": "NodePort", "ports": _ONE},
            {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30010}]},
            {"type": "NodePort", "ports": [{**port, "port": 53, "nodePort": 30011} for port in _PORTS]},
        ),
    ),
    "LoadBalancerService": _service(
        type="LoadBalancer",
        selector={"a": "b"},
        externalTrafficPolicy="Local",
        allocateLoadBalancerNodePorts=True,
        loadBalancerClass="example.com/class",
        loadBalancerIP="1.2.3.4",
        loadBalancerSourceRanges=["10.1.0.0/16"],
        ports=_PORTS,
        variants=(
            {"type": "LoadBalancer", "ports": _ONE},
            {"type": "LoadBalancer", "ports": _ONE, "allocateLoadBalancerNodePorts": False},
            {"type": "LoadBalancer", "ports": _ONE, "externalTrafficPolicy": "Local", "healthCheckNodePort": 30012},
        ),
    ),
    "ExternalService": _service(
        type="ExternalName",
        externalName="example.com.",
        selector={"a": "b"},
        sessionAffinity="None",
        ports=[{"port": 80}],
        variants=({"type": "ExternalName", "externalName": "example.com", "externalIPs": ["1.2.3.4"]},),
    ),
    "Endpoints": kind(
        "{namespace}/endpoints",
        "v1",
        "Endpoints",
        subsets=[
            {
                "addresses": [
                    {
                        "ip": "10.1.0.1",
                        "hostname": "h",
                        "nodeName": "n",
                        "targetRef": {"kind": "Pod", "name": "p", "namespace": "x", "uid": "u"},
                    },
                    {"ip": "2001:db8::1"},
                ],
                "notReadyAddresses": [{"ip": "10.1.0.2"}],
                "ports": [
                    {"name": "a", "port": 80, "protocol": "TCP", "appProtocol": "http"},
                    {"name": "b", "port": 53, "protocol": "UDP"},
                ],
            },
        ],
        variants=(
            {},
            {"subsets": [{"addresses": [{"ip": "10.1.0.1"}]}]},
            {
                "metadata": {"labels": {"endpoints.kubernetes.io/managed-by": "x"}},
                "subsets": [
                    {"addresses": [{"ip": "10.1.0.1"}, {"ip": "10.1.0.2"}], "ports": [{"port": 1}]},
                    {"addresses": [{"ip": "10.1.0.2"}, {"ip": "10.1.0.1"}], "ports": [{"port": 1}]},
                    {"addresses": [{"ip": "10.1.0.2"}], "notReadyAddresses": [{"ip": "10.1.0.3"}]},
                ],
            },
        ),
    ),
    "EndpointSlice": kind(
        "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices",
        "discovery.k8s.io/v1",
        "EndpointSlice",
        addressType="IPv4",
        endpoints=[
            {
                "addresses": ["10.1.0.1"],
                "conditions": {"ready": True, "serving": True, "terminating": False},
                "hostname": "h",
                "targetRef": {"kind": "Pod", "name": "p", "namespace": "x", "uid": "u"},
                "nodeName": "n",
                "zone": "z",
                "deprecatedTopology": {"topology.kubernetes.io/region": "r"},
                "hints": {"forZones": [{"name": "z"}], "forNodes": [{"name": "n"}]},
            },
            {"addresses": ["10.1.0.2"]},
        ],
        ports=[
            {"name": "a", "port": 80, "protocol": "TCP", "appProtocol": "http"},
            {"name": "b", "port": 53, "protocol": "UDP"},
        ],
        variants=(
            {"addressType": "IPv4", "endpoints": [], "ports": []},
            {"addressType": "IPv6", "endpoints": [{"addresses": ["2001:db8::1"]}], "ports": [{"port": 80}]},
            {"addressType": "FQDN", "endpoints": [{"addresses": ["example.com"]}], "ports": [{}]},
            {"addressType": "IPv4", "endpoints": [{"addresses": ["010.001.000.001"]}]},
        ),
    ),
    "Ingress": kind(
        "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses",
        "networking.k8s.io/v1",
        "Ingress",
        metadata=META,
        spec={
            "ingressClassName": "none",
            "defaultBackend": _BACKEND,
            "tls": [{"hosts": ["a.example.com"], "secretName": "s"}],
            "rules": [
                {"host": "a.example.com", "http": _HTTP},
                {
                    "host": "*.example.com",
                    "http": {
                        "paths": [
                            {"path": "/x", "pathType": "ImplementationSpecific", "backend": _OBJECT},
                            {"path": "/y", "pathType": "Exact", "backend": _BACKEND},
                        ]
                    },
                },
            ],
        },
        variants=(
            {"spec": {"defaultBackend": _BACKEND}},
            {"spec": {"defaultBackend": _OBJECT}},
            {"spec": {"rules": [{"http": _HTTP}]}},
            {"spec": {"rules": [{"host": "a.b"}, {"http": {"paths": [{"pathType": "Prefix", "backend": _BACKEND}]}}]}},
            {"metadata": {"annotations": {"kubernetes.io/ingress.class": "x"}}, "spec": {"rules": [{"host": "a.b"}]}},
        ),
    ),
    "IngressClass": kind(
        "/apis/networking.k8s.io/v1/ingressclasses",
        "networking.k8s.io/v1",
        "IngressClass",
        cluster=True,
        metadata={"labels": {"a": "b"}, "annotations": {"ingressclass.kubernetes.io/is-default-class": "false"}},
        spec={
            "controller": "example.com/c",
            "parameters": {"apiGroup": "example.com", "kind": "P", "name": "p", "scope": "Namespace", "namespace": "n"},
        },
        variants=(
            {"spec": {"controller": "example.com/c"}},
            {"spec": {"controller": "example.com/c", "parameters": {"kind": "P", "name": "p"}}},
            {"spec": {"controller": "example.com/c", "parameters": {"kind": "P", "name": "p", "scope": "Cluster"}}},
        ),
    ),
    "NetworkPolicy": kind(
        "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies",
        "networking.k8s.io/v1",
        "NetworkPolicy",
        spec={
            "podSelector": _SELECTOR,
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [
                {
                    "from": [
                        {"podSelector": {"matchLabels": {"a": "b"}}, "namespaceSelector": _SELECTOR},
                        {"ipBlock": {"cidr": "10.1.0.0/16", "except": ["10.1.1.0/24"]}},
                    ],
                    "ports": [{"protocol": "TCP", "port": 80, "endPort": 90}, {"protocol": "UDP", "port": "dns"}],
                }
            ],
            "egress": [{"to": [{"ipBlock": {"cidr": "2001:db8::/32"}}], "ports": [{"port": 443}]}],
        },
        variants=(
            {},
            {"spec": {"podSelector": {}}},
            {"spec": {"podSelector": {}, "egress": [{}]}},
            {"spec": {"podSelector": {}, "ingress": [{"ports": [{}]}], "policyTypes": ["Ingress"]}},
        ),
    ),
}
