"""The EndpointSlice and the Endpoints controller: tell where the pods of a Service are.

Both look at a Service when it changes and when one of its pods comes, goes, changes its labels or its addresses, or
becomes ready or ceases to be. What is to be written `slices` and `subsets` say. A Service without a selector is left to
whoever made it, and so is one that is another's name.
"""

from dataclasses import replace
from typing import Any, Final, cast

from kubewright.cache import Change, Key
from kubewright.client.endpoint import Document, Endpoint, endpoint_of
from kubewright.client.errors import AlreadyExists, ApiError, NotFound
from kubewright.cluster.controllers.endpoints.aspect import matters, selects
from kubewright.cluster.controllers.endpoints.selectors import Selectors
from kubewright.cluster.controllers.endpoints.slices import MANAGED_BY, MANAGER, SERVICE_NAME, Changes, plan
from kubewright.cluster.controllers.endpoints.subsets import endpoints_of
from kubewright.cluster.controllers.endpoints.trigger import ANNOTATION, Triggers
from kubewright.controller.context import Context
from kubewright.controller.declaration import Controller, controller
from kubewright.controller.outcome import Retry
from kubewright.controller.source import Watch, watch
from kubewright.k8s.core.v1 import Endpoints, Node, Pod, Service
from kubewright.k8s.discovery.v1 import EndpointSlice
from kubewright.model.codec import from_dict

__all__ = ["endpoints_controller", "endpointslice_controller"]

_SLICES: Final = cast("Endpoint[Document]", replace(endpoint_of(EndpointSlice), model=None))
_ENDPOINTS: Final = cast("Endpoint[Document]", replace(endpoint_of(Endpoints), model=None))
_LEADER: Final = "control-plane.alpha.kubernetes.io/leader"


def _pods(selectors: Selectors) -> Watch:
    """A pod that matters is news for the Services that select it."""
    return watch(
        Pod, map=lambda pod: selectors.match(pod.metadata.namespace, pod.metadata.labels), predicates=[matters]
    )


def _selected(service: Service, ctx: Context, selectors: Selectors) -> list[Pod] | None:
    """The pods that a Service selects; None if it selects none by itself. Its selector is remembered."""
    selector = selects(service)
    selectors.put(Key(ctx.namespace, ctx.name), selector)
    return ctx.list(Pod, labels=selector) if selector else None


# Slices.


def endpointslice_controller() -> Controller[Any, Any]:
    """An EndpointSlice controller; it remembers when pods changed, so each run of one has its own."""
    triggers, selectors = Triggers(), Selectors()

    @controller(
        Service,
        reads=[Pod, Node, EndpointSlice],
        watches=[
            _pods(selectors),
            watch(EndpointSlice, map=_service_of, predicates=[_is_ours]),
        ],
        deleting=True,
        status=False,
        name="endpointslice-controller",
    )
    async def reconcile(service: Service, ctx: Context) -> None:
        key = Key(ctx.namespace, ctx.name)
        pods = _selected(service, ctx, selectors)
        if pods is None:
            return
        wanted = {SERVICE_NAME: ctx.name, MANAGED_BY: MANAGER}
        existing = [each for each in ctx.list(_SLICES, labels=wanted) if "deletionTimestamp" not in each["metadata"]]
        trigger = triggers.look(key, service, pods)
        changes = plan(service, pods, lambda name: ctx.get(Node, name), existing)
        where = f"{ctx.namespace}/{ctx.name}"
        try:
            await _write_slices(ctx, changes, trigger, going=service.metadata.deletion_timestamp is not None)
        except ApiError as error:
            if not error.caused_by("NamespaceTerminating"):
                ctx.event(
                    "FailedToUpdateEndpointSlices",
                    f"Error updating Endpoint Slices for Service {where}: {error}",
                    type="Warning",
                )
            raise
        if changes.problems:
            problem = changes.problems[0] if len(changes.problems) == 1 else f"[{', '.join(changes.problems)}]"
            ctx.event(
                "FailedToUpdateEndpointSlices",
                f"Error updating Endpoint Slices for Service {where}: {problem}",
                type="Warning",
            )
            raise Retry(problem, after=1.0)

    @reconcile.absent
    async def forget(key: Key, ctx: Context) -> None:
        # Its slices have it as their owner, and go by themselves.
        triggers.forget(key)
        selectors.drop(key)

    return reconcile


def _service_of(each: EndpointSlice) -> list[str]:
    name = each.metadata.labels.get(SERVICE_NAME)
    return [name] if name else []


def _is_ours(change: Change) -> bool:
    """Whether a slice is ours, or was."""
    return any(each is not None and each.labels.get(MANAGED_BY) == MANAGER for each in (change.old, change.new))


async def _write_slices(ctx: Context, changes: Changes, trigger: str, *, going: bool) -> None:
    """What is new first, so that no endpoint is missing meanwhile; nothing new for a Service that is going."""
    for each in () if going else changes.create:
        await ctx.live.create(from_dict(_triggered(each, trigger), EndpointSlice))
    for each in changes.update:
        await ctx.live.update(from_dict(_triggered(each, trigger), EndpointSlice))
    for each in changes.delete:
        try:
            await ctx.live.delete(_SLICES, each["metadata"]["name"], ctx.namespace)
        except NotFound:
            ctx.log.debug("EndpointSlice %s is gone already.", each["metadata"]["name"])


def _triggered(each: Document, trigger: str) -> Document:
    annotations = {
        key: value for key, value in (each["metadata"].get("annotations") or {}).items() if key != ANNOTATION
    }
    if trigger:
        annotations[ANNOTATION] = trigger
    return {**each, "metadata": {**each["metadata"], "annotations": annotations}}


# Endpoints.


def endpoints_controller() -> Controller[Any, Any]:
    """An Endpoints controller; it remembers when pods changed, so each run of one has its own."""
    triggers, selectors = Triggers(), Selectors()

    @controller(
        Service,
        reads=[Pod, Endpoints],
        watches=[
            _pods(selectors),
            watch(Endpoints, map=_service_of_endpoints, predicates=[_is_lost]),
        ],
        deleting=True,
        status=False,
        name="endpoints-controller",
    )
    async def reconcile(service: Service, ctx: Context) -> None:
        key = Key(ctx.namespace, ctx.name)
        pods = _selected(service, ctx, selectors)
        if pods is None:
            return
        current = ctx.get(_ENDPOINTS, ctx.name)
        wanted = endpoints_of(service, pods, current, triggers.look(key, service, pods))
        if wanted is None:
            return
        where = f"{ctx.namespace}/{ctx.name}"
        try:
            new = from_dict(wanted, Endpoints)
            await (ctx.live.create(new) if current is None else ctx.live.update(new))
        except ApiError as error:
            if not error.caused_by("NamespaceTerminating") and not isinstance(error, AlreadyExists):
                what = f"create endpoint for service {where}" if current is None else f"update endpoint {where}"
                reason = "FailedToCreateEndpoint" if current is None else "FailedToUpdateEndpoint"
                ctx.event(reason, f"Failed to {what}: {error}", type="Warning")
            raise

    @reconcile.absent
    async def delete(key: Key, ctx: Context) -> None:
        triggers.forget(key)
        selectors.drop(key)
        left = ctx.get(_ENDPOINTS, key.name)
        if left is not None and _LEADER not in (left["metadata"].get("annotations") or {}):
            try:
                await ctx.live.delete(_ENDPOINTS, key.name, key.namespace, uid=left["metadata"]["uid"])
            except NotFound:
                ctx.log.debug("Endpoints %s are gone already.", key)

    return reconcile


def _service_of_endpoints(each: Endpoints) -> list[str]:
    return [each.metadata.name]


def _is_lost(change: Change) -> bool:
    """Whether Endpoints are gone, or were there before us, and perhaps without a Service."""
    return change.new is None or change.initial
