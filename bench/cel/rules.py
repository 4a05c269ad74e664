"""Thirty-six rules as CustomResourceDefinitions have them, and the kind they are on.

The object is in the shape of a web application, 2 KB of JSON. Between them the rules use what rules use: bounds and
their relations, presence, enumerations, patterns, list-maps, quantities, URLs, addresses, versions, formats, dates,
transitions, optionals and comprehensions with one and two variables. Every rule holds on the object.
"""

from typing import Any

__all__ = ["RULES", "old_self", "schema", "self_object"]

RULES: dict[str, str] = {
    "a bound": "self.spec.replicas <= 10",
    "two fields": "self.spec.minReplicas <= self.spec.replicas && self.spec.replicas <= self.spec.maxReplicas",
    "arithmetic": "self.spec.replicas * 2 - 1 >= self.spec.minReplicas + 1",
    "presence": "has(self.spec.host)",
    "presence or default": "!has(self.spec.port) || (self.spec.port > 0 && self.spec.port < 65536)",
    "one of two": "has(self.spec.image) != has(self.spec.imageStream)",
    "enumeration": "self.spec.policy in ['Always', 'IfNotPresent', 'Never']",
    "implication": "self.spec.policy == 'Always' ? self.spec.replicas > 1 : true",
    "pattern": "self.spec.host.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
    "prefix": "self.spec.image.startsWith('registry.example.com/') && !self.spec.image.endsWith(':latest')",
    "length": "size(self.metadata.name) <= 40",
    "immutable": "self.spec.host == oldSelf.spec.host",
    "may not shrink": "self.spec.replicas * 2 >= oldSelf.spec.replicas",
    "immutable object": "self.spec.selector == oldSelf.spec.selector",
    "all elements": "self.spec.ports.all(p, p.port > 0 && p.port < 65536)",
    "some element": "self.spec.ports.exists(p, p.name == 'http')",
    "exactly one": "self.spec.ports.exists_one(p, has(p.primary) && p.primary)",
    "unique": "self.spec.ports.all(p, self.spec.ports.exists_one(q, q.port == p.port))",
    "filter and size": "self.spec.ports.filter(p, p.protocol == 'TCP').size() >= 1",
    "map and sum": "self.spec.ports.map(p, p.weight).sum() == 100",
    "all names match": "self.spec.ports.all(p, p.name.matches('^[a-z]+$'))",
    "map keys": "self.spec.labels.all(k, k.size() < 64 && !k.startsWith('kubernetes.io/'))",
    "map lookup": "'app' in self.spec.labels && self.spec.labels['app'] == self.metadata.name",
    "set contains": "sets.contains(self.spec.zones, oldSelf.spec.zones)",
    "sorted": "self.spec.weights.isSorted() && self.spec.weights.max() <= 100",
    "quantity": "quantity(self.spec.limit).isGreaterThan(quantity(self.spec.request))",
    "quantity of a constant": "quantity(self.spec.request).compareTo(quantity('16Gi')) < 0",
    "url": "isURL(self.spec.callback) && url(self.spec.callback).getScheme() == 'https'",
    "network": "cidr(self.spec.network).containsIP('10.1.2.3')",
    "version": "semver(self.spec.version).isGreaterThan(semver('1.0.0'))",
    "format": "!format.dns1123Label().validate(self.metadata.name).hasValue()",
    "time": "self.spec.notBefore < self.spec.notAfter && self.spec.notAfter - self.spec.notBefore <= duration('8784h')",
    "duration": "self.spec.timeout > duration('1s') && self.spec.timeout.getSeconds() < 3600",
    "optional": "self.spec.?strategy.?maxSurge.orValue(1) >= 1",
    "two variables": "self.spec.labels.all(k, v, k.size() + v.size() < 100)",
    "texts": "'%s/%s'.format([self.spec.image.split(':')[0], self.metadata.name]).size() < 200",
}


def schema() -> dict[str, Any]:
    """The structural schema of the kind."""
    text = {"type": "string", "maxLength": 253}
    number = {"type": "integer"}
    port = {
        "type": "object",
        "required": ["name", "port"],
        "properties": {
            "name": {**text, "maxLength": 15},
            "port": number,
            "protocol": text,
            "primary": {"type": "boolean"},
            "weight": number,
        },
    }
    spec = {
        "replicas": number,
        "minReplicas": number,
        "maxReplicas": number,
        "port": number,
        "host": text,
        "image": text,
        "imageStream": text,
        "policy": text,
        "selector": {"type": "object", "additionalProperties": text, "maxProperties": 8},
        "labels": {"type": "object", "additionalProperties": text, "maxProperties": 16},
        "ports": {
            "type": "array",
            "maxItems": 16,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": port,
        },
        "zones": {"type": "array", "maxItems": 8, "x-kubernetes-list-type": "set", "items": text},
        "weights": {"type": "array", "maxItems": 16, "items": number},
        "limit": text,
        "request": text,
        "callback": text,
        "network": {**text, "maxLength": 43},
        "version": text,
        "notBefore": {"type": "string", "format": "date-time"},
        "notAfter": {"type": "string", "format": "date-time"},
        "timeout": {"type": "string", "format": "duration"},
        "strategy": {"type": "object", "properties": {"maxSurge": number, "maxUnavailable": number}},
        "env": {
            "type": "array",
            "maxItems": 64,
            "items": {"type": "object", "properties": {"name": text, "value": {**text, "maxLength": 1024}}},
        },
    }
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}}


def self_object() -> dict[str, Any]:
    """An object on which every rule holds."""
    return {
        "apiVersion": "shop.example.com/v1",
        "kind": "WebApp",
        "metadata": {"name": "storefront", "namespace": "default", "labels": {"team": "shop"}},
        "spec": {
            "replicas": 3,
            "minReplicas": 1,
            "maxReplicas": 9,
            "port": 8080,
            "host": "store.shop.example.com",
            "image": "registry.example.com/shop/storefront:1.27.3",
            "policy": "IfNotPresent",
            "selector": {"app": "storefront", "tier": "web"},
            "labels": {"app": "storefront", "tier": "web", "example.com/owner": "team-shop"},
            "ports": [
                {"name": "http", "port": 8080, "protocol": "TCP", "primary": True, "weight": 60},
                {"name": "metrics", "port": 9090, "protocol": "TCP", "weight": 10},
                {"name": "grpc", "port": 9000, "protocol": "TCP", "primary": False, "weight": 30},
            ],
            "zones": ["eu-1", "eu-2", "eu-3"],
            "weights": [10, 20, 30, 40],
            "limit": "2Gi",
            "request": "512Mi",
            "callback": "https://hooks.example.com/storefront?token=abc",
            "network": "10.0.0.0/8",
            "version": "2.4.1",
            "notBefore": "2026-01-01T00:00:00Z",
            "notAfter": "2026-12-31T00:00:00Z",
            "timeout": "30s",
            "strategy": {"maxSurge": 2},
            "env": [{"name": f"SETTING_{number}", "value": "x" * 24} for number in range(14)],
        },
    }


def old_self() -> dict[str, Any]:
    """The object before the change."""
    old = self_object()
    old["spec"]["replicas"] = 4
    old["spec"]["zones"] = ["eu-2", "eu-1"]
    return old
