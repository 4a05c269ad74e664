from typing import Any

import pytest

from kubewright.schema.paths import node_at

SCHEMA: dict[str, Any] = {
    "properties": {
        "spec": {
            "properties": {
                "size": {"type": "integer"},
                "a.b": {"type": "boolean"},
                "labels": {"additionalProperties": {"type": "string"}},
                "free": {"x-kubernetes-preserve-unknown-fields": True},
                "items": {"items": {"properties": {"name": {"type": "string"}}}},
            }
        }
    }
}


@pytest.mark.parametrize(
    ("path", "node"),
    [
        (".spec.size", {"type": "integer"}),
        (".spec['a.b']", {"type": "boolean"}),
        (r".spec.a\.b", {"type": "boolean"}),
        (".spec.labels.anything", {"type": "string"}),
        (".spec.free.anything.at.all", {}),
        (".spec.items[0].name", {"type": "string"}),
        (".spec.items[*].name", {"type": "string"}),
        ('.spec.items[?(@.name=="x")].name', {"type": "string"}),
        (".metadata.creationTimestamp", {"type": "string", "format": "date-time"}),
        (".metadata.labels.app", {"type": "string"}),
    ],
)
def test_a_path_leads_to_a_field(path: str, node: dict[str, Any]) -> None:
    assert node_at(SCHEMA, path) == node


@pytest.mark.parametrize(
    "path", [".nope", ".spec.nope", ".spec.size.more", ".spec.size[0]", "spec.size", ".spec..size", ".metadata.nope"]
)
def test_a_path_may_lead_nowhere(path: str) -> None:
    assert node_at(SCHEMA, path) is None
