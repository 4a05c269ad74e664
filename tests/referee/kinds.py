"""One valid object of each kind of which requests are drawn."""

from typing import Any, NamedTuple

from tests.referee.fill import GROUP
from tests.referee.objects import Document

__all__ = ["KINDS", "Kind"]


class Kind(NamedTuple):
    """Where objects of a kind live, and one with each part that is worth mutating, its name apart."""

    path: str
    body: Document

    def named(self, name: str) -> Document:
        """The object with a name."""
        metadata = {"name": name, **self.body["metadata"]}
        return {**self.body, "metadata": metadata}


def _kind(path: str, api: str, kind: str, **fields: Any) -> Kind:
    metadata = fields.pop("metadata", {"labels": {"a": "b"}})
    return Kind(path, {"apiVersion": api, "kind": kind, "metadata": metadata, **fields})


_META = {
    "labels": {"a": "b"},
    "annotations": {"example.com/n": "x"},
    "finalizers": ["example.com/f"],
    "ownerReferences": [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "name": "n",
            "uid": "00000000-0000-4000-8000-000000000001",
            "controller": True,
        }
    ],
}
_POD = {
    "automountServiceAccountToken": False,
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 5,
    "nodeSelector": {"a": "b"},
    "containers": [
        {
            "name": "c",
            "image": "i:1",
            "args": ["x"],
            "env": [{"name": "A", "value": "1"}],
            "ports": [{"containerPort": 80, "protocol": "TCP"}],
            "resources": {"requests": {"cpu": "100m"}},
        }
    ],
}
_TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}}

KINDS: dict[str, Kind] = {
    "ConfigMap": _kind(
        "{configmaps}", "v1", "ConfigMap", metadata=_META, data={"k": "v"}, binaryData={"b": "AAE="}, immutable=False
    ),
    "Secret": _kind(
        "{secrets}", "v1", "Secret", data={"k": "AAE="}, stringData={"s": "t"}, type="Opaque", immutable=False
    ),
    "Namespace": _kind("{namespaces}", "v1", "Namespace", metadata=_META | {"finalizers": []}),
    "Widget": _kind(
        "{widgets}",
        f"{GROUP}/v1",
        "Widget",
        metadata=_META,
        spec={
            "size": 1,
            "color": "red",
            "replicas": 2,
            "ratio": 0.5,
            "on": True,
            "note": "n",
            "code": "abc",
            "port": 80,
            "labels": {"a": "b"},
            "tags": ["t"],
            "parts": [{"name": "p", "count": 2}],
            "anything": {"x": {"y": 1}},
            "template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}},
        },
    ),
    "CustomResourceDefinition": _kind(
        "{crds}",
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        metadata={},
        spec={
            "group": "{group}",
            "scope": "Namespaced",
            "names": {
                "plural": "things",
                "singular": "thing",
                "kind": "Thing",
                "listKind": "ThingList",
                "shortNames": ["th"],
            },
            "conversion": {"strategy": "None"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "properties": {
                                "spec": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}}}
                            },
                        }
                    },
                    "subresources": {"status": {}},
                    "additionalPrinterColumns": [{"name": "A", "type": "string", "jsonPath": ".spec.a"}],
                }
            ],
        },
    ),
    "Lease": _kind(
        "{leases}",
        "coordination.k8s.io/v1",
        "Lease",
        spec={
            "holderIdentity": "me",
            "leaseDurationSeconds": 15,
            "leaseTransitions": 1,
            "acquireTime": "2020-01-01T00:00:00.000000Z",
            "renewTime": "2020-01-01T00:00:00.000000Z",
        },
    ),
    "Event": _kind(
        "{events}",
        "v1",
        "Event",
        involvedObject={"kind": "Pod", "name": "p", "namespace": "{ns}", "apiVersion": "v1"},
        reason="Because",
        message="It is so.",
        type="Normal",
        count=1,
        firstTimestamp="2020-01-01T00:00:00Z",
        lastTimestamp="2020-01-01T00:00:00Z",
        source={"component": "me"},
    ),
    "ServiceAccount": _kind(
        "{serviceaccounts}",
        "v1",
        "ServiceAccount",
        secrets=[{"name": "s"}],
        imagePullSecrets=[{"name": "p"}],
        automountServiceAccountToken=True,
    ),
    "Service": _kind(
        "{services}",
        "v1",
        "Service",
        spec={
            "type": "ClusterIP",
            "clusterIP": "None",
            "selector": {"a": "b"},
            "sessionAffinity": "None",
            "ports": [{"name": "http", "port": 80, "targetPort": 8080, "protocol": "TCP"}],
        },
    ),
    "Deployment": _kind(
        "{deployments}",
        "apps/v1",
        "Deployment",
        spec={
            "replicas": 0,
            "paused": True,
            "selector": {"matchLabels": {"a": "b"}},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}},
            "template": _TEMPLATE,
        },
    ),
    "Pod": _kind("{pods}", "v1", "Pod", spec=_POD),
    "Role": _kind(
        "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
        "rbac.authorization.k8s.io/v1",
        "Role",
        rules=[{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"], "resourceNames": ["x"]}],
    ),
}
