"""What containers have written: lines at their times, and what of them is asked for. Pure.

A log is written in settings, a line a line; one that begins with a time, as in `+5s ready`, comes so long after the
container has begun, the others with the one before.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from kubewright.cluster.nodes.moments import read_moment
from kubewright.model.duration import Duration, DurationError

__all__ = ["Line", "LogOptions", "Run", "find_run", "read_lines", "read_options", "render"]

Document = dict[str, Any]

_TIMED: Final = re.compile(r"\+(\S+) (.*)", re.DOTALL)
_STATUSES: Final = ("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")
_WAITS: Final = {
    "ErrImagePull": "image can't be pulled",
    "ImagePullBackOff": "trying and failing to pull image",
}


class Line(NamedTuple):
    """A line, with its end, and when it was written."""

    at: float
    text: str


class Run(NamedTuple):
    """A container from its begin to its end, if it has ended."""

    begun: float
    ended: float | None


@dataclass(frozen=True)
class LogOptions:
    """What of a log is asked for."""

    follow: bool = False
    previous: bool = False
    timestamps: bool = False
    #: Nothing that was written before.
    since: float | None = None
    #: The last lines only.
    tail: int | None = None
    #: No more bytes than that.
    limit: int | None = None


def read_options(query: Mapping[str, Sequence[str]], now: float) -> LogOptions:
    """From the query of a request."""

    def word(name: str) -> str:
        return query.get(name, [""])[0]

    since = read_moment(word("sinceTime")) if word("sinceTime") else None
    if word("sinceSeconds"):
        since = now - int(word("sinceSeconds"))
    return LogOptions(
        word("follow") in ("true", "1"),
        word("previous") in ("true", "1"),
        word("timestamps") in ("true", "1"),
        since,
        int(word("tailLines")) if word("tailLines") else None,
        int(word("limitBytes")) if word("limitBytes") else None,
    )


def find_run(pod: Document, container: str, *, previous: bool) -> Run | str:
    """The run of a container whose log is meant, or a sentence why there is none."""
    name = pod["metadata"]["name"]
    where = f'container "{container}" in pod "{name}"'
    statuses = [each for kind in _STATUSES for each in pod["status"].get(kind) or () if each["name"] == container]
    if not statuses:
        return f"{where} is not available"
    state, last = statuses[0]["state"], statuses[0].get("lastState", {}).get("terminated")
    if previous:
        return _ended(last) or f"previous terminated {where} not found"
    if "running" in state:
        return Run(read_moment(state["running"]["startedAt"]), None)
    if "terminated" in state:
        return _ended(state["terminated"]) or _ended(last) or f"{where} is terminated"
    if last is not None:
        return _ended(last) or f"{where} is terminated"
    reason = state["waiting"].get("reason", "")
    return f"{where} is waiting to start: {_WAITS.get(reason, reason)}"


def _ended(terminated: Document | None) -> Run | None:
    if terminated is None or not terminated.get("containerID"):
        return None
    return Run(read_moment(terminated["startedAt"]), read_moment(terminated["finishedAt"]))


def read_lines(log: str, run: Run) -> Iterator[Line]:
    """All that a container writes in a run."""
    at = run.begun
    for text in log.splitlines():
        timed = _TIMED.fullmatch(text)
        line = text
        if timed is not None:
            try:
                at = run.begun + Duration(timed[1]).seconds
                line = timed[2]
            except DurationError:
                pass  # a line like any other
        if run.ended is not None and at > run.ended:
            return
        yield Line(at, f"{line}\n")


def render(lines: Sequence[Line], options: LogOptions) -> bytes:
    """What of these lines is answered."""
    chosen = [line for line in lines if options.since is None or line.at >= options.since]
    if options.tail is not None:
        chosen = chosen[-options.tail :] if options.tail else []
    text = "".join(f"{_stamp(line.at)} {line.text}" if options.timestamps else line.text for line in chosen).encode()
    return text if options.limit is None else text[: options.limit]


def _stamp(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f000Z")
