"""The kinds of scheduling/v1 and their parts: PriorityClass.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.markers import Default
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32

__all__ = ["PriorityClass"]


class PriorityClass(Resource, group="scheduling.k8s.io", version="v1", scope="Cluster", short_names=["pc"]):
    description: str | None = None
    global_default: bool | None = None
    preemption_policy: str | None = None
    value: Annotated[Int32 | None, Default(0)] = None
