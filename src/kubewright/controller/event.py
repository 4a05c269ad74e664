"""Events about objects: what is told of them, and what is not, so that nobody drowns in them. Pure.

| rule         | what it does                                                                                         |
|--------------|------------------------------------------------------------------------------------------------------|
| spam         | of one object, 25 Events at once, and one more every five minutes; what is beyond is only counted     |
| aggregation  | of one object and reason, the tenth different note and all after it are one Event, until ten minutes  |
|              | have passed without any                                                                               |
| series       | the same Event again is counted: the second time at once, later ones together, every half an hour    |
| end          | after six minutes of silence the last count is told and the Event is forgotten                       |

They are client-go's rules (spam control and aggregation from its first recorder, series from its second, which the
first tells each time). `news` writes them down.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kubewright.errors import KubewrightError

__all__ = ["Correlator", "Event", "EventError", "Post", "Series", "check_event"]

_BURST: Final = 25
_REFILL: Final = 300.0
_SIMILAR: Final = 10
_SIMILAR_WITHIN: Final = 600.0
_REFRESH: Final = 1800.0
_SILENCE: Final = 360.0
_KNOWN: Final = 4096
_COMBINED: Final = "(combined from similar events): "
_TYPES: Final = ("Normal", "Warning")
#: The server's limit, of a reason and of an action.
_LONGEST_WORD: Final = 128


class EventError(KubewrightError, ValueError):
    """What is to be told as an Event and is none."""


def check_event(type: object, reason: object, note: object, action: object) -> None:  # noqa: A002
    """Raise `EventError` for what no server would take: what is sent later, beside the work, would fail unseen."""
    if type not in _TYPES:
        raise EventError(f"an Event is of type Normal or Warning, not {type!r:.60}.")
    for what, word in (("reason", reason), ("action", action)):
        if not isinstance(word, str) or not 0 < len(word.encode()) <= _LONGEST_WORD:
            raise EventError(f"the {what} of an Event is a word of {_LONGEST_WORD} bytes at most, not {word!r:.60}.")
    if not isinstance(note, str):
        raise EventError(f"the note of an Event is a text, not {note!r:.60}.")


class Event(NamedTuple):
    """Something that happened to an object."""

    api_version: str
    kind: str
    namespace: str
    name: str
    uid: str
    type: str
    reason: str
    action: str
    note: str
    #: Whose news it is.
    controller: str = ""


class Post(NamedTuple):
    """Tell a new Event; `number` is what it is called by from now on."""

    number: int
    event: Event


class Series(NamedTuple):
    """Tell that an Event has happened so often, the last time then."""

    number: int
    event: Event
    times: int
    last: float


@dataclass
class _Bucket:
    tokens: float
    at: float


@dataclass
class _Similar:
    last: float
    notes: set[str] = field(default_factory=set)


@dataclass
class _Told:
    number: int
    event: Event
    count: int
    told: int
    last: float
    written: float


class Correlator:
    """Decides what is told. Time is handed in, in seconds."""

    def __init__(self, *, counted: bool = False) -> None:
        """`counted`: the same again is told each time, and not as a series."""
        self._counted = counted
        self._buckets: OrderedDict[Any, _Bucket] = OrderedDict()
        self._similar: OrderedDict[Any, _Similar] = OrderedDict()
        self._told: OrderedDict[Any, _Told] = OrderedDict()
        self._number = 0

    def happened(self, event: Event, now: float) -> Post | Series | None:
        """What is to be told of it now."""
        # What is dropped is counted all the same, where there is an Event that counts it.
        may = self._has_token((*event[:6], event.controller), now)
        event = self._combined(event, now)
        key = event._replace(note="") if event.note.startswith(_COMBINED) else event
        told = self._told.get(key)
        if told is None or now - told.last > _SILENCE:
            if not may:
                return None
            self._number += 1
            _keep(self._told, key, _Told(self._number, event, 1, 1, now, now))
            return Post(self._number, event)
        told.count += 1
        told.last = now
        told.event = event
        if not may or (not self._counted and told.count > 2 and now - told.written < _REFRESH):
            return None
        return _written(told, now)

    def due(self, now: float) -> list[Series]:
        """What is to be told because it has been silent since; it is forgotten then."""
        due = []
        for key, told in list(self._told.items()):
            if now - told.last > _SILENCE:
                del self._told[key]
                if told.count > told.told:
                    due.append(_written(told, now))
        return due

    def rest(self, now: float) -> list[Series]:
        """All counts that were not told yet: at the end."""
        return [_written(told, now) for told in self._told.values() if told.count > told.told]

    def __len__(self) -> int:
        return len(self._told)

    def _has_token(self, key: Any, now: float) -> bool:
        bucket = self._buckets.get(key) or _keep(self._buckets, key, _Bucket(_BURST, now))
        bucket.tokens = min(_BURST, bucket.tokens + (now - bucket.at) / _REFILL)
        bucket.at = now
        if bucket.tokens < 1:
            return False
        bucket.tokens -= 1
        return True

    def _combined(self, event: Event, now: float) -> Event:
        key = event._replace(note="")
        similar = self._similar.get(key)
        if similar is None or now - similar.last > _SIMILAR_WITHIN:
            similar = _keep(self._similar, key, _Similar(now))
        similar.last = now
        if event.note in similar.notes:
            return event
        if len(similar.notes) + 1 < _SIMILAR:
            similar.notes.add(event.note)
            return event
        return event._replace(note=_COMBINED + event.note)


def _written(told: _Told, now: float) -> Series:
    told.told = told.count
    told.written = now
    return Series(told.number, told.event, told.count, told.last)


def _keep(known: OrderedDict[Any, Any], key: Any, value: Any) -> Any:
    """Remember, and forget the oldest where there are too many."""
    known.pop(key, None)
    known[key] = value
    if len(known) > _KNOWN:
        known.popitem(last=False)
    return value
