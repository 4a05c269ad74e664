"""One resource in one version: what discovery tells of it, how its objects are read, written, judged and shown.

Everything that differs between kinds hangs on a `Resource`; the verbs know nothing else of a kind. A built-in one lives
as long as the server; one of a CRD is replaced by a new value whenever its CRD changes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from kubewright.cluster.fields.tracking import Tracking
from kubewright.cluster.patches.lookup import PatchType
from kubewright.cluster.registry.scale import ScaleShape
from kubewright.cluster.registry.strategy import Strategy
from kubewright.cluster.registry.view import View
from kubewright.cluster.wire.codec import Codec
from kubewright.cluster.wire.form import Columns
from kubewright.model.kind import GroupVersionKind
from kubewright.schema.definition import Names

__all__ = ["Resource", "Subresource"]

_PARTING: Final = ("delete", "deletecollection", "get", "list", "watch")
#: Under which names the server that we take after keeps some kinds.
_KEPT_AS: Final = {
    "endpoints": "services/endpoints",
    "ingresses": "ingress",
    "nodes": "minions",
    "replicationcontrollers": "controllers",
    "services": "services/specs",
}


@dataclass(frozen=True, eq=False)
class Subresource:
    """A part of an object with a path of its own, and the kind that is spoken there."""

    name: str
    kind: GroupVersionKind
    verbs: tuple[str, ...]
    #: What makes its strategy, if it is the whole object that is spoken of.
    make_strategy: Callable[[], Strategy] | None = None
    #: How many replicas there are and are to be, if that is spoken of.
    scale: ScaleShape | None = None

    @cached_property
    def strategy(self) -> Strategy | None:
        """How the object is written there, if it is the whole object that is spoken of."""
        return self.make_strategy() if self.make_strategy is not None else None


@dataclass(frozen=True, eq=False)
class Resource:
    """A resource of one group and version."""

    group: str
    version: str
    names: Names
    namespaced: bool
    #: In the order in which discovery lists them.
    verbs: tuple[str, ...]
    codec: Codec
    #: What makes its strategy, when that is first needed: of a hundred kinds most are never used.
    make_strategy: Callable[[], Strategy]
    view: View
    columns: Columns
    #: Under which name it is stored; versions of one kind share it.
    storage: str
    #: How objects are written as they are stored, which may be another version of the kind.
    stored_codec: Codec
    #: The group that is named when an object is refused for what it is: that of the stored kind.
    told_group: str
    #: What field selectors may ask for besides name and namespace.
    fields: Mapping[str, Callable[[dict[str, Any]], str]] = field(default_factory=dict)
    subresources: tuple[Subresource, ...] = ()
    #: How strategic merge patches go, for a built-in kind.
    patch_type: Callable[[], PatchType] | None = None
    storage_version_hash: str = ""
    #: Whether a CRD defines it, and then its `openAPIV3Schema`.
    custom: bool = False
    schema: dict[str, Any] = field(default_factory=dict)
    #: What whoever asks for it is told besides the answer.
    warnings: tuple[str, ...] = ()
    #: How its objects are tracked, by subresource; filled in as they are written.
    trackings: dict[str, Tracking] = field(default_factory=dict)

    @cached_property
    def strategy(self) -> Strategy:
        """How its objects are prepared and judged."""
        return self.make_strategy()

    @cached_property
    def kind(self) -> GroupVersionKind:
        """What its objects are."""
        return GroupVersionKind(self.group, self.version, self.names.kind)

    @cached_property
    def api_version(self) -> str:
        """As it stands in objects."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def offered(self) -> tuple[str, ...]:
        """The verbs that discovery tells: fewer while its CRD is being deleted."""
        return _PARTING if self.custom and self.strategy.closed else self.verbs

    @property
    def qualified(self) -> str:
        """The plural with its group, as it stands in messages."""
        return f"{self.names.plural}.{self.group}" if self.group else self.names.plural

    @cached_property
    def item_prefix(self) -> bytes:
        """What an object's JSON begins with and an item's of a list does not: built-in lists tell the kind once."""
        if self.custom:
            return b""
        return f'{{"kind":"{self.names.kind}","apiVersion":"{self.api_version}",'.encode()

    def item(self, obj: dict[str, Any]) -> dict[str, Any]:
        """An object as it stands in a list; it is changed in place."""
        if not self.custom:
            del obj["kind"], obj["apiVersion"]
        return obj

    @property
    def registry_path(self) -> str:
        """Under which path the server that we take after keeps it: that stands in some messages."""
        if self.custom or self.group in ("apiextensions.k8s.io", "apiregistration.k8s.io"):
            return f"{self.group}/{self.names.plural}"
        return _KEPT_AS.get(self.names.plural, self.names.plural)

    def key(self, namespace: str, name: str = "") -> str:
        """Where an object is stored; without a name, what keys of a namespace begin with; without both, all keys."""
        if self.namespaced and not namespace:
            return f"/{self.storage}/"
        return f"/{self.storage}/{namespace}/{name}" if self.namespaced else f"/{self.storage}/{name}"

    def subresource(self, name: str) -> Subresource | None:
        """The subresource of that name."""
        return next((each for each in self.subresources if each.name == name), None)
