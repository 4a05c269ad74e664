"""The kinds of node/v1 and their parts: RuntimeClass.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.core.v1 import Toleration
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic
from kubewright.model.model import Model
from kubewright.model.quantity import Quantity
from kubewright.model.resource import Resource

__all__ = ["Overhead", "RuntimeClass", "Scheduling"]


class Overhead(Model):
    pod_fixed: dict[str, Quantity] = field(default_factory=dict)


class Scheduling(Model):
    node_selector: Annotated[dict[str, str], Atomic()] = field(default_factory=dict)
    tolerations: Annotated[list[Toleration], Atomic()] = field(default_factory=list)


class RuntimeClass(Resource, group="node.k8s.io", version="v1", scope="Cluster"):
    handler: str = REQUIRED
    overhead: Overhead | None = None
    scheduling: Scheduling | None = None
