"""All operators through all phases, each on a fresh real server: what each cost, and what was asked of the server.

In turns: a burst of objects by one, then the same by the next, and the median of the turns counts. So all go through
the same disturbances, and the worst of them are forgotten. While one works the others stand still with their servers;
the operator has one core, its server and the driver have the other, so that they do not take each other's caches.
"""

import asyncio
import contextlib
import statistics
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import uvloop

from bench.measure import stopped
from bench.operator.calls import Calls
from bench.operator.drive import Driver, driving
from bench.operator.peers import Operator, running
from bench.server.peers import SERVER, children, pinned
from kubewright.client import Client, load_kubeconfig
from kubewright.testing.real import RealCluster

__all__ = ["SINGLES", "Found", "Phase", "measure", "turns"]

SINGLES = 100
_RESTARTS = 3
#: So many turns, and so many objects at the end; but one turn at least.
_TURNS = 5
_OBJECTS = 5_000


def turns(count: int) -> int:
    """How many turns there are of bursts of so many objects."""
    return max(1, min(_TURNS, _OBJECTS // count))


@dataclass
class Phase:
    """What one phase took, in all its turns."""

    objects: int = 0
    wall: float = 0.0
    calls: Calls = field(default_factory=Counter)
    turns: list[float] = field(default_factory=list)

    @property
    def cpu(self) -> float:
        """Seconds of CPU time for each object."""
        return statistics.median(self.turns)


@dataclass
class Found:
    """What was found of one operator."""

    phases: dict[str, Phase] = field(default_factory=dict)
    #: CPU seconds of a start with nothing there.
    start: float = 0.0
    #: Megabytes: with everything there after all that work, and after a restart.
    worked: float = 0.0
    restarted: float = 0.0
    #: Seconds from a change until its status was seen, nothing else going on.
    latencies: list[float] = field(default_factory=list)


def measure(operators: list[str], count: int) -> dict[str, Found]:
    """Everything about these operators."""
    with pinned(SERVER), contextlib.ExitStack() as stack:
        clusters = {}
        for name in operators:
            before = set(children("etcd", "kube-apiserver"))
            cluster = stack.enter_context(RealCluster.start(controllers=False))
            clusters[name] = cluster.kubeconfig, set(children("etcd", "kube-apiserver")) - before
        bursts = [[f"web-{turn}-{number:05}" for number in range(count)] for turn in range(turns(count))]
        return uvloop.run(_measure(clusters, bursts))


async def _measure(clusters: dict[str, tuple[Path, set[int]]], bursts: list[list[str]]) -> dict[str, Found]:
    async with contextlib.AsyncExitStack() as stack:
        stages = [await stack.enter_async_context(_staged(name, *cluster)) for name, cluster in clusters.items()]
        for stage in stages:
            with _alone(stage, stages):
                await stage.begin()
        for names in bursts:
            await _turn(stages, "create", names, _Stage.create)
        for names in bursts:
            await _turn(stages, "update", names, _Stage.update)
        for names in bursts:
            await _turn(stages, "single", names[: SINGLES // len(bursts)], _Stage.update_singly)
        for stage in stages:
            stage.found.worked = stage.operator.memory()
        for _ in range(_RESTARTS):
            for stage in stages:
                with _alone(stage, stages):
                    await stage.restart(sum(map(len, bursts)))
        for names in bursts:
            await _turn(stages, "delete", names, _Stage.delete)
        return {stage.name: stage.found for stage in stages}


async def _turn(stages: "list[_Stage]", phase: str, names: list[str], work: "Work") -> None:
    for stage in stages:
        with _alone(stage, stages):
            await stage.turn(phase, names, work)


@contextlib.contextmanager
def _alone(stage: "_Stage", stages: "list[_Stage]") -> Iterator[None]:
    """The others stand still."""
    with stopped([pid for other in stages if other is not stage for pid in other.pids()]):
        yield


@contextlib.asynccontextmanager
async def _staged(name: str, kubeconfig: Path, servers: set[int]) -> "AsyncIterator[_Stage]":
    async with Client.connect(load_kubeconfig(kubeconfig)) as client, driving(client) as driver:
        stage = _Stage(name, kubeconfig, servers, driver)
        try:
            yield stage
        finally:
            stage.end()


class _Stage:
    """One operator with its cluster and driver."""

    def __init__(self, name: str, kubeconfig: Path, servers: set[int], driver: Driver) -> None:
        self.name = name
        self.driver = driver
        self.found = Found()
        self._kubeconfig = kubeconfig
        self._servers = servers
        self._running = contextlib.ExitStack()
        self._operator: Operator | None = None

    @property
    def operator(self) -> Operator:
        """The operator that runs."""
        assert self._operator is not None
        return self._operator

    def pids(self) -> list[int]:
        """All its processes."""
        return [*self._servers, *([self._operator.pid] if self._operator is not None else [])]

    def end(self) -> None:
        """Stop the operator, if one runs."""
        self._operator = None
        self._running.close()

    async def start(self) -> None:
        """Start it anew, and wait until it rests."""
        self.end()
        self._operator = self._running.enter_context(running(self.name, self._kubeconfig))
        await self.rest()

    async def rest(self) -> None:
        """Wait until the operator rests; meanwhile the driver goes on reading."""
        await asyncio.to_thread(self.operator.rest)

    async def begin(self) -> None:
        """Start with nothing there: twice, the first time writes bytecode."""
        for _ in range(2):
            await self.start()
        self.found.start = self.operator.cpu()

    async def create(self, names: list[str]) -> None:
        """Make objects, and wait for their status."""
        await self.driver.create(names)
        await self.driver.converged(names, 1)

    async def update(self, names: list[str]) -> None:
        """Change objects, and wait for their status."""
        await self.driver.update(names, replicas=2)
        await self.driver.converged(names, 2)

    async def update_singly(self, names: list[str]) -> None:
        """Change objects, each when the one before is done."""
        for name in names:
            began = time.monotonic()
            await self.driver.update([name], replicas=3)
            await self.driver.converged([name], 3)
            self.found.latencies.append(self.driver.observed[name][1] - began)

    async def delete(self, names: list[str]) -> None:
        """Delete objects."""
        await self.driver.delete(names)

    async def turn(self, phase: str, names: list[str], work: "Work") -> None:
        """One turn of a phase."""
        before, spent, began = await self.driver.calls(), self.operator.cpu(), time.monotonic()
        await work(self, names)
        wall = time.monotonic() - began
        await self.rest()
        self._note(phase, len(names), wall, self.operator.cpu() - spent, await self.driver.calls() - before)

    async def restart(self, objects: int) -> None:
        """One restart with nothing changed."""
        self.end()
        before, began = await self.driver.calls(), time.monotonic()
        await self.start()
        wall, cpu = time.monotonic() - began, self.operator.cpu() - self.found.start
        self._note("restart", objects, wall, cpu, await self.driver.calls() - before)
        self.found.restarted = self.operator.memory()

    def _note(self, phase: str, objects: int, wall: float, cpu: float, calls: Calls) -> None:
        found = self.found.phases.setdefault(phase, Phase())
        found.objects += objects
        found.wall += wall
        found.turns.append(cpu / objects)
        found.calls += calls


#: What is done with some objects.
Work = Callable[[_Stage, list[str]], Awaitable[None]]
