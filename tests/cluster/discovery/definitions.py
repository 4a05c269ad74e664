"""CRDs that between them use whatever a CRD can say, as far as it is published."""

from typing import Any

__all__ = ["DEFINITIONS", "RICH", "definition", "version"]

Document = dict[str, Any]


def definition(
    group: str, plural: str, kind: str, *versions: Document, scope: str = "Namespaced", **names: Any
) -> Document:
    names = {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"} | names
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": f"{plural}.{group}",
            "annotations": {"api-approved.kubernetes.io": "unapproved, experimental-only"},
        },
        "spec": {"group": group, "scope": scope, "names": names, "versions": list(versions)},
    }


def version(name: str, schema: Document, *, served: bool = True, storage: bool = False, **more: Any) -> Document:
    return {"name": name, "served": served, "storage": storage, "schema": {"openAPIV3Schema": schema}, **more}


def obj(**properties: Document) -> Document:
    return {"type": "object", "properties": properties}


STRING = {"type": "string"}
PRESERVE = {"x-kubernetes-preserve-unknown-fields": True}
EITHER = [{"type": "integer"}, {"type": "string"}]
RULES = [{"rule": "self != 'x'", "message": "no x", "reason": "FieldValueInvalid"}]
SPEC: Document = {
    "big": {"type": "integer", "format": "int64", "maximum": 9007199254740993},
    "ratio": {"type": "number", "format": "double", "minimum": 0.5, "maximum": 1e21, "exclusiveMinimum": False},
    "size": {"type": "integer", "minimum": 0, "maximum": 100, "exclusiveMaximum": True, "multipleOf": 2, "default": 2},
    "mode": {"type": "string", "enum": ["A", "B"], "default": "A"},
    "name": {"type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[a-z]$", "format": "hostname"},
    "docs": {"type": "string", "externalDocs": {"url": "http://x", "description": "more"}, "example": "e"},
    "rule": {"type": "string", "x-kubernetes-validations": RULES},
    "rules": obj(p={"type": "integer"})
    | {"x-kubernetes-validations": [{"rule": "self.p > 0", "messageExpression": "'bad'", "fieldPath": ".p"}]},
    "either": {"x-kubernetes-int-or-string": True, "description": "a number or a name"},
    "spelled": {"x-kubernetes-int-or-string": True, "anyOf": EITHER, "pattern": "^[a-z]+$"},
    "deeper": {"x-kubernetes-int-or-string": True, "allOf": [{"anyOf": EITHER}, {"minimum": 3}]},
    "maybe": {"type": "string", "nullable": True},
    "maybeObject": obj(a=STRING) | {"nullable": True},
    "maybeArray": {"type": "array", "nullable": True, "items": STRING},
    "maybeItems": {"type": "array", "items": {"type": "string", "nullable": True}},
    "maybeValues": {"type": "object", "additionalProperties": {"type": "string", "nullable": True}},
    "open": obj(known=STRING) | PRESERVE,
    "anything": PRESERVE,
    "openArray": {"type": "array", "items": {"type": "object", **PRESERVE}, **PRESERVE},
    "template": obj(spec=obj(x={"type": "integer"})) | {"x-kubernetes-embedded-resource": True},
    "openTemplate": {"type": "object", "x-kubernetes-embedded-resource": True, "required": ["kind"], **PRESERVE},
    "templates": {
        "type": "array",
        "items": obj(metadata=obj(name=STRING)) | {"x-kubernetes-embedded-resource": True},
    },
    "labels": {
        "type": "object",
        "additionalProperties": STRING,
        "maxProperties": 5,
        "minProperties": 1,
        "x-kubernetes-map-type": "atomic",
    },
    "free": {"type": "object", "additionalProperties": True},
    "entries": {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["key"],
        "maxItems": 4,
        "minItems": 1,
        "items": obj(key=STRING, on={"type": "boolean", "default": True}) | {"required": ["key"]},
    },
    "set": {"type": "array", "x-kubernetes-list-type": "set", "uniqueItems": False, "items": STRING},
    "choice": obj(a=STRING, b=STRING)
    | {
        "oneOf": [{"required": ["a"]}, {"required": ["b"], "properties": {"b": {"minLength": 2}}}],
        "anyOf": [{"not": {"required": ["z"]}}],
        "allOf": [{"properties": {"a": {"maxLength": 3}}}],
        "not": {"required": ["q"]},
    },
    "defaulted": obj(z={"type": "integer"}, a=obj(b={"type": "string", "nullable": True}))
    | {"default": {"z": 1, "a": {"b": None}}},
}
RICH: Document = obj(
    apiVersion={"type": "string", "description": "mine"},
    spec={"type": "object", "description": "What is wanted.", "title": "Spec", "properties": SPEC}
    | {"required": ["size", "maybe"]},
    status=obj(replicas={"type": "integer"}, selector=STRING),
) | {"description": "A widget.", "required": ["spec"]}
SIMPLE = obj(spec={"type": "object", **PRESERVE})
SCALE = {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.replicas"}

DEFINITIONS = [
    definition(
        "stable.example.com",
        "widgets",
        "Widget",
        version(
            "v1",
            RICH,
            storage=True,
            subresources={"status": {}, "scale": {**SCALE, "labelSelectorPath": ".status.selector"}},
            selectableFields=[{"jsonPath": ".spec.mode"}],
        ),
        version("v1beta1", SIMPLE, subresources={"status": {}}),
        version("v2alpha1", {"type": "object", **PRESERVE}),
        version("v1alpha1", SIMPLE, served=False),
        shortNames=["wg", "wgt"],
        categories=["all", "toys"],
    ),
    definition(
        "stable.example.com",
        "gadgets",
        "Gadget",
        version(
            "v1",
            obj(metadata=obj(name={"type": "string", "maxLength": 5}), kind=STRING, spec=obj(color=STRING)),
            storage=True,
            selectableFields=[{"jsonPath": ".spec.color"}],
        ),
        scope="Cluster",
    ),
    definition(
        "acme.io",
        "orders",
        "Order",
        *(version(name, SIMPLE, storage=name == "v2") for name in ("foo1", "v2", "v10", "v1beta2", "v11alpha1")),
        version("v1beta10", SIMPLE),
        listKind="Orders",
    ),
    definition("lab.k8s.io", "apples", "Apple", version("v1", SIMPLE, storage=True)),
    definition(
        "zeta.stable.example.com",
        "opens",
        "Open",
        version("v1", obj(a=STRING) | PRESERVE | {"description": "open"}, storage=True),
    ),
]
