"""Who leads: leader election on a Lease, as a state machine without waiting.

A candidate makes attempts. An attempt is a short talk with the server: `begin` says what to ask, `answer` takes what
came back and says what to ask next, or how the attempt ended. Two states, one transition function:

                    ┌──── free, or not renewed for its duration: take it over ────┐
                    │                                                             ▼
    FOLLOWING: read the Lease                            LEADING: write it again with a new renewTime
                    ▲                                                             │
                    └──── it is another's, or the renew deadline has passed ──────┘

What is promised, and what it stands on:

- **Every write is conditional** on the resourceVersion (and uid) it was made from; the server lets one of two pass.
- **No clocks are compared.** A follower counts a lease's duration from the moment it saw the Lease change, on its own
  monotonic clock; the times in the record are for people. A leader counts its deadline from the moment it *sent* the
  renewal that was confirmed, which was before anybody could see it. So as long as renew < lease, a leader's fence is
  shut before a follower takes over, whatever their clocks say.
- **A lease is ours if it is as we wrote it**: holder, acquireTime and transitions. A name alone proves nothing: another
  process may have the same. It also recognises a write of ours whose answer was lost.
- **Renewal** first tries the record as last seen (the fast path), and reads only if that was refused (the slow path).
  After a stall it is this conditional write that tells whether anybody led meanwhile; if nobody did, we go on.
- **Taking over** counts `leaseTransitions` up and sets `acquireTime`; renewal keeps both; release empties the holder
  and says one second, all as client-go does, so that both can be candidates for one Lease.
- **A Lease changed by hand frees nothing.** When it vanishes, those who saw it held wait as if it were there, while the
  leader makes it anew; an emptied holder is a release only with one second and equal times; a duration shorter than our
  own is not believed. (Only a candidate that has not seen it since it was made, because it has just started, cannot
  know that there was one, and takes what it finds.)

The Lease also carries, as an annotation, the *watermarks*: by kind the highest resourceVersion that was delivered to a
leader, as of its last renewal. They only rise, until one is reset.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any, Final

import msgspec

from kubewright.errors import KubewrightError

__all__ = ["WATERMARKS", "Ask", "Candidacy", "Durations", "ElectionError", "Moment", "Outcome", "Verdict"]

WATERMARKS: Final = "kubewright/watermarks"
#: A follower asks again after retry · (1 + 1.2 · chance), as client-go does.
_JITTER: Final = 1.2
#: Seconds past the end of a lease at which a follower tries: a timer may go off a rounding error early.
_AFTER: Final = 0.001

Document = dict[str, Any]


class ElectionError(KubewrightError):
    """An election that cannot be."""


@dataclass(frozen=True)
class Durations:
    """Seconds. How long a lease is good for, unrenewed; after how long without renewal its holder gives up; how often
    it is renewed, and looked at by the others.
    """

    lease: int = 15
    renew: float = 10.0
    retry: float = 2.0

    def __post_init__(self) -> None:
        for name, seconds in (("lease", self.lease), ("renew", self.renew), ("retry", self.retry)):
            if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not math.isfinite(seconds):
                raise ElectionError(f"{name}={seconds!r:.40} must be seconds, a number.")
        if self.lease != int(self.lease) or self.lease < 1:
            raise ElectionError(f"a lease lasts a whole number of seconds, at least 1: {self.lease:g} is none.")
        if not self.lease > self.renew > _JITTER * self.retry > 0:
            raise ElectionError(
                f"lease ({self.lease:g} s) must be longer than renew ({self.renew:g} s), and that longer than "
                f"{_JITTER} times retry ({self.retry:g} s): otherwise one slow answer costs the leadership."
            )


@dataclass(frozen=True, slots=True)
class Moment:
    """Now, on the clock that nobody sets and on the one for people."""

    monotonic: float
    wall: datetime


class Ask(Enum):
    """What to ask the server; with what document is in `Candidacy.document`."""

    READ = auto()
    CREATE = auto()
    UPDATE = auto()


class Outcome(Enum):
    """What came of it, when it was not a document."""

    MISSING = auto()  # there is no such Lease
    REFUSED = auto()  # the server said no: nothing was written
    UNKNOWN = auto()  # no answer: it may have been written


class Verdict(Enum):
    """How an attempt ended."""

    LEADING = auto()
    FOLLOWING = auto()
    UNKNOWN = auto()  # nothing was learnt; we are what we were
    LOST = auto()  # we led, and do no more
    RELEASED = auto()  # we led, and gave it up


@dataclass(frozen=True, slots=True)
class _Claim:
    """What makes a record ours."""

    acquired: str
    transitions: int


class Candidacy:
    """One candidate's view of one Lease, and what it does about it."""

    def __init__(self, name: str, namespace: str, holder: str, durations: Durations) -> None:
        self._metadata = {"name": name, "namespace": namespace}
        self._holder = holder
        self._durations = durations
        self._claim: _Claim | None = None
        self._lease: Document | None = None
        self._observed: Document | None = None  # the spec as last seen, its version, and since when it is so
        self._version: tuple[str | None, str | None] = None, None
        self._observed_at = 0.0
        self._vanished = False
        self._asked = Ask.READ
        self._slow = False
        self._releasing = False
        self._started = self._sent = Moment(0.0, datetime.min)
        self._settled = True
        self.document: Document = {}
        self.leading = False
        #: Until when the lease is surely ours: on the monotonic clock, and as seconds since 1970.
        self.until = self.wall_until = float("-inf")
        self.delivered: Mapping[str, int] = {}
        self.watermarks: dict[str, int] = {}

    @property
    def holder(self) -> str:
        """Who holds the lease, as last seen; empty: nobody."""
        return str(self._observed.get("holderIdentity") or "") if self._observed else ""

    @property
    def slow(self) -> bool:
        """Whether the attempt is a renewal that needed a read."""
        return self._slow

    @property
    def lease(self) -> Mapping[str, Any]:
        """The Lease as last seen or written."""
        return self._lease or {"metadata": self._metadata}

    def begin(self, now: Moment) -> Ask:
        """Start an attempt to get the lease, or to keep it."""
        self._started, self._slow, self._releasing = now, False, False
        if self.leading and self._lease is not None:
            return self._write(self._lease, now)
        return self._read()

    def release(self, now: Moment) -> Ask:
        """Start an attempt to give the lease up."""
        self._started, self._slow, self._releasing = now, False, True
        return self._write(self._lease, now) if self._lease is not None else self._read()

    def answer(self, answer: Document | Outcome, now: Moment) -> Ask | Verdict:
        """Go on with what came back."""
        self._settled = answer is not Outcome.UNKNOWN
        if answer is Outcome.UNKNOWN:
            return self._fail(now)
        if self._asked is Ask.READ:
            return self._look(answer, now) if isinstance(answer, dict) else self._miss(answer, now)
        if isinstance(answer, dict):
            return self._written(answer, now)
        # A renewal was refused: the record is not as we thought. Look at it, once.
        if self.leading and not self._slow:
            self._slow = True
            return self._read()
        # Refused as new: it is there again, and whoever made it leads. Should it vanish once more, we wait once more.
        self._vanished = self._vanished and self._asked is not Ask.CREATE
        return self._fail(now)

    def pause(self, now: Moment, chance: float) -> float:
        """Seconds until the next attempt; `chance` is from 0 up to 1."""
        retry = self._durations.retry
        if self.leading:
            # Not past the deadline: then it is tried a last time.
            return max(0.0, min(retry, self.until - now.monotonic))
        pause = retry * (1 + _JITTER * chance)
        if self._settled:
            # From one look to the next, however long the look took: so a change is seen within retry · 2.2.
            pause = max(0.0, pause - (now.monotonic - self._started.monotonic))
        ends = self._ends()
        # The end of a lease is not waited for in steps: whoever saw it last changed takes it when it ends.
        return min(pause, ends - now.monotonic + _AFTER) if ends > now.monotonic else pause

    def limit(self, now: Moment) -> float:
        """Seconds the attempt may take: what hangs must leave time for others before the deadline."""
        half = self._durations.renew / 2
        return min(half, max(self.until - now.monotonic, self._durations.retry)) if self.leading else half

    def reset_watermark(self, kind: str) -> None:
        """Forget a mark: the next renewal writes what is delivered now."""
        self.watermarks.pop(kind, None)

    def _read(self) -> Ask:
        self._asked = Ask.READ
        return Ask.READ

    def _look(self, lease: Document, now: Moment) -> Ask | Verdict:
        """The Lease was read: whose is it?"""
        spec = lease.get("spec") or {}
        if self._claim is not None and self._is_ours(spec):
            return self._write(lease, now)
        self._see(lease, now)
        if self.leading:
            self._claim = None
            return self._lose(Verdict.RELEASED if self._releasing else Verdict.LOST)
        if self._is_free(spec) or now.monotonic >= self._ends():
            transitions = (spec.get("leaseTransitions") or 0) + 1
            # The same claim as in an attempt whose answer was lost: whichever of the two was written, it is ours.
            if self._claim is None or self._claim.transitions != transitions:
                self._claim = _Claim(_micro(now.wall), transitions)
            return self._write(lease, now)
        return Verdict.FOLLOWING

    def _miss(self, outcome: Outcome, now: Moment) -> Ask | Verdict:
        """The Lease could not be read: because it is not there?"""
        if outcome is not Outcome.MISSING:
            return self._fail(now)
        if self._releasing:
            self._claim = None
            return self._lose(Verdict.RELEASED)
        if self.leading:
            # Made anew only while nobody can have led meanwhile.
            return self._make(now) if now.monotonic < self.until else self._lose(Verdict.LOST)
        if not self._vanished:
            # A change like any other: somebody may have taken or renewed it after we last looked.
            self._vanished, self._observed_at = True, now.monotonic
        if now.monotonic < self._ends():
            return Verdict.FOLLOWING
        self._claim = _Claim(_micro(now.wall), 0)
        return self._make(now)

    def _fail(self, now: Moment) -> Verdict:
        if self.leading and now.monotonic >= self.until and not self._releasing:
            # The claim stays: if the record is still as we wrote it when the server is back, nobody led meanwhile.
            return self._lose(Verdict.LOST)
        return Verdict.UNKNOWN

    def _lose(self, verdict: Verdict) -> Verdict:
        self.leading = False
        self.until = self.wall_until = float("-inf")
        return verdict

    def _make(self, now: Moment) -> Ask:
        self._write({"metadata": dict(self._metadata)}, now)
        self._asked = Ask.CREATE
        return Ask.CREATE

    def _write(self, lease: Document, now: Moment) -> Ask:
        """Write the record on top of what was seen: ours, or given up."""
        assert self._claim is not None
        old = lease.get("spec") or {}
        if self._releasing:
            time = _micro(now.wall)
            spec = {"holderIdentity": "", "leaseDurationSeconds": 1, "acquireTime": time, "renewTime": time}
        else:
            # A clock that stands still must not make the renewal no change at all, which nobody would see.
            stuck = old.get("renewTime") == _micro(now.wall)
            spec = {
                "holderIdentity": self._holder,
                "leaseDurationSeconds": int(self._durations.lease),
                "acquireTime": self._claim.acquired,
                "renewTime": _micro(now.wall + timedelta(microseconds=1) if stuck else now.wall),
            }
        spec["leaseTransitions"] = self._claim.transitions
        metadata = dict(lease["metadata"])
        self.watermarks = _higher(self.watermarks if self.leading else _marks(metadata), self.delivered)
        if self.watermarks:
            marks = msgspec.json.encode(self.watermarks, order="sorted").decode()
            metadata["annotations"] = (metadata.get("annotations") or {}) | {WATERMARKS: marks}
        self.document = {**lease, "apiVersion": "coordination.k8s.io/v1", "kind": "Lease"}
        self.document |= {"metadata": metadata, "spec": spec}
        self._asked, self._sent = Ask.UPDATE, now
        return Ask.UPDATE

    def _written(self, lease: Document, now: Moment) -> Verdict:
        self._see(lease, now)
        if self._releasing:
            self._claim = None
            return self._lose(Verdict.RELEASED)
        self.leading = True
        self.until = self._sent.monotonic + self._durations.renew
        self.wall_until = self._sent.wall.timestamp() + self._durations.renew
        return Verdict.LEADING

    def _see(self, lease: Document, now: Moment) -> None:
        self._lease = lease
        version = lease["metadata"].get("uid"), lease["metadata"].get("resourceVersion")
        if version != self._version or self._vanished:
            # Not the record is compared, which may have been changed and changed back, but its version.
            self._version, self._vanished = version, False
            self._observed, self._observed_at = lease.get("spec") or {}, now.monotonic
        if not self.leading:
            self.watermarks = _marks(lease["metadata"])

    def _ends(self) -> float:
        """When the lease that was seen runs out, if it is not renewed."""
        if self._observed is None or (self._is_free(self._observed) and not self._vanished):
            return float("-inf")
        return self._observed_at + max(self._observed.get("leaseDurationSeconds") or 0, self._durations.lease)

    def _is_ours(self, spec: Document) -> bool:
        claimed = (self._holder, self._claim.acquired, self._claim.transitions) if self._claim else None
        return (spec.get("holderIdentity"), spec.get("acquireTime"), spec.get("leaseTransitions")) == claimed

    @staticmethod
    def _is_free(spec: Document) -> bool:
        """Whether nobody ever held it, or whoever did let go of it."""
        acquired, renewed = spec.get("acquireTime"), spec.get("renewTime")
        if spec.get("holderIdentity") or acquired != renewed:
            return False
        return acquired is None or spec.get("leaseDurationSeconds") == 1


def _micro(time: datetime) -> str:
    """A time as a MicroTime is written."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _marks(metadata: Mapping[str, Any]) -> dict[str, int]:
    """The watermarks on a Lease; none, if somebody made them unreadable."""
    text = (metadata.get("annotations") or {}).get(WATERMARKS)
    try:
        return msgspec.json.decode(text, type=dict[str, int]) if text else {}
    except msgspec.MsgspecError:
        return {}


def _higher(marks: Mapping[str, int], delivered: Mapping[str, int]) -> dict[str, int]:
    return {kind: max(marks.get(kind, 0), delivered.get(kind, 0)) for kind in {*marks, *delivered}}
