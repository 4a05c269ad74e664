"""Events: what happened to an object. Two groups speak of them, with other names, and share what is stored.

    to_stored(obj) -> Document        # of events.k8s.io, as the core group has it
    from_stored(obj) -> Document

The rules are those of the core's names, in which messages speak to both. Who writes through the core group is held to
little; `events.k8s.io` asks for more, and lets nothing but the series and metadata change.
"""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.rules.inner import changed_inner
from kubewright.schema.walk.errors import FieldError, invalid, required
from kubewright.schema.walk.names import label_key, subdomain

__all__ = ["EventStrategy", "NewEventStrategy", "from_stored", "to_stored"]

Document = dict[str, Any]

#: What `events.k8s.io` calls otherwise, and how the core does.
_NAMES: Final = {
    "regarding": "involvedObject",
    "note": "message",
    "deprecatedSource": "source",
    "deprecatedFirstTimestamp": "firstTimestamp",
    "deprecatedLastTimestamp": "lastTimestamp",
    "deprecatedCount": "count",
    "reportingController": "reportingComponent",
}
_CORE_NAMES: Final = {core: new for new, core in _NAMES.items()}
#: What may not change through `events.k8s.io`, in the order in which it is told, with the types of what is there.
_FIXED: Final = {
    "involvedObject": "core/v1.ObjectReference",
    "reason": "string",
    "message": "string",
    "source": "core/v1.EventSource",
    "firstTimestamp": "meta/v1.Time",
    "lastTimestamp": "meta/v1.Time",
    "count": "int32",
    "type": "string",
    "eventTime": "meta/v1.MicroTime",
    "action": "string",
    "related": "*core/v1.ObjectReference",
    "reportingComponent": "string",
    "reportingInstance": "string",
}
_LIMIT, _NOTE_LIMIT = 128, 1024


def to_stored(obj: Document) -> Document:
    """An event of `events.k8s.io` as the core group has it."""
    return {_NAMES.get(name, name): value for name, value in obj.items()} | {"apiVersion": "v1"}


def from_stored(obj: Document) -> Document:
    """An event of the core group as `events.k8s.io` has it."""
    return {_CORE_NAMES.get(name, name): value for name, value in obj.items()} | {"apiVersion": "events.k8s.io/v1"}


class EventStrategy(PlainStrategy):
    """What is particular to the events of the core group: of metadata they have no rules of their own."""

    any_finalizer = True

    def validate(self, obj: Document) -> list[FieldError]:
        return self.check(obj) or self.check_meta(obj)

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return self.check(obj)

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj, "reportingComponent")]


class NewEventStrategy(PlainStrategy):
    """What is particular to the events of `events.k8s.io`."""

    name_rule = staticmethod(subdomain)

    def validate(self, obj: Document) -> list[FieldError]:
        core = to_stored(obj)
        return [*_check(core, "reportingController"), *self.check_meta(obj), *_check_new(core)]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        core, before = to_stored(obj), to_stored(old)
        errors = [*_check(core, "reportingController"), *self.check_meta_update(obj, old)]
        if core.get("series") != before.get("series"):
            errors += _check_series(core)
        return errors + _check_fixed(core, before)


def _check(obj: Document, controller: str) -> Iterator[FieldError]:
    """The rules of all events; `controller` is how the field is called that says who tells."""
    namespace, of = obj["metadata"].get("namespace", ""), obj["involvedObject"].get("namespace", "")
    if not obj.get("eventTime"):
        if namespace != of and not (not of and namespace == "default"):
            yield invalid("involvedObject.namespace", of, "does not match event.namespace")
    else:
        if not of and namespace not in ("default", "kube-system"):
            yield invalid("involvedObject.namespace", of, "does not match event.namespace")
        yield from _check_told(obj, controller)
    yield from (invalid("namespace", namespace, complaint) for complaint in subdomain(namespace))


def _check_told(obj: Document, controller: str) -> Iterator[FieldError]:
    """Those of events that say when they happened."""
    name = obj.get("reportingComponent", "")
    if not name:
        yield required(controller)
    yield from (invalid(controller, name, complaint) for complaint in label_key(name))
    for field in ("reportingInstance", "action", "reason"):
        value = obj.get(field, "")
        if not value:
            yield required(field)
        if _long(value, _LIMIT):
            yield invalid(field, "", f"can have at most {_LIMIT} characters")
    if _long(obj.get("message", ""), _NOTE_LIMIT):
        yield invalid("message", "", f"can have at most {_NOTE_LIMIT} characters")


def _long(text: str, limit: int) -> bool:
    return len(text.encode(errors="replace")) > limit


def _check_new(obj: Document) -> Iterator[FieldError]:
    yield from _check_series(obj)
    if not obj.get("eventTime"):
        yield required("eventTime")
    kind = obj.get("type", "")
    if kind not in ("Normal", "Warning"):
        yield invalid("type", "", f"has invalid value: {kind}")
    for field in ("firstTimestamp", "lastTimestamp", "count"):
        if obj.get(field):
            yield invalid(field, "", "needs to be unset")
    if any((obj.get("source") or {}).values()):
        yield invalid("source", "", "needs to be unset")


def _check_series(obj: Document) -> list[FieldError]:
    series, errors = obj.get("series"), []
    if series is not None:
        if series.get("count", 0) < 2:
            errors.append(invalid("series.count", "", "should be at least 2"))
        if not series.get("lastObservedTime"):
            errors.append(required("series.lastObservedTime"))
    return errors


def _said(obj: Document, name: str) -> Any:
    """What stands in a field; that nothing stands there is told in one way."""
    value = obj.get(name)
    return None if value in ("", 0) else value


def _check_fixed(obj: Document, old: Document) -> list[FieldError]:
    errors = []
    for name, kind in _FIXED.items():
        shown = "reportingController" if name == "reportingComponent" else name
        errors += changed_inner(shown, _said(obj, name), _said(old, name), kind)
        if name == "count" and obj.get("reason") != old.get("reason"):  # it is looked at twice
            errors += changed_inner("reason", obj.get("reason"), old.get("reason"), "string")
    return errors
