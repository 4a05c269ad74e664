"""The columns of the built-in kinds, sorted by what the kinds are for.

    find_printer(group, kind) -> Columns | None

Objects come as documents of any served version; where versions differ in a field that is shown, both are read.
"""

from kubewright.cluster.registry.columns import Columns
from kubewright.cluster.registry.printers import core, network, policy, storage, workloads

__all__ = ["find_printer"]

_PRINTERS = core.PRINTERS | network.PRINTERS | policy.PRINTERS | storage.PRINTERS | workloads.PRINTERS


def find_printer(group: str, kind: str) -> Columns | None:
    """The columns of a kind, if it has any of its own."""
    return _PRINTERS.get((group, kind))
