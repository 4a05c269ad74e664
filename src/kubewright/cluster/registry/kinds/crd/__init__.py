"""CustomResourceDefinitions: what is filled in, kept and judged when one is written.

What follows from one that is stored (conditions, names, what is served) stands in `cluster.definitions`.
"""

from kubewright.cluster.registry.kinds.crd.strategy import CrdStatus, CrdStrategy

__all__ = ["CrdStatus", "CrdStrategy"]
