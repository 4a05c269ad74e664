"""JSON paths into a schema: what does `.status.readyReplicas` point at?

Printer columns, the scale subresource and selectable fields name fields by simple JSON paths. `node_at` follows such a
path through a schema: properties, `['quoted names']`, list steps (`[0]`, `[*]`, filters) and maps.
"""

import re
from typing import Any

__all__ = ["node_at"]

_STEP = re.compile(r"\.(?P<name>[^.\[\]]+)|\[(?P<quote>['\"])(?P<quoted>.*?)(?P=quote)\]|\[(?P<list>[^\]]*)\]")
_STRING = {"type": "string"}
_TIME = {"type": "string", "format": "date-time"}
_INTEGER = {"type": "integer"}
_STRINGS = {"type": "object", "additionalProperties": _STRING}
#: What every object's metadata has, which no CRD's schema names.
_METADATA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": _STRING,
        "generateName": _STRING,
        "namespace": _STRING,
        "uid": _STRING,
        "resourceVersion": _STRING,
        "creationTimestamp": _TIME,
        "deletionTimestamp": _TIME,
        "generation": _INTEGER,
        "deletionGracePeriodSeconds": _INTEGER,
        "labels": _STRINGS,
        "annotations": _STRINGS,
        "finalizers": {"type": "array", "items": _STRING},
        "ownerReferences": {"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": True}},
    },
}


def node_at(schema: dict[str, Any], path: str) -> dict[str, Any] | None:
    """The schema of what a path points at; None if it leads nowhere, `{}` where the schema does not say."""
    text = path.replace("\\.", "\0").removeprefix("$").removeprefix("{").removesuffix("}")
    node: dict[str, Any] | None = schema
    at = 0
    while node is not None and at < len(text):
        step = _STEP.match(text, at)
        if step is None:
            return None
        name = step["name"] or step["quoted"]
        top = node is schema
        node = _child(node, name.replace("\0", "."), top) if name is not None else _item(node)
        at = step.end()
    return node


def _child(node: dict[str, Any], name: str, top: bool) -> dict[str, Any] | None:
    if top and name == "metadata":
        return _METADATA
    if name in node.get("properties", {}):
        child: dict[str, Any] = node["properties"][name]
        return child
    if isinstance(values := node.get("additionalProperties"), dict):
        return values
    open_ended = node.get("x-kubernetes-preserve-unknown-fields") or values is True or not node
    return {} if open_ended else None


def _item(node: dict[str, Any]) -> dict[str, Any] | None:
    items = node.get("items")
    if isinstance(items, dict):
        return items
    return {} if node.get("x-kubernetes-preserve-unknown-fields") or not node else None
