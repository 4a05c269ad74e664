"""What the servers are asked for: a custom resource of an ordinary shape, about a kilobyte each."""

import json
from typing import Any

__all__ = ["CRDS", "DEFINITION", "WIDGETS", "body", "widget"]

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
WIDGETS = "/apis/bench.example.com/v1/namespaces/default/widgets"

_TEXT = {"type": "string"}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "required": ["image"],
            "properties": {
                "image": {"type": "string", "minLength": 1},
                "replicas": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 100, "default": 1},
                "suspend": {"type": "boolean", "default": False},
                "env": {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    "items": {"type": "object", "required": ["name"], "properties": {"name": _TEXT, "value": _TEXT}},
                },
                "limits": {"type": "object", "additionalProperties": _TEXT},
                "note": {"type": "string", "maxLength": 4096},
                "count": {"type": "integer"},
            },
        },
        "status": {"type": "object", "properties": {"phase": _TEXT, "ready": {"type": "integer"}}},
    },
}
_NAMES = {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"}

DEFINITION: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.bench.example.com"},
    "spec": {
        "group": "bench.example.com",
        "scope": "Namespaced",
        "names": _NAMES,
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": _SCHEMA},
                "subresources": {"status": {}},
            }
        ],
    },
}


def widget(name: str, count: object = 0, note: str = "") -> dict[str, Any]:
    """A widget."""
    return {
        "apiVersion": "bench.example.com/v1",
        "kind": "Widget",
        "metadata": {
            "name": name,
            "namespace": "default",
            "labels": {"app.kubernetes.io/name": "bench", "tier": "front"},
        },
        "spec": {
            "image": "registry.example.com/team/widget:1.2.3",
            "replicas": 3,
            "env": [{"name": f"VARIABLE_{index}", "value": f"value number {index}"} for index in range(6)],
            "limits": {"cpu": "500m", "memory": "128Mi"},
            "note": note or "n" * 350,
            "count": count,
        },
    }


def body(*, update: bool = False, size: int = 0) -> str:
    """A widget in which the load fills in what changes; padded to `size` bytes, if that is more than it has."""
    document = widget("NAME", 0)
    if update:
        document["metadata"]["resourceVersion"] = "VERSION"
    if size:
        document["spec"]["note"] = "n" * max(0, size - len(json.dumps(document)) + 350)
    return json.dumps(document, separators=(",", ":")).replace('"count":0', '"count":COUNT')
