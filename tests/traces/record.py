"""Records what kube-controller-manager does: `python -m tests.traces.record [SCENARIO …]` (it needs `make real`).

Each scenario is played forty times, with pods that take their time in different ways: a few plays at once, so that the
controllers look at each change by itself, and then many, so that they find several at a time. Kept is what was ever
seen, of earlier recordings too: all steps, and each outcome once. To begin anew, delete the file.
"""

import asyncio
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.traces.recorder import record, told
from tests.traces.scenario import DELAYS, Play
from tests.traces.scenarios import SCENARIOS

from kubewright.client.api import Api
from kubewright.cluster.nodes import Nodes
from kubewright.testing.real import RealCluster

__all__ = ["await_account", "recorded"]

_RECORDED = Path(__file__).parent / "recorded"
_NOTHING: dict[str, Any] = {"runs": 0, "steps": [], "finals": [], "events": [], "news": []}
#: So many plays, so many of them at once.
_ROUNDS = ((20, 3), (20, 20))
#: Seconds without news after which a play is over: with twenty at once kube-controller-manager takes its time.
_REST = 3.0
#: Seconds until the last Events are there: kube-controller-manager sends no more than twenty a second.
_LATE = 30.0


def recorded(name: str) -> dict[str, Any]:
    """What was ever seen of a scenario."""
    found: dict[str, Any] = json.loads((_RECORDED / f"{name}.json").read_text())
    return found


async def _record(name: str, api: Api) -> dict[str, Any]:
    runs: list[dict[str, Any]] = []

    async def one(number: int, limit: asyncio.Semaphore) -> None:
        async with limit:
            namespace = f"{name}-{number}-{len(runs)}"
            await api.raw.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
            await await_account(api, namespace)
            delays = list(DELAYS.values())[number % len(DELAYS)]
            play = Play(api.raw, namespace, delays)
            runs.append({**await record(SCENARIOS[name], play, _REST), "play": play})

    for count, at_once in _ROUNDS:
        limit = asyncio.Semaphore(at_once)
        await asyncio.gather(*(one(number, limit) for number in range(count)))
    await asyncio.sleep(_LATE)
    events = [await told(SCENARIOS[name], run["play"], run["masks"]) for run in runs]
    known = recorded(name) if (_RECORDED / f"{name}.json").exists() else _NOTHING
    return {
        "runs": known["runs"] + len(runs),
        "steps": sorted({*known["steps"], *(step for run in runs for step in run["steps"])}),
        "finals": _different(known["finals"], (run["final"] for run in runs)),
        "events": _different(known["events"], events),
        "news": _different(known["news"], (run["news"] for run in runs)),
    }


async def await_account(api: Api, namespace: str) -> None:
    """Wait for the account that pods need."""
    path = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    while not (await api.raw.get(path))["items"]:  # noqa: ASYNC110 - the server tells nobody
        await asyncio.sleep(0.05)


def _different(known: list[Any], outcomes: Iterable[Any]) -> list[Any]:
    return [json.loads(text) for text in sorted({json.dumps(outcome) for outcome in (*known, *outcomes)})]


async def _record_all(names: list[str], kubeconfig: Path) -> None:
    async with Api.connect(kubeconfig=kubeconfig) as api, Nodes(api, 1):
        for name in names:
            found = await _record(name, api)
            (_RECORDED / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")
            print(name, len(found["steps"]), "steps", len(found["finals"]), "finals", len(found["events"]), "Events")


if __name__ == "__main__":
    with RealCluster.start(controllers=True) as cluster:
        asyncio.run(_record_all(sys.argv[1:] or list(SCENARIOS), cluster.kubeconfig))
