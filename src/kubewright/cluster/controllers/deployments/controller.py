"""The controller of Deployments: a ReplicaSet for each template, and pods that move from the old ones to the new.

What is decided lies in `sizes`, `revisions` and `status`; `rollout` carries it out. Here is what makes it look: the
Deployment, its ReplicaSets, ReplicaSets that belong to nobody, and, for those that recreate, pods that are gone.
"""

import kubewright as kw
from kubewright.cache import Change
from kubewright.cluster.controllers.claims import claim
from kubewright.cluster.controllers.deployments.rollout import Again, Rollout
from kubewright.cluster.controllers.deployments.views import read_deployment
from kubewright.cluster.controllers.views import (
    DEPLOYMENTS,
    PODS,
    REPLICA_SETS,
    Meta,
    Parts,
    Pod,
    ReplicaSet,
    controller_of,
    read_replica_set,
    selector_of,
)
from kubewright.controller.predicate import orphaned
from kubewright.controller.reader import Reader

__all__ = ["deployment_controller"]


def gone(change: Change) -> bool:
    """What is there no more."""
    return change.new is None


def selecting(parts: Parts, reader: Reader) -> list[str]:
    """The Deployments that would have an orphan."""
    labels = read_replica_set(parts).metadata.labels
    return [
        each.metadata.name
        for each in map(read_deployment, reader.list(DEPLOYMENTS))
        if selector_of(each.spec.selector).matches(labels)
    ]


def recreating(pod: Pod, reader: Reader) -> list[str]:
    """The Deployment that waits for the end of a pod."""
    owner = controller_of(pod.metadata)
    if owner is None or owner.kind != "ReplicaSet":
        return []
    found = reader.get(REPLICA_SETS, owner.name)
    above = controller_of(read_replica_set(found).metadata) if found is not None else None
    if above is None or above.kind != "Deployment":
        return []
    parts = reader.get(DEPLOYMENTS, above.name)
    return [above.name] if parts is not None and read_deployment(parts).spec.strategy.type == "Recreate" else []


@kw.controller(
    DEPLOYMENTS,
    owns=[REPLICA_SETS],
    reads=[PODS],
    watches=[
        kw.watch(REPLICA_SETS, map=selecting, predicates=[orphaned]),
        kw.watch(PODS, map=recreating, predicates=[gone]),
    ],
    deleting=True,
    status=False,
    concurrency=5,
    name="deployment-controller",
)
async def deployment_controller(parts: Parts, ctx: kw.Context) -> kw.Requeue | None:
    """Have the pods of a Deployment be as its template says."""
    deployment = read_deployment(parts)
    found = ctx.list(REPLICA_SETS, owned=True) + ctx.list(REPLICA_SETS, orphans=True)
    replica_sets = await claim(
        ctx,
        DEPLOYMENTS,
        deployment.metadata,
        selector_of(deployment.spec.selector),
        map(read_replica_set, found),
        REPLICA_SETS,
        _metadata,
    )
    try:
        return await Rollout(ctx, deployment, replica_sets).run()
    except Again:
        return kw.Requeue(after=0)


def _metadata(replica_set: ReplicaSet) -> Meta:
    return replica_set.metadata
