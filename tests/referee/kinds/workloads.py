"""What makes pods."""

from tests.referee.kinds.kind import Kind, kind

__all__ = ["KINDS"]

_TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}}

KINDS: dict[str, Kind] = {
    "Deployment": kind(
        "{deployments}",
        "apps/v1",
        "Deployment",
        apart={"create": 124, "update": 137, "patch": 163, "get": 1, "list": 1},
        spec={
            "replicas": 0,
            "paused": True,
            "selector": {"matchLabels": {"a": "b"}},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}},
            "template": _TEMPLATE,
        },
    ),
}
