"""What an update of a pod may change: of what is wished for, hardly anything."""

from collections.abc import Generator, Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.pod.scheduling import check_tolerations
from kubewright.cluster.registry.rules.difference import difference_in_steps
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.inner import invalid_inner
from kubewright.cluster.registry.rules.pause import paused
from kubewright.schema.walk.errors import INVALID, FieldError, forbidden, invalid, required

__all__ = ["check_changes"]

Document = dict[str, Any]

_CHANGEABLE: Final = (
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was "
    "previously negative)"
)
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"


def check_changes(new: Document, old: Document) -> Generator[FieldError, None, None]:
    """What is wrong with the spec of a pod that is to replace another; with pauses."""
    for kind in ("containers", "initContainers"):
        given, before = new.get(kind) or [], old.get(kind) or []
        if len(given) != len(before):
            yield forbidden(f"spec.{kind}", "pod updates may not add or remove containers")
            return
        for index, container in enumerate(given):
            image = container.get("image", "")
            if not image:
                yield required(f"spec.{kind}[{index}].image")
            if image != image.strip():
                why = "must not have leading or trailing whitespace"
                yield invalid(f"spec.{kind}[{index}].image", image, why)
    errors, stop = _deadline(new.get("activeDeadlineSeconds"), old.get("activeDeadlineSeconds"))
    yield from errors
    if stop:
        return
    yield from _tolerations(new.get("tolerations") or [], old.get("tolerations") or [])
    yield from _gates(new.get("schedulingGates") or [], old.get("schedulingGates") or [])
    if same(new, old):
        return
    kept = _kept(new, old)
    if old.get("schedulingGates"):
        yield from _placement(kept, old)
    if not same(kept, old):
        changed = yield from paused(difference_in_steps(old, kept, "core/v1.PodSpec"))
        yield forbidden("spec", f"pod updates may not change fields other than {_CHANGEABLE}\n{changed}")


def _deadline(new: int | None, old: int | None) -> tuple[list[FieldError], bool]:
    """A deadline may be set, and brought nearer."""
    path = "spec.activeDeadlineSeconds"
    if new is None:
        why = "must not update from a positive integer to nil value"
        return ([FieldError(INVALID, path, f"Invalid value: null: {why}")] if old is not None else []), False
    if not 0 <= new <= 2**31 - 1:
        return [invalid(path, new, f"must be between 0 and {2**31 - 1}, inclusive")], True
    if old is not None and old < new:
        return [invalid(path, new, "must be less than or equal to previous value")], True
    return [], False


def _tolerations(new: list[Document], old: list[Document]) -> Iterator[FieldError]:
    """Tolerations may be added, and the time changed for which one holds."""
    bare = {_timeless(each) for each in new}
    if any(_timeless(each) not in bare for each in old):
        why = "existing toleration can not be modified except its tolerationSeconds"
        yield forbidden("spec.tolerations", why)
        return
    yield from check_tolerations(new, "spec.tolerations")


def _timeless(toleration: Document) -> frozenset[tuple[str, str]]:
    return frozenset((name, value) for name, value in toleration.items() if name != "tolerationSeconds")


def _gates(new: list[Document], old: list[Document]) -> Iterator[FieldError]:
    """What holds a pod back may be taken away."""
    known = {gate["name"] for gate in old}
    for index, gate in {gate["name"]: (index, gate) for index, gate in enumerate(new)}.values():
        if gate["name"] not in known:
            why = f"only deletion is allowed, but found new scheduling gate '{gate['name']}'"
            yield forbidden(f"spec.schedulingGates[{index}].name", why)


def _kept(new: Document, old: Document) -> Document:
    """The new spec with what may change as it was."""
    kept = {**new}
    for kind in ("containers", "initContainers"):
        if kind in kept:
            pairs = zip(kept[kind], old.get(kind) or (), strict=True)
            kept[kind] = [_put(dict(given), "image", before.get("image")) for given, before in pairs]
    for name in ("activeDeadlineSeconds", "schedulingGates", "tolerations"):
        _put(kept, name, old.get(name))
    return kept


def _put(spec: Document, name: str, value: Any) -> Document:
    if value is None:
        spec.pop(name, None)
    else:
        spec[name] = value
    return spec


def _placement(kept: Document, old: Document) -> Iterator[FieldError]:
    """A pod that is held back may be told more narrowly where to run; what it was told is put back in `kept`."""
    selector, before = kept.get("nodeSelector"), old.get("nodeSelector") or {}
    if not same(selector, old.get("nodeSelector")):
        if any((selector or {}).get(key) != value for key, value in before.items()):
            why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
            yield invalid_inner("spec.nodeSelector", selector, "map[string]string", why)
        _put(kept, "nodeSelector", old.get("nodeSelector"))
    affinity, former = kept.get("affinity"), old.get("affinity")
    node, was = (affinity or {}).get("nodeAffinity"), (former or {}).get("nodeAffinity")
    if same(node, was):
        return
    yield from _node_affinity(node or {}, was or {})
    if affinity is None:
        kept["affinity"] = {"nodeAffinity": was}
    elif former is None and not {"podAffinity", "podAntiAffinity"} & affinity.keys():
        del kept["affinity"]
    else:
        kept["affinity"] = _put({**affinity}, "nodeAffinity", was)


def _node_affinity(new: Document, old: Document) -> Iterator[FieldError]:
    path = f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms"
    before = (old.get(_REQUIRED) or {}).get("nodeSelectorTerms") or []
    terms = (new.get(_REQUIRED) or {}).get("nodeSelectorTerms")
    if before and len(before) != len(terms or ()):
        why = "no additions/deletions to non-empty NodeSelectorTerms list are allowed"
        yield invalid_inner(path, terms, "[]core/v1.NodeSelectorTerm", why)
        return
    for index, (was, term) in enumerate(zip(before, terms or (), strict=False)):
        if not _only_added(term, was):
            why = "only additions are allowed (no mutations or deletions)"
            yield invalid_inner(f"{path}[{index}]", term, "core/v1.NodeSelectorTerm", why)


def _only_added(term: Document, was: Document) -> bool:
    lists = [(term.get(name) or [], was.get(name) or []) for name in ("matchExpressions", "matchFields")]
    if not any(before for _, before in lists):
        return not any(given for given, _ in lists)
    return all(given[: len(before)] == before for given, before in lists)
