from typing import Any

import pytest

from kubewright.cluster.registry.kinds.crd.approval import approval


def crd(group: str, annotation: str | None = None) -> dict[str, Any]:
    annotations = {"api-approved.kubernetes.io": annotation} if annotation is not None else None
    return {"metadata": {"annotations": annotations}, "spec": {"group": group}}


@pytest.mark.parametrize("group", ["example.com", "myk8s.io", "k8s.io.example.com"])
def test_a_group_of_somebody_else_needs_no_approval(group: str) -> None:
    assert approval(crd(group)) is None


@pytest.mark.parametrize(
    ("annotation", "state"),
    [
        (None, "Missing"),
        ("", "Missing"),
        ("unapproved", "Unapproved"),
        ("https://github.com/x", "Approved"),
        ("/relative", "Invalid"),
        ("https://[x", "Invalid"),
    ],
)
def test_the_annotation_says_who_approved(annotation: str | None, state: str) -> None:
    found = approval(crd("x.k8s.io", annotation))
    assert found is not None
    assert found.state == state
