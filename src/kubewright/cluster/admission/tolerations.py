"""A pod stays five minutes on a node that is not ready or cannot be reached, unless it says otherwise."""

from typing import Any, Final

from kubewright.cluster.call import Call

__all__ = ["add_tolerations"]

Document = dict[str, Any]

_TAINTS: Final = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_SECONDS: Final = 300


def add_tolerations(call: Call, pod: Document, old: Document | None) -> None:
    """Add to a pod the tolerations that it lacks."""
    given: list[Document] = pod["spec"].get("tolerations") or []
    missing = [taint for taint in _TAINTS if not any(_tolerates(each, taint) for each in given)]
    if missing:
        pod["spec"]["tolerations"] = [*given, *map(_toleration, missing)]


def _tolerates(toleration: Document, taint: str) -> bool:
    return toleration.get("key", "") in ("", taint) and toleration.get("effect", "") in ("", "NoExecute")


def _toleration(taint: str) -> Document:
    return {"key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": _SECONDS}
