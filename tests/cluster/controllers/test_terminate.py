"""NS-1: conditions, estimates and finalizers, word for word."""

from datetime import UTC, datetime
from typing import Any

import pytest

from kubewright.cluster.controllers.terminate import (
    Remains,
    conditions,
    estimate_pods,
    is_ending,
    remaining_finalizers,
    seconds_to_wait,
)
from kubewright.cluster.store import Record

NOW, LATER = "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"
MAPS = Remains("", "v1", "configmaps", 2, {"ex.com/x": 2})
JOBS = Remains("batch", "v1", "jobs", 1, {"ex.com/x": 1, "a.com/y": 1})


def _told(found: list[dict[str, Any]], kind: str) -> tuple[str, str, str]:
    condition = next(each for each in found if each["type"] == kind)
    return condition["status"], condition["reason"], condition["message"]


def test_when_all_is_well_five_conditions_are_false() -> None:
    assert [tuple(each.values()) for each in conditions([], [], [], NOW)] == [
        (
            "NamespaceDeletionDiscoveryFailure",
            "False",
            NOW,
            "ResourcesDiscovered",
            "All resources successfully discovered",
        ),
        (
            "NamespaceDeletionGroupVersionParsingFailure",
            "False",
            NOW,
            "ParsedGroupVersions",
            "All legacy kube types successfully parsed",
        ),
        (
            "NamespaceDeletionContentFailure",
            "False",
            NOW,
            "ContentDeleted",
            "All content successfully deleted, may be waiting on finalization",
        ),
        ("NamespaceContentRemaining", "False", NOW, "ContentRemoved", "All content successfully removed"),
        (
            "NamespaceFinalizersRemaining",
            "False",
            NOW,
            "ContentHasNoFinalizers",
            "All content-preserving finalizers finished",
        ),
    ]


def test_what_remains_is_counted_by_resource_and_by_finalizer() -> None:
    many = "resource instances"
    found = conditions([], [MAPS, JOBS, Remains("", "v1", "secrets")], [], NOW)
    assert _told(found, "NamespaceContentRemaining") == (
        "True",
        "SomeResourcesRemain",
        "Some resources are remaining: configmaps. has 2 resource instances, jobs.batch has 1 resource instances",
    )
    assert _told(found, "NamespaceFinalizersRemaining") == (
        "True",
        "SomeFinalizersRemain",
        f"Some content in the namespace has finalizers remaining: a.com/y in 1 {many}, ex.com/x in 3 {many}",
    )


def test_failures_are_told_sorted() -> None:
    found = conditions([], [], ["second", "first"], NOW)
    assert _told(found, "NamespaceDeletionContentFailure") == (
        "True",
        "ContentDeletionFailed",
        "Failed to delete all resource types, 2 remaining: first, second",
    )


def test_the_time_of_a_condition_changes_with_its_status_alone() -> None:
    first = conditions([], [MAPS], [], NOW)
    second = conditions(first, [JOBS], [], LATER)
    assert _told(second, "NamespaceContentRemaining")[2].endswith("jobs.batch has 1 resource instances")
    assert {each["lastTransitionTime"] for each in second} == {NOW}
    third = conditions(second, [], [], LATER)
    assert {each["type"] for each in third if each["lastTransitionTime"] == LATER} == {
        "NamespaceContentRemaining",
        "NamespaceFinalizersRemaining",
    }


def test_nothing_new_is_equal_to_the_old() -> None:
    first = conditions([], [MAPS], [], NOW)
    assert conditions(first, [MAPS], [], LATER) == first


def test_conditions_of_others_are_kept() -> None:
    mine = {"type": "Mine", "status": "True", "lastTransitionTime": NOW, "reason": "", "message": ""}
    found = conditions([mine], [], [], LATER)
    assert found[0] == mine
    assert len(found) == 6


def test_the_finalizer_of_the_controller_goes_and_the_others_are_sorted() -> None:
    assert remaining_finalizers(["z.com/z", "kubernetes", "a.com/a", "z.com/z"]) == ["a.com/a", "z.com/z"]


def test_what_remains_without_a_finalizer_is_a_problem() -> None:
    remains = Remains("batch", "v1", "jobs", 1)
    assert remains.problem("web") == (
        "unexpected items still remain in namespace: web for gvr: batch/v1, Resource=jobs"
    )


@pytest.mark.parametrize(
    "remains", [MAPS, Remains("", "v1", "pods", 1, grace=30), Remains("", "v1", "secrets", finalizers={})]
)
def test_what_goes_by_itself_or_is_gone_is_no_problem(remains: Remains) -> None:
    assert remains.problem("web") == ""


@pytest.mark.parametrize(
    ("remains", "seconds"),
    [
        ([], 0),
        ([Remains("", "v1", "secrets")], 0),
        ([MAPS], 8),
        ([Remains("", "v1", "pods", 1, grace=30)], 16),
        ([MAPS, Remains("", "v1", "pods", 0, grace=30)], 8),
    ],
)
def test_it_is_looked_again_in_half_the_time_that_is_expected(remains: list[Remains], seconds: int) -> None:
    assert seconds_to_wait(remains) == seconds


@pytest.mark.parametrize(
    ("second", "expected"), [(10, 60), (59, 60), (60, 0), (61, 0)], ids=["early", "just before", "then", "late"]
)
def test_pods_may_take_the_longest_of_their_graces(second: int, expected: int) -> None:
    pods: list[dict[str, Any]] = [
        {"spec": {"terminationGracePeriodSeconds": 30}},
        {"spec": {"terminationGracePeriodSeconds": 60}, "status": {"phase": "Running"}},
        {"spec": {"terminationGracePeriodSeconds": 600}, "status": {"phase": "Succeeded"}},
        {"spec": {}},
    ]
    now = datetime.fromtimestamp(datetime(2026, 1, 1, tzinfo=UTC).timestamp() + second, UTC)
    assert estimate_pods(pods, NOW, now) == expected


def test_kinds_that_nobody_can_tell_of_are_told() -> None:
    found = conditions([], [], [], NOW, {"b.io/v1", "a.io/v1beta1"})
    status, reason, message = _told(found, "NamespaceDeletionDiscoveryFailure")
    assert (status, reason) == ("True", "DiscoveryFailed")
    assert message == (
        "Discovery failed for some groups, 2 failing: unable to retrieve the complete list of server APIs: "
        "a.io/v1beta1: stale GroupVersion discovery: a.io/v1beta1, b.io/v1: stale GroupVersion discovery: b.io/v1"
    )


@pytest.mark.parametrize(
    ("value", "ends"),
    [
        (b'{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}}', True),
        (b'{"metadata":{"annotations":{"deletionTimestamp":"never"}}}', False),
        (None, False),
    ],
)
def test_a_namespace_ends_if_its_metadata_says_so(value: bytes | None, ends: bool) -> None:
    assert is_ending(Record("/namespaces/web", value, 2, 1, None)) is ends
