"""Custom resources and their definitions."""

from tests.referee.fill import GROUP
from tests.referee.kinds.kind import META, Kind, kind

__all__ = ["KINDS"]

KINDS: dict[str, Kind] = {
    "Widget": kind(
        "{widgets}",
        f"{GROUP}/v1",
        "Widget",
        metadata=META,
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
    "CustomResourceDefinition": kind(
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
}
