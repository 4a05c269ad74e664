"""Services and what leads to them."""

from tests.referee.kinds.kind import Kind, kind

__all__ = ["KINDS"]

KINDS: dict[str, Kind] = {
    "Service": kind(
        "{services}",
        "v1",
        "Service",
        apart={"create": 87, "update": 98, "patch": 123, "delete": 31, "get": 1, "list": 1},
        spec={
            "type": "ClusterIP",
            "clusterIP": "None",
            "selector": {"a": "b"},
            "sessionAffinity": "None",
            "ports": [{"name": "http", "port": 80, "targetPort": 8080, "protocol": "TCP"}],
        },
    ),
}
