"""How objects of the commonest kinds are read and written, made out before the first of them comes.

What reads a type is made when a value of it is first met, and a first Pod meets a hundred types. They are the same for
every cluster of a process.
"""

from collections.abc import Iterator
from typing import Final

from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.reading import readers
from kubewright.cluster.wire.types import Type, kind_type, table
from kubewright.cluster.wire.writing import writers

__all__ = ["COMMON", "prepare"]

#: Pods and what makes them, and what everybody else has.
COMMON: Final = (
    ("v1", ("Pod", "Service", "ConfigMap", "Secret", "Namespace", "Node", "Event", "ServiceAccount", "Endpoints")),
    ("apps/v1", ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet")),
    ("batch/v1", ("Job", "CronJob")),
    ("discovery.k8s.io/v1", ("EndpointSlice",)),
    ("coordination.k8s.io/v1", ("Lease",)),
)


def prepare() -> Iterator[str]:
    """Make them, a type in each step; the names of the types."""
    met: set[str] = set()
    for version, kinds in COMMON:
        for kind in kinds:
            yield from _prepared(kind_type(version, kind), met)


def _prepared(target: Type, met: set[str]) -> Iterator[str]:
    if target.item is not None:
        yield from _prepared(target.item, met)
    if target.kind != "struct" or target.special or target.name in met:
        return
    met.add(target.name)
    # Each knows its members once it has seen a value, were it an empty one.
    readers().of(target).read({}, None, Findings())
    arrange = writers(keep_empty=False).of(target)
    if arrange is not None:
        arrange({})
    yield target.name
    for field in table().fields(target.name).values():
        yield from _prepared(field.type, met)
