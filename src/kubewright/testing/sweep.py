"""What a test left in a cluster that outlives it goes: its namespace, and the cluster-scoped objects that it made.

`remember` before the test, `sweep` after it: whatever cluster-scoped object is there then and was not there before, by
its uid, is deleted; finalizers nobody will ever see to are taken off. Definitions go first, their objects with them: a
definition without its own finalizer would leave them behind, and they would be there again for the next test that makes
a kind of that name.
"""

import asyncio
from typing import Any, NamedTuple

from kubewright import clock
from kubewright.client import ApiError, Client

__all__ = ["Left", "remember", "sweep"]

#: How long an object that is being deleted may take before its finalizers are taken off.
_PATIENCE = 10.0
_PAUSE = 0.05
#: Made by the cluster itself at any time.
_PASSING = frozenset({"events", "componentstatuses", "ipaddresses", "leases", "nodes", "certificatesigningrequests"})


class Left(NamedTuple):
    """A cluster-scoped object."""

    path: str
    uid: str


async def remember(client: Client) -> set[str]:
    """The uids of all cluster-scoped objects."""
    return {each.uid for each in await _objects(client)}


async def sweep(client: Client, before: set[str], namespace: str = "") -> None:
    """Delete what is there and was not; the namespace is left to go by itself."""
    left = [each for each in await _objects(client) if each.uid not in before]
    left.sort(key=lambda each: "/customresourcedefinitions/" not in each.path)
    own = f"/api/v1/namespaces/{namespace}"
    if namespace:
        left.append(Left(own, ""))
    for each in left:
        await _delete(client, each)
    if namespace:
        # Ports of nodes are the whole cluster's.
        for service in (await client.get(f"{own}/services"))["items"]:
            await _delete(client, Left(f"{own}/services/{service['metadata']['name']}", ""))
    for each in left:
        # Nobody else has the namespace's name, and a real one takes seconds to go.
        if each.path != own:
            await _gone(client, each)


async def _objects(client: Client) -> list[Left]:
    found: list[Left] = []
    for prefix, resource in await _resources(client):
        try:
            items = (await client.get(f"{prefix}/{resource}"))["items"]
        except ApiError:  # went while we looked
            continue
        metas = [item["metadata"] for item in items]
        found += [Left(f"{prefix}/{resource}/{meta['name']}", meta["uid"]) for meta in metas]
    return found


async def _resources(client: Client) -> list[tuple[str, str]]:
    """Where cluster-scoped objects can be listed and deleted."""
    groups: list[dict[str, Any]] = (await client.get("/apis"))["groups"]
    prefixes = ["/api/v1", *(f"/apis/{group['preferredVersion']['groupVersion']}" for group in groups)]
    found: list[tuple[str, str]] = []
    for prefix in prefixes:
        try:
            resources: list[dict[str, Any]] = (await client.get(prefix))["resources"]
        except ApiError:
            continue
        found += [
            (prefix, each["name"])
            for each in resources
            if not each["namespaced"] and {"list", "delete"} <= set(each["verbs"]) and each["name"] not in _PASSING
        ]
    return found


async def _delete(client: Client, left: Left) -> None:
    options = {"propagationPolicy": "Background"} | ({"preconditions": {"uid": left.uid}} if left.uid else {})
    try:
        await client.delete(left.path, options)
    except ApiError as error:
        if error.code not in (404, 405, 409):
            raise


async def _gone(client: Client, left: Left) -> None:
    deadline = clock.monotonic() + _PATIENCE
    while True:
        try:
            meta = (await client.get(left.path))["metadata"]
            if left.uid and meta["uid"] != left.uid:
                return
            if clock.monotonic() > deadline:
                if "/customresourcedefinitions/" not in left.path or not await _release(client, left.path):
                    await client.patch(left.path, "merge", {"metadata": {"finalizers": None}})
                    return
                deadline = clock.monotonic() + _PATIENCE
        except ApiError as error:
            if error.code == 404:
                return
            raise
        await asyncio.sleep(_PAUSE)


async def _release(client: Client, path: str) -> bool:
    """Take the finalizers off the objects of a definition; False if none has any."""
    spec = (await client.get(path))["spec"]
    version = next(each["name"] for each in spec["versions"] if each["served"])
    prefix, plural = f"/apis/{spec['group']}/{version}", spec["names"]["plural"]
    held = [each for each in (await client.get(f"{prefix}/{plural}"))["items"] if each["metadata"].get("finalizers")]
    for each in held:
        meta = each["metadata"]
        place = f"/namespaces/{meta['namespace']}" if "namespace" in meta else ""
        await client.patch(f"{prefix}{place}/{plural}/{meta['name']}", "merge", {"metadata": {"finalizers": None}})
    return bool(held)
