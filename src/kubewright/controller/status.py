"""Status: what the reconciler left in `obj.status`, compared with what it was handed, and written if it differs.

It is written by server-side apply on `/status`, under the controller's own name, and holds only what is the
controller's: what it has changed now, and what it owned before and has left as it is. So a condition that somebody else
set stays theirs, and one that the controller no longer has goes away. One of others' that it leaves out stays, too, and
that it does is no reason to write.

`observedGeneration` says which generation the status speaks of: that of the object that was handed out, no more, even
if the object has changed meanwhile; and never less than what is there. A reconcile that failed without a word about the
status has nothing to say of its generation either. Nor has one that left the status of somebody else's kind as it was:
what a Deployment's controller has observed is for that to say. A kind is the controller's own if its status is a
`kw.Status`.
"""

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any, Final, cast

import msgspec

from kubewright.cache import Cached
from kubewright.client.endpoint import Document, Endpoint
from kubewright.controller.unchanged import unchanged
from kubewright.errors import KubewrightError
from kubewright.model.codec import document_of, image, plain, to_dict
from kubewright.model.markers import Atomic, ListMap
from kubewright.model.meta import fields_of, info_of
from kubewright.model.model import Model
from kubewright.model.shape import ListOf, MapOf, Shape, StructOf
from kubewright.model.status import Status

__all__ = [
    "Mark",
    "StatusError",
    "fitting_status",
    "is_observed",
    "mark_status",
    "observes_generation",
    "owned_status",
    "read_status",
    "renew_patch",
    "status_patch",
]

_GENERATION: Final = "observedGeneration"


class StatusError(KubewrightError):
    """A status that is none, or that there is no way to write."""


class Mark(msgspec.Struct, frozen=True, gc=False):
    """A status at one moment: equal to another while nothing in it is changed."""

    model: type[Model] | None
    text: bytes

    def document(self) -> Document | None:
        """The status as a document; None if this does not tell it."""
        return document_of(self.text, self.model) if self.model is not None else None


def read_status(obj: Any) -> Document | None:
    """The status of an object as a document; None if its kind has none."""
    if isinstance(obj, dict):
        status = obj.get("status")
        return {} if status is None else msgspec.json.decode(msgspec.json.encode(status))
    if "status" not in info_of(type(obj)).wire_names:
        return None
    status = obj.status
    if isinstance(status, Model):
        return to_dict(status)
    if status is None:
        return {}
    if not isinstance(status, dict):
        raise StatusError(f"the status of a {type(obj).__name__} is an object, not {status!r:.60}.")
    written: Document = plain(status)
    return written


def fitting_status(status: Document, fits: Callable[[Document], bool]) -> Document:
    """What of a status fits, field by field; of a list that does not, the items that do."""
    fitting: Document = {}
    for name, value in status.items():
        if fits({name: value}):
            fitting[name] = value
        elif isinstance(value, list) and (items := [each for each in value if fits({name: [each]})]):
            fitting[name] = items
    return fitting


def mark_status(obj: Any) -> Mark | None:
    """The status of an object as it is now; None where there is no telling."""
    status = obj.get("status") if isinstance(obj, dict) else getattr(obj, "status", None)
    if isinstance(status, Model) and status._raw is msgspec.UNSET and (text := image(status)) is not None:
        return Mark(type(status), text)
    try:
        return Mark(None, msgspec.json.encode(status, enc_hook=repr))
    except (TypeError, ValueError, RecursionError):
        return None


def is_observed(obj: Any, generation: int) -> bool:
    """Whether the status speaks of that generation already, or need not, as long as it is not changed."""
    status = getattr(obj, "status", None)
    if not isinstance(status, Status):
        return True
    seen = status.observed_generation
    return isinstance(seen, int) and seen >= generation


def observes_generation(obj: Any, *, changed: bool, untold: bool) -> bool:
    """Whether a status says which generation it speaks of, after a reconcile that has changed it or not."""
    status = obj.get("status") if isinstance(obj, dict) else obj.status
    model = type(status) if isinstance(status, Model) else _status_class(obj)
    if model is not None:
        said = "observed_generation" in info_of(model).wire_names
    else:  # without a class, only where it is said already is it known that it may be
        said = isinstance(status, dict) and _GENERATION in status
    return said and (changed or (not untold and model is not None and issubclass(model, Status)))


def _status_class(obj: Any) -> type[Model] | None:
    """The class of the status that an object's own class declares: a status may be given as a plain dict, too."""
    shape = None if isinstance(obj, dict) else _shapes_of(cast("Hashable", type(obj))).get("status")
    found = shape.annotation if isinstance(shape, StructOf) else None
    return found if isinstance(found, type) and issubclass(found, Model) else None


def owned_status(cached: Cached, manager: str) -> Mapping[str, Any]:
    """The set of fields below `status` that a manager owns by apply."""
    return _below_status(cached.applied(manager, "status"))


@lru_cache(256)  # objects built alike share their fields
def _below_status(fields: bytes) -> Mapping[str, Any]:
    return msgspec.json.decode(fields).get("f:status", {})  # type: ignore[no-any-return]


def status_patch(
    endpoint: Endpoint[Any],
    cached: Cached,
    before: Document,
    after: Document,
    manager: str,
    *,
    generation: bool,
) -> Document | None:
    """The configuration to apply to `/status`; None if there is nothing to say.

    `generation`: whether the generation of the object that was handed out is to be told as observed.
    """
    if generation:
        seen = before.get(_GENERATION)
        least = seen if isinstance(seen, int) else 0
        after = {**after, _GENERATION: max(least, cached.generation)}
    if after == before:
        return None
    shape = _shapes_of(cast("Hashable", endpoint.model)).get("status") if endpoint.model is not None else None
    status = _ours(before, after, owned_status(cached, manager), shape)
    if _is_less(after, before):
        whole = StructOf(annotation=endpoint.model) if endpoint.model is not None else None
        if unchanged({"status": status}, {"status": before}, cached.applied(manager, "status"), whole):
            return None
    key = cached.key
    meta = {"name": key.name, "namespace": key.namespace} if key.namespace else {"name": key.name}
    return {
        "apiVersion": endpoint.api_version,
        "kind": endpoint.kind,
        # Of another object under the same name the server would take a uid that is not its own, but no version.
        "metadata": {**meta, "resourceVersion": str(cached.revision)},
        "status": status,
    }


def _is_less(after: Any, before: Any) -> bool:
    """Whether nothing is said that was not said before: something was only left out."""
    if isinstance(after, dict) and isinstance(before, dict):
        return all(name in before and _is_less(value, before[name]) for name, value in after.items())
    if isinstance(after, list) and isinstance(before, list):
        return all(each in before for each in after)
    return bool(after == before)


def renew_patch(patch: Document, live: bytes, uid: str) -> bool:
    """Make a patch that came too late fit the object as it is now; False if that is another one."""
    try:
        found = msgspec.json.decode(live, type=_Live)
    except msgspec.DecodeError as error:
        raise StatusError(f"its status cannot be written: what is answered for it is no object ({error}).") from None
    if found.metadata.uid != uid:
        return False
    patch["metadata"]["resourceVersion"] = found.metadata.resource_version
    seen = (found.status or {}).get(_GENERATION)
    if isinstance(seen, int) and _GENERATION in patch["status"]:
        patch["status"][_GENERATION] = max(seen, patch["status"][_GENERATION])
    return True


class _Meta(msgspec.Struct, rename="camel"):
    uid: str
    resource_version: str


class _Live(msgspec.Struct):
    metadata: _Meta
    status: dict[str, Any] | None = None


def _ours(before: Document, after: Document, owned: Mapping[str, Any], shape: Shape | None) -> Document:
    """Of `after` what differs from `before`, and what we own. What the type takes as a whole stays whole."""
    shapes = _shapes(shape)
    ours: Document = {}
    for name, value in after.items():
        below = owned.get(f"f:{name}")
        was = before.get(name)
        inner = shape.value if isinstance(shape, MapOf) else shapes.get(name)
        if isinstance(value, list) and isinstance(was, list) and (keys := _keys(name, inner)):
            items = _our_items(was, value, below or {}, keys)
            if items:
                ours[name] = items
        elif value and isinstance(value, dict) and isinstance(was, dict) and _is_merged(inner):
            part = _ours(was, value, below or {}, inner)
            if part:
                ours[name] = part
        elif below is not None or value != was or name not in before:
            ours[name] = value
    return ours


def _our_items(
    before: list[Document], after: list[Document], owned: Mapping[str, Any], keys: tuple[str, ...]
) -> list[Document]:
    """The items that we own or have changed, each as a whole: a reason without its message says nothing."""
    ours = [msgspec.json.decode(each[2:]) for each in owned if each.startswith("k:")]
    return [
        each
        for each in after
        if each not in before or any(all(each.get(key) == own.get(key) for key in keys) for own in ours)
    ]


def _is_merged(shape: Shape | None) -> bool:
    if isinstance(shape, StructOf):
        return not any(isinstance(marker, Atomic) for marker in (*shape.markers, *info_of(shape.annotation).markers))
    return isinstance(shape, MapOf) and shape.marker(Atomic) is None


def _keys(name: str, shape: Shape | None) -> tuple[str, ...]:
    """By which members the items of a list are merged; of a list without a type, conditions are known to be."""
    if shape is None:
        return ("type",) if name == "conditions" else ()
    marker = shape.marker(ListMap)
    if marker is None or not isinstance(shape, ListOf) or not isinstance(shape.item, StructOf):
        return ()
    wires = info_of(shape.item.annotation).wire_names
    return tuple(wires[each] for each in marker.names)


def _shapes(shape: Shape | None) -> Mapping[str, Shape]:
    return _shapes_of(shape.annotation) if isinstance(shape, StructOf) else {}


@lru_cache(1024)
def _shapes_of(model: Hashable) -> Mapping[str, Shape]:
    return {field.wire: field.shape for field in fields_of(model)}
