"""Patches of finalizers, as a server does them."""

from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cache import Cached, Key
from kubewright.cluster.patches import json
from kubewright.controller.finalizer import add_finalizer, has_finalizer, remove_finalizer

OURS = "example.com/ours"
OTHERS = st.lists(st.sampled_from(["a/a", "b/b", "c/c"]), unique=True)


def document(finalizers: list[str], revision: int = 7, uid: str = "u") -> dict[str, Any]:
    meta: dict[str, Any] = {"name": "x", "uid": uid, "resourceVersion": str(revision)}
    return {"metadata": {**meta, "finalizers": finalizers} if finalizers else meta}


def cached(finalizers: list[str]) -> Cached:
    raw = msgspec.json.encode(document(finalizers))
    return Cached(Key("default", "x"), "u", 7, 1, False, (), (), raw, None)  # type: ignore[arg-type]


def patched(before: dict[str, Any], patch: list[dict[str, Any]]) -> list[str]:
    after = cast("dict[str, Any]", json.apply(before, json.read(patch)))
    found: list[str] = after["metadata"].get("finalizers", [])
    return found


@given(OTHERS)
def test_ours_is_added_and_taken_away_and_the_others_stay(others: list[str]) -> None:
    with_ours = patched(document(others), add_finalizer(cached(others), OURS))
    assert with_ours == [*others, OURS]
    assert has_finalizer(cached(with_ours), OURS)
    assert patched(document(with_ours), remove_finalizer(cached(with_ours), OURS)) == others


@pytest.mark.parametrize("changed", [document(["a/a"], revision=8), document([], uid="other")])
def test_a_patch_for_another_version_or_object_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(Exception, match="test"):
        patched(changed, add_finalizer(cached([]), OURS))
