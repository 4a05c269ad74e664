"""CronJobs: Jobs that are made when a schedule says so."""

import re
from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.job.policies import default_failure_policy
from kubewright.cluster.registry.kinds.job.spec import check_spec, spec_warnings
from kubewright.cluster.registry.kinds.plain import PlainStatus, PlainStrategy
from kubewright.cluster.registry.kinds.pod.template import default_template
from kubewright.cluster.registry.kinds.workload import name_warnings
from kubewright.cluster.registry.rules.counts import check_counts
from kubewright.cluster.registry.rules.matching import invalid_selector
from kubewright.cluster.registry.rules.pause import Pausing
from kubewright.cluster.registry.rules.schedule import check_schedule
from kubewright.cluster.registry.rules.timezones import is_timezone
from kubewright.schema.walk.errors import FieldError, invalid, not_supported, required

__all__ = ["CronJobStatus", "CronJobStrategy"]

Document = dict[str, Any]

_JOB: Final = "spec.jobTemplate.spec"
_POLICIES: Final = ("Allow", "Forbid", "Replace")
#: The names of its Jobs are eleven letters longer.
_LONGEST: Final = 52
_ZONED: Final = "see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"
_is_zone_part: Final = re.compile(r"[A-Za-z.\-_0-9+]{1,14}").fullmatch


class CronJobStrategy(Pausing, PlainStrategy):
    """What is particular to CronJobs."""

    def default(self, obj: Document) -> None:
        spec, job = obj["spec"], obj["spec"]["jobTemplate"]["spec"]
        default_template(job["template"])
        default_failure_policy(job.get("podFailurePolicy"))
        spec.setdefault("concurrencyPolicy", "Allow")
        spec.setdefault("suspend", False)
        spec.setdefault("successfulJobsHistoryLimit", 3)
        spec.setdefault("failedJobsHistoryLimit", 1)

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        yield from self.check_meta(obj) if old is None else self.check_meta_update(obj, old)
        yield from _check(obj["spec"], old["spec"] if old is not None else None)
        name = obj["metadata"].get("name", "")
        if old is None and len(name.encode()) > _LONGEST:
            yield invalid("metadata.name", name, f"must be no more than {_LONGEST} characters")

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        spec = obj["spec"]
        if old is None:
            return [*name_warnings(obj), *spec_warnings(spec["jobTemplate"]["spec"], _JOB, None)]
        warnings: list[str] = []
        if obj["metadata"]["generation"] != old["metadata"]["generation"]:
            warnings += spec_warnings(spec["jobTemplate"]["spec"], _JOB, old["spec"]["jobTemplate"]["spec"])
        if "TZ" in spec["schedule"]:
            warnings.append(f"cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, {_ZONED}")
        return warnings


class CronJobStatus(PlainStatus):
    """The status of a CronJob, which is whatever it says."""

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return []


def _check(spec: Document, old: Document | None) -> Iterator[FieldError]:
    if not spec["schedule"]:
        yield required("spec.schedule")
    else:
        zoned = old is not None and "TZ" in old["schedule"]
        yield from _check_schedule(spec["schedule"], spec.get("timeZone"), zoned)
    yield from check_counts(spec, "spec", "startingDeadlineSeconds")
    zone = spec.get("timeZone")
    if zone is not None and (old is None or old.get("timeZone") != zone):
        yield from _check_zone(zone)
    if (policy := spec["concurrencyPolicy"]) not in _POLICIES:
        yield not_supported("spec.concurrencyPolicy", policy, _POLICIES)
    yield from _check_job(spec["jobTemplate"]["spec"], old["jobTemplate"]["spec"] if old else None)
    yield from check_counts(spec, "spec", "successfulJobsHistoryLimit", "failedJobsHistoryLimit")


def _check_schedule(schedule: str, zone: str | None, zoned: bool) -> Iterator[FieldError]:
    """A schedule may name a zone only if it always did."""
    if why := check_schedule(schedule):
        yield invalid("spec.schedule", schedule, why)
    if "TZ" not in schedule:
        return
    if not zoned:
        why = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"
        yield invalid("spec.schedule", schedule, why)
    elif zone is not None:
        yield invalid("spec.schedule", schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule")


def _check_zone(zone: str) -> Iterator[FieldError]:
    if not zone:
        yield invalid("spec.timeZone", zone, "timeZone must be nil or non-empty string")
        return
    if any(part in (".", "..") or part[:1] == "-" or _is_zone_part(part) is None for part in zone.split("/")):
        yield invalid("spec.timeZone", zone, f"unknown time zone {zone}")
        return
    if zone.lower() == "local":
        why = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"
        yield invalid("spec.timeZone", zone, why)
    if zone != "Local" and not is_timezone(zone):
        yield invalid("spec.timeZone", zone, f"unknown time zone {zone}")


def _check_job(spec: Document, old: Document | None) -> Iterator[FieldError]:
    yield from check_spec(spec, _JOB, old)
    if (selector := spec.get("selector")) is not None:
        yield invalid_selector(f"{_JOB}.selector", selector, "`selector` will be auto-generated")
    if spec.get("manualSelector"):
        yield not_supported(f"{_JOB}.manualSelector", True, ["nil", "false"])
