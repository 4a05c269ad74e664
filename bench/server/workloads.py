"""Built-in kinds: Deployments that are applied, Pods that are made.

Both servers do the whole of it: a body is read into the types of the kind, defaulted, admitted (a Pod gets the volume
with its token), validated, and its fields have managers. Who applies a Deployment changes its image every time; who
applies it again changes nothing, the first time before that is known and the next times after.
"""

import json
from typing import Any

__all__ = ["ACCOUNT", "ACCOUNTS", "workloads"]

#: The account of Pods that name none: the real server runs without the controller that makes it.
ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts"
ACCOUNT: dict[str, Any] = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}

_DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
_PODS = "/api/v1/namespaces/default/pods"

_LABELS = {"app.kubernetes.io/name": "web", "tier": "front"}


def _template(tag: str) -> dict[str, Any]:
    container = {
        "name": "main",
        "image": f"registry.example.com/team/web:{tag}",
        "ports": [{"name": "http", "containerPort": 8080}],
        "env": [{"name": f"VARIABLE_{index}", "value": f"value number {index}"} for index in range(6)],
        "resources": {"limits": {"cpu": "500m", "memory": "128Mi"}, "requests": {"cpu": "100m"}},
        "readinessProbe": {"httpGet": {"path": "/ready", "port": "http"}},
        "volumeMounts": [{"name": "data", "mountPath": "/data"}],
    }
    return {"containers": [container], "volumes": [{"name": "data", "emptyDir": {}}]}


def workloads(prefix: str) -> dict[str, dict[str, object]]:
    """What the load does, by name; names of objects begin with `prefix`."""
    applying = {
        "method": "PATCH",
        "path": f"{_DEPLOYMENTS}/NAME?fieldManager=bench",
        "type": "application/apply-patch+yaml",
        "prefix": prefix,
    }
    return {
        "apply a Deployment": {**applying, "body": _deployment("COUNT")},
        "apply it again": {**applying, "body": _deployment("1.2.3"), "suffix": "-same"},
        "create a Pod": {"method": "POST", "path": _PODS, "prefix": prefix, "body": _pod()},
    }


def _deployment(tag: str) -> str:
    document = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "NAME", "labels": _LABELS},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": _LABELS},
            "template": {"metadata": {"labels": _LABELS}, "spec": _template(tag)},
        },
    }
    return json.dumps(document, separators=(",", ":"))


def _pod() -> str:
    document = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "NAME", "labels": _LABELS},
        "spec": _template("1.2.3"),
    }
    return json.dumps(document, separators=(",", ":"))
