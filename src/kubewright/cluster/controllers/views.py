"""Workloads as their controllers see them: the few fields that decide something, read at a glance.

A Deployment of a thousand pods is looked at a thousand times while it starts, so what is read of an object is what is
asked of it (`Endpoint.view`). The rest stays as bytes and is sent back as it came: `Parts` are the three parts of an
object, of which a write replaces some.
"""

from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import msgspec

from kubewright.client.endpoint import Endpoint, endpoint_of
from kubewright.k8s.apps.v1 import Deployment as AnyDeployment
from kubewright.k8s.apps.v1 import ReplicaSet as AnyReplicaSet
from kubewright.k8s.core.v1 import Pod as AnyPod
from kubewright.model.selectors import LabelSelector

__all__ = [
    "DEPLOYMENTS",
    "NOTHING",
    "PODS",
    "REPLICA_SETS",
    "Condition",
    "Meta",
    "Owner",
    "Parts",
    "Pod",
    "ReplicaSet",
    "Template",
    "controller_of",
    "read_parts",
    "read_replica_set",
    "selector_of",
]

NOTHING: Final = msgspec.Raw(b"{}")


class Owner(msgspec.Struct, rename="camel", omit_defaults=True):
    """An owner reference."""

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class Meta(msgspec.Struct, rename="camel"):
    """What controllers read of metadata."""

    name: str
    namespace: str = ""
    uid: str = ""
    generation: int = 0
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}
    creation_timestamp: datetime | None = None
    deletion_timestamp: datetime | None = None
    owner_references: list[Owner] = []


class Condition(msgspec.Struct, rename="camel"):
    """A condition."""

    type: str
    status: str
    reason: str = ""
    message: str = ""
    last_transition_time: datetime | None = None


class _Container(msgspec.Struct, rename="camel"):
    name: str = ""
    restart_policy: str = ""


class _ContainerStatus(msgspec.Struct, rename="camel"):
    name: str = ""
    restart_count: int = 0


class _PodSpec(msgspec.Struct, rename="camel"):
    node_name: str = ""
    init_containers: list[_Container] = []


class _PodStatus(msgspec.Struct, rename="camel"):
    phase: str = ""
    conditions: list[Condition] = []
    container_statuses: list[_ContainerStatus] = []
    init_container_statuses: list[_ContainerStatus] = []


class Pod(msgspec.Struct):
    """A pod."""

    metadata: Meta
    spec: _PodSpec = msgspec.field(default_factory=_PodSpec)
    status: _PodStatus = msgspec.field(default_factory=_PodStatus)

    @property
    def terminal(self) -> bool:
        """Whether it has ended, well or not."""
        return self.status.phase in ("Succeeded", "Failed")

    @property
    def active(self) -> bool:
        """Whether it has not ended, and nobody has deleted it."""
        return not self.terminal and self.metadata.deletion_timestamp is None

    @property
    def terminating(self) -> bool:
        """Whether it was deleted and has not ended yet."""
        return not self.terminal and self.metadata.deletion_timestamp is not None

    @property
    def ready(self) -> Condition | None:
        """The condition by which it is ready, if it is."""
        for condition in self.status.conditions:
            if condition.type == "Ready":
                return condition if condition.status == "True" else None
        return None


class _TemplateMeta(msgspec.Struct, rename="camel"):
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}
    finalizers: list[str] = []


class Template(msgspec.Struct):
    """A template of pods; its spec is only ever passed on or compared."""

    metadata: _TemplateMeta = msgspec.field(default_factory=_TemplateMeta)
    spec: msgspec.Raw = NOTHING


class _ReplicaSetSpec(msgspec.Struct, rename="camel"):
    replicas: int = 1
    min_ready_seconds: int = 0
    selector: msgspec.Raw = NOTHING
    template: Template = msgspec.field(default_factory=Template)


class _ReplicaSetStatus(msgspec.Struct, rename="camel"):
    replicas: int = 0
    fully_labeled_replicas: int = 0
    ready_replicas: int = 0
    available_replicas: int = 0
    terminating_replicas: int | None = None
    observed_generation: int = 0
    conditions: list[Condition] = []


class Parts(msgspec.Struct):
    """An object in its three parts, none of them read."""

    metadata: msgspec.Raw
    spec: msgspec.Raw = NOTHING
    status: msgspec.Raw = NOTHING


class ReplicaSet(msgspec.Struct):
    """A ReplicaSet, and the parts that it was read from."""

    metadata: Meta
    spec: _ReplicaSetSpec
    status: _ReplicaSetStatus
    parts: Parts


DEPLOYMENTS: Final[Endpoint[Parts]] = endpoint_of(AnyDeployment).view(Parts)
REPLICA_SETS: Final[Endpoint[Parts]] = endpoint_of(AnyReplicaSet).view(Parts)
PODS: Final[Endpoint[Pod]] = endpoint_of(AnyPod).view(Pod)

_parts = msgspec.json.Decoder(Parts).decode
_meta = msgspec.json.Decoder(Meta).decode
_replica_set_spec = msgspec.json.Decoder(_ReplicaSetSpec).decode
_replica_set_status = msgspec.json.Decoder(_ReplicaSetStatus).decode


def read_parts(body: bytes) -> Parts:
    """The parts of an object that the server answered."""
    return _parts(body)


def read_replica_set(parts: Parts) -> ReplicaSet:
    """A ReplicaSet in view of its parts."""
    return ReplicaSet(_meta(parts.metadata), _replica_set_spec(parts.spec), _replica_set_status(parts.status), parts)


def controller_of(metadata: Meta) -> Owner | None:
    """The owner that controls an object."""
    for owner in metadata.owner_references:
        if owner.controller:
            return owner
    return None


def selector_of(selector: msgspec.Raw) -> LabelSelector:
    """The selector of a spec; those seen lately are remembered."""
    return _selector(bytes(selector))


@lru_cache(4096)
def _selector(text: bytes) -> LabelSelector:
    value: Any = msgspec.json.decode(text)
    return LabelSelector.from_json(value)
