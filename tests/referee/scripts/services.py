"""Services: addresses, node ports, one type becoming another, what may not change, status, tables, what is behind."""

from typing import Any

from tests.referee.language import Step, delete, edited, get, patch, post, put, script
from tests.referee.objects import Document

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses"
SLICES = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices"
INGRESSES = "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses"
CLASSES = "/apis/networking.k8s.io/v1/ingressclasses"
HTTP = {"name": "http", "port": 80}


def service(name: str, *ports: Document, **spec: Any) -> Document:
    listed = {"ports": [*ports]} if ports else {}
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name}, "spec": {**listed, **spec}}


def address(ip: str, **parent: Any) -> Document:
    return {"metadata": {"name": ip}, "spec": {"parentRef": {"resource": "services", "name": "a", **parent}}}


def made(name: str, *ports: Document, **spec: Any) -> Step:
    return post("{services}", service(name, *ports, **spec), keep=name)


def typed(kind: str, **spec: Any) -> Step:
    """The service `a` becomes one of another type."""
    return patch("{services}/a", "merge", {"spec": {"type": kind, **spec}})


SCRIPTS = (
    script(
        "an address that is taken is named by itself",
        "CREATE-1 UPD-4",
        *(
            post(f"{ADDRESSES}?dryRun=All", address(name))
            for name in ("fd00::1", "192.0.2.7", "FD00::1", "fd00:0::1", "192.0.2.07", "::ffff:192.0.2.7", "a", "1.2.3")
        ),
        post(f"{ADDRESSES}?dryRun=All", {"metadata": {"name": "192.0.2.7"}}),
        post(f"{ADDRESSES}?dryRun=All", {"metadata": {"name": "192.0.2.7"}, "spec": {"parentRef": {}}}),
        post(f"{ADDRESSES}?dryRun=All", address("192.0.2.7", group="A b", resource="..", name="a/b", namespace="a%b")),
        post(ADDRESSES, address("fd00::77", namespace="default")),
        get(f"{ADDRESSES}/fd00::77"),
        get(f"{ADDRESSES}/fd00::77", accept=TABLE),
        patch(f"{ADDRESSES}/fd00::77", "merge", {"metadata": {"labels": {"a": "b"}}}),
        patch(f"{ADDRESSES}/fd00::77", "merge", {"spec": {"parentRef": {"name": "b"}}}),
        patch(f"{ADDRESSES}/fd00::77", "merge", {"spec": None}),
        delete(f"{ADDRESSES}/fd00::77"),
    ),
    script(
        "an address is one service's",
        "CREATE-1",
        made("a", HTTP),
        made("b", HTTP, clusterIP="{a.spec.clusterIP}"),
        made("b", HTTP, clusterIP="{a.spec.clusterIP}", clusterIPs=["{a.spec.clusterIP}"]),
        post("{services}?dryRun=All", service("b", HTTP, clusterIP="{a.spec.clusterIP}")),
        get(f"{ADDRESSES}/{{a.spec.clusterIP}}"),
        delete("{services}/a"),
        get(f"{ADDRESSES}/{{a.spec.clusterIP}}"),
        made("b", HTTP, clusterIP="{a.spec.clusterIP}"),
        get("{services}/b"),
    ),
    script(
        "an address that somebody keeps is no service's",
        "CREATE-1",
        post(
            ADDRESSES,
            {
                "metadata": {"name": "10.0.0.14"},
                "spec": {"parentRef": {"resource": "services", "namespace": "{ns}", "name": "a"}},
            },
        ),
        made("a", HTTP, clusterIP="10.0.0.14"),
        delete(f"{ADDRESSES}/10.0.0.14"),
        made("a", HTTP, clusterIP="10.0.0.14"),
    ),
    script(
        "addresses that cannot be had",
        "CREATE-1 ERR-1",
        *(
            step
            for address in ("10.1.0.5", "10.0.0.0", "10.0.0.255", "x", "10.0.0.05", "2001:db8::1", "::ffff:10.0.0.5")
            for step in (
                made("a", HTTP, clusterIP=address),
                post("{services}?dryRun=All", service("a", HTTP, clusterIP=address)),
            )
        ),
        made("a", HTTP, clusterIPs=["10.0.0.5"]),
        made("a", HTTP, clusterIP="10.0.0.5", clusterIPs=["10.0.0.6"]),
        made("a", HTTP, clusterIP="10.0.0.5", clusterIPs=["10.0.0.5", "10.0.0.6"]),
        made("a", HTTP, clusterIP="10.0.0.5", clusterIPs=["10.0.0.5", "2001:db8::1"]),
        made("a", HTTP, clusterIP="None", clusterIPs=["None", "10.0.0.5"]),
        made("a", HTTP, clusterIP="None", type="NodePort"),
        made("a", HTTP, clusterIP="None", type="LoadBalancer"),
        made("a", HTTP, clusterIP="10.0.0.5", type="ExternalName", externalName="example.com"),
    ),
    script(
        "families of addresses",
        "CREATE-1 ERR-1",
        made("a", HTTP, ipFamilyPolicy="PreferDualStack"),
        patch("{services}/a", "merge", {"spec": {"selector": {"a": "b"}}}),
        patch("{services}/a", "merge", {"spec": {"ipFamilyPolicy": "SingleStack"}}),
        patch("{services}/a", "merge", {"spec": {"ipFamilyPolicy": "RequireDualStack"}}),
        patch("{services}/a", "merge", {"spec": {"ipFamilies": ["IPv6"]}}),
        patch("{services}/a", "merge", {"spec": {"ipFamilies": ["IPv4", "IPv6"]}}),
        patch("{services}/a", "merge", {"spec": {"ipFamilies": None}}),
        made("b", HTTP, ipFamilyPolicy="RequireDualStack"),
        made("b", HTTP, ipFamilies=["IPv6"]),
        made("b", HTTP, ipFamilies=["IPv4", "IPv4"]),
        made("b", HTTP, ipFamilies=["IPv5"]),
        made("b", HTTP, ipFamilies=["IPv4", "IPv6"]),
        made("c", clusterIP="None"),
        made("d", clusterIP="None", ipFamilyPolicy="SingleStack"),
        made("e", clusterIP="None", ipFamilies=["IPv6", "IPv4"]),
        made("f", clusterIP="None", selector={"a": "b"}, ipFamilyPolicy="RequireDualStack"),
        patch("{services}/c", "merge", {"spec": {"ipFamilies": ["IPv4"]}}),
        patch("{services}/c", "merge", {"spec": {"ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack"}}),
        patch("{services}/d", "merge", {"spec": {"ipFamilyPolicy": "PreferDualStack"}}),
    ),
    script(
        "a port of nodes is one service's",
        "CREATE-1",
        made("a", {**HTTP, "nodePort": 30031}, type="NodePort"),
        made("b", {**HTTP, "nodePort": 30031}, type="NodePort"),
        post("{services}?dryRun=All", service("b", {**HTTP, "nodePort": 30031}, type="NodePort")),
        post("{services}?dryRun=All", service("b", {**HTTP, "nodePort": 30032}, type="NodePort")),
        made("b", {**HTTP, "nodePort": 30032}, type="NodePort"),
        patch("{services}/b", "merge", {"spec": {"ports": [{**HTTP, "nodePort": 30031}]}}),
        delete("{services}/a"),
        patch("{services}/b", "merge", {"spec": {"ports": [{**HTTP, "nodePort": 30031}]}}),
        made("a", {**HTTP, "nodePort": 30032}, type="NodePort"),
        made("c", {**HTTP, "nodePort": 29999}, type="NodePort"),
        made("c", {**HTTP, "nodePort": 32768}, type="NodePort"),
        made("c", {**HTTP, "nodePort": -1}, type="NodePort"),
        made("c", {**HTTP, "nodePort": 30033}),
        post("{services}?dryRun=All", service("c", {**HTTP, "nodePort": 80}, type="NodePort")),
    ),
    script(
        "ports of one number share a port of nodes",
        "CREATE-1",
        made("a", {"name": "t", "port": 53}, {"name": "u", "port": 53, "protocol": "UDP"}, type="NodePort"),
        made(
            "b",
            {"name": "t", "port": 53},
            {"name": "u", "port": 53, "protocol": "UDP", "nodePort": 30034},
            {"name": "s", "port": 53, "protocol": "SCTP", "nodePort": 30035},
            type="NodePort",
        ),
        made("c", {"name": "t", "port": 53, "nodePort": 30037}, {"name": "u", "port": 53}, type="NodePort"),
        made(
            "d",
            {"name": "t", "port": 1, "nodePort": 30036},
            {"name": "u", "port": 2, "nodePort": 30036},
            type="NodePort",
        ),
    ),
    script(
        "ports that are changed keep their ports of nodes",
        "UPD-1 PATCH-1",
        made("a", HTTP, {"name": "dns", "port": 53, "protocol": "UDP"}, type="NodePort"),
        patch("{services}/a", "merge", {"spec": {"ports": [{**HTTP, "targetPort": 8080}]}}),
        patch("{services}/a", "merge", {"spec": {"ports": [{**HTTP, "port": 81}, {"name": "x", "port": 82}]}}),
        put("{services}/a", service("a", HTTP, type="NodePort")),
        patch("{services}/a", "strategic", {"spec": {"ports": [{"name": "more", "port": 90}]}}),
        patch("{services}/a", "strategic", {"spec": {"ports": [{"port": 90, "targetPort": 9}]}}),
        patch("{services}/a", "strategic", {"spec": {"ports": [{"port": 80, "$patch": "delete"}]}}),
        patch("{services}/a", "json", [{"op": "add", "path": "/spec/ports/-", "value": {"name": "z", "port": 1}}]),
        patch("{services}/a", "merge", {"spec": {"ports": []}}),
        get("{services}/a", accept=TABLE),
    ),
    script(
        "one type becomes another",
        "UPD-1 PATCH-1",
        made("a", HTTP),
        typed("NodePort"),
        typed("LoadBalancer"),
        typed("LoadBalancer", externalTrafficPolicy="Local"),
        typed("NodePort"),
        typed("ClusterIP"),
        typed("ExternalName"),
        typed("ExternalName", externalName="example.com"),
        typed("ClusterIP"),
        typed("ClusterIP", externalName=None, clusterIP="None"),
        typed("NodePort", externalName=None),
        typed("ExternalName", externalName="example.com", clusterIP=None),
        typed("LoadBalancer", clusterIP="10.0.0.7", clusterIPs=["10.0.0.7"]),
        typed("LoadBalancer", loadBalancerClass="example.com/c"),
        typed("ClusterIP", externalIPs=["1.2.3.4"]),
        typed("ClusterIP", externalIPs=None),
        typed("Nothing"),
    ),
    script(
        "an update that says nothing of what was given keeps it",
        "UPD-1",
        made("a", HTTP, type="LoadBalancer", externalTrafficPolicy="Local"),
        put("{services}/a", service("a", HTTP, type="LoadBalancer", externalTrafficPolicy="Local")),
        put("{services}/a", service("a", HTTP, type="NodePort")),
        put("{services}/a", service("a", HTTP)),
        put("{services}/a", service("a", HTTP, clusterIP="10.0.0.8")),
        put("{services}/a", service("a", HTTP, clusterIP="None")),
        put("{services}/a", edited("a", {"spec": {"clusterIP": None}})),
        put("{services}/a", edited("a", {"spec": {"clusterIP": ""}})),
        put("{services}/b", service("b", HTTP)),
        made("c", clusterIP="None"),
        put("{services}/c", service("c", HTTP)),
        put("{services}/c", service("c", HTTP, clusterIP="10.0.0.9")),
    ),
    script(
        "a load balancer",
        "UPD-1 ERR-1",
        made("a", HTTP, type="LoadBalancer", loadBalancerClass="example.com/c", allocateLoadBalancerNodePorts=False),
        patch("{services}/a", "merge", {"spec": {"allocateLoadBalancerNodePorts": True}}),
        patch("{services}/a", "merge", {"spec": {"allocateLoadBalancerNodePorts": None}}),
        patch("{services}/a", "merge", {"spec": {"loadBalancerClass": "example.com/d"}}),
        patch("{services}/a", "merge", {"spec": {"loadBalancerClass": None}}),
        patch("{services}/a", "merge", {"spec": {"externalTrafficPolicy": "Local", "healthCheckNodePort": 30041}}),
        patch("{services}/a", "merge", {"spec": {"healthCheckNodePort": 30042}}),
        made("b", HTTP, type="LoadBalancer", externalTrafficPolicy="Local", healthCheckNodePort=30041),
        patch("{services}/a", "merge", {"spec": {"externalTrafficPolicy": "Cluster"}}),
        made("b", HTTP, type="LoadBalancer", externalTrafficPolicy="Local", healthCheckNodePort=30041),
        made("c", HTTP, type="LoadBalancer", healthCheckNodePort=30043),
        made("c", HTTP, type="LoadBalancer", loadBalancerSourceRanges=["x", "10.1.2.3/16", " 10.0.0.0/8 "]),
        made("d", HTTP, loadBalancerSourceRanges=["10.0.0.0/8"], loadBalancerClass="x"),
        made("e", HTTP, allocateLoadBalancerNodePorts=True, externalTrafficPolicy="Local"),
    ),
    script(
        "the status of a service",
        "UPD-1 ERR-1",
        made("a", HTTP, type="LoadBalancer"),
        *(
            patch("{services}/a/status", "merge", {"status": {"loadBalancer": {"ingress": ingress}}})
            for ingress in (
                [{"ip": "1.2.3.4"}],
                [{"ip": "1.2.3.4", "ipMode": "Proxy"}, {"hostname": "example.com"}],
                [{"ip": "1.2.3.4", "ipMode": "x"}],
                [{"hostname": "example.com", "ipMode": "VIP"}],
                [{"hostname": "1.2.3.4"}],
                [{"ip": "2001:DB8::1"}],
                [{"ip": "x"}],
            )
        ),
        patch("{services}/a/status", "merge", {"spec": {"type": "ClusterIP"}, "metadata": {"labels": {"x": "y"}}}),
        patch("{services}/a", "merge", {"status": {"loadBalancer": None}}),
        get("{services}/a/status"),
        get("{services}/a", accept=TABLE),
        typed("NodePort"),
        patch("{services}/a/status", "merge", {"status": {"loadBalancer": {"ingress": [{"ip": "1.2.3.4"}]}}}),
        patch(
            "{services}/a/status",
            "merge",
            {
                "status": {
                    "conditions": [
                        {
                            "type": "T",
                            "status": "True",
                            "reason": "R",
                            "message": "m",
                            "lastTransitionTime": "2020-01-01T00:00:00Z",
                        }
                    ]
                }
            },
        ),
    ),
    script(
        "affinity and policies",
        "CREATE-1 UPD-1 ERR-1",
        made("a", HTTP, sessionAffinity="ClientIP"),
        patch("{services}/a", "merge", {"spec": {"sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 86401}}}}),
        patch("{services}/a", "merge", {"spec": {"sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 86400}}}}),
        patch("{services}/a", "merge", {"spec": {"sessionAffinityConfig": None}}),
        patch("{services}/a", "merge", {"spec": {"sessionAffinity": "None"}}),
        patch("{services}/a", "merge", {"spec": {"internalTrafficPolicy": "Local"}}),
        patch("{services}/a", "merge", {"spec": {"trafficDistribution": "PreferSameNode"}}),
        patch("{services}/a", "merge", {"spec": {"trafficDistribution": "PreferClose"}}),
        patch("{services}/a", "merge", {"spec": {"trafficDistribution": "Far"}}),
        patch("{services}/a", "merge", {"spec": {"externalIPs": ["127.0.0.1", "0.0.0.0", "169.254.0.1", "224.0.0.1"]}}),
        patch("{services}/a", "merge", {"spec": {"externalIPs": ["2001:DB8:0::1"]}}),
        post(
            "{services}",
            service("b", HTTP)
            | {"metadata": {"name": "b", "annotations": {"service.kubernetes.io/topology-aware-hints": "auto"}}},
        ),
    ),
    script(
        "tables of services",
        "TABLE-1",
        made("a", HTTP, selector={"b": "2", "a": "1"}),
        made("b", HTTP, {"name": "x", "port": 1, "protocol": "UDP"}, type="NodePort", externalIPs=["1.2.3.4"]),
        made("c", HTTP, type="LoadBalancer", externalIPs=["1.2.3.4"]),
        made("d", type="ExternalName", externalName="example.com"),
        made("e", clusterIP="None"),
        get("{services}", accept=TABLE),
        get("{services}?fieldSelector=spec.type%3DExternalName", only="items * metadata name"),
        get("{services}?fieldSelector=spec.clusterIP%3DNone", only="items * metadata name"),
        get("{services}?fieldSelector=spec.sessionAffinity%3DNone"),
    ),
    script(
        "endpoints go with their service",
        "DEL-1",
        made("a", HTTP),
        post("{namespace}/endpoints", {"metadata": {"name": "a"}, "subsets": [{"addresses": [{"ip": "10.1.0.1"}]}]}),
        get("{namespace}/endpoints/a", accept=TABLE),
        delete("{services}/a?dryRun=All"),
        get("{namespace}/endpoints/a"),
        delete("{services}/a"),
        get("{namespace}/endpoints/a"),
    ),
    script(
        "what a service leads to",
        "VERB-1",
        get("{services}/a/proxy"),
        made("a", HTTP),
        get("{services}/a/proxy"),
        get("{services}/a:http/proxy/x/y?z=1"),
        get("{services}/a:81/proxy"),
        get("{services}/https:a:80/proxy"),
        get("{services}/ftp:a:80/proxy"),
        get("{services}/a:b:c:d/proxy"),
        post("{namespace}/endpoints", {"metadata": {"name": "a"}}),
        get("{services}/a/proxy"),
        get("{services}/a:80/proxy"),
        put(
            "{namespace}/endpoints/a",
            {"metadata": {"name": "a"}, "subsets": [{"addresses": [{"ip": "10.1.0.1"}], "ports": [{"port": 1}]}]},
        ),
        get("{services}/a/proxy"),
        post("{services}/a:http/proxy", {"x": 1}),
    ),
    script(
        "slices of endpoints",
        "CREATE-1 UPD-1",
        post(
            SLICES,
            {
                "metadata": {"name": "a"},
                "addressType": "IPv4",
                "endpoints": [
                    {
                        "addresses": ["10.1.0.1"],
                        "deprecatedTopology": {"kubernetes.io/hostname": "n"},
                        "conditions": {},
                    }
                ],
                "ports": [{"port": 80}, {"name": "x"}],
            },
            keep="a",
        ),
        put(f"{SLICES}/a", edited("a", {"addressType": "IPv6"})),
        patch(f"{SLICES}/a", "merge", {"metadata": {"annotations": {"a": "b"}}}),
        patch(f"{SLICES}/a", "merge", {"metadata": {"labels": {"a": "b"}}}),
        patch(f"{SLICES}/a", "merge", {"endpoints": [{"addresses": ["10.1.0.2"]}]}),
        patch(f"{SLICES}/a", "merge", {"ports": None}),
        get(f"{SLICES}/a", accept=TABLE),
        post(SLICES, {"metadata": {"name": "b"}, "addressType": "FQDN", "endpoints": [{"addresses": ["example"]}]}),
        post(SLICES, {"metadata": {"name": "b"}, "addressType": "IPv6", "endpoints": [{"addresses": ["FE80::1"]}]}),
        post(SLICES, {"metadata": {"name": "b"}, "addressType": "IPv6", "endpoints": [{"addresses": ["10.1.0.1"]}]}),
        get(SLICES, accept=TABLE),
    ),
    script(
        "an ingress and its status",
        "CREATE-1 UPD-1",
        post(
            INGRESSES,
            {
                "metadata": {"name": "a"},
                "spec": {
                    "rules": [{"host": "*.example.com"}, {"host": "b"}, {"host": "c"}, {"host": "d"}],
                    "tls": [{"hosts": ["*.example.com"]}],
                },
            },
            keep="a",
        ),
        patch(f"{INGRESSES}/a", "merge", {"spec": {"ingressClassName": "x"}}),
        patch(f"{INGRESSES}/a", "merge", {"metadata": {"annotations": {"kubernetes.io/ingress.class": "y"}}}),
        *(
            patch(f"{INGRESSES}/a/status", "merge", {"status": {"loadBalancer": {"ingress": [ingress]}}})
            for ingress in (
                {"ip": "1.2.3.4", "ports": [{"port": 80, "protocol": "TCP"}]},
                {"ip": "01.2.3.4"},
                {"hostname": "example.com"},
                {"hostname": "1.2.3.4"},
            )
        ),
        get(f"{INGRESSES}/a", accept=TABLE),
        patch(f"{INGRESSES}/a", "merge", {"spec": {"rules": [{"host": "1.2.3.4"}, {"host": "a.*.b"}]}}),
        post(
            INGRESSES,
            {
                "metadata": {"name": "b", "annotations": {"kubernetes.io/ingress.class": "y"}},
                "spec": {"ingressClassName": "x", "rules": [{"host": "a"}]},
            },
        ),
    ),
    script(
        "the default class of ingresses",
        "ADM-1",
        post(INGRESSES, {"metadata": {"name": "a"}, "spec": {"rules": [{"host": "a"}]}}),
        *(
            post(
                CLASSES,
                {
                    "metadata": {
                        "name": f"{name}-{{own}}",
                        "annotations": {"ingressclass.kubernetes.io/is-default-class": said},
                    },
                    "spec": {"controller": "example.com/c"},
                },
            )
            for name, said in (("b", "true"), ("a", "true"), ("c", "false"))
        ),
        post(INGRESSES, {"metadata": {"name": "b"}, "spec": {"rules": [{"host": "a"}]}}),
        post(INGRESSES, {"metadata": {"name": "c"}, "spec": {"ingressClassName": "x", "rules": [{"host": "a"}]}}),
        patch(f"{INGRESSES}/b", "merge", {"spec": {"ingressClassName": None}}),
        get(f"{CLASSES}/a-{{own}}", accept=TABLE),
        patch(f"{CLASSES}/a-{{own}}", "merge", {"spec": {"controller": "example.com/d"}}),
        delete(f"{CLASSES}/a-{{own}}"),
        delete(f"{CLASSES}/b-{{own}}"),
        delete(f"{CLASSES}/c-{{own}}"),
        alone=True,
    ),
)
