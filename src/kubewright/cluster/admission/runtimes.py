"""A pod's runtime class says what running it costs besides its containers, and on which nodes it can be run."""

from typing import Any, Final

import msgspec

from kubewright.cluster.admission.chain import refused
from kubewright.cluster.call import Call
from kubewright.schema.walk.golang import quote

__all__ = ["check_overhead", "give_runtime"]

Document = dict[str, Any]

_CLASSES: Final = "/runtimeclasses.node.k8s.io/"
_OTHER: Final = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
_ALONE: Final = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"


def give_runtime(call: Call, pod: Document, old: Document | None) -> None:
    """Give a new pod what its runtime class says."""
    if old is not None:
        return
    found = _class(call, pod)
    overhead = _overhead(found)
    if overhead is not None:
        if pod["spec"].get("overhead") and pod["spec"]["overhead"] != overhead:
            raise refused(call, pod, _OTHER)
        if overhead:
            pod["spec"]["overhead"] = overhead
    scheduling = found.get("scheduling")
    if scheduling is not None:
        _schedule(call, pod, scheduling)


def check_overhead(call: Call, pod: Document, old: Document | None) -> None:
    """Only a runtime class has an overhead, and it alone says which."""
    if old is not None:
        return
    overhead, given = _overhead(_class(call, pod)), pod["spec"].get("overhead")
    if overhead is None:
        if given is not None:
            raise refused(call, pod, _ALONE)
    elif (given or {}) != overhead:
        raise refused(call, pod, _OTHER)


def _class(call: Call, pod: Document) -> Document:
    name = pod["spec"].get("runtimeClassName")
    if name is None:
        return {}
    record = call.api.store.get(_CLASSES + name)
    if record is None or record.value is None:
        raise refused(call, pod, f"pod rejected: RuntimeClass {quote(name)} not found")
    found: Document = msgspec.json.decode(record.value)
    return found


def _overhead(found: Document) -> Document | None:
    """What a class says it costs; None if it says nothing of it."""
    return (found["overhead"].get("podFixed") or {}) if "overhead" in found else None


def _schedule(call: Call, pod: Document, scheduling: Document) -> None:
    spec = pod["spec"]
    selector = {**(spec.get("nodeSelector") or {})}
    for key, value in sorted((scheduling.get("nodeSelector") or {}).items()):
        if selector.setdefault(key, value) != value:
            why = f"conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}; "
            raise refused(call, pod, f"{why}pod.spec.nodeSelector[{key}] = {selector[key]}")
    if selector:
        spec["nodeSelector"] = dict(sorted(selector.items()))
    tolerations = [*(spec.get("tolerations") or []), *(scheduling.get("tolerations") or [])]
    if tolerations:
        spec["tolerations"] = _without_covered(tolerations)


def _without_covered(tolerations: list[Document]) -> list[Document]:
    """Those that no other covers; of equal ones the first."""
    kept: list[Document] = []
    for at, one in enumerate(tolerations):
        later = tolerations[at + 1 :]
        if not any(_covers(other, one) for other in kept) and not any(
            _covers(other, one) and other != one for other in later
        ):
            kept.append(one)
    return kept


def _covers(wide: Document, narrow: Document) -> bool:
    """Whether a toleration tolerates all that another does."""
    if wide == narrow:
        return True
    exists = wide.get("operator") == "Exists"
    if wide.get("key", "") != narrow.get("key", "") and (wide.get("key") or not exists):
        return False
    if wide.get("effect") and wide["effect"] != narrow.get("effect"):
        return False
    if wide.get("effect") == "NoExecute" and (limit := wide.get("tolerationSeconds")) is not None:
        asked = narrow.get("tolerationSeconds")
        if asked is None or asked > limit:
            return False
    return exists or (narrow.get("operator") == "Equal" and narrow.get("value", "") == wide.get("value", ""))
