"""One operator through all phases, on a fresh real server: what each cost, and what was asked of the server."""

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import uvloop

from bench.operator.calls import Calls
from bench.operator.drive import Driver, driving
from bench.operator.peers import Operator, running
from kubewright.client import Client, load_kubeconfig
from kubewright.testing.real import RealCluster

__all__ = ["SINGLES", "Found", "Phase", "measure"]

SINGLES = 100


@dataclass
class Phase:
    """What one phase took, an object."""

    cpu: float
    wall: float
    calls: Calls
    objects: int


@dataclass
class Found:
    """What was found of one operator."""

    phases: dict[str, Phase] = field(default_factory=dict)
    #: CPU seconds of a start with nothing there.
    start: float = 0.0
    #: Megabytes: with everything there after all that work, and after a restart.
    worked: float = 0.0
    restarted: float = 0.0
    #: Seconds from a change until its status was seen, nothing else going on: the median.
    latency: float = 0.0


def measure(name: str, count: int) -> Found:
    """Everything about one operator."""
    with RealCluster.start(controllers=False) as cluster:
        return uvloop.run(_measure(name, cluster.kubeconfig, [f"web-{number:05}" for number in range(count)]))


async def _measure(name: str, kubeconfig: Path, names: list[str]) -> Found:
    found = Found()
    async with Client.connect(load_kubeconfig(kubeconfig)) as client, driving(client) as driver:
        with running(name, kubeconfig) as operator:
            await _rest(operator)  # the first one writes bytecode
        with running(name, kubeconfig) as operator:
            await _rest(operator)
            found.start = operator.cpu()

            async def create() -> None:
                await driver.create(names)
                await driver.converged(names, 1)

            async def update() -> None:
                await driver.update(names, replicas=2)
                await driver.converged(names, 2)

            async def single() -> None:
                took = []
                for each in names[:SINGLES]:
                    began = time.monotonic()
                    await driver.update([each], replicas=3)
                    await driver.converged([each], 3)
                    took.append(driver.observed[each][1] - began)
                found.latency = statistics.median(took)

            found.phases["create"] = await _phase(driver, operator, create, len(names))
            found.phases["update"] = await _phase(driver, operator, update, len(names))
            found.phases["single"] = await _phase(driver, operator, single, min(SINGLES, len(names)))
            found.worked = operator.memory()
        before, began = await driver.calls(), time.monotonic()
        with running(name, kubeconfig) as operator:
            await _rest(operator)
            calls = _since(await driver.calls(), before)
            cpu, wall = operator.cpu() - found.start, time.monotonic() - began
            found.phases["restart"] = Phase(cpu / len(names), wall, calls, len(names))
            found.restarted = operator.memory()
            found.phases["delete"] = await _phase(driver, operator, lambda: driver.delete(names), len(names))
    return found


async def _phase(driver: Driver, operator: Operator, work: Callable[[], Awaitable[None]], objects: int) -> Phase:
    before, spent, began = await driver.calls(), operator.cpu(), time.monotonic()
    await work()
    wall = time.monotonic() - began
    await _rest(operator)
    return Phase((operator.cpu() - spent) / objects, wall, _since(await driver.calls(), before), objects)


def _since(now: Calls, before: Calls) -> Calls:
    since: Calls = Counter(now)
    since.subtract(before)
    return +since


async def _rest(operator: Operator) -> None:
    """Meanwhile the driver goes on reading: a watch that is not read holds up nobody, but fills the server."""
    await asyncio.to_thread(operator.rest)
