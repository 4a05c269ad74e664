"""Leader election: waits for the Lease, keeps it, and runs the led work for exactly as long.

    election = Election(client, "web-operator", "default", identity=hostname)
    led = client.but(gate=election.fence)
    await election.lead(lambda: run_controllers(led))

The rules are `candidacy`'s, the gate is `fence`'s; here are the requests, the pauses and the led task. Standing by
costs a read every few seconds and touches nothing else: caches that were started before are warm when the lease comes.

| what happens                         | what is done                                                                  |
|--------------------------------------|-------------------------------------------------------------------------------|
| the work returns or raises           | the lease is released, so that another need not wait for its end              |
| `lead` is cancelled                  | the work is cancelled, the lease renewed until it has ended, then released    |
| the server does not answer           | tried every retry period; at the renew deadline the fence is shut, and after  |
|                                      | one last attempt the work is cancelled                                        |
| another has the lease                | the fence is shut, the work cancelled                                         |
| this process stood still             | nothing passes the fence until the lease was renewed; if nobody took it       |
|                                      | meanwhile the work goes on                                                    |
| another has the same identity        | the identity is only the readable half of the holder; the other half is drawn |
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, Protocol

from kubewright import clock
from kubewright.client import ApiError, Client
from kubewright.client.errors import (
    AlreadyExists,
    Conflict,
    InternalError,
    NotFound,
    ServerTimeout,
    ServiceUnavailable,
    TimedOut,
    TooManyRequests,
)
from kubewright.controller.candidacy import Ask, Candidacy, Durations, ElectionError, Moment, Outcome, Verdict
from kubewright.controller.fence import Fence
from kubewright.entropy import SYSTEM, Entropy
from kubewright.errors import KubewrightError

__all__ = ["Durations", "Election", "ElectionError", "LeadershipLost", "Observer"]

_log: Final = logging.getLogger(__name__)

#: Refusals that say nothing about the Lease; some leave open whether it was written.
_UNSURE: Final = (InternalError, ServerTimeout, ServiceUnavailable, TimedOut, TooManyRequests)


class LeadershipLost(KubewrightError):
    """The lease is another's, or could not be renewed in time; the led work was cancelled."""


class Observer(Protocol):
    """Who is told of an election."""

    def event(self, lease: Mapping[str, Any], message: str) -> None:
        """`… became leader`, `… stopped leading`: an Event about that Lease, with the reason LeaderElection."""

    def leading(self, yes: bool) -> None:
        """Whether this process leads: `leader_election_master_status`."""

    def slow_path(self) -> None:
        """A renewal needed a read: `leader_election_slowpath_total`."""

    def new_leader(self, holder: str) -> None:
        """The lease has another holder than before; empty: none."""


class Election:
    """A candidate for one Lease.

    `delivered` is asked at each renewal for the highest resourceVersion by kind that this process has seen;
    `watermarks` are the highest that any leader had.
    """

    def __init__(
        self,
        client: Client,
        name: str,
        namespace: str,
        identity: str,
        durations: Durations | None = None,
        *,
        delivered: Callable[[], Mapping[str, int]] = dict,
        observer: Observer | None = None,
        entropy: Entropy = SYSTEM,
    ) -> None:
        if not (name and namespace and identity):
            raise ElectionError("an election needs the name and namespace of its Lease, and an identity to stand for.")
        self._durations = durations or Durations()
        #: Who we are in the Lease: `<identity>_<uuid>`, as Go's managers are.
        self.identity = f"{identity}_{entropy.uid()}"
        #: The gate for every write of led work: `client.but(gate=election.fence)`, `api.gated(election.fence)`.
        self.fence = Fence(f"{namespace}/{name}")
        #: Why the last attempt failed; empty if it did not. For readiness: a standby that cannot read is none.
        self.trouble = ""
        self._client = client.but(gate=None, urgent=True)  # the lease is what opens the gate, and it runs out
        self._collection = f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases"
        self._path = f"{self._collection}/{name}"
        self._where = f"{namespace}/{name}"
        self._candidacy = Candidacy(name, namespace, self.identity, self._durations)
        self._delivered = delivered
        self._observer = observer
        self._entropy = entropy
        self._known = self._said = ""

    @property
    def holder(self) -> str:
        """Who holds the lease, as last seen; empty: nobody."""
        return self._candidacy.holder

    @property
    def watermarks(self) -> Mapping[str, int]:
        """By kind, the highest resourceVersion that a leader is known to have seen: refuse an older view.

        As of the last renewal: what the last leader saw in its last moments may be missing.
        """
        return self._candidacy.watermarks

    def reset_watermark(self, kind: str) -> None:
        """Forget a mark that a consistent list disproved, because the server was restored from a backup."""
        self._candidacy.reset_watermark(kind)

    async def lead(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Wait for the lease, do `work` while it is ours, give it back; `LeadershipLost` if it was not ours so long."""
        _log.info("Waiting for the lease %s as %s.", self._where, self.identity)
        while not self.fence.is_open():
            await self._attempt()
            # Not open after LEADING: the answer came too late to be trusted. The next attempt follows at once.
            if not self.fence.is_open():
                await asyncio.sleep(self._pause())
        self._tell("became leader", True)
        task = asyncio.create_task(work())
        cancelled = await self._keep(task)
        if self._candidacy.leading:
            self._stop()
            await self._release()
        elif cancelled is None:
            raise LeadershipLost(f"the lease {self._where} was lost: {self._why}; the work under it was cancelled.")
        if cancelled is not None:
            raise cancelled
        task.result()

    async def _keep(self, task: "asyncio.Task[None]") -> asyncio.CancelledError | None:
        """Renew the lease until the work has ended; the cancellation that came meanwhile."""
        cancelled: asyncio.CancelledError | None = None
        while not task.done():
            try:
                lasts = self._candidacy.leading
                await asyncio.wait({task}, timeout=self._pause() if lasts else None)
                if lasts and not task.done() and await self._attempt() is Verdict.LOST:
                    self._stop()
                    task.cancel()
            except asyncio.CancelledError as error:
                # Passed on to the work; its clean-up is still led, and may take its time.
                cancelled = error
                task.cancel()
            except BaseException:
                self._stop()
                task.cancel()
                raise
        return cancelled

    def _stop(self) -> None:
        self.fence.shut()
        self._tell("stopped leading", False)

    async def _release(self) -> None:
        """Give the lease up, if the server can be reached within the time others would wait anyway."""
        try:
            async with asyncio.timeout(self._durations.renew):
                while await self._talk(self._candidacy.release) is not Verdict.RELEASED:  # noqa: ASYNC110
                    await asyncio.sleep(self._durations.retry)
        except TimeoutError:
            why = self.trouble or "the server did not answer in time"
            _log.warning("The lease %s could not be released and will run out: %s", self._where, why)

    async def _attempt(self) -> Verdict:
        """Get the lease, or keep it, or neither."""
        try:
            async with asyncio.timeout(self._candidacy.limit(_now())):
                verdict = await self._talk(self._candidacy.begin)
        except TimeoutError:
            self.trouble = "the server did not answer in time"
            ended = self._candidacy.answer(Outcome.UNKNOWN, _now())
            assert isinstance(ended, Verdict)
            verdict = ended
        if verdict is Verdict.LEADING:
            self.fence.extend(self._candidacy.until, self._candidacy.wall_until)
        elif verdict is Verdict.UNKNOWN and self.trouble and self.trouble != self._said:
            _log.warning("The lease %s is tried again: %s", self._where, self.trouble)
            self._said = self.trouble
        if self.holder != self._known:
            self._known = self.holder
            if self._observer is not None:
                self._observer.new_leader(self.holder)
        return verdict

    async def _talk(self, begin: Callable[[Moment], Ask]) -> Verdict:
        self._candidacy.delivered = self._delivered()
        ask: Ask | Verdict = begin(_now())
        while isinstance(ask, Ask):
            answer = await self._ask(ask)
            ask = self._candidacy.answer(answer, _now())
        if self._candidacy.slow and self._observer is not None:
            self._observer.slow_path()
        return ask

    async def _ask(self, ask: Ask) -> dict[str, Any] | Outcome:
        self.trouble = ""
        try:
            if ask is Ask.READ:
                answer = await self._client.get(self._path)
            elif ask is Ask.CREATE:
                answer = await self._client.create(self._collection, self._candidacy.document)
            else:
                answer = await self._client.update(self._path, self._candidacy.document)
        except NotFound as error:
            self.trouble = "" if ask is Ask.READ else str(error)
            return Outcome.MISSING
        except (Conflict, AlreadyExists):
            return Outcome.REFUSED  # another was faster: nothing is wrong
        except ApiError as error:
            self.trouble = str(error)
            return Outcome.UNKNOWN if isinstance(error, _UNSURE) else Outcome.REFUSED
        except KubewrightError as error:
            self.trouble = str(error)
            return Outcome.UNKNOWN
        if not isinstance(answer, dict) or not isinstance(answer.get("metadata"), dict):
            self.trouble = "the server answered something that is no Lease"
            return Outcome.UNKNOWN
        return answer

    def _tell(self, what: str, leading: bool) -> None:
        _log.info("%s %s (lease %s).", self.identity, what, self._where)
        if self._observer is not None:
            self._observer.leading(leading)
            self._observer.event(self._candidacy.lease, f"{self.identity} {what}")

    def _pause(self) -> float:
        return self._candidacy.pause(_now(), self._entropy.fraction())

    @property
    def _why(self) -> str:
        held = self.holder
        if held and held != self.identity:
            return f"{held} holds it"
        return f"it could not be renewed within {self._durations.renew:g} s ({self.trouble or 'it is not there'})"


def _now() -> Moment:
    return Moment(clock.monotonic(), clock.now())
