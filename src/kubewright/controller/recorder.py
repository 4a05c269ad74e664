"""Writes Events, beside the work: what tells of an event neither waits for the server nor fails with it.

`event` decides what is told; here it is sent, in order, by one task. What the server does not take is tried a few times
and then let go: an Event is news, not state.
"""

import asyncio
import logging
from collections import deque
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from kubewright import clock
from kubewright.client.api import Api
from kubewright.client.errors import AlreadyExists, ApiError, Forbidden, Invalid, NotFound
from kubewright.controller.children import Owner
from kubewright.controller.event import Correlator, Event, Post, Series
from kubewright.entropy import SYSTEM, Entropy
from kubewright.errors import KubewrightError

__all__ = ["Recorder"]

_log = logging.getLogger(__name__)

#: So many wait to be sent; more are dropped.
_WAITING: Final = 1000
_TRIES: Final = 12
_PAUSE: Final = 10.0
#: How often to look for series that have ended.
_LOOK: Final = 60.0
#: The server's limits.
_LONGEST_NOTE: Final = 1024
_LONGEST_INSTANCE: Final = 128
_PATH: Final = "/apis/events.k8s.io/v1/namespaces/{}/events"


class Recorder:
    """Tells of one controller's events."""

    def __init__(self, api: Api, controller: str, instance: str, entropy: Entropy = SYSTEM) -> None:
        self._client = api.raw
        self._controller = controller
        self._instance = instance[:_LONGEST_INSTANCE]
        self._entropy = entropy
        self._correlator = Correlator()
        self._waiting: deque[Post | Series] = deque()
        self._wake = asyncio.Event()
        self._names: dict[int, tuple[str, str]] = {}
        self._dropping = False

    def record(
        self,
        owner: Owner,
        type: Literal["Normal", "Warning"],  # noqa: A002
        reason: str,
        note: str,
        action: str,
    ) -> None:
        """Tell of something that happened to an object."""
        key, endpoint = owner.key, owner.endpoint
        event = Event(
            endpoint.api_version, endpoint.kind, key.namespace, key.name, owner.uid, type, reason, action, note
        )
        told = self._correlator.happened(event, clock.monotonic())
        if told is not None:
            self._put(told)

    async def run(self) -> None:
        """Send what comes, until cancelled."""
        while True:
            while self._waiting:
                await self._send(self._waiting[0])
                self._waiting.popleft()
            self._wake.clear()
            try:
                # Only while there are series to end: a program with nothing to do has no timers.
                async with asyncio.timeout(_LOOK if len(self._correlator) else None):
                    await self._wake.wait()
            except TimeoutError:
                for series in self._correlator.due(clock.monotonic()):
                    self._put(series)

    async def finish(self) -> None:
        """Send what waits, and the last counts, each tried once."""
        for told in (*self._waiting, *self._correlator.rest(clock.monotonic())):
            try:
                await self._write(told)
            except KubewrightError as error:
                _log.debug("An Event was not told: %s", error)
        self._waiting.clear()

    def _put(self, told: Post | Series) -> None:
        if len(self._waiting) >= _WAITING:
            if not self._dropping:
                _log.warning("%d Events wait to be sent; more are dropped.", _WAITING)
            self._dropping = True
            return
        self._dropping = False
        self._waiting.append(told)
        self._wake.set()

    async def _send(self, told: Post | Series) -> None:
        for _ in range(_TRIES):
            try:
                return await self._write(told)
            except (AlreadyExists, Forbidden, Invalid, NotFound) as error:
                _log.debug("An Event is not taken: %s", error)
                return None
            except KubewrightError as error:
                if isinstance(error, ApiError) and error.caused_by("NamespaceTerminating"):
                    return None
                _log.debug("An Event is tried again in %g s: %s", _PAUSE, error)
                await asyncio.sleep(_PAUSE * (0.75 + 0.5 * self._entropy.fraction()))
        return None

    async def _write(self, told: Post | Series) -> None:
        if isinstance(told, Post):
            document = self._document(told.event)
            meta = document["metadata"]
            self._names[told.number] = (meta["namespace"], meta["name"])
            while len(self._names) > _WAITING:
                del self._names[next(iter(self._names))]
            await self._client.create(_PATH.format(meta["namespace"]), document)
        elif told.number in self._names:
            namespace, name = self._names[told.number]
            passed = timedelta(seconds=clock.monotonic() - told.last)
            series = {"count": told.times, "lastObservedTime": _spelled(clock.now() - passed)}
            await self._client.patch(f"{_PATH.format(namespace)}/{name}", "merge", {"series": series})

    def _document(self, event: Event) -> dict[str, Any]:
        namespace = event.namespace or "default"
        note = event.note if len(event.note.encode()) < _LONGEST_NOTE else _cut(event.note)
        return {
            "apiVersion": "events.k8s.io/v1",
            "kind": "Event",
            "metadata": {"name": f"{event.name}.{self._entropy.uid()[:18].replace('-', '')}", "namespace": namespace},
            "eventTime": _spelled(clock.now()),
            "reportingController": self._controller,
            "reportingInstance": self._instance,
            "action": event.action,
            "reason": event.reason,
            "type": event.type,
            "note": note,
            "regarding": {
                "apiVersion": event.api_version,
                "kind": event.kind,
                "name": event.name,
                "namespace": event.namespace or None,
                "uid": event.uid,
            },
        }


def _cut(note: str) -> str:
    return note.encode()[: _LONGEST_NOTE - 4].decode(errors="ignore") + "…"


def _spelled(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
