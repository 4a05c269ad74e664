"""The status of a Job: what was counted stays counted, and what ended stays ended.

A rule is looked at only if what it speaks of changed: a status that was wrong before may be kept.
"""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.job.indexes import BadIndexes, count_indexes, find_overlap
from kubewright.cluster.registry.kinds.job.spec import is_indexed
from kubewright.cluster.registry.kinds.workload import LabelledStatus
from kubewright.cluster.registry.rules.counts import check_counts
from kubewright.cluster.registry.rules.inner import invalid_inner
from kubewright.schema.walk.errors import INVALID, FieldError, duplicate, invalid, required

__all__ = ["JobStatus"]

Document = dict[str, Any]

_CONDITIONS: Final = "status.conditions"
_UNCOUNTED: Final = "uncountedTerminatedPods"


class JobStatus(LabelledStatus):
    """What is particular to the status of a Job."""

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.check_meta_update(obj, old), *_check(_Change(obj, old)), *_check_update(_Change(obj, old))]


class _Change:
    """A status beside the one that it replaces."""

    def __init__(self, obj: Document, old: Document) -> None:
        self.spec, self.status, self.before = obj["spec"], obj["status"], old["status"]

    def changed(self, *names: str) -> bool:
        """Whether one of these members did."""
        return any(self.status.get(name) != self.before.get(name) for name in names)

    def turned(self, *kinds: str) -> bool:
        """Whether one of these conditions came or went."""
        return any(_is(self.status, kind) != _is(self.before, kind) for kind in kinds)

    @property
    def ended(self) -> bool:
        """Whether it came to its end, or back from it."""
        return _is_finished(self.status) != _is_finished(self.before)


def _is(status: Document, kind: str, value: str = "True") -> bool:
    return any(each["type"] == kind and each["status"] == value for each in status.get("conditions") or ())


def _is_finished(status: Document) -> bool:
    return _is(status, "Complete") or _is(status, "Failed")


def _wrong(why: str) -> FieldError:
    return FieldError(INVALID, _CONDITIONS, f"Invalid value: {why}")


def _check(change: _Change) -> Iterator[FieldError]:
    status = change.status
    yield from check_counts(status, "status", "active", "succeeded", "failed", "ready", "terminating")
    yield from _check_uncounted(status.get(_UNCOUNTED) or {})
    yield from _check_completion(change)
    yield from _check_end(change)
    yield from _check_indexes(change)
    terminating, ready, active = status.get("terminating") or 0, status.get("ready"), status.get("active") or 0
    if (change.ended or change.changed("terminating")) and terminating > 0 and _is_finished(status):
        yield invalid("status.terminating", terminating, "terminating>0 is invalid for finished job")
    if change.changed("ready", "active") and ready is not None and ready > active:
        yield invalid("status.ready", ready, "cannot set more ready pods than active")
    if _is(status, "SuccessCriteriaMet"):
        if _is(status, "Failed"):
            yield _wrong("cannot set SuccessCriteriaMet=True and Failed=true conditions")
        if _is(status, "FailureTarget"):
            yield _wrong("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions")
    elif change.spec.get("successPolicy") is not None and _is(status, "Complete"):
        yield _wrong("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True")


def _check_uncounted(uncounted: Document) -> Iterator[FieldError]:
    seen: set[str] = set()
    for part in ("succeeded", "failed"):
        for index, uid in enumerate(uncounted.get(part) or ()):
            place = f"status.{_UNCOUNTED}.{part}[{index}]"
            if not uid:
                yield invalid(place, uid, "must not be empty")
            elif uid in seen:
                yield duplicate(place, uid)
            seen.add(uid)


def _check_completion(change: _Change) -> Iterator[FieldError]:
    status = change.status
    complete, finished, started = _is(status, "Complete"), status.get("completionTime"), status.get("startTime")
    if change.turned("Complete", "Failed") and complete and _is(status, "Failed"):
        yield _wrong("cannot set Complete=True and Failed=true conditions")
    if change.turned("Complete", "FailureTarget") and complete and _is(status, "FailureTarget"):
        yield _wrong("cannot set Complete=True and FailureTarget=true conditions")
    if change.turned("Complete") or change.changed("completionTime"):
        if finished and not complete:
            why = "cannot set completionTime when there is no Complete=True condition"
            yield invalid("status.completionTime", finished, why)
        if not finished and complete:
            yield required("status.completionTime", "completionTime is required for Complete jobs")
    if change.changed("startTime", "completionTime") and started and finished and finished < started:
        yield invalid("status.completionTime", finished, "must be equal to or after `startTime`")


def _check_end(change: _Change) -> Iterator[FieldError]:
    status, ended = change.status, change.ended
    finished, active, uncounted = _is_finished(status), status.get("active") or 0, status.get(_UNCOUNTED)
    lost = change.turned("Failed") or change.changed("failedIndexes")
    if lost and _is(status, "Failed") and not _is(status, "FailureTarget"):
        yield _wrong("cannot set Failed=True condition without the FailureTarget=true condition")
    won = change.turned("Complete", "SuccessCriteriaMet")
    if won and _is(status, "Complete") and not _is(status, "SuccessCriteriaMet"):
        yield _wrong("cannot set Complete=True condition without the SuccessCriteriaMet=true condition")
    if not finished:
        return
    if (ended or change.changed("active")) and active > 0:
        yield invalid("status.active", active, "active>0 is invalid for finished job")
    idle = change.spec.get("suspend") is True and change.spec.get("completions") == 0
    if (ended or change.changed("startTime")) and not idle and not status.get("startTime"):
        yield required("status.startTime", "startTime is required for finished job")
    if (ended or change.changed(_UNCOUNTED)) and any((uncounted or {}).get(part) for part in ("failed", "succeeded")):
        kind = "batch/v1.UncountedTerminatedPods"
        yield invalid_inner(f"status.{_UNCOUNTED}", uncounted, kind, "must be empty for finished job")


def _check_indexes(change: _Change) -> Iterator[FieldError]:
    spec, completed, failed = change.spec, change.status.get("completedIndexes", ""), change.status.get("failedIndexes")
    completions, limit = spec.get("completions"), spec.get("backoffLimitPerIndex")
    done, lost = change.changed("completedIndexes"), change.changed("failedIndexes")
    if done and completions is not None:
        yield from _check_format(completed, completions, "completedIndexes")
    if lost and completions is not None and limit is not None and failed is not None:
        yield from _check_format(failed, completions, "failedIndexes")
    if done and completed and not is_indexed(spec):
        why = "cannot set non-empty completedIndexes when non-indexed completion mode"
        yield invalid("status.completedIndexes", completed, why)
    if lost and limit is None and failed is not None:
        why = "cannot set non-null failedIndexes when backoffLimitPerIndex is null"
        yield invalid("status.failedIndexes", failed, why)
    shared = None
    if (done or lost) and completions is not None and failed is not None:
        shared = find_overlap(completed, failed, completions)
    if shared is not None:
        why = f"failedIndexes and completedIndexes overlap at index: {shared}"
        yield invalid("status.failedIndexes", failed, why)


def _check_format(text: str, completions: int, name: str) -> Iterator[FieldError]:
    try:
        count_indexes(text, completions)
    except BadIndexes as error:
        yield invalid(f"status.{name}", text, f"error parsing {name}: {error}")


def _check_update(change: _Change) -> Iterator[FieldError]:
    """What is wrong with a step from one status to the next."""
    spec, status, before = change.spec, change.status, change.before
    for kind in ("Failed", "Complete", "FailureTarget"):
        if _is(before, kind) and not _is(status, kind):
            yield _wrong(f"cannot disable the terminal {kind}=True condition")
    # What was counted may be fewer when a Job gets smaller, which one with as many pods as completions may.
    elastic = is_indexed(spec) and spec.get("completions") == spec.get("parallelism")
    for name, free in (("failed", False), ("succeeded", elastic)):
        if not free and (count := status.get(name) or 0) < (before.get(name) or 0):
            yield invalid(f"status.{name}", count, f"cannot decrease the {name} counter")
    finished, started = status.get("completionTime"), status.get("startTime")
    if finished and before.get("completionTime") and finished != before["completionTime"]:
        yield invalid("status.completionTime", finished, "field is immutable")
    resumed = _is(before, "Suspended") and _is(status, "Suspended", "False")
    if before.get("startTime") and before["startTime"] != started and not spec.get("suspend") and not resumed:
        yield invalid("status.startTime", started, "field is immutable for unsuspended job once set")
    if _is(before, "SuccessCriteriaMet") and not _is(status, "SuccessCriteriaMet"):
        yield _wrong("cannot disable the SuccessCriteriaMet=True condition")
    if _is(before, "Complete") and not _is(before, "SuccessCriteriaMet") and _is(status, "SuccessCriteriaMet"):
        yield _wrong("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions")
