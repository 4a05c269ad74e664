"""What is seen of a scenario from outside: every step of every object, the state at the end, and the Events.

A step is an object before and after one write. Of an object is kept what its controllers decide (`views`); names are
masked (`web#1` is the first ReplicaSet of the Deployment `web`, `web#1-*` one of its pods), and of generations only how
far behind the status is. So steps of different runs, and of different clusters, can be compared.
"""

import asyncio
import contextlib
import json
import re
from collections import Counter
from collections.abc import AsyncIterator
from typing import Final

import msgspec
from tests.traces.scenario import Document, Play, Scenario
from tests.traces.views import news_of, view_of

__all__ = ["record", "told"]

#: What the server adds to a name that is asked for with `generateName`.
_GENERATED: Final = re.compile(r"\b(web(?:#\d+)?(?:-\d+)?)-[a-z0-9]{5}\b")
#: About what is told, by the controllers of a kind; about pods the nodes tell.
_TOLD: Final = {
    "deployments": "Deployment",
    "replicasets": "ReplicaSet",
    "jobs": "Job",
    "endpointslices": "Service",
    "endpoints": "Endpoints",
}


async def record(scenario: Scenario, play: Play, rest: float) -> Document:
    """Play a scenario, let it come to rest for so many seconds, and tell what was seen, and which names are masked."""
    seen: dict[str, list[Document]] = {plural: [] for plural in scenario.kinds}
    async with contextlib.AsyncExitStack() as stack:
        for plural in scenario.kinds:
            await stack.enter_async_context(_following(play, plural, seen[plural]))
        await scenario.story(play)
        await _settle(scenario, play, seen, rest)
    masks = _masks(seen.get("replicasets", []))
    steps: list[str] = []
    last: dict[str, Document | None] = {}
    news: list[str] = []
    for plural in scenario.kinds:
        for event in seen[plural]:
            name = f"{plural} {event['object']['metadata']['name']}"
            before, after = last.get(name), None if event["type"] == "DELETED" else view_of(plural, event["object"])
            if before != after:
                steps.append(_masked(f"{name}: {_spelled(before)} -> {_spelled(after)}", masks))
            last[name] = after
            if plural == scenario.kinds[0] and after is not None:
                news += news_of(plural, before, after)
    final = sorted(_masked(f"{name}: {_spelled(state)}", masks) for name, state in last.items())
    events = await told(scenario, play, masks)
    return {"steps": steps, "news": news, "final": final, "events": events, "masks": masks}


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


async def _settle(scenario: Scenario, play: Play, seen: dict[str, list[Document]], rest: float) -> None:
    """Wait until nothing has happened, and nothing was told, for a while."""
    known: tuple[int, list[str]] | None = None
    while known != (now := (sum(map(len, seen.values())), await told(scenario, play, []))):
        known = now
        await asyncio.sleep(rest)


def _masks(replica_sets: list[Document]) -> list[tuple[str, str]]:
    names = dict.fromkeys(each["object"]["metadata"]["name"] for each in replica_sets if each["type"] == "ADDED")
    made = [name for name in names if name != "web"]  # that one is nobody's
    return [(name, f"web#{number}") for number, name in enumerate(made, 1)]


def _masked(text: str, masks: list[tuple[str, str]]) -> str:
    for name, mask in masks:
        text = text.replace(name, mask)
    return _GENERATED.sub(r"\1-*", text)


def _spelled(view: Document | None) -> str:
    return json.dumps(view, sort_keys=True)


async def told(scenario: Scenario, play: Play, masks: list[tuple[str, str]]) -> list[str]:
    """The Events about the kinds that are followed: how often each was told."""
    kinds = {_TOLD[plural] for plural in scenario.kinds if plural in _TOLD}
    counts: Counter[str] = Counter()
    for event in await play.all("events"):
        about, teller = event["involvedObject"], event["source"].get("component")  # the API server's own name no source
        if about["kind"] in kinds and teller is not None:
            text = f"{about['kind']} {about['name']} {event['type']} {event['reason']}: {event['message']}"
            counts[_masked(f"{teller}: {text}", masks)] += event["count"]
    return sorted(f"{count} x {text}" for text, count in counts.items())
