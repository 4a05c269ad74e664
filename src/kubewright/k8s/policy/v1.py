"""The kinds of policy/v1 and their parts: Eviction, PodDisruptionBudget.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.meta.v1 import DeleteOptions, LabelSelector
from kubewright.model.fields import field
from kubewright.model.markers import Default, ListMap
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, IntOrString, Time
from kubewright.model.status import Condition

__all__ = ["Eviction", "PodDisruptionBudget", "PodDisruptionBudgetSpec", "PodDisruptionBudgetStatus"]


class PodDisruptionBudgetSpec(Model):
    max_unavailable: IntOrString | None = None
    min_available: IntOrString | None = None
    selector: LabelSelector | None = None
    unhealthy_pod_eviction_policy: str | None = None


class PodDisruptionBudgetStatus(Model):
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)
    current_healthy: Annotated[Int32 | None, Default(0)] = None
    desired_healthy: Annotated[Int32 | None, Default(0)] = None
    disrupted_pods: dict[str, Time] = field(default_factory=dict)
    disruptions_allowed: Annotated[Int32 | None, Default(0)] = None
    expected_pods: Annotated[Int32 | None, Default(0)] = None
    observed_generation: int | None = None


class Eviction(Resource, group="policy", version="v1"):
    delete_options: DeleteOptions | None = None


class PodDisruptionBudget(Resource, group="policy", version="v1", short_names=["pdb"]):
    spec: PodDisruptionBudgetSpec = field(default_factory=PodDisruptionBudgetSpec)
    status: PodDisruptionBudgetStatus = field(default_factory=PodDisruptionBudgetStatus)
