"""What a server would refuse in a CRD, and what is legal and yet a mistake."""

from kubewright.schema.lint.definition import lint_crd, size_findings
from kubewright.schema.lint.finding import Finding

__all__ = ["Finding", "lint_crd", "size_findings"]
