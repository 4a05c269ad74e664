"""The built-in resources: what the catalogue lists, each with its codec, strategy and columns."""

from collections.abc import Callable, Generator, Sequence
from functools import cache, partial
from typing import Any, Final

from kubewright.cluster.registry.catalogue import Entry, builtin_entries
from kubewright.cluster.registry.columns import builtin_columns
from kubewright.cluster.registry.converted import ConvertedColumns, ConvertedView
from kubewright.cluster.registry.kinds.index import STRATEGIES, find_strategy
from kubewright.cluster.registry.kinds.plain import PlainStatus, PlainStrategy, plain_strategy
from kubewright.cluster.registry.kinds.scale import BuiltinScale
from kubewright.cluster.registry.kinds.versions import ELSEWHERE
from kubewright.cluster.registry.resource import Resource, Subresource
from kubewright.cluster.registry.strategy import Strategy
from kubewright.cluster.registry.view import View
from kubewright.cluster.wire.builtin import BuiltinCodec, builtin_codec
from kubewright.cluster.wire.codec import Document, Read
from kubewright.cluster.wire.patching import patch_type
from kubewright.model.kind import GroupVersionKind
from kubewright.schema.definition import Names
from kubewright.schema.walk.values import copy

__all__ = ["builtin_resources"]

Field = Callable[[Document], str]


def _at(*path: str) -> Field:
    """A text inside an object, empty where there is none."""

    def read(obj: Document) -> str:
        value: Any = obj
        for part in path:
            value = value.get(part) if isinstance(value, dict) else None
        if isinstance(value, bool):
            return str(value).lower()
        return "" if value is None else str(value)

    return read


def _paths(*paths: str) -> dict[str, Field]:
    return {path: _at(*path.split(".")) for path in paths}


def _counts(*paths: str) -> dict[str, Field]:
    """Numbers, which are 0 where there is none."""
    return {path: _or(_at(*path.split(".")), "0") for path in paths}


def _or(read: Field, absent: str) -> Field:
    return lambda obj: read(obj) or absent


_EVENT: Final = _paths(
    *(f"involvedObject.{part}" for part in ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion")),
    *("involvedObject.fieldPath", "reason", "reportingComponent", "type"),
) | {"source": lambda obj: _at("source", "component")(obj) or _at("reportingComponent")(obj)}
#: What field selectors may ask for, besides name and namespace.
_FIELDS: Final[dict[str, dict[str, Field]]] = {
    "events.events.k8s.io": _paths(
        *(f"regarding.{part}" for part in ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion")),
        *("regarding.fieldPath", "reason", "reportingController", "type"),
    ),
    "certificatesigningrequests.certificates.k8s.io": _paths("spec.signerName"),
    "events": _EVENT,
    "jobs.batch": {"status.successful": _or(_at("status", "succeeded"), "0")},
    "namespaces": _paths("status.phase"),
    "nodes": {"spec.unschedulable": _or(_at("spec", "unschedulable"), "false")},
    "pods": _paths(
        *("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "status.phase"),
        *("status.nominatedNodeName", "status.podIP"),
    )
    | {"spec.hostNetwork": _or(_at("spec", "hostNetwork"), "false")},
    "replicationcontrollers": _counts("status.replicas"),
    "secrets": _paths("type"),
    "services": _paths("spec.clusterIP", "spec.type"),
}
#: What whoever asks for a resource is told that something else has taken the place of.
_WARNINGS: Final = {
    "componentstatuses": "v1 ComponentStatus is deprecated in v1.19+",
    "endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
}


def builtin_resources() -> list[Resource]:
    """Every built-in resource, in the order in which discovery lists them."""
    return [_resource(entry) for entry in builtin_entries()]


def _resource(entry: Entry) -> Resource:
    qualified = f"{entry.plural}.{entry.group}" if entry.group else entry.plural
    codec = LazyCodec(entry.group, entry.version, entry.kind)
    kind = GroupVersionKind(entry.group, entry.version, entry.kind)
    subresources = [
        Subresource(
            sub.name,
            sub.kind,
            sub.verbs,
            _substrategy(f"{qualified}/{sub.name}", sub.kind == kind, entry.namespaced),
            BuiltinScale() if sub.name == "scale" else None,
        )
        for sub in entry.subresources
    ]
    elsewhere, columns = ELSEWHERE.get(kind), builtin_columns(entry.group, entry.kind)
    has_status = any(sub.name == "status" for sub in subresources)
    empty_status = codec.empty_status if has_status else None
    make_strategy = cache(partial(_strategy, qualified, entry.namespaced, empty_status))
    return Resource(
        group=entry.group,
        version=entry.version,
        names=Names(
            entry.plural,
            entry.singular,
            entry.kind,
            f"{entry.kind}List",
            list(entry.short_names),
            list(entry.categories),
        ),
        namespaced=entry.namespaced,
        verbs=entry.verbs,
        codec=codec,
        make_strategy=make_strategy,
        view=View() if elsewhere is None else ConvertedView(codec, elsewhere, lambda obj: make_strategy().default(obj)),
        columns=columns if elsewhere is None else ConvertedColumns(columns, elsewhere),
        storage=qualified if elsewhere is None else elsewhere.storage,
        stored_codec=codec if elsewhere is None else LazyCodec(*elsewhere.kind),
        told_group=entry.group if elsewhere is None else elsewhere.kind.group,
        fields=_FIELDS.get(qualified, {}),
        subresources=tuple(subresources),
        storage_version_hash=entry.storage_version_hash,
        patch_type=partial(patch_type, kind),
        warnings=(_WARNINGS[qualified],) if qualified in _WARNINGS else (),
    )


def _strategy(qualified: str, namespaced: bool, empty_status: Callable[[], Any] | None) -> Strategy:
    own = find_strategy(qualified)
    if own is not None and not issubclass(own, PlainStrategy):
        return own(namespaced=namespaced)
    return plain_strategy(qualified, namespaced=namespaced, empty_status=empty_status, kind=own or PlainStrategy)


def _substrategy(qualified: str, same: bool, namespaced: bool) -> Callable[[], Strategy] | None:
    """What makes the strategy of a subresource that speaks of the whole object."""
    if qualified not in STRATEGIES and not (same and qualified.endswith(("/status", "/approval"))):
        return None
    return lambda: (find_strategy(qualified) or PlainStatus)(namespaced=namespaced)


class LazyCodec:
    """The codec of a built-in kind, made when it is first needed: of a hundred kinds most are never used."""

    def __init__(self, group: str, version: str, kind: str) -> None:
        self._make = partial(builtin_codec, group, version, kind)
        self._head = {"kind": kind, "apiVersion": f"{group}/{version}" if group else version}
        self._codec: BuiltinCodec | None = None
        self._status: Any = None

    def read(self, document: Document, duplicates: Sequence[str] = ()) -> Read:
        """See `Codec`."""
        codec = self._codec = self._codec or self._make()
        return codec.read(document, duplicates)

    def read_in_steps(self, document: Document, duplicates: Sequence[str] = ()) -> Generator[None, None, Read]:
        """See `Codec`."""
        codec = self._codec = self._codec or self._make()
        return codec.read_in_steps(document, duplicates)

    def write(self, obj: Document) -> bytes:
        """See `Codec`."""
        codec = self._codec = self._codec or self._make()
        return codec.write(obj)

    def write_in_steps(self, obj: Document) -> Generator[None, None, bytes]:
        """See `Codec`."""
        codec = self._codec = self._codec or self._make()
        return codec.write_in_steps(obj)

    def told(self, obj: Document) -> Document:
        """The object without what is not written of it."""
        codec = self._codec = self._codec or self._make()
        return codec.told(obj)

    def told_in_steps(self, obj: Document) -> Generator[None, None, Document]:
        """The same for a large object, in steps."""
        codec = self._codec = self._codec or self._make()
        return codec.told_in_steps(obj)

    def restore(self, document: Document) -> Read:
        """The object that a strategic merge patch made."""
        codec = self._codec = self._codec or self._make()
        return codec.restore(document)

    def restore_in_steps(self, document: Document) -> Generator[None, None, Read]:
        """The same for a large object, in steps."""
        codec = self._codec = self._codec or self._make()
        return codec.restore_in_steps(document)

    def empty_status(self) -> Any:
        """What the status of a new object looks like."""
        if self._status is None:
            self._status = self.read({**self._head}).object.get("status", {})
        return copy(self._status)
