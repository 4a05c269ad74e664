"""Pods."""

from tests.referee.kinds.kind import Kind, kind

__all__ = ["KINDS"]

_POD = {
    "automountServiceAccountToken": False,
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 5,
    "nodeSelector": {"a": "b"},
    "containers": [
        {
            "name": "c",
            "image": "i:1",
            "args": ["x"],
            "env": [{"name": "A", "value": "1"}],
            "ports": [{"containerPort": 80, "protocol": "TCP"}],
            "resources": {"requests": {"cpu": "100m"}},
        }
    ],
}
KINDS: dict[str, Kind] = {
    "Pod": kind(
        "{pods}",
        "v1",
        "Pod",
        apart={"create": 136, "update": 153, "patch": 194, "delete": 31, "get": 2, "list": 1},
        spec=_POD,
    ),
}
