from typing import Any

import pytest
from tests.cluster.registry.kinds.judged import Judged

JOBS = Judged("cronjobs.batch")
TEMPLATE = {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}}
SPEC: dict[str, Any] = {"schedule": "@hourly", "jobTemplate": TEMPLATE}


def test_what_is_not_said_is_filled_in() -> None:
    spec = JOBS.made(spec=SPEC)["spec"]
    assert (spec["concurrencyPolicy"], spec["suspend"]) == ("Allow", False)
    assert (spec["successfulJobsHistoryLimit"], spec["failedJobsHistoryLimit"]) == (3, 1)
    assert "backoffLimit" not in spec["jobTemplate"]["spec"]


@pytest.mark.parametrize(
    ("zone", "wrong"),
    [
        ("Europe/Berlin", ""),
        ("UTC", ""),
        ("utc", "unknown time zone utc"),
        ("", "timeZone must be nil or non-empty string"),
        ("Europe/../UTC", "unknown time zone Europe/../UTC"),
    ],
)
def test_a_zone_is_one_of_the_database(zone: str, wrong: str) -> None:
    errors = JOBS.refused(spec=SPEC | {"timeZone": zone})
    assert [error.rpartition(": ")[2] for error in errors] == ([wrong] if wrong else [])


def test_the_zone_of_the_server_is_no_zone() -> None:
    [error] = JOBS.refused(spec=SPEC | {"timeZone": "Local"})
    assert "timeZone must be an explicit time zone" in error


def test_a_schedule_has_no_zone_in_it() -> None:
    [error] = JOBS.refused(spec=SPEC | {"schedule": "TZ=UTC @hourly"})
    assert error.endswith('"TZ=UTC @hourly": cannot use TZ or CRON_TZ in schedule, use timeZone field instead')


def test_its_jobs_select_their_own_pods() -> None:
    job = {**TEMPLATE["spec"], "selector": {}, "manualSelector": True}
    assert JOBS.refused(spec=SPEC | {"jobTemplate": {"spec": job}}) == [
        "spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated",
        'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ]


def test_its_name_leaves_room_for_those_of_its_jobs() -> None:
    assert JOBS.made(metadata={"name": "a" * 52}, spec=SPEC)
    [error] = JOBS.refused(metadata={"name": "a" * 53}, spec=SPEC)
    assert error.endswith("must be no more than 52 characters")


def test_its_status_is_whatever_it_says() -> None:
    made = JOBS.made(spec=SPEC)
    assert JOBS.changed(made, {"spec": {"schedule": "x"}, "status": {"active": [{}]}}, "status")["spec"] == made["spec"]
