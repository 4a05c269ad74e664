"""Revisions: which ReplicaSet is the Deployment's new one, which are old, and what their annotations say. Pure.

A ReplicaSet is the new one if its template is the Deployment's, but for the label with the hash. If an old one has that
template again, it is rolled back to: it gets the next number, and those that it had before stay in its history.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from kubewright.cluster.controllers.deployments.views import Deployment
from kubewright.cluster.controllers.views import ReplicaSet

__all__ = [
    "DESIRED",
    "HASH",
    "MAXIMUM",
    "REVISION",
    "ROLLBACK",
    "by_age",
    "by_revision",
    "copied_annotations",
    "counted",
    "find_new",
    "last_revision",
    "max_revision",
    "new_annotations",
    "revision_of",
    "same_template",
    "sized_annotations",
]

#: The label by which pods of different templates are told apart.
HASH: Final = "pod-template-hash"
REVISION: Final = "deployment.kubernetes.io/revision"
_HISTORY: Final = "deployment.kubernetes.io/revision-history"
#: How many replicas the Deployment wanted when a ReplicaSet was last scaled, and how many it could have had.
DESIRED: Final = "deployment.kubernetes.io/desired-replicas"
MAXIMUM: Final = "deployment.kubernetes.io/max-replicas"
#: What is left of an API that could ask for a rollback.
ROLLBACK: Final = "deprecated.deployment.rollback.to"
_OWN: Final = frozenset(
    ("kubectl.kubernetes.io/last-applied-configuration", REVISION, _HISTORY, DESIRED, MAXIMUM, ROLLBACK)
)
#: The longest history, in letters.
_LONGEST: Final = 2000
_NUMBER: Final = re.compile(r"[+-]?[0-9]+")
_COUNT: Final = re.compile(r"[0-9]+")

Annotations = dict[str, str]


def same_template(deployment: Deployment, replica_set: ReplicaSet) -> bool:
    """Whether a ReplicaSet has the template of the Deployment, but for the hash."""
    ours, its = deployment.spec.template, msgspec.json.decode(replica_set.parts.spec, type=_Spec).template
    one, other = bytes(ours.spec), bytes(its.spec)
    if one != other and msgspec.json.decode(one) != msgspec.json.decode(other):
        return False
    return _described(ours.metadata) == _described(its.metadata)


class _Template(msgspec.Struct):
    metadata: msgspec.Raw = msgspec.Raw(b"{}")
    spec: msgspec.Raw = msgspec.Raw(b"{}")


class _Spec(msgspec.Struct):
    template: _Template = msgspec.field(default_factory=_Template)


def _described(metadata: msgspec.Raw) -> dict[str, Any]:
    """The metadata of a template, without the hash and what is empty."""
    read: dict[str, Any] = msgspec.json.decode(metadata)
    if labels := read.get("labels"):
        labels.pop(HASH, None)
    return {key: value for key, value in read.items() if value}


def by_age(replica_sets: Iterable[ReplicaSet]) -> list[ReplicaSet]:
    """The oldest first."""
    return sorted(replica_sets, key=_age)


def by_revision(replica_sets: Iterable[ReplicaSet]) -> list[ReplicaSet]:
    """The lowest revision first."""
    return sorted(replica_sets, key=lambda each: (revision_of(each) or 0, *_age(each)))


def _age(replica_set: ReplicaSet) -> tuple[float, str]:
    made = replica_set.metadata.creation_timestamp
    return (made.timestamp() if made is not None else 0.0, replica_set.metadata.name)


def find_new(deployment: Deployment, replica_sets: Iterable[ReplicaSet]) -> ReplicaSet | None:
    """The ReplicaSet with the Deployment's template; the oldest, if there are several."""
    return next((each for each in by_age(replica_sets) if same_template(deployment, each)), None)


def revision_of(replica_set: ReplicaSet) -> int | None:
    """Its revision; 0 if it has none, None if it has one that is no number."""
    text = replica_set.metadata.annotations.get(REVISION)
    return 0 if text is None else int(text) if _NUMBER.fullmatch(text) else None


def max_revision(replica_sets: Iterable[ReplicaSet]) -> int:
    """The highest revision."""
    return max((revision_of(each) or 0 for each in replica_sets), default=0)


def last_revision(replica_sets: Iterable[ReplicaSet]) -> int:
    """The highest revision but one; 0 if there is none."""
    found = sorted((revision for each in replica_sets if (revision := revision_of(each))), reverse=True)
    return found[1] if len(found) > 1 else 0


def counted(replica_set: ReplicaSet, annotation: str) -> int | None:
    """The number that an annotation says, if it is one."""
    text = replica_set.metadata.annotations.get(annotation, "")
    return number if _COUNT.fullmatch(text) and (number := int(text)) < 2**31 else None


def sized_annotations(annotations: Mapping[str, str], replicas: int, surge: int) -> Annotations:
    """The annotations of a ReplicaSet when it is scaled."""
    return {**annotations, DESIRED: str(replicas), MAXIMUM: str(replicas + surge)}


def copied_annotations(annotations: Mapping[str, str]) -> Annotations:
    """Of annotations those that Deployment and ReplicaSet share: all but the controller's own."""
    return {key: value for key, value in annotations.items() if key not in _OWN}


def new_annotations(theirs: Mapping[str, str], ours: Mapping[str, str], revision: int) -> Annotations:
    """The annotations of the new ReplicaSet, which has `ours`, below a Deployment with `theirs`."""
    result = {**ours, **copied_annotations(theirs)}
    text = ours.get(REVISION)
    if text and not _NUMBER.fullmatch(text):
        return result
    before = int(text) if text else 0
    if before >= revision:
        return result
    result[REVISION] = str(revision)
    if text is not None:
        result[_HISTORY] = _remembered(ours.get(_HISTORY, ""), text)
    return result


def _remembered(history: str, revision: str) -> str:
    """A history with one more revision; the first ones go if it gets too long."""
    if not history:
        return revision
    numbers = [*history.split(","), revision]
    while len(",".join(numbers)) > _LONGEST and len(numbers) > 1:
        numbers.pop(0)
    return ",".join(numbers)
