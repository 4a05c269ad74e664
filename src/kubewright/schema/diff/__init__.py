"""What changed between two CRDs, and whom each change breaks: stored objects, clients, both or nobody."""

from kubewright.schema.diff.change import Change
from kubewright.schema.diff.definition import diff_crds

__all__ = ["Change", "diff_crds"]
