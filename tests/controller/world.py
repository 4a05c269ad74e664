"""Several processes and a server, each with a clock of its own, on one made-up time line.

Every process has its own simulated loop. The world runs whichever has something to do next, and lets messages between
them take time, get lost, or come back as errors. So one process can stand still while the others go on, which tasks in
one loop cannot.
"""

import asyncio
import heapq
import random
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import msgspec

from kubewright.client import Client
from kubewright.controller.election import Durations, Election
from kubewright.entropy import Entropy
from kubewright.http import DisconnectedError, Request, Response
from kubewright.trials.loop import SimulatedLoop

__all__ = ["LEASE", "Process", "Server", "World"]

LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/op"
Action = Callable[[], None]


class Server:
    """One Lease with compare-and-swap, and a log of everything else that is written."""

    def __init__(self) -> None:
        self.lease: dict[str, Any] | None = None
        self.version = 0
        self.written: list[tuple[str, dict[str, Any]]] = []
        self.asked: list[str] = []

    def handle(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        self.asked.append(method)
        document = msgspec.json.decode(body) if body else {}
        if "/leases" not in path:
            self.written.append((path, document))
            return 201, document
        if method == "GET":
            return (200, self.lease) if self.lease is not None else _status(404, "NotFound")
        if method == "POST":
            if self.lease is not None:
                return _status(409, "AlreadyExists")
            return 201, self.store(document, uid=f"uid-{self.version}")
        held = (self.lease or {"metadata": {}})["metadata"]
        given = document["metadata"]
        if (held.get("uid"), held.get("resourceVersion")) != (given["uid"], given["resourceVersion"]):
            return _status(409, "Conflict")
        return 200, self.store(document)

    def store(self, document: dict[str, Any], **metadata: str) -> dict[str, Any]:
        """Keep a version of the Lease, as a new document: what others hold does not change."""
        self.version += 1
        self.lease = document | {"metadata": document["metadata"] | metadata | {"resourceVersion": str(self.version)}}
        return self.lease

    def edit(self, **spec: Any) -> None:
        """Change it by hand."""
        if self.lease is not None:
            self.store(self.lease | {"spec": self.lease["spec"] | spec})

    @property
    def spec(self) -> dict[str, Any]:
        assert self.lease is not None
        spec: dict[str, Any] = self.lease["spec"]
        return spec


def _status(code: int, reason: str) -> tuple[int, dict[str, Any]]:
    return code, {"kind": "Status", "status": "Failure", "code": code, "reason": reason, "message": reason}


def _soon(loop: asyncio.AbstractEventLoop, action: Action) -> None:
    loop.call_soon(action)


class Process:
    """A loop, its distance from the world's clock, and an election in it. It is also its client's transport."""

    host = "world"

    def __init__(self, world: "World", name: str, identity: str, entropy: Entropy, durations: Durations) -> None:
        self.world, self.name, self.born = world, name, world.now
        self.offset = world.random.uniform(0, 1e4)
        self.rate = world.random.uniform(0.95, 1.05) if world.drifting else 1.0
        self.loop = SimulatedLoop(start=world.random.uniform(1e9, 2e9))
        self.frozen_until = 0.0
        self.dead = self.cut = False
        self.seen: dict[str, int] = {}
        self.ended: list[str] = []
        self.told: list[str] = []
        client = Client(self)
        self.election = Election(
            client, "op", "default", identity, durations, delivered=lambda: self.seen, observer=self, entropy=entropy
        )
        self.led = client.but(gate=self.election.fence)
        self.task: asyncio.Task[None] | None = None

    async def send(self, request: Request) -> Response:
        await asyncio.sleep(0)
        if request.gate is not None:
            request.gate()
        reply: asyncio.Future[Response] = self.loop.create_future()
        self.world.carry(self, request, reply)
        return await reply

    async def close(self) -> None:
        pass

    def event(self, lease: Mapping[str, Any], message: str) -> None:
        self.told.append(message.removeprefix(self.election.identity).strip())

    def leading(self, yes: bool) -> None:
        pass

    def slow_path(self) -> None:
        self.told.append("slow path")

    def new_leader(self, holder: str) -> None:
        pass

    def local(self, moment: float) -> float:
        return self.offset + self.rate * moment

    def next(self) -> float:
        """When, on the world's clock, it has something to do."""
        if self.dead:
            return float("inf")
        if self.loop._ready:  # type: ignore[attr-defined]
            due = self.world.now
        elif self.loop._scheduled:  # type: ignore[attr-defined]
            due = (self.loop._scheduled[0]._when - self.offset) / self.rate  # type: ignore[attr-defined]
        else:
            return float("inf")
        return max(due, self.frozen_until, self.world.now)

    def step(self) -> None:
        self.loop._simulated.elapsed = max(self.loop.time(), self.local(self.world.now))
        self.loop.call_soon(self.loop.stop)
        self.loop.run_forever()

    def is_open(self) -> bool:
        """Whether its fence would let a write pass at this very moment, if it could send one."""
        fence, moment = self.election.fence, self.local(self.world.now)
        return not self.dead and moment < fence._until and self.loop._start + moment < fence._wall_until

    def stand(self, work: Callable[["Process"], Coroutine[Any, Any, None]], again: bool = True) -> None:
        """Be a candidate: lead, and after losing the lease stand by again."""

        async def life() -> None:
            while not self.world.over:
                try:
                    await self.election.lead(lambda: work(self))
                    self.ended.append("returned")
                except Exception as error:  # noqa: BLE001 - kept for the test
                    self.ended.append(f"{type(error).__name__}: {error}")
                if not again:
                    return

        self.task = self.loop.create_task(life())


class World:
    """The time line, the messages and what befalls them."""

    def __init__(self, seed: int, latency: float = 0.05, drifting: bool = False) -> None:
        self.random = random.Random(seed)
        self.seed = seed
        self.now = 0.0
        self.latency, self.drifting = latency, drifting
        self.server = Server()
        self.processes: list[Process] = []
        self.events: list[tuple[float, int, Action]] = []
        self.count = 0
        self.loss = 0.0  # the chance of a message to get lost, and of a request to be answered with an error
        self.down = self.over = False
        self.watching: Callable[[], None] = lambda: None

    def process(self, identity: str = "", durations: Durations | None = None, seed: int | None = None) -> Process:
        name = f"p{len(self.processes)}"
        entropy = Entropy(self.random.getrandbits(32) if seed is None else seed)
        one = Process(self, name, identity or name, entropy, durations or Durations())
        self.processes.append(one)
        return one

    def at(self, moment: float, action: Action) -> None:
        self.count += 1
        heapq.heappush(self.events, (moment, self.count, action))

    def carry(self, sender: Process, request: Request, reply: "asyncio.Future[Response]") -> None:
        method, path, body = request.method, request.target.partition("?")[0], request.body
        assert isinstance(body, bytes)

        def arrive() -> None:
            if self.lost(sender):
                self.answer(sender, reply, DisconnectedError("lost on the way")) if self.random.random() < 0.5 else None
            elif self.random.random() < self.loss:
                code, document = _status(self.random.choice([500, 503, 429, 403]), "")
                self.answer(sender, reply, Response(code, body=msgspec.json.encode(document)))
            else:
                code, document = self.server.handle(method, path, body)
                if not self.lost(sender):
                    self.answer(sender, reply, Response(code, body=msgspec.json.encode(document)))

        self.at(self.now + self.random.uniform(0, self.latency), arrive)

    def lost(self, sender: Process) -> bool:
        return self.down or sender.cut or self.random.random() < self.loss

    def answer(self, sender: Process, reply: "asyncio.Future[Response]", answer: Response | Exception) -> None:
        def settle() -> None:
            if not reply.done():
                if isinstance(answer, Exception):
                    reply.set_exception(answer)
                else:
                    reply.set_result(answer)

        # It waits in the socket: a process that stands still takes it when it goes on.
        self.at(self.now + self.random.uniform(0, self.latency), lambda: _soon(sender.loop, settle))

    def run(self, until: float, stop: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass; whether it was `stop` that ended it."""
        while not stop():
            runner = min(self.processes, key=Process.next, default=None)
            next_run = runner.next() if runner is not None else float("inf")
            next_event = self.events[0][0] if self.events else float("inf")
            moment = min(next_run, next_event)
            if moment > until:
                self.now = until
                return False
            self.now = max(self.now, moment)
            if next_event <= next_run:
                heapq.heappop(self.events)[2]()
            elif runner is not None:
                runner.step()
            assert self.over or len(self.open()) <= 1, (
                f"seed {self.seed}: two fences are open at {self.now}: {self.open()}"
            )
            self.watching()
        return True

    def open(self) -> list[str]:
        return [one.name for one in self.processes if one.is_open()]

    def leader(self, until: float) -> Process:
        """Let time pass until one of them leads."""
        assert self.run(until, lambda: bool(self.open())), f"nobody leads by {until}"
        return next(one for one in self.processes if one.is_open())

    def close(self) -> None:
        """End what still runs, the dead included: a loop is not left with tasks in it."""
        self.over, self.down, self.loss = True, False, 0.0
        for one in self.processes:
            one.dead, one.cut, one.frozen_until = False, False, 0.0
            if one.task is not None:
                one.task.cancel()
        self.run(self.now + 600, lambda: all(one.task is None or one.task.done() for one in self.processes))
        for one in self.processes:
            one.loop.close()
