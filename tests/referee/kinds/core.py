"""Kinds of the core: what a namespace holds besides workloads."""

from tests.referee.kinds.kind import META, Kind, kind

__all__ = ["KINDS"]

KINDS: dict[str, Kind] = {
    "ConfigMap": kind(
        "{configmaps}", "v1", "ConfigMap", metadata=META, data={"k": "v"}, binaryData={"b": "AAE="}, immutable=False
    ),
    "Secret": kind(
        "{secrets}", "v1", "Secret", data={"k": "AAE="}, stringData={"s": "t"}, type="Opaque", immutable=False
    ),
    "Namespace": kind("{namespaces}", "v1", "Namespace", cluster=True, metadata=META | {"finalizers": []}),
    "ServiceAccount": kind(
        "{serviceaccounts}",
        "v1",
        "ServiceAccount",
        secrets=[{"name": "s"}],
        imagePullSecrets=[{"name": "p"}],
        automountServiceAccountToken=True,
    ),
}
