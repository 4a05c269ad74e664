"""Write the roles and bindings that a fresh cluster has again, as the released kube-apiserver makes them.

A server is started (first: make real) and asked. What comes of it is `cluster/auth/policy.txt`, a line for each object:
its key in the store, and its bytes as they are stored, in three parts. Between the first two stand the identifiers that
it gets when it is made, between the other two the time of its making.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.testing.real import RealCluster

__all__ = ["generate", "main"]

TARGET: Final = Path(__file__).parent.parent / "src" / "kubewright" / "cluster" / "auth" / "policy.txt"
GROUP: Final = "rbac.authorization.k8s.io"
KINDS: Final = {
    "clusterroles": "ClusterRole",
    "clusterrolebindings": "ClusterRoleBinding",
    "roles": "Role",
    "rolebindings": "RoleBinding",
}
MOMENT: Final = "2000-01-01T00:00:00Z"
IDENTIFIERS: Final = {"uid": "U", "resourceVersion": "R", "creationTimestamp": MOMENT}


def main() -> None:
    """Write the file into the package."""
    print(generate(TARGET))


def generate(target: Path) -> Path:
    """Write the file, and say where it is."""
    with RealCluster.start() as cluster:
        lines = list(_lines(cluster))
    target.write_text("".join(lines), encoding="utf-8")
    return target


def _lines(cluster: RealCluster) -> Iterator[str]:
    for plural, kind in KINDS.items():
        found = json.loads(cluster.kubectl("get", "--raw", f"/apis/{GROUP}/v1/{plural}").stdout)["items"]
        for item in sorted(found, key=_place):
            yield _line(plural, kind, item)


def _place(item: dict[str, Any]) -> str:
    meta = item["metadata"]
    return f"{meta['namespace']}/{meta['name']}" if "namespace" in meta else meta["name"]


def _line(plural: str, kind: str, item: dict[str, Any]) -> str:
    meta = item["metadata"]
    meta |= IDENTIFIERS
    for entry in meta["managedFields"]:
        entry["time"] = MOMENT
    codec = builtin_codec(GROUP, "v1", kind)
    text = codec.write(codec.read(item).object).decode()
    identifiers = "".join(f',"{name}":"{value}"' for name, value in IDENTIFIERS.items())
    head, _, rest = text.partition(identifiers)
    middle, _, tail = rest.partition(MOMENT)
    assert MOMENT not in tail, "an object that was written twice"
    return f"/{plural}.{GROUP}/{_place(item)}\t{head}\t{middle}\t{tail}\n"


if __name__ == "__main__":
    main()
