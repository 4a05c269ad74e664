"""Which API is meant when nobody says: the order in which one is looked for.

1. the kubeconfig that is named; 2. those of `$KUBECONFIG`; 3. in a pod, its own service account; 4. `~/.kube/config`.
It is controller-runtime's order: a program on a developer's machine and in a pod needs no switch.
"""

import os
from pathlib import Path

from kubewright.client.in_cluster import in_cluster, load_in_cluster
from kubewright.client.kubeconfig import Access, load_kubeconfig

__all__ = ["load_access"]


def load_access(kubeconfig: Path | str | None = None, *, context: str | None = None) -> Access:
    """The access of the first place that has one; a `context` is looked for in kubeconfigs alone."""
    if kubeconfig is not None:
        return load_kubeconfig(kubeconfig, context=context)
    if not os.environ.get("KUBECONFIG") and context is None and in_cluster():
        return load_in_cluster()
    return load_kubeconfig(context=context)
