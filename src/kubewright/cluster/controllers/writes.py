"""How kube-controller-manager writes: whole objects by PUT, single fields by strategic merge patch, under its own name.

Bodies are bytes in which the parts of an object that do not change stay as they came. Every write goes through
`ctx.live`, so that the caches know it before the watch tells it.
"""

from typing import Any, Final

import msgspec

import kubewright as kw
from kubewright.client.client import PATCHES, Query
from kubewright.client.endpoint import Endpoint
from kubewright.cluster.controllers.views import Meta, Parts

__all__ = ["MANAGER", "adopt", "create", "put", "release", "remove"]

#: The field manager of all its controllers.
MANAGER: Final = "kube-controller-manager"
_QUERY: Final[Query] = {"fieldManager": MANAGER}


class _Body(msgspec.Struct, rename="camel"):
    api_version: str
    kind: str
    metadata: Any
    spec: Any
    status: Any


async def create(ctx: kw.Context, endpoint: Endpoint[Any], metadata: Any, spec: Any) -> bytes:
    """Make an object in the namespace of the one that is worked on; what the server made of it comes back."""
    body = {"apiVersion": endpoint.api_version, "kind": endpoint.kind, "metadata": metadata, "spec": spec}
    return await ctx.live.raw.ask("POST", endpoint.path(ctx.namespace), _QUERY, msgspec.json.encode(body))


async def put(
    ctx: kw.Context,
    endpoint: Endpoint[Any],
    name: str,
    parts: Parts,
    *,
    metadata: Any = None,
    spec: Any = None,
    status: Any = None,
) -> bytes:
    """Replace an object, or with `status` its status; what is not given stays as it was read."""
    body = _Body(
        endpoint.api_version,
        endpoint.kind,
        parts.metadata if metadata is None else metadata,
        parts.spec if spec is None else spec,
        parts.status if status is None else status,
    )
    path = endpoint.path(ctx.namespace, name, None if status is None else "status")
    return await ctx.live.raw.ask("PUT", path, _QUERY, msgspec.json.encode(body))


async def remove(ctx: kw.Context, endpoint: Endpoint[Any], name: str) -> None:
    """Delete an object."""
    await ctx.live.raw.ask("DELETE", endpoint.path(ctx.namespace, name))


async def adopt(ctx: kw.Context, endpoint: Endpoint[Any], orphan: Meta, owner: dict[str, Any]) -> None:
    """Become the controller of an orphan, if it is that one still."""
    await _patch(ctx, endpoint, orphan, {"ownerReferences": [owner], "uid": orphan.uid})


async def release(ctx: kw.Context, endpoint: Endpoint[Any], child: Meta, owner: str) -> None:
    """Be the owner of a child no longer, if it is that one still; `owner` is our uid."""
    await _patch(ctx, endpoint, child, {"ownerReferences": [{"$patch": "delete", "uid": owner}], "uid": child.uid})


async def _patch(ctx: kw.Context, endpoint: Endpoint[Any], of: Meta, metadata: dict[str, Any]) -> None:
    path = endpoint.path(ctx.namespace, of.name)
    body = msgspec.json.encode({"metadata": metadata})
    await ctx.live.raw.ask("PATCH", path, _QUERY, body, PATCHES["strategic"])
