"""The end of a namespace, as far as it can be told without doing anything: what is deleted when, what its conditions
say, when to look again.

    deleted ──► pods go ──► everything else goes ──► spec.finalizers without `kubernetes` ──► gone

As long as a pod is left nothing else is touched, and, as on a real server, the conditions do not tell of the pods.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import msgspec

from kubewright.cluster.registry.age import moment
from kubewright.cluster.store import Record

__all__ = [
    "FINALIZER",
    "Remains",
    "conditions",
    "estimate_pods",
    "is_ending",
    "remaining_finalizers",
    "seconds_to_wait",
    "undiscovered",
]

Document = dict[str, Any]

#: Who holds a namespace until its content is gone.
FINALIZER: Final = "kubernetes"
#: How long what has finalizers is expected to take, in seconds.
_HELD: Final = 15

#: In the order in which they are written: type, and the reason and message when all is well.
_WELL: Final = (
    ("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
    ("NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", "All legacy kube types successfully parsed"),
    (
        "NamespaceDeletionContentFailure",
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
    ),
    ("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"),
    ("NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished"),
)


class _Meta(msgspec.Struct, rename="camel"):
    deletion_timestamp: str | None = None


class _Head(msgspec.Struct):
    metadata: _Meta


_head: Final = msgspec.json.Decoder(_Head).decode


def is_ending(record: Record) -> bool:
    """Whether a namespace is being deleted."""
    return record.value is not None and _head(record.value).metadata.deletion_timestamp is not None


@dataclass(frozen=True, slots=True)
class Remains:
    """What is left of one resource in a namespace after it was deleted."""

    group: str
    version: str
    plural: str
    count: int = 0
    #: How many objects each finalizer holds.
    finalizers: Mapping[str, int] = field(default_factory=dict)
    #: Seconds that the rest was given to end itself.
    grace: int = 0
    #: Why the deletion failed.
    error: str = ""

    def problem(self, namespace: str) -> str:
        """Why the deletion has to be tried again; empty if there is nothing but to wait."""
        if self.error:
            return self.error
        if self.count and not self.finalizers and not self.grace:
            resource = f"{self.group}/{self.version}, Resource={self.plural}"
            return f"unexpected items still remain in namespace: {namespace} for gvr: {resource}"
        return ""

    @property
    def estimate(self) -> int:
        """In how many seconds it is expected to be gone."""
        if not self.count:
            return 0
        return self.grace or (_HELD if self.finalizers else 0)


def conditions(
    old: Sequence[Document],
    remains: Iterable[Remains],
    problems: Sequence[str],
    now: str,
    unknown: Collection[str] = (),
) -> list[Document]:
    """The conditions of a namespace; equal to the old ones if nothing is new. Times change with the status only.

    `unknown` are the versions of groups of which nobody can tell what they hold.
    """
    bad = _bad([each for each in remains if each.count], problems)
    if unknown:
        bad["NamespaceDeletionDiscoveryFailure"] = ("DiscoveryFailed", undiscovered(unknown))
    found = [dict(each) for each in old]
    for kind, *well in _WELL:
        reason, message = bad.get(kind, well)
        status = "True" if kind in bad else "False"
        current = next((each for each in found if each["type"] == kind), None)
        if current is None:
            found.append(
                {"type": kind, "status": status, "lastTransitionTime": now, "reason": reason, "message": message}
            )
            continue
        if current["status"] != status:
            current["lastTransitionTime"] = now
        current |= {"status": status, "reason": reason, "message": message}
    return found


def undiscovered(unknown: Collection[str]) -> str:
    """That not everything that a namespace may hold is known."""
    each = ", ".join(f"{version}: stale GroupVersion discovery: {version}" for version in sorted(unknown))
    why = f"unable to retrieve the complete list of server APIs: {each}"
    return f"Discovery failed for some groups, {len(unknown)} failing: {why}"


def _bad(remains: Sequence[Remains], problems: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The conditions that are true, with reason and message."""
    bad: dict[str, tuple[str, str]] = {}
    if problems:
        message = f"Failed to delete all resource types, {len(problems)} remaining: {', '.join(sorted(problems))}"
        bad["NamespaceDeletionContentFailure"] = ("ContentDeletionFailed", message)
    if remains:
        counts = sorted(f"{each.plural}.{each.group} has {each.count} resource instances" for each in remains)
        message = f"Some resources are remaining: {', '.join(counts)}"
        bad["NamespaceContentRemaining"] = ("SomeResourcesRemain", message)
    held: Counter[str] = Counter()
    for each in remains:
        held.update(each.finalizers)
    if held:
        counts = sorted(f"{finalizer} in {count} resource instances" for finalizer, count in held.items())
        message = f"Some content in the namespace has finalizers remaining: {', '.join(counts)}"
        bad["NamespaceFinalizersRemaining"] = ("SomeFinalizersRemain", message)
    return bad


def remaining_finalizers(finalizers: Iterable[str]) -> list[str]:
    """What is left of a namespace's `spec.finalizers` when its content is gone."""
    return sorted({*finalizers} - {FINALIZER})


def seconds_to_wait(remains: Iterable[Remains]) -> int:
    """After how many seconds to look again at what is expected to go by itself; 0 if there is nothing."""
    longest = max((each.estimate for each in remains), default=0)
    return longest // 2 + 1 if longest else 0


def estimate_pods(pods: Iterable[Document], deleted: str, now: datetime) -> int:
    """How many seconds the pods of a namespace that was deleted then may take; 0 if they should be gone by now."""
    longest = 0
    for pod in pods:
        if pod.get("status", {}).get("phase") not in ("Succeeded", "Failed"):
            longest = max(longest, pod.get("spec", {}).get("terminationGracePeriodSeconds") or 0)
    began = moment(deleted)
    return 0 if began is None or (now - began).total_seconds() >= longest else longest
