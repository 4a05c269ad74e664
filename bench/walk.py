"""Validating and defaulting an object of 2 KB, beside the jsonschema package.

The kind is in the shape of a Deployment with its Pod template: some eighty fields with bounds, patterns, enumerations,
defaults, list-maps and quantities. All validators are compiled once. jsonschema validates only; for defaults it is
extended as its own documentation shows. Every round reads the object anew, since defaulting changes it; what reading
takes is measured too and left out of the ratios. The strings are the same in every round, as they are in the updates of
one object: those that passed a pattern are remembered.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from jsonschema import Draft202012Validator, validators

from bench.measure import seconds_per_call
from kubewright.schema.walk import compile_schema

__all__ = ["main", "schema", "web_app"]

NAME = {"type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}
TEXT = {"type": "string"}
FLAG = {"type": "boolean"}
TEXTS = {"type": "object", "additionalProperties": {"type": "string", "maxLength": 63}}
INT32 = {"type": "integer", "format": "int32"}
QUANTITY = {
    "x-kubernetes-int-or-string": True,
    "anyOf": [{"type": "integer"}, {"type": "string"}],
    "pattern": r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE])?$",
}
INT_OR_STRING = {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}


def main() -> None:
    """Print the table."""
    document = msgspec.json.encode(web_app())
    walk, peer, filling = compile_schema(schema()), Draft202012Validator(schema()), defaulting()(schema())
    assert not walk.validate(web_app())
    assert peer.is_valid(web_app())

    def ours() -> None:
        obj = msgspec.json.decode(document)
        walk.default(obj)
        walk.validate(obj)

    def coerced() -> None:
        obj = msgspec.json.decode(document)
        walk.coerce(obj)
        walk.default(obj)
        walk.validate(obj)

    times = seconds_per_call(
        {
            "reading": lambda: msgspec.json.decode(document),
            "jsonschema, validate": lambda: peer.is_valid(msgspec.json.decode(document)),
            "jsonschema, default and validate": lambda: filling.is_valid(msgspec.json.decode(document)),
            "kubewright, default and validate": ours,
            "kubewright, prune, default and validate": coerced,
        }
    )
    reading = times.pop("reading")
    theirs = times["jsonschema, validate"] - reading
    print(f"\nAn object of {len(document)} bytes, {count_fields(schema())} fields in its schema (aim: 20 x)")
    for name, spent in times.items():
        own = spent - reading
        print(f"  {name:<44} {own * 1e6:>10.2f} µs   {theirs / own:>7.1f} x as fast as jsonschema")


def defaulting() -> Any:
    """A jsonschema validator that fills in defaults."""
    check = Draft202012Validator.VALIDATORS["properties"]

    def properties(validator: Any, properties: Any, instance: Any, node: Any) -> Iterator[Any]:
        for name, child in properties.items():
            if "default" in child and isinstance(instance, dict):
                instance.setdefault(name, child["default"])
        yield from check(validator, properties, instance, node)

    return validators.extend(Draft202012Validator, {"properties": properties})


def count_fields(node: dict[str, Any]) -> int:
    """The properties of a schema, at all depths."""
    children = [*node.get("properties", {}).values()]
    parts = [part for part in (node.get("items"), node.get("additionalProperties")) if isinstance(part, dict)]
    return len(children) + sum(map(count_fields, children + parts))


def structure(properties: dict[str, Any], *required: str, **keywords: Any) -> dict[str, Any]:
    """An object schema."""
    return {"type": "object", "properties": properties, "required": list(required), **keywords}


def listing(items: dict[str, Any], *keys: str, **keywords: Any) -> dict[str, Any]:
    """A list schema, a list-map if keys are given."""
    if keys:
        keywords |= {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)}
    return {"type": "array", "items": items, **keywords}


def probe() -> dict[str, Any]:
    """A container probe."""
    http = structure(
        {"path": {**TEXT, "default": "/"}, "port": INT_OR_STRING, "scheme": {**TEXT, "enum": ["HTTP", "HTTPS"]}}
    )
    return structure(
        {
            "httpGet": http,
            "initialDelaySeconds": {**INT32, "minimum": 0},
            "periodSeconds": {**INT32, "minimum": 1, "default": 10},
            "timeoutSeconds": {**INT32, "minimum": 1, "default": 1},
            "failureThreshold": {**INT32, "minimum": 1, "maximum": 100, "default": 3},
        }
    )


def container() -> dict[str, Any]:
    """A container."""
    quantities = {"type": "object", "additionalProperties": QUANTITY}
    source = structure({"name": NAME, "key": {**TEXT, "maxLength": 253}}, "name", "key")
    return structure(
        {
            "name": NAME,
            "image": {**TEXT, "minLength": 1},
            "imagePullPolicy": {**TEXT, "enum": ["Always", "IfNotPresent", "Never"], "default": "IfNotPresent"},
            "command": listing(TEXT, maxItems=32),
            "args": listing(TEXT, maxItems=64),
            "env": listing(structure({"name": TEXT, "value": TEXT, "secretKeyRef": source}, "name"), "name"),
            "ports": listing(
                structure(
                    {
                        "name": NAME,
                        "containerPort": {**INT32, "minimum": 1, "maximum": 65535},
                        "protocol": {**TEXT, "enum": ["TCP", "UDP", "SCTP"], "default": "TCP"},
                    },
                    "containerPort",
                    "protocol",
                ),
                "containerPort",
                "protocol",
            ),
            "resources": structure({"limits": quantities, "requests": quantities}),
            "livenessProbe": probe(),
            "readinessProbe": probe(),
            "volumeMounts": listing(
                structure(
                    {"name": NAME, "mountPath": TEXT, "readOnly": {**FLAG, "default": False}}, "name", "mountPath"
                )
            ),
            "securityContext": structure(
                {
                    "runAsNonRoot": FLAG,
                    "runAsUser": {"type": "integer", "format": "int64"},
                    "readOnlyRootFilesystem": FLAG,
                }
            ),
        },
        "name",
        "image",
    )


def schema() -> dict[str, Any]:
    """The structural schema of the kind."""
    budget = structure({"maxUnavailable": INT_OR_STRING, "maxSurge": {**INT_OR_STRING, "default": "25%"}})
    pod = structure(
        {
            "labels": TEXTS,
            "annotations": {"type": "object", "additionalProperties": TEXT},
            "serviceAccountName": NAME,
            "restartPolicy": {**TEXT, "enum": ["Always", "OnFailure", "Never"], "default": "Always"},
            "terminationGracePeriodSeconds": {"type": "integer", "format": "int64", "minimum": 0, "default": 30},
            "nodeSelector": TEXTS,
            "containers": listing(container(), "name", minItems=1, maxItems=16),
            "volumes": listing(
                structure(
                    {
                        "name": NAME,
                        "configMap": structure({"name": NAME}, "name"),
                        "emptyDir": structure({"medium": TEXT}),
                    },
                    "name",
                ),
                "name",
            ),
            "tolerations": listing(
                structure({"key": TEXT, "operator": {**TEXT, "enum": ["Exists", "Equal"]}, "effect": TEXT})
            ),
        },
        "containers",
    )
    condition = structure(
        {
            "type": {**TEXT, "maxLength": 316},
            "status": {**TEXT, "enum": ["True", "False", "Unknown"]},
            "reason": {**TEXT, "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},
            "message": TEXT,
            "lastTransitionTime": {**TEXT, "format": "date-time"},
        },
        "type",
        "status",
    )
    spec = structure(
        {
            "replicas": {**INT32, "minimum": 0, "maximum": 1000, "default": 1},
            "paused": {**FLAG, "default": False},
            "minReadySeconds": {**INT32, "minimum": 0, "default": 0},
            "revisionHistoryLimit": {**INT32, "minimum": 0, "default": 10},
            "progressDeadlineSeconds": {**INT32, "minimum": 1, "default": 600},
            "strategy": structure(
                {
                    "type": {**TEXT, "enum": ["Recreate", "RollingUpdate"], "default": "RollingUpdate"},
                    "rollingUpdate": budget,
                },
                default={},
            ),
            "selector": structure({"matchLabels": TEXTS}, "matchLabels"),
            "template": pod,
            "hosts": listing({**TEXT, "maxLength": 253}, **{"x-kubernetes-list-type": "set"}),
        },
        "template",
        "selector",
    )
    status = structure(
        {
            "observedGeneration": {"type": "integer", "format": "int64"},
            "replicas": INT32,
            "readyReplicas": INT32,
            "conditions": listing(condition, "type"),
        }
    )
    return structure({"spec": spec, "status": status}, "spec")


def web_app() -> dict[str, Any]:
    """An object of the kind."""
    check = {"httpGet": {"path": "/healthz", "port": "http"}, "initialDelaySeconds": 3}
    main_container = {
        "name": "server",
        "image": "registry.example.com/shop/server:1.27.3",
        "args": ["--listen", ":8080", "--log-level=info"],
        "env": [
            {"name": "DATABASE_HOST", "value": "postgres.shop.svc"},
            {"name": "DATABASE_PASSWORD", "secretKeyRef": {"name": "database", "key": "password"}},
            {"name": "CACHE_SIZE", "value": "128"},
        ],
        "ports": [
            {"name": "http", "containerPort": 8080, "protocol": "TCP"},
            {"name": "metrics", "containerPort": 9090, "protocol": "TCP"},
        ],
        "resources": {"limits": {"cpu": "500m", "memory": "512Mi"}, "requests": {"cpu": "100m", "memory": "128Mi"}},
        "livenessProbe": check,
        "readinessProbe": check,
        "volumeMounts": [
            {"name": "config", "mountPath": "/etc/server", "readOnly": True},
            {"name": "tmp", "mountPath": "/tmp"},
        ],
        "securityContext": {"runAsNonRoot": True, "runAsUser": 1000, "readOnlyRootFilesystem": True},
    }
    proxy = {
        "name": "proxy",
        "image": "registry.example.com/mesh/proxy:0.9.1",
        "command": ["/proxy", "--mode", "sidecar"],
        "ports": [{"name": "admin", "containerPort": 15000, "protocol": "TCP"}],
        "resources": {"requests": {"cpu": 1, "memory": "64Mi"}},
    }
    times = {"lastTransitionTime": "2026-01-02T03:04:05Z"}
    return {
        "apiVersion": "shop.example.com/v1",
        "kind": "WebApp",
        "metadata": {"name": "shop", "namespace": "default", "labels": {"app": "shop"}},
        "spec": {
            "replicas": 3,
            "strategy": {"rollingUpdate": {"maxUnavailable": 1}},
            "selector": {"matchLabels": {"app": "shop", "tier": "web"}},
            "template": {
                "labels": {"app": "shop", "tier": "web"},
                "annotations": {"example.com/scrape": "true", "example.com/port": "9090"},
                "serviceAccountName": "shop",
                "containers": [main_container, proxy],
                "volumes": [{"name": "config", "configMap": {"name": "server"}}, {"name": "tmp", "emptyDir": {}}],
                "tolerations": [{"key": "dedicated", "operator": "Exists", "effect": "NoSchedule"}],
            },
            "hosts": ["shop.example.com", "www.shop.example.com"],
        },
        "status": {
            "observedGeneration": 4,
            "replicas": 3,
            "readyReplicas": 2,
            "conditions": [
                {
                    "type": "Available",
                    "status": "True",
                    "reason": "MinimumReplicas",
                    "message": "2 of 3 ready",
                    **times,
                },
                {"type": "Progressing", "status": "True", "reason": "NewReplicaSet", "message": "rolling out", **times},
            ],
        },
    }


if __name__ == "__main__":
    main()
