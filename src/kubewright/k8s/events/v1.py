"""The kinds of events/v1 and their parts: Event.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from kubewright.k8s.core.v1 import EventSource, ObjectReference
from kubewright.model.fields import REQUIRED
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, MicroTime, Time

__all__ = ["Event", "EventSeries"]


class EventSeries(Model):
    count: Int32 = REQUIRED
    last_observed_time: MicroTime = REQUIRED


class Event(Resource, group="events.k8s.io", version="v1", short_names=["ev"]):
    action: str | None = None
    deprecated_count: Int32 | None = None
    deprecated_first_timestamp: Time | None = None
    deprecated_last_timestamp: Time | None = None
    deprecated_source: EventSource | None = None
    event_time: MicroTime = REQUIRED
    note: str | None = None
    reason: str | None = None
    regarding: ObjectReference | None = None
    related: ObjectReference | None = None
    reporting_controller: str | None = None
    reporting_instance: str | None = None
    series: EventSeries | None = None
    type: str | None = None
