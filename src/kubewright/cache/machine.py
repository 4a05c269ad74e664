"""How a reflector goes on: its states, and the one function that says which follows which. Pure.

```
            ┌─────────────── cannot stream, or the stream broke ────────────────┐
 ──► STREAMING ──all there was──► WATCHING ◄────────last page────────────── LISTING ◄─┐
         ▲                         │  ▲ ▲                                       │     │ pages expired:
         │                         │  │ └── ended, lost after a second or more  │     │ all in one
         │                 failure │  │ from where it was                       ├─────┘
         └───────── anew ──────── RESTING ◄──────────── failure ────────────────┘
```

- STREAMING: a watch that begins with all there is (`sendInitialEvents`) up to a bookmark that says so; then the same
  stream goes on as WATCHING. Servers that cannot are listed, and then watched from the list's revision. Maybe it was
  only slow, or is another by now: when everything begins anew after a while, it is asked once more (`Doubt`).
- LISTING: page by page. Neither ever asks for revision "0": what a fresh start sees is what the server had then.
- WATCHING: from the last revision told. When the server has forgotten it (410), or does not have it yet (it was
  restored; some say so, of others it is found out), everything begins anew; otherwise the watch is taken up where it
  was, and nothing is listed.
- RESTING: after a failure. Every way out of one leads through here, so nothing that a server answers makes us hammer
  it.

What went wrong is `trouble`, until the server answers well again.
"""

from enum import StrEnum

import msgspec
from msgspec.structs import replace

__all__ = ["Backoff", "Doubt", "Ended", "Failed", "Machine", "Opened", "Page", "Phase", "Renew", "Rested", "Signal"]
__all__ += ["Trouble", "Whole", "advance"]

#: A watch that ends sooner has not worked, whatever its status was.
BRIEF = 1.0
#: A stream that has not told by then that it has told all there is makes one wonder; if it ends so, the server cannot.
LATE = 10.0
#: Seconds, after something has gone well.
FIRST_REST = 0.8
#: For a kind that is not served: seconds, at most. Its CRD may come any moment, and asking costs next to nothing.
MISSING_REST = 5.0


class Phase(StrEnum):
    """What a reflector does."""

    STREAMING = "streaming"
    LISTING = "listing"
    WATCHING = "watching"
    RESTING = "resting"


class Trouble(StrEnum):
    """What keeps it from working."""

    #: The server has forgotten the revision, or does not know it yet.
    EXPIRED = "expired"
    FORBIDDEN = "forbidden"
    UNAUTHORIZED = "unauthorized"
    #: The kind is not served: its CRD is not there, or no more.
    MISSING = "missing"
    #: No connection comes about.
    UNREACHABLE = "unreachable"
    #: The connection was lost under way.
    BROKEN = "broken"
    THROTTLED = "throttled"
    #: Nothing came for so long that something must be wrong: not even a bookmark.
    STALLED = "stalled"
    #: What came is no watch or list.
    GARBAGE = "garbage"
    #: The server does not know the question.
    UNSUPPORTED = "unsupported"
    #: The server answers, but with an error of its own.
    FAILING = "failing"
    #: Watches end as soon as they have begun.
    BRIEF = "brief"


_OUTAGES = (Trouble.UNREACHABLE, Trouble.BROKEN, Trouble.FAILING, Trouble.UNAUTHORIZED, Trouble.FORBIDDEN)


class Backoff(msgspec.Struct, frozen=True):
    """How long to rest: client-go's numbers. 0.8 s, doubled each time up to 30 s, and up to as much again by chance;
    from the beginning after two minutes in which there was no need to.
    """

    delay: float = 0.0
    last: float = 0.0
    #: What it was for.
    trouble: Trouble | None = None

    def next(self, now: float, trouble: Trouble) -> "Backoff":
        """The one after this."""
        if self.delay == 0 or now - self.last > 120.0:
            return Backoff(FIRST_REST, now, trouble)
        return Backoff(min(self.delay * 2, 30.0), now, trouble)


class Doubt(msgspec.Struct, frozen=True):
    """Whether the server can stream. Where it did not, lists are taken for ten minutes, for twice as long after each
    further attempt up to a day, and from the beginning after one that went well.
    """

    pause: float = 0.0
    until: float = 0.0

    def __bool__(self) -> bool:
        return self.pause > 0

    def next(self, now: float) -> "Doubt":
        """The one after an attempt that failed."""
        pause = min(self.pause * 2, 86_400.0) or 600.0
        return Doubt(pause, now + pause)


class Machine(msgspec.Struct, frozen=True):
    """The whole state of a reflector."""

    phase: Phase = Phase.STREAMING
    #: In LISTING: the page to ask for next; whether all is to come in one.
    token: str = ""
    unpaged: bool = False
    doubt: Doubt = Doubt()
    #: In RESTING: for how long, and what follows.
    rest: float = 0.0
    then: Phase = Phase.STREAMING
    trouble: Trouble | None = None
    #: How often in a row what came was garbage, or a watch that had begun ended in an error of the server.
    spoilt: int = 0
    backoff: Backoff = Backoff()

    def first(self, time: float) -> Phase:
        """What to begin anew with."""
        return Phase.LISTING if time < self.doubt.until else Phase.STREAMING


class Opened(msgspec.Struct, frozen=True):
    """The server has begun to answer, and well."""


class Whole(msgspec.Struct, frozen=True):
    """All there was has come, and it is known up to where that reaches."""


class Page(msgspec.Struct, frozen=True):
    """A page of a list has come, and there are more."""

    token: str


class Ended(msgspec.Struct, frozen=True):
    """The server has ended a watch."""

    lasted: float
    events: int


class Failed(msgspec.Struct, frozen=True):
    """Something went wrong. `pause`: how long the server said to wait."""

    trouble: Trouble
    lasted: float = 0.0
    events: int = 0
    pause: float = 0.0


class Rested(msgspec.Struct, frozen=True):
    """The rest is over, or was cut short."""


class Renew(msgspec.Struct, frozen=True):
    """Begin anew: somebody must know what is there now."""


Signal = Opened | Whole | Page | Ended | Failed | Rested | Renew


def advance(now: Machine, signal: Signal, time: float, chance: float) -> Machine:
    """What follows. `chance` is a number from 0 up to 1, `time` any clock's seconds."""
    match signal:
        case Opened():
            return replace(now, trouble=None)
        case Whole():
            doubt = Doubt() if now.phase is Phase.STREAMING else now.doubt
            return replace(now, phase=Phase.WATCHING, token="", unpaged=False, trouble=None, spoilt=0, doubt=doubt)
        case Page(token):
            return replace(now, token=token, trouble=None)
        case Rested():
            return replace(now, phase=now.then, rest=0.0)
        case Renew():
            return replace(now, phase=now.first(time), token="", unpaged=False, rest=0.0)
        case Ended(lasted, events):
            if now.phase is not Phase.WATCHING:  # it was to tell all there is, and did not
                now = replace(now, doubt=now.doubt.next(time)) if lasted >= LATE else now
                return _rest(now, Phase.LISTING, Trouble.BROKEN, time, chance)
            if lasted >= BRIEF:
                return now
            return _rest(now, Phase.WATCHING if events else now.first(time), Trouble.BRIEF, time, chance)
        case Failed():
            return _after(now, signal, time, chance)


def _after(now: Machine, failed: Failed, time: float, chance: float) -> Machine:
    trouble = failed.trouble
    # One that the server cannot go on with from where it was would fail there for ever.
    stuck = trouble is Trouble.FAILING and now.phase is Phase.WATCHING and now.trouble is None
    spoilt = (0 if failed.events else now.spoilt) + (trouble is Trouble.GARBAGE or stuck)
    if now.phase is Phase.STREAMING and trouble is Trouble.UNSUPPORTED:
        return replace(now, phase=Phase.LISTING, doubt=now.doubt.next(time))
    if now.phase is Phase.LISTING and trouble is Trouble.EXPIRED and now.token:
        return replace(now, token="", unpaged=True)
    if now.phase is Phase.WATCHING and trouble in (Trouble.BROKEN, Trouble.STALLED) and failed.lasted >= BRIEF:
        return replace(now, trouble=trouble, spoilt=spoilt)
    then = now.first(time)
    if now.phase is Phase.WATCHING:
        if trouble not in (Trouble.EXPIRED, Trouble.MISSING, Trouble.UNSUPPORTED) and spoilt < 2:
            then = Phase.WATCHING
    elif now.phase is Phase.STREAMING and trouble in (
        Trouble.BROKEN,
        Trouble.STALLED,
        Trouble.GARBAGE,
        Trouble.FAILING,
    ):
        then = Phase.LISTING
        now = replace(now, doubt=now.doubt.next(time)) if trouble is Trouble.STALLED else now
    return replace(_rest(now, then, trouble, time, chance, failed.pause), spoilt=spoilt)


def _rest(now: Machine, then: Phase, trouble: Trouble, time: float, chance: float, pause: float = 0.0) -> Machine:
    backoff = now.backoff.next(time, trouble)
    delay = min(backoff.delay, MISSING_REST) if trouble is Trouble.MISSING else backoff.delay
    if trouble is Trouble.EXPIRED and now.backoff.trouble in _OUTAGES:
        # It may well have forgotten where we were: no reason to stay away any longer. But what is next counts on.
        delay = FIRST_REST
    rest = max(delay * (1 + chance), pause)
    return replace(
        now, phase=Phase.RESTING, then=then, rest=rest, backoff=backoff, trouble=trouble, token="", unpaged=False
    )
