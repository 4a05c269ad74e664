"""One look at a Deployment: the decisions of `sizes`, `revisions` and `status`, carried out.

Its ReplicaSets are read once, at the begin, and the status tells of them as they were then; what a look changes of
their sizes, the next one tells. The Deployment itself is written once in a look at most: the status that says that a
ReplicaSet was made or found, or that it was paused, is told by itself, and what else there is to tell by the next look
(`Again`). So the real controller does, whose second write comes too late and is refused; whoever watches a Deployment
sees the same steps.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

import kubewright as kw
from kubewright import clock
from kubewright.client.errors import AlreadyExists, ApiError, NotFound
from kubewright.cluster.controllers.claims import reference
from kubewright.cluster.controllers.deployments.hash import hash_template
from kubewright.cluster.controllers.deployments.revisions import (
    DESIRED,
    HASH,
    MAXIMUM,
    REVISION,
    ROLLBACK,
    by_age,
    by_revision,
    copied_annotations,
    counted,
    find_new,
    last_revision,
    max_revision,
    new_annotations,
    revision_of,
    same_template,
    sized_annotations,
)
from kubewright.cluster.controllers.deployments.sizes import Size, bounds, grow, proportions, shrink
from kubewright.cluster.controllers.deployments.status import (
    TIMED_OUT,
    compute_status,
    is_complete,
    make_condition,
    next_check,
    progress,
)
from kubewright.cluster.controllers.deployments.views import Deployment, Status
from kubewright.cluster.controllers.views import (
    DEPLOYMENTS,
    PODS,
    REPLICA_SETS,
    ReplicaSet,
    controller_of,
    read_parts,
    read_replica_set,
)
from kubewright.cluster.controllers.writes import create, put, remove

__all__ = ["Again", "Rollout"]

#: The longest name of an object.
_LONGEST = 253


class Again(Exception):
    """What was written is to be seen before it goes on."""


class Rollout:
    """A Deployment and its ReplicaSets, in one look."""

    def __init__(self, ctx: kw.Context, deployment: Deployment, replica_sets: Sequence[ReplicaSet]) -> None:
        self._ctx = ctx
        self._deployment = deployment
        self._annotations = dict(deployment.metadata.annotations)
        self._written = False
        self._new = find_new(deployment, replica_sets)
        new = self._new
        #: The oldest first.
        self._old = [each for each in by_age(replica_sets) if new is None or each.metadata.uid != new.metadata.uid]
        self._bounds = bounds(deployment.spec.strategy, deployment.spec.replicas)

    async def run(self) -> kw.Requeue | None:
        """Do what is to be done now."""
        deployment = self._deployment
        if deployment.metadata.deletion_timestamp is not None:
            await self._sync_revision()
            return await self._tell(deadline=False)
        await self._tell_pause()
        if deployment.spec.paused:
            return await self._hold()
        if (revision := self._rollback_to()) is not None:
            await self._roll_back(revision)
            return None
        if await self._sync_revision():
            raise Again
        if self._is_scaled():
            return await self._hold()
        return await (self._recreate() if deployment.spec.strategy.type == "Recreate" else self._roll())

    # Strategies.

    async def _roll(self) -> kw.Requeue | None:
        """Replace pods by and by."""
        wanted = self._deployment.spec.replicas
        new = self._new or await self._make_new()
        if new.spec.replicas != wanted:
            total = sum(each.spec.replicas for each in self._old) + new.spec.replicas
            more = wanted if new.spec.replicas > wanted else grow(wanted, self._bounds.surge, total, new.spec.replicas)
            if await self._scale(new, more):
                return await self._tell()
        if await self._scale_old(new):
            return await self._tell()
        await self._clean_up_if_complete()
        return await self._tell()

    async def _scale_old(self, new: ReplicaSet) -> bool:
        active = [each for each in self._old if each.spec.replicas > 0]
        sizes = shrink(
            self._deployment.spec.replicas,
            self._bounds.unavailable,
            Size(new.spec.replicas, new.status.available_replicas),
            [Size(each.spec.replicas, each.status.available_replicas) for each in active],
        )
        return any([await self._scale(each, size) for each, size in zip(active, sizes, strict=True)])

    async def _recreate(self) -> kw.Requeue | None:
        """Replace all pods at once: the new ones come when the old ones are gone."""
        if any([await self._scale(each, 0) for each in self._old]):
            return await self._tell()
        if self._old_pods_run():
            return await self._tell()
        new = self._new or await self._make_new()
        await self._scale(new, self._deployment.spec.replicas)
        await self._clean_up_if_complete()
        return await self._tell()

    def _old_pods_run(self) -> bool:
        if any(each.status.replicas > 0 for each in self._old):
            return True
        return any(not pod.terminal for each in self._old for pod in self._ctx.list(PODS, owner=each.metadata.uid))

    async def _hold(self) -> kw.Requeue | None:
        """Do not go on, but have as many pods as are wanted: paused, or scaled in the midst of an update."""
        if self._deployment.spec.paused:
            await self._sync_revision()
        await self._resize()
        if self._deployment.spec.paused:
            await self._clean_up()
        return await self._tell(deadline=False)

    async def _resize(self) -> None:
        wanted = self._deployment.spec.replicas
        everyone = [*reversed(self._old), *([self._new] if self._new is not None else [])]
        active = [each for each in everyone if each.spec.replicas > 0]
        if len(active) <= 1:
            latest = active[0] if active else self._new or (everyone[0] if everyone else None)
            if latest is not None:
                await self._scale(latest, wanted)
            return
        if self._is_saturated():
            for each in active:
                if each is not self._new:
                    await self._scale(each, 0)
            return
        if self._deployment.spec.strategy.type != "RollingUpdate":
            return
        total, surge = sum(each.spec.replicas for each in active), self._bounds.surge
        grows = (wanted + surge if wanted > 0 else 0) > total
        # Of the same size, the newer ones grow first and the older ones shrink first.
        ordered = by_age(active)
        if grows:
            ordered.reverse()
        ordered.sort(key=lambda each: -each.spec.replicas)
        sizes = proportions(
            [each.spec.replicas for each in ordered],
            [counted(each, MAXIMUM) for each in ordered],
            wanted,
            surge,
            self._deployment.status.replicas,
        )
        for each, size in zip(ordered, sizes, strict=True):
            await self._scale(each, size, always=True)

    def _is_saturated(self) -> bool:
        """Whether the new ReplicaSet is all that is wanted."""
        new, wanted = self._new, self._deployment.spec.replicas
        if new is None:
            return False
        return new.spec.replicas == wanted == counted(new, DESIRED) == new.status.available_replicas

    def _is_scaled(self) -> bool:
        """Whether the Deployment was scaled since its ReplicaSets were."""
        everyone = [*self._old, *([self._new] if self._new is not None else [])]
        wanted = self._deployment.spec.replicas
        return any(
            (desired := counted(each, DESIRED)) is not None and desired != wanted
            for each in everyone
            if each.spec.replicas > 0
        )

    # ReplicaSets.

    async def _sync_revision(self) -> bool:
        """Have the new ReplicaSet, if there is one, say which revision it is, and the Deployment too.

        Whether the ReplicaSet was written: then the rest is for the next look.
        """
        new, deployment = self._new, self._deployment
        if new is None:
            return False
        annotations = new_annotations(self._annotations, new.metadata.annotations, max_revision(self._old) + 1)
        seconds = deployment.spec.min_ready_seconds
        if annotations != new.metadata.annotations or seconds != new.spec.min_ready_seconds:
            self._new = await self._put(new, annotations, minReadySeconds=seconds)
            return True
        needed = self._set_revision(annotations.get(REVISION, ""))
        if deployment.deadline is not None and deployment.status.condition("Progressing") is None:
            text = f'Found new replica set "{new.metadata.name}"'
            deployment.status.set(make_condition("Progressing", "True", "FoundNewReplicaSet", text, clock.now()))
            needed = True
        if needed:
            await self._write()
        return False

    def _set_revision(self, revision: str) -> bool:
        changed = self._annotations.get(REVISION) != revision
        self._annotations[REVISION] = revision
        return changed

    async def _make_new(self) -> ReplicaSet:
        """Make the ReplicaSet of the Deployment's template."""
        ctx, deployment = self._ctx, self._deployment
        wanted, template = deployment.spec.replicas, deployment.template()
        label = hash_template(template, deployment.status.collision_count)
        template["metadata"]["labels"] = {**(template["metadata"].get("labels") or {}), HASH: label}
        selector: dict[str, Any] = msgspec.json.decode(deployment.spec.selector)
        selector["matchLabels"] = {**(selector.get("matchLabels") or {}), HASH: label}
        total = sum(each.spec.replicas for each in self._old)
        rolls = deployment.spec.strategy.type == "RollingUpdate"
        replicas = grow(wanted, self._bounds.surge, total, 0) if rolls else wanted
        revision = max_revision(self._old) + 1
        annotations = new_annotations(self._annotations, {}, revision)
        name = f"{deployment.metadata.name[: _LONGEST - 1 - len(label)]}-{label}"
        metadata = {
            "name": name,
            "namespace": ctx.namespace,
            "ownerReferences": [reference(DEPLOYMENTS, deployment.metadata)],
            "labels": template["metadata"]["labels"],
            "annotations": sized_annotations(annotations, wanted, self._bounds.surge),
        }
        spec = {"replicas": replicas, "selector": selector, "template": template}
        if deployment.spec.min_ready_seconds:
            spec["minReadySeconds"] = deployment.spec.min_ready_seconds
        made = True
        try:
            new = read_replica_set(read_parts(await create(ctx, REPLICA_SETS, metadata, spec)))
        except AlreadyExists as error:
            new, made = await self._found(name, error), False
        except ApiError as error:
            await self._tell_failure(name, error)
            raise
        if made and replicas > 0:
            ctx.event("ScalingReplicaSet", f"Scaled up replica set {name} from 0 to {replicas}")
        self._new = new
        needed = self._set_revision(str(revision))
        if made and deployment.deadline is not None:
            text = f'Created new replica set "{name}"'
            deployment.status.set(make_condition("Progressing", "True", "NewReplicaSetCreated", text, clock.now()))
            needed = True
        if needed:
            await self._write()
        return new

    async def _found(self, name: str, error: AlreadyExists) -> ReplicaSet:
        """The ReplicaSet that has the name of a new one already: it is ours, or another template has the same hash."""
        deployment = self._deployment
        found = read_replica_set(await self._ctx.live.get(REPLICA_SETS, name, self._ctx.namespace))
        owner = controller_of(found.metadata)
        if owner is not None and owner.uid == deployment.metadata.uid and same_template(deployment, found):
            return found
        deployment.status.collision_count = (deployment.status.collision_count or 0) + 1
        await self._write()
        raise kw.Retry(f"another template has the hash of {name}; the next one is tried") from error

    async def _tell_failure(self, name: str, error: ApiError) -> None:
        if error.caused_by("NamespaceTerminating"):
            return
        text, reason = f'Failed to create new replica set "{name}": {error}', "ReplicaSetCreateError"
        if self._deployment.deadline is not None:
            self._deployment.status.set(make_condition("Progressing", "False", reason, text, clock.now()))
            try:
                await self._write()
            except ApiError as another:
                self._ctx.log.debug("The status could not be told: %s", another)
        self._ctx.event(reason, text, type="Warning")

    async def _scale(self, replica_set: ReplicaSet, size: int, *, always: bool = False) -> bool:
        """Give a ReplicaSet a size; with `always` its annotations are put right even if it has that size."""
        before = replica_set.spec.replicas
        if before == size and not always:
            return False
        wanted = self._deployment.spec.replicas
        annotations = sized_annotations(replica_set.metadata.annotations, wanted, self._bounds.surge)
        if before == size and annotations == replica_set.metadata.annotations:
            return False
        await self._put(replica_set, annotations, replicas=size)
        if before != size:
            name, way = replica_set.metadata.name, "up" if before < size else "down"
            self._ctx.event("ScalingReplicaSet", f"Scaled {way} replica set {name} from {before} to {size}")
        return before != size

    async def _put(self, replica_set: ReplicaSet, annotations: dict[str, str], **fields: int) -> ReplicaSet:
        """Write a ReplicaSet; what it is then comes back."""
        parts, name = replica_set.parts, replica_set.metadata.name
        metadata = {**msgspec.json.decode(parts.metadata), "annotations": annotations}
        spec = {**msgspec.json.decode(parts.spec, type=dict[str, msgspec.Raw]), **fields}
        answer = await put(self._ctx, REPLICA_SETS, name, parts, metadata=metadata, spec=spec)
        return read_replica_set(read_parts(answer))

    async def _clean_up_if_complete(self) -> None:
        if is_complete(self._deployment, self._deployment.status):
            await self._clean_up()

    async def _clean_up(self) -> None:
        """Delete old ReplicaSets that nobody will go back to."""
        limit = self._deployment.history
        alive = [each for each in self._old if each.metadata.deletion_timestamp is None]
        if limit is None or len(alive) <= limit:
            return
        for each in by_revision(alive)[: len(alive) - limit]:
            status = each.status
            if status.replicas or each.spec.replicas or each.metadata.generation > status.observed_generation:
                continue
            try:
                await remove(self._ctx, REPLICA_SETS, each.metadata.name)
            except NotFound:
                continue

    # Going back to a revision, as an annotation may ask for.

    def _rollback_to(self) -> int | None:
        text = self._annotations.get(ROLLBACK, "")
        try:
            return int(text)
        except ValueError:
            return None

    async def _roll_back(self, revision: int) -> None:
        ctx, deployment = self._ctx, self._deployment
        await self._sync_revision()
        everyone = [*self._old, self._new or await self._make_new()]
        revision = revision or last_revision(everyone)
        found = next((each for each in everyone if revision and revision_of(each) == revision), None)
        spec: dict[str, Any] = msgspec.json.decode(deployment.parts.spec)
        annotations = {key: value for key, value in self._annotations.items() if key != ROLLBACK}
        told: tuple[str, str]
        if found is None:
            text = "Unable to find the revision to rollback to." if revision else "Unable to find last revision."
            told = ("DeploymentRollbackRevisionNotFound", text)
        elif same_template(deployment, found):
            text = f'The rollback revision contains the same template as current deployment "{ctx.name}"'
            told = ("DeploymentRollbackTemplateUnchanged", text)
        else:
            template = msgspec.json.decode(found.parts.spec)["template"]
            template["metadata"].get("labels", {}).pop(HASH, None)
            spec["template"] = template
            ours = copied_annotations(annotations)
            annotations = {key: value for key, value in annotations.items() if key not in ours}
            annotations |= copied_annotations(found.metadata.annotations)
            told = ("DeploymentRollback", f'Rolled back deployment "{ctx.name}" to revision {revision}')
        metadata = {**msgspec.json.decode(deployment.parts.metadata), "annotations": annotations}
        if self._written:
            raise Again
        await put(ctx, DEPLOYMENTS, ctx.name, deployment.parts, metadata=metadata, spec=spec)
        ctx.event(*told, type="Normal" if told[0] == "DeploymentRollback" else "Warning")

    # The Deployment itself.

    async def _tell_pause(self) -> None:
        """Say that it was paused or resumed, so that the time in between does not count against the deadline."""
        deployment = self._deployment
        current = deployment.status.condition("Progressing")
        if deployment.deadline is None or (current is not None and current.reason == TIMED_OUT):
            return
        told = current is not None and current.reason == "DeploymentPaused"
        if told == deployment.spec.paused:
            return
        word = "paused" if deployment.spec.paused else "resumed"
        condition = make_condition(
            "Progressing", "Unknown", f"Deployment{word.capitalize()}", f"Deployment is {word}", clock.now()
        )
        deployment.status.set(condition)
        await self._write()

    async def _tell(self, *, deadline: bool = True) -> kw.Requeue | None:
        """Write the status, if it is news; with `deadline`, that of a roll-out."""
        deployment, now = self._deployment, clock.now()
        status = compute_status(deployment, self._new, self._old, now)
        if deadline:
            progress(deployment, status, self._new, self._old, now)
        if status == deployment.status:
            return self._check_later(status, now) if deadline else None
        if self._written:
            raise Again
        was_complete = is_complete(deployment, deployment.status)
        deployment.status = status
        await self._write()
        if is_complete(deployment, status) and not was_complete:
            return kw.Requeue(after=0)  # now old ReplicaSets may go
        return self._check_later(status, now) if deadline else None

    def _check_later(self, status: Status, now: datetime) -> kw.Requeue | None:
        after = next_check(self._deployment, status, now)
        return None if after is None else kw.Requeue(after=after)

    async def _write(self) -> None:
        """Write status and annotations as they are now."""
        deployment = self._deployment
        if self._written:
            raise Again
        self._written = True
        metadata = None
        if self._annotations != deployment.metadata.annotations:
            metadata = {**msgspec.json.decode(deployment.parts.metadata), "annotations": self._annotations}
        await put(self._ctx, DEPLOYMENTS, self._ctx.name, deployment.parts, metadata=metadata, status=deployment.status)
