"""The end of a CRD: its objects are deleted, each in its own time; once there are none, the CRD goes.

pending ──► in progress ──► completed          the finalizer is taken away
              ▲    ├──► not confirmed, after a minute
              │    └──► failed: some object cannot be seen as its version has it now; tried again, later each time
              └───────────┘
"""

import asyncio
from typing import Any, Final, NamedTuple

from kubewright.cluster.call import Api, Call
from kubewright.cluster.registry.kinds.crd.conditions import set_condition
from kubewright.cluster.registry.kinds.crd.strategy import FINALIZER
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.delete import delete_all
from kubewright.cluster.verbs.options import DeleteOptions
from kubewright.cluster.wire.negotiate import Output
from kubewright.http import Request

__all__ = [
    "COMPLETED",
    "IN_PROGRESS",
    "NEVER_ESTABLISHED",
    "UNCONFIRMED",
    "Stage",
    "delete_objects",
    "emptied",
    "failed",
    "let_go",
    "told",
]

Document = dict[str, Any]

#: How long it is waited for objects to go before it is told that they have not.
PATIENCE: Final = 60.0


class Stage(NamedTuple):
    """What is told of a CRD that is going."""

    status: str
    reason: str
    message: str


IN_PROGRESS: Final = Stage("True", "InstanceDeletionInProgress", "CustomResource deletion is in progress")
UNCONFIRMED: Final = Stage(
    "True", "InstanceDeletionCheck", "could not confirm zero CustomResources remaining: context deadline exceeded"
)
COMPLETED: Final = Stage("False", "InstanceDeletionCompleted", "removed all instances")
NEVER_ESTABLISHED: Final = Stage("False", "NeverEstablished", "resource was never established")


def failed(error: Exception) -> Stage:
    """What is told when objects cannot be deleted."""
    return Stage("True", "InstanceDeletionFailed", f"could not list instances: {error}")


def told(crd: Document, stage: Stage, now: str) -> Document:
    """A CRD that says how far its end has come."""
    return crd | {"status": set_condition(crd["status"], "Terminating", *stage, now)}


def let_go(crd: Document) -> Document:
    """A CRD without our finalizer."""
    meta = {**crd["metadata"], "finalizers": [name for name in crd["metadata"]["finalizers"] if name != FINALIZER]}
    return crd | {"metadata": meta}


async def delete_objects(api: Api, resource: Resource) -> None:
    """Delete every object of a resource, or begin to; others run in between."""
    call = Call(api, Request("DELETE", resource.key("")), resource, "", "", None, {}, Output())
    await delete_all(call, DeleteOptions())


async def emptied(api: Api, resource: Resource) -> bool:
    """Wait until a resource has no objects; whether it came to that in time."""
    prefix = resource.key("")
    if not api.store.count(prefix):
        return True
    empty = asyncio.Event()

    def notice(record: Record) -> None:
        if record.value is None and not api.store.count(prefix):
            empty.set()

    end = api.store.listen(prefix, notice)
    try:
        async with asyncio.timeout(PATIENCE):
            await empty.wait()
    except TimeoutError:
        return False
    finally:
        end()
    return True
