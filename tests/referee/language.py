"""The language of the referee: a script is a name, the clauses it proves, and steps that ask a server something.

    script(
        "a stale resourceVersion is a conflict",
        "UPD-1",
        post("{configmaps}", configmap("a"), keep="a"),
        put("{configmaps}/a", edited("a", {"data": {"k": "2"}})),
        put("{configmaps}/a", edited("a", {"data": {"k": "3"}})),
    )

Strings may hold references: `{ns}` is the script's own namespace, `{group}` an API group that no other script uses,
`{configmaps}` and the like are paths (`tests.referee.fill`), `{a.metadata.uid}` is taken from the answer that was kept
as `a`, and `{a_etag}` from its header. A reference that is a whole string keeps its type. What is sent is otherwise
exactly what is written: queries stand in the path, bytes and str bodies go as they are, any other body as JSON.

What is compared of an answer is all of it, unless a step says less: `only` keeps parts of a success, `unordered` sorts
lists that the real server gives in random order, `masked` replaces what no two servers share, `without` leaves out what
is not ours to have, `exact` adds the text itself. A path into a body is words (`items * metadata name`); `*` is each
element or key, `**` any depth.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "Ask",
    "Close",
    "Compact",
    "Edited",
    "Look",
    "Open",
    "Read",
    "Script",
    "Step",
    "Until",
    "ask",
    "close",
    "compact",
    "delete",
    "edited",
    "events",
    "get",
    "patch",
    "post",
    "put",
    "script",
    "until",
    "watch",
]

_PATCHES = {
    "json": "application/json-patch+json",
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "apply": "application/apply-patch+yaml",
}


@dataclass(frozen=True, slots=True)
class Edited:
    """An answer that was kept, changed as by a merge patch: a None removes."""

    name: str
    change: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What of an answer is compared."""

    only: tuple[str, ...] = ()
    unordered: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    exact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request."""

    method: str
    path: str
    body: Any = None
    headers: tuple[tuple[str, str], ...] = ()
    keep: str = ""
    note: str = ""
    look: Look = field(default_factory=Look)

    @property
    def line(self) -> str:
        """The request in one line, references unfilled."""
        return f"{self.method} {self.path}" + (f"  # {self.note}" if self.note else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Until:
    """A request, repeated until the answer is as wanted; the last answer counts."""

    ask: Ask
    code: int = 200
    has: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Begin a watch, and go on while it stands."""

    name: str
    ask: Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Take events off a watch: `count` that are no bookmarks, or up to the first of type `stop`, or all to its end."""

    name: str
    count: int | None = None
    stop: str = ""
    keep: str = ""
    unordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """End a watch from our side."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compact:
    """Have the server's store forget what was before a version; no request can ask for that."""

    version: str


Step = Ask | Until | Open | Read | Close | Compact


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What is asked of both servers; `setup` is not compared, it must only succeed."""

    name: str
    clauses: tuple[str, ...]
    steps: tuple[Step, ...]
    setup: tuple[Step, ...] = ()
    alone: bool = False

    @property
    def digest(self) -> str:
        """Changes whenever the script does: a recording is of one script only."""
        return hashlib.sha256(repr((self.steps, self.setup)).encode()).hexdigest()[:12]


def script(name: str, clauses: str, *steps: Step, setup: tuple[Step, ...] = (), alone: bool = False) -> Script:
    """A script; `alone` keeps others from running at the same time, for answers that tell of the whole server."""
    return Script(name=name, clauses=tuple(clauses.split()), steps=steps, setup=setup, alone=alone)


def ask(
    method: str,
    path: str,
    body: Any = None,
    *,
    accept: str | None = "application/json",
    content_type: str | None = "application/json",
    headers: Mapping[str, str] | None = None,
    keep: str = "",
    note: str = "",
    only: str | tuple[str, ...] = (),
    unordered: str | tuple[str, ...] = (),
    masked: str | tuple[str, ...] = (),
    without: str | tuple[str, ...] = (),
    exact: bool = False,
) -> Ask:
    """Any request. `accept` or `content_type` None leaves that header out."""
    lines = dict(headers or {})
    if accept is not None:
        lines = {"Accept": accept, **lines}
    if content_type is not None and body is not None:
        lines = {"Content-Type": content_type, **lines}
    look = Look(
        only=_paths(only),
        unordered=_paths(unordered),
        masked=_paths(masked),
        without=_paths(without),
        exact=exact,
    )
    return Ask(method=method, path=path, body=body, headers=tuple(lines.items()), keep=keep, note=note, look=look)


def get(path: str, **options: Any) -> Ask:
    """Read."""
    return ask("GET", path, **options)


def post(path: str, body: Any = None, **options: Any) -> Ask:
    """Create."""
    return ask("POST", path, body, **options)


def put(path: str, body: Any = None, **options: Any) -> Ask:
    """Update."""
    return ask("PUT", path, body, **options)


def patch(path: str, kind: str, body: Any, **options: Any) -> Ask:
    """Patch; `kind` is json, merge, strategic or apply, or a media type."""
    return ask("PATCH", path, body, **{"content_type": _PATCHES.get(kind, kind), **options})


def delete(path: str, body: Any = None, **options: Any) -> Ask:
    """Delete; the body is DeleteOptions."""
    return ask("DELETE", path, body, **options)


def until(ask: Ask, *, code: int = 200, has: Any = None) -> Until:
    """Repeat a request until its code is `code` and its body has what `has` has.

    A dict has another if it has all its entries; a list has another if each element is had by one of its own, and a
    tuple if it is as long, too; None is had by all.
    """
    return Until(ask=ask, code=code, has=has)


def watch(name: str, path: str, **options: Any) -> Open:
    """Begin a watch called `name`; `?watch=1` stands in the path like any other query."""
    return Open(name=name, ask=ask("GET", path, **options))


def events(name: str, count: int | None = None, *, stop: str = "", keep: str = "", unordered: bool = False) -> Read:
    """Take events off a watch."""
    return Read(name=name, count=count, stop=stop, keep=keep, unordered=unordered)


def close(name: str) -> Close:
    """End a watch."""
    return Close(name=name)


def compact(version: str) -> Compact:
    """Forget what was before a version."""
    return Compact(version=version)


def edited(name: str, change: Mapping[str, Any] | None = None) -> Edited:
    """The body that was kept as `name`, with changes."""
    return Edited(name, change or {})


def _paths(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given
