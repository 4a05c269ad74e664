"""Built-in kinds, and how tests look at patches."""

from pathlib import Path
from typing import Any

import msgspec

from kubewright.cluster.patches.errors import PanickingPatch, PatchError
from kubewright.cluster.patches.lookup import PatchType
from kubewright.cluster.wire.patching import patch_type
from kubewright.model.resource import GroupVersionKind
from kubewright.schema.walk.golang import marshal

__all__ = ["answer", "kind", "same", "table"]


def kind(name: str) -> PatchType:
    """One of the kinds."""
    return patch_type(GroupVersionKind("apps" if name == "Deployment" else "", "v1", name))


def table(name: str) -> list[dict[str, Any]]:
    """The cases of a table of recorded answers."""
    cases: list[dict[str, Any]] = msgspec.json.decode((Path(__file__).parent / "data" / f"{name}.json").read_bytes())[
        "cases"
    ]
    return cases


def answer(error: PatchError) -> dict[str, Any]:
    """An error, as the tables tell it: of a panic only that it was one."""
    return {"panic": True} if isinstance(error, PanickingPatch) else {"error": str(error), "code": error.code}


def same(ours: dict[str, Any], theirs: list[dict[str, Any]]) -> bool:
    """Whether an answer is one of those that Go may give."""
    return marshal(ours) in map(marshal, theirs)
