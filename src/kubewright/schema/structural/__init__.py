"""Is a schema structural, as kube-apiserver demands of a CRD, in its words."""

from kubewright.schema.structural.structure import check_structural

__all__ = ["check_structural"]
