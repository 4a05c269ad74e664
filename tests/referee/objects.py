"""What scripts create: a ConfigMap, objects of two definitions that every server has, and definitions of their own."""

from typing import Any

from tests.referee.fill import GROUP
from tests.referee.language import Step, get, post, until

__all__ = ["GADGETS", "WIDGETS", "configmap", "defined", "definition", "gadget", "secret", "thing", "version", "widget"]

Document = dict[str, Any]


def configmap(name: str | None, data: Document | None = None, **metadata: Any) -> Document:
    """A ConfigMap with some data."""
    named = {} if name is None else {"name": name}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {**named, **metadata},
        "data": {"k": "1"} if data is None else data,
    }


def secret(name: str, **fields: Any) -> Document:
    """A Secret."""
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, **fields}


def widget(name: str | None, spec: Document | None = None, status: Any = None, **metadata: Any) -> Document:
    """A namespaced custom resource with status, scale, columns, selectable fields and defaults."""
    made: Document = {
        "apiVersion": f"{GROUP}/v1",
        "kind": "Widget",
        "metadata": {**({} if name is None else {"name": name}), **metadata},
        "spec": {"size": 1} if spec is None else spec,
    }
    return made if status is None else {**made, "status": status}


def gadget(name: str, **fields: Any) -> Document:
    """A cluster-scoped custom resource, without subresources and with no fields declared."""
    return {"apiVersion": f"{GROUP}/v1", "kind": "Gadget", "metadata": {"name": name}, **fields}


def thing(name: str | None, spec: Document | None = None, version: str = "v1", **metadata: Any) -> Document:
    """An object of the script's own definition."""
    return {
        "apiVersion": f"{{group}}/{version}",
        "kind": "Thing",
        "metadata": {**({} if name is None else {"name": name}), **metadata},
        **({} if spec is None else {"spec": spec}),
    }


def definition(*versions: Document, scope: str = "Namespaced", **spec: Any) -> Document:
    """The script's own definition: `things` in its own group."""
    served = versions or (version(),)
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.{group}"},
        "spec": {
            "group": "{group}",
            "names": {"plural": "things", "kind": "Thing"},
            "scope": scope,
            "versions": list(served),
            **spec,
        },
    }


def version(name: str = "v1", properties: Document | None = None, *, storage: bool = True, **fields: Any) -> Document:
    """A version of a definition; without properties it keeps everything."""
    schema: Document = {"type": "object"}
    if properties is None:
        schema["x-kubernetes-preserve-unknown-fields"] = True
    else:
        schema["properties"] = properties
    return {"name": name, "served": True, "storage": storage, "schema": {"openAPIV3Schema": schema}, **fields}


def defined(document: Document) -> tuple[Step, ...]:
    """Steps that make a definition and wait until all that it serves is served."""
    spec = document["spec"]
    name = document["metadata"]["name"]
    established = {"status": {"conditions": [{"type": "Established", "status": "True"}]}}
    served = [found["name"] for found in spec["versions"] if found["served"]]
    return (
        post("{crds}", document),
        until(get(f"{{crds}}/{name}"), has=established),
        *(until(get(f"/apis/{spec['group']}/{one}/{spec['names']['plural']}")) for one in served),
    )


_SPEC: Document = {
    "type": "object",
    "required": ["size"],
    "properties": {
        "size": {"type": "integer", "minimum": 0, "maximum": 100},
        "color": {"type": "string", "default": "red", "enum": ["red", "green", "blue"]},
        "replicas": {"type": "integer", "format": "int32"},
        "ratio": {"type": "number"},
        "on": {"type": "boolean"},
        "note": {"type": "string", "nullable": True, "maxLength": 20},
        "code": {"type": "string", "pattern": "^[a-z]+$"},
        "port": {"x-kubernetes-int-or-string": True},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "tags": {"type": "array", "maxItems": 4, "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "parts": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string"},
                    "count": {"type": "integer", "default": 1},
                },
            },
        },
        "anything": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "template": {
            "type": "object",
            "x-kubernetes-embedded-resource": True,
            "x-kubernetes-preserve-unknown-fields": True,
        },
    },
}
_STATUS: Document = {
    "type": "object",
    "properties": {
        "phase": {"type": "string"},
        "replicas": {"type": "integer", "format": "int32"},
        "selector": {"type": "string"},
        "seen": {"type": "integer", "format": "int64"},
    },
}
_COLUMNS = [
    {"name": "Size", "type": "integer", "jsonPath": ".spec.size", "description": "How big it is."},
    {"name": "Color", "type": "string", "jsonPath": ".spec.color", "priority": 1},
    {"name": "On", "type": "boolean", "jsonPath": ".spec.on"},
    {"name": "Ratio", "type": "number", "jsonPath": ".spec.ratio"},
    {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
]

WIDGETS: Document = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": f"widgets.{GROUP}"},
    "spec": {
        "group": GROUP,
        "scope": "Namespaced",
        "names": {
            "plural": "widgets",
            "singular": "widget",
            "kind": "Widget",
            "shortNames": ["wd"],
            "categories": ["all"],
        },
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {"type": "object", "properties": {"spec": _SPEC, "status": _STATUS}},
                },
                "subresources": {
                    "status": {},
                    "scale": {
                        "specReplicasPath": ".spec.replicas",
                        "statusReplicasPath": ".status.replicas",
                        "labelSelectorPath": ".status.selector",
                    },
                },
                "additionalPrinterColumns": _COLUMNS,
                "selectableFields": [{"jsonPath": ".spec.color"}, {"jsonPath": ".spec.size"}],
            }
        ],
    },
}

GADGETS: Document = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": f"gadgets.{GROUP}"},
    "spec": {
        "group": GROUP,
        "scope": "Cluster",
        "names": {"plural": "gadgets", "kind": "Gadget"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
            }
        ],
    },
}
