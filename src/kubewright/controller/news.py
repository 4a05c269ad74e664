"""The two ways in which an Event is written down.

| form   | API                | the same again                             | who writes so                        |
|--------|--------------------|--------------------------------------------|--------------------------------------|
| SERIES | `events.k8s.io/v1` | the second time, then every half an hour   | kube-scheduler; we, by default       |
| COUNT  | `v1`               | each time                                  | kube-controller-manager, the kubelet |

A server keeps both in one place, and `kubectl describe` shows both.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from kubewright.controller.event import Event

__all__ = ["COUNT", "SERIES", "Form", "Teller"]

#: The server's limits.
_LONGEST_NOTE: Final = 1024
_LONGEST_INSTANCE: Final = 128


@dataclass(frozen=True)
class Teller:
    """Who tells: an operator, one of its controllers, and which replica of it."""

    operator: str
    controller: str
    instance: str


class Form(Protocol):
    """How an Event is written."""

    #: Where; the namespace is put in.
    path: str
    #: Whether each time is told at once.
    counted: bool

    def document(self, event: Event, name: str, teller: Teller, at: datetime) -> dict[str, Any]:
        """The Event when it happens first."""

    def again(self, event: Event, times: int, last: datetime) -> dict[str, Any]:
        """What changes in it when it has happened so often; several that are told as one have the last one's note."""


class _Series:
    path = "/apis/events.k8s.io/v1/namespaces/{}/events"
    counted = False

    def document(self, event: Event, name: str, teller: Teller, at: datetime) -> dict[str, Any]:
        return {
            "apiVersion": "events.k8s.io/v1",
            "kind": "Event",
            "metadata": {"name": name, "namespace": event.namespace or "default"},
            "eventTime": _precise(at),
            "reportingController": teller.operator,
            "reportingInstance": teller.instance[:_LONGEST_INSTANCE],
            "action": event.action,
            "reason": event.reason,
            "type": event.type,
            "note": _note(event),
            "regarding": _object(event),
        }

    def again(self, event: Event, times: int, last: datetime) -> dict[str, Any]:
        return {"series": {"count": times, "lastObservedTime": _precise(last)}}


class _Count:
    path = "/api/v1/namespaces/{}/events"
    counted = True

    def document(self, event: Event, name: str, teller: Teller, at: datetime) -> dict[str, Any]:
        moment = _coarse(at)
        return {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"name": name, "namespace": event.namespace or "default"},
            "involvedObject": _object(event),
            "reason": event.reason,
            "message": _note(event),
            "source": {"component": teller.controller},
            "firstTimestamp": moment,
            "lastTimestamp": moment,
            "count": 1,
            "type": event.type,
            "eventTime": None,
            "reportingComponent": teller.controller,
            "reportingInstance": "",
        }

    def again(self, event: Event, times: int, last: datetime) -> dict[str, Any]:
        return {"count": times, "lastTimestamp": _coarse(last), "message": _note(event)}


SERIES: Final[Form] = _Series()
COUNT: Final[Form] = _Count()


def _object(event: Event) -> dict[str, Any]:
    return {
        "apiVersion": event.api_version,
        "kind": event.kind,
        "name": event.name,
        "namespace": event.namespace or None,
        "uid": event.uid,
    }


def _note(event: Event) -> str:
    note = event.note
    if len(note.encode()) < _LONGEST_NOTE:
        return note
    return note.encode()[: _LONGEST_NOTE - 4].decode(errors="ignore") + "…"


def _precise(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _coarse(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
