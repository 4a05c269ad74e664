"""Writes Events, beside the work: what tells of an event neither waits for the server nor fails with it.

`event` decides what is told, and `news` how; here it is sent, in order, by one task. What the server does not take is
tried a few times and then let go: an Event is news, not state.
"""

import asyncio
import logging
import re
from collections import deque
from datetime import timedelta
from typing import Final, Literal

from kubewright import clock
from kubewright.client.api import Api
from kubewright.client.errors import AlreadyExists, ApiError, NotFound
from kubewright.controller.children import Owner
from kubewright.controller.event import Correlator, Event, Post, Series
from kubewright.controller.news import SERIES, Form, Teller
from kubewright.entropy import SYSTEM, Entropy
from kubewright.errors import KubewrightError

__all__ = ["Recorder"]

_log = logging.getLogger(__name__)

#: So many wait to be sent; more are dropped.
_WAITING: Final = 1000
_TRIES: Final = 12
_PAUSE: Final = 10.0
#: Seconds for all that is told at the end: whoever is stopped must not wait for news that nobody takes.
_LAST: Final = 5.0
#: How often to look for series that have ended.
_LOOK: Final = 60.0
#: What an Event may be called; the objects of some kinds may be called otherwise.
_SUBDOMAIN: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


class Recorder:
    """Tells of the events of one operator's controllers."""

    def __init__(
        self, api: Api, operator: str, instance: str, entropy: Entropy = SYSTEM, *, form: Form = SERIES
    ) -> None:
        self._client = api.raw
        self._operator = operator
        self._instance = instance
        self._entropy = entropy
        self._form = form
        self._correlator = Correlator(counted=form.counted)
        self._waiting: deque[Post | Series] = deque()
        self._wake = asyncio.Event()
        self._names: dict[int, tuple[str, str]] = {}
        self._dropping = False
        self._refused = False

    def record(
        self,
        owner: Owner,
        type: Literal["Normal", "Warning"],  # noqa: A002
        reason: str,
        note: str,
        action: str,
        controller: str = "",
    ) -> None:
        """Tell of something that happened to an object; `controller` is the one who says so."""
        (namespace, name), of = owner.key, owner.endpoint
        event = Event(of.api_version, of.kind, namespace, name, owner.uid, type, reason, action, note, controller)
        told = self._correlator.happened(event, clock.monotonic())
        if told is not None:
            self._put(told)

    async def run(self) -> None:
        """Send what comes, until cancelled."""
        while True:
            while self._waiting:
                await self._send(self._waiting[0])
                self._waiting.popleft()
            self._dropping = False
            self._wake.clear()
            try:
                # Only while there are series to end: a program with nothing to do has no timers.
                async with asyncio.timeout(_LOOK if len(self._correlator) else None):
                    await self._wake.wait()
            except TimeoutError:
                for series in self._correlator.due(clock.monotonic()):
                    self._put(series)

    async def finish(self) -> None:
        """Send what waits, and the last counts, each tried once, as many as can be within a few seconds."""
        last = deque([*self._waiting, *self._correlator.rest(clock.monotonic())])
        self._waiting.clear()
        try:
            async with asyncio.timeout(_LAST):
                while last:
                    try:
                        await self._write(last[0])
                    except Exception as error:  # noqa: BLE001 - it is news, and this is the end
                        _log.debug("An Event was not told: %s", error)
                    last.popleft()
        except TimeoutError:
            _log.warning("%d Events could not be sent within %g s and are let go.", len(last), _LAST)

    def _put(self, told: Post | Series) -> None:
        if len(self._waiting) >= _WAITING:
            if not self._dropping:
                _log.warning("%d Events wait to be sent; more are dropped.", _WAITING)
            self._dropping = True
            return
        self._waiting.append(told)
        self._wake.set()

    async def _send(self, told: Post | Series) -> None:
        for _ in range(_TRIES):
            try:
                await self._write(told)
                self._refused = self._refused and not isinstance(told, Post)
                return
            except (AlreadyExists, NotFound) as error:
                _log.debug("An Event is not taken: %s", error)
                if isinstance(told, Post):
                    return
                # Somebody has deleted the one that is to be counted: it happens all the same, so there is another.
                self._names.pop(told.number, None)
                told = Post(told.number, told.event)
            except KubewrightError as error:
                if isinstance(error, ApiError):
                    if error.caused_by("NamespaceTerminating"):
                        return
                    if not error.passes:
                        self._complain(told, error)
                        return
                _log.debug("An Event is tried again in %g s: %s", _PAUSE, error)
                await asyncio.sleep(_PAUSE * (0.75 + 0.5 * self._entropy.fraction()))
            except Exception:  # noqa: BLE001 - logged: one that cannot be written must not keep back all others
                _log.exception("An Event cannot be written, and is let go: %s", told.event)
                return

    def _complain(self, told: Post | Series, error: ApiError) -> None:
        """Say that an Event is refused: loudly once, for the next ones mostly are for the same reason."""
        level = logging.DEBUG if self._refused else logging.WARNING
        self._refused = True
        self._names.pop(told.number, None)  # what is not there is not counted
        what = f"{told.event.kind} {told.event.name}: {told.event.reason}"
        _log.log(level, "An Event about %s is not taken: %s. Others are told of at the level debug only.", what, error)

    def _name(self, about: str) -> str:
        """A name for an Event about an object of that name; where it would be too long or no name, one without."""
        uid = self._entropy.uid()
        name = f"{about}.{uid[:18].replace('-', '')}"
        return name if len(name) <= 253 and _SUBDOMAIN.fullmatch(name) else uid

    async def _write(self, told: Post | Series) -> None:
        form, event = self._form, told.event
        if isinstance(told, Post):
            # Sent once more, because its answer was lost or not waited for, it has its name already: it is there once.
            if told.number not in self._names:
                self._names[told.number] = (event.namespace or "default", self._name(event.name))
            namespace, name = self._names[told.number]
            while len(self._names) > _WAITING:
                del self._names[next(iter(self._names))]
            teller = Teller(self._operator, event.controller or self._operator, self._instance)
            await self._client.create(form.path.format(namespace), form.document(event, name, teller, clock.now()))
        elif told.number in self._names:
            namespace, name = self._names[told.number]
            last = clock.now() - timedelta(seconds=clock.monotonic() - told.last)
            await self._client.patch(
                f"{form.path.format(namespace)}/{name}", "merge", form.again(event, told.times, last)
            )
