"""Every step of an object, as a watch tells it: how it was and how it is then, without names, times and versions."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from tests.cluster.controllers.ground import Ground, masked

__all__ = ["following"]

Document = dict[str, Any]


@contextlib.asynccontextmanager
async def following(ground: Ground, plurals: tuple[str, ...], steps: set[str]) -> AsyncIterator[None]:
    """Note the steps of all objects of these kinds while the block lasts."""
    async with contextlib.AsyncExitStack() as stack:
        for plural in plurals:
            await stack.enter_async_context(_following(ground, plural, steps))
        yield


@contextlib.asynccontextmanager
async def _following(ground: Ground, plural: str, steps: set[str]) -> AsyncIterator[None]:
    started = (await ground.client.get(ground.path(plural)))["metadata"]["resourceVersion"]
    last: dict[str, str] = {}

    async def follow() -> None:
        async with ground.client.watch(ground.path(plural), resourceVersion=started) as watch:
            async for event in watch:
                found = msgspec.json.decode(event.object)
                name = found["metadata"]["name"]
                after = "gone" if event.type == "DELETED" else _spelled(found, ground.namespace)
                if last.get(name) != after:
                    steps.add(f"{plural}: {last.get(name, 'nothing')} -> {after}")
                last[name] = after

    task = asyncio.create_task(follow())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _spelled(found: Document, namespace: str) -> str:
    """What controllers decide of an object."""
    view = masked(found, namespace)
    if view["kind"] == "Job":
        status = view.get("status") or {}
        uncounted = status.get("uncountedTerminatedPods") or {}
        status["uncountedTerminatedPods"] = {key: len(uids) for key, uids in uncounted.items()}
        status["conditions"] = [f"{each['type']}={each['status']}" for each in status.get("conditions", [])]
        decided = {"suspend": view["spec"].get("suspend"), "status": status}
    elif view["kind"] == "EndpointSlice":
        endpoints = sorted(view["endpoints"] or [], key=lambda one: str(one["addresses"]))
        decided = {"endpoints": endpoints, "ports": view["ports"] or [], "labels": view["metadata"]["labels"]}
    else:
        decided = {"subsets": sorted(view.get("subsets") or [], key=repr), "labels": view["metadata"]["labels"]}
    return json.dumps(decided, sort_keys=True)
