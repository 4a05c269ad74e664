"""Whose children are whose: a controller takes orphans that its selector matches, and releases what it matches no more.

| the child's controller | selector matches | then                                             |
|------------------------|------------------|--------------------------------------------------|
| we                     | yes              | it is ours                                       |
| we                     | no               | released, unless we are being deleted            |
| nobody                 | yes              | adopted, unless we or it are being deleted       |
| else                   |                  | none of our business                             |

Before the first adoption the server is asked whether we are still there: an object that was deleted a moment ago would
take children with it that it never had.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar

import msgspec

import kubewright as kw
from kubewright.client.endpoint import Endpoint
from kubewright.client.errors import Invalid, NotFound
from kubewright.cluster.controllers.views import Meta, controller_of
from kubewright.cluster.controllers.writes import adopt, release
from kubewright.model.selectors import LabelSelector

__all__ = ["Verdict", "claim", "judge", "reference"]

T = TypeVar("T")
Verdict = Literal["ours", "adopt", "release", "no"]


def judge(child: Meta, owner: Meta, selector: LabelSelector) -> Verdict:
    """What is to become of a child."""
    controller = controller_of(child)
    if controller is not None and controller.uid != owner.uid:
        return "no"
    matches = selector.matches(child.labels)
    if controller is not None:
        return "ours" if matches else "no" if owner.deletion_timestamp is not None else "release"
    if not matches or owner.deletion_timestamp is not None or child.deletion_timestamp is not None:
        return "no"
    return "adopt"


def reference(endpoint: Endpoint[Any], owner: Meta) -> dict[str, Any]:
    """The owner reference of a controller."""
    return {
        "apiVersion": endpoint.api_version,
        "kind": endpoint.kind,
        "name": owner.name,
        "uid": owner.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }


async def claim(
    ctx: kw.Context,
    endpoint: Endpoint[Any],
    owner: Meta,
    selector: LabelSelector,
    children: Iterable[T],
    of: Endpoint[Any],
    metadata: Callable[[T], Meta],
) -> list[T]:
    """Those of the children (of the kind `of`) that are the owner's (of the kind `endpoint`), once this is settled."""
    ours, checked = [], False
    for child in children:
        meta = metadata(child)
        verdict = judge(meta, owner, selector)
        if verdict == "ours":
            ours.append(child)
        elif verdict == "release":
            try:
                await release(ctx, of, meta, owner.uid)
            except (NotFound, Invalid):
                ctx.log.debug("%s %s is gone, or another one by now.", of.kind, meta.name)
        elif verdict == "adopt":
            if not checked:
                await _check(ctx, endpoint, owner)
                checked = True
            try:
                await adopt(ctx, of, meta, reference(endpoint, owner))
            except NotFound:
                continue
            ours.append(child)
    return ours


class _Object(msgspec.Struct):
    metadata: Meta


async def _check(ctx: kw.Context, endpoint: Endpoint[Any], owner: Meta) -> None:
    """Raise if the owner is being deleted, or is gone."""
    fresh = (await ctx.live.get(endpoint.view(_Object), owner.name, ctx.namespace)).metadata
    if fresh.uid != owner.uid or fresh.deletion_timestamp is not None:
        raise kw.Retry(f"{endpoint.kind} {owner.name} was deleted just now, so it adopts nothing")
