"""The conditions of a Job, and the order in which it ends. Pure.

    running ──▶ SuccessCriteriaMet ──▶ Complete
       │        FailureTarget ───────▶ Failed
       └──▶ Suspended, True or False

The first of each pair says what will be, and nothing can change that any more; the second comes when the last pod is
gone and counted.
"""

from datetime import datetime

from kubewright.k8s.batch.v1 import Job, JobCondition, JobStatus

__all__ = ["condition", "find", "finish", "finish_time", "is_finished", "set_condition"]


def condition(kind: str, status: str, reason: str, message: str, now: datetime) -> JobCondition:
    """A new condition."""
    return JobCondition(
        type=kind, status=status, reason=reason, message=message, last_probe_time=now, last_transition_time=now
    )


def find(status: JobStatus | None, kind: str) -> JobCondition | None:
    """A condition that is true."""
    conditions = status.conditions if status is not None else []
    return next((each for each in conditions if each.type == kind and each.status == "True"), None)


def _end(job: Job) -> JobCondition | None:
    return find(job.status, "Complete") or find(job.status, "Failed")


def is_finished(job: Job) -> bool:
    """Whether it is over, well or not."""
    return _end(job) is not None


def finish_time(job: Job) -> datetime | None:
    """When it was over."""
    end = _end(job)
    return end.last_transition_time if end is not None else None


def finish(target: JobCondition, now: datetime) -> JobCondition:
    """The condition with which a Job ends that was to end so."""
    kind = "Complete" if target.type in ("SuccessCriteriaMet", "Complete") else "Failed"
    return condition(kind, "True", target.reason or "", target.message or "", now)


def set_condition(status: JobStatus, new: JobCondition) -> bool:
    """Have a condition there; whether that changes anything. One that was never there is not made to say no."""
    for place, old in enumerate(status.conditions):
        if old.type == new.type:
            if (old.status, old.reason or "", old.message or "") == (new.status, new.reason or "", new.message or ""):
                return False
            status.conditions[place] = new
            return True
    if new.status == "False":
        return False
    status.conditions = [*status.conditions, new]
    return True
