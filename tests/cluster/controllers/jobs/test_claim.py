"""Which pods are a Job's."""

from typing import Any

import pytest
from tests.cluster.controllers.jobs.make import make_job, make_pod

from kubewright.cluster.controllers.jobs.claim import adoption, claim, release
from kubewright.cluster.controllers.jobs.facts import TRACKING
from kubewright.k8s.core.v1 import Pod
from kubewright.model.selectors import LabelSelector

SELECTOR = LabelSelector.parse("batch.kubernetes.io/controller-uid=j")


def changed(pod: Pod, **metadata: Any) -> Pod:
    for key, value in metadata.items():
        setattr(pod.metadata, key, value)
    return pod


def names(pods: list[Pod]) -> list[str]:
    return [pod.metadata.uid for pod in pods]


def test_what_it_controls_and_selects_is_its_own() -> None:
    pods = [make_pod("a"), changed(make_pod("b"), labels={"other": "x"})]
    claims = claim(make_job(), SELECTOR, pods, [])
    assert (names(claims.ours), names(claims.release)) == (["a"], ["b"])


def test_what_another_controls_is_left_alone() -> None:
    pod = make_pod("a")
    pod.metadata.owner_references[0].uid = "other"
    assert claim(make_job(), SELECTOR, [pod], []) == ([], [], [])


def test_what_nobody_controls_is_taken_if_it_is_selected() -> None:
    orphans = [changed(make_pod("a"), owner_references=[]), changed(make_pod("b"), owner_references=[], labels={})]
    assert names(claim(make_job(), SELECTOR, [], orphans).adopt) == ["a"]


@pytest.mark.parametrize("going", ["job", "pod"])
def test_nothing_is_taken_or_let_go_while_either_is_deleted(going: str) -> None:
    job = make_job(metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"} if going == "job" else {})
    owned = changed(make_pod("a", deleted=going == "pod"), labels={})
    orphan = changed(make_pod("b", deleted=going == "pod"), owner_references=[])
    assert claim(job, SELECTOR, [owned], [orphan]) == ([], [], [])


def test_patches_name_the_pod_they_are_for() -> None:
    job, pod = make_job(), make_pod("a")
    taken = adoption(job, pod)["metadata"]
    assert (taken["uid"], taken["ownerReferences"][0]["uid"], taken["finalizers"]) == ("a", "j", [TRACKING])
    let_go = release(job, pod)["metadata"]
    assert let_go["uid"] == "a"
    assert let_go["ownerReferences"] == [{"$patch": "delete", "uid": "j"}]
    assert let_go["$deleteFromPrimitiveList/finalizers"] == [TRACKING]
