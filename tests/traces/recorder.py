"""What is seen of a scenario from outside: every step of every object, the state at the end, and the Events.

A step is an object before and after one write. Of an object is kept what its controllers decide; names are masked
(`web#1` is the first ReplicaSet of `web`, `web#1-*` one of its pods), times and versions left out, and of generations
only how far behind the status is. So steps of different runs, and of different clusters, can be compared.
"""

import asyncio
import contextlib
import json
import re
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from tests.traces.scenario import Play, Scenario

__all__ = ["record"]

Document = dict[str, Any]
_OURS = "deployment.kubernetes.io/"
_PLURALS = ("deployments", "replicasets")


async def record(scenario: Scenario, play: Play, rest: float) -> Document:
    """Play a scenario, let it come to rest for so many seconds, and tell what was seen."""
    seen: dict[str, list[Document]] = {plural: [] for plural in _PLURALS}
    async with contextlib.AsyncExitStack() as stack:
        for plural in _PLURALS:
            await stack.enter_async_context(_following(play, plural, seen[plural]))
        await scenario.story(play)
        await _settle(seen, rest)
    masks = _masks(seen["replicasets"])
    steps: list[str] = []
    last: dict[str, Document | None] = {}
    conditions: list[str] = []
    for plural in _PLURALS:
        for event in seen[plural]:
            name = f"{plural} {event['object']['metadata']['name']}"
            before, after = last.get(name), None if event["type"] == "DELETED" else _view(event["object"])
            if before != after:
                steps.append(_masked(f"{name}: {_spelled(before)} -> {_spelled(after)}", masks))
            last[name] = after
            if plural == "deployments" and after is not None:
                conditions += _news(before, after)
    final = sorted(_masked(f"{name}: {_spelled(state)}", masks) for name, state in last.items())
    return {"steps": steps, "conditions": conditions, "final": final, "events": await _events(play, masks)}


@contextlib.asynccontextmanager
async def _following(play: Play, plural: str, seen: list[Document]) -> AsyncIterator[None]:
    started = (await play.client.get(play.path(plural)))["metadata"]["resourceVersion"]

    async def follow() -> None:
        async with play.client.watch(play.path(plural), resourceVersion=started) as watch:
            async for event in watch:
                seen.append({"type": event.type, "object": msgspec.json.decode(event.object)})  # noqa: PERF401 - as they come

    task = asyncio.create_task(follow())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _settle(seen: dict[str, list[Document]], rest: float) -> None:
    """Wait until nothing has happened for a while."""
    count = -1
    while count != (now := sum(map(len, seen.values()))):
        count = now
        await asyncio.sleep(rest)


def _view(document: Document) -> Document:
    """What controllers decide of an object."""
    meta, spec, status = document["metadata"], document["spec"], dict(document.get("status") or {})
    status["conditions"] = sorted(
        [each["type"], each["status"], each.get("reason", ""), each.get("message", "")]
        for each in status.get("conditions", [])
    )
    return {
        "replicas": spec["replicas"],
        "paused": spec.get("paused", False),
        "image": spec["template"]["spec"]["containers"][0]["image"],
        "annotations": {
            key[len(_OURS) :]: value for key, value in (meta.get("annotations") or {}).items() if key.startswith(_OURS)
        },
        "behind": meta["generation"] - status.pop("observedGeneration", 0),
        "status": status,
    }


def _news(before: Document | None, after: Document) -> list[str]:
    old = before["status"]["conditions"] if before is not None else []
    return [f"{each[0]}={each[1]}/{each[2]}" for each in after["status"]["conditions"] if each not in old]


def _masks(replica_sets: list[Document]) -> list[tuple[str, str]]:
    names = dict.fromkeys(each["object"]["metadata"]["name"] for each in replica_sets if each["type"] == "ADDED")
    return [(name, f"web#{number}") for number, name in enumerate(names, 1)]


def _masked(text: str, masks: list[tuple[str, str]]) -> str:
    for name, mask in masks:
        text = re.sub(rf"{name}-[a-z0-9]{{5}}\b", f"{mask}-*", text).replace(name, mask)
    return text


def _spelled(view: Document | None) -> str:
    return json.dumps(view, sort_keys=True)


async def _events(play: Play, masks: list[tuple[str, str]]) -> list[str]:
    """The Events about the Deployment and its ReplicaSets: how often each was told."""
    told: Counter[str] = Counter()
    for event in (await play.client.get(play.path("events")))["items"]:
        about = event["involvedObject"]
        if about["kind"] in ("Deployment", "ReplicaSet"):
            text = f"{about['kind']} {about['name']} {event['type']} {event['reason']}: {event['message']}"
            told[_masked(f"{event['source']['component']}: {text}", masks)] += event["count"]
    return sorted(f"{count} x {text}" for text, count in told.items())
