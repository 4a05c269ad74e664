"""One run of an operator: what is started and stopped, in which order and why.

| start                     | because                                                                               |
|---------------------------|---------------------------------------------------------------------------------------|
| 1. metrics and probes     | whoever watches us sees us begin, and sees what keeps us from it                        |
| 2. caches, sources        | filled before the lease is ours, so that a standby can take over at once                 |
| 3. the lease              | from here on we may write                                                             |
| 4. workers                | each controller's when its own caches are complete; another's trouble is not its own   |

| stop                      | because                                                                               |
|---------------------------|---------------------------------------------------------------------------------------|
| 1. sources and queues     | nothing new begins                                                                     |
| 2. workers                | what is under way may end, within the grace; then it is cancelled                       |
| 3. the lease is given back | only now: until here others must wait                                                |
| 4. Events, caches         | reconciles that ended late still read and told                                         |
| 5. probes and metrics     | last, so that even the end can be watched                                             |

A lease that is lost leaves no grace: workers are cancelled, and the run fails.
"""

import asyncio
import contextlib
import logging
import platform
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from kubewright.cache import Caches, Informer, Key, Selection
from kubewright.client import Client
from kubewright.client.api import Api
from kubewright.client.endpoint import Endpoint, endpoint_of
from kubewright.client.observer import both
from kubewright.controller.children import Owner
from kubewright.controller.context import World
from kubewright.controller.declaration import Controller
from kubewright.controller.election import Election
from kubewright.controller.recorder import Recorder
from kubewright.controller.rover import RoverRunner, Terrain
from kubewright.controller.runner import Runner
from kubewright.controller.wants import Wants, merge
from kubewright.controller.workers import Workers
from kubewright.controller.writes import WritingClient
from kubewright.entropy import Entropy
from kubewright.errors import KubewrightError
from kubewright.k8s.coordination.v1 import Lease
from kubewright.observe import Certificates, Guard, Health, Metrics, Server, Watchdog
from kubewright.operator.health import check_informer, check_run

if TYPE_CHECKING:
    from kubewright.operator.operator import Operator

__all__ = ["Running", "RunningError"]

_log = logging.getLogger(__name__)


class RunningError(KubewrightError):
    """A run that was used before its begin or after its end."""


class Running:
    """One run of an operator."""

    def __init__(self, operator: "Operator", api: Api | Client | None, *, identity: str, entropy: Entropy) -> None:
        self.operator = operator
        self.metrics = Metrics(detailed_client=operator.metrics_detailed)
        if operator.metrics is not None:
            self.metrics.registry.include(operator.metrics)
        self.health = Health()
        for name, check in operator.ready.items():
            self.health.ready(name, check)
        for name, check in operator.alive.items():
            self.health.alive(name, check)
        self.runners: dict[str, Workers] = {}
        self.election: Election | None = None
        #: Seconds that reconciles under way have to end when the run stops.
        self.grace = operator.grace
        #: Where metrics and health are served; None: nowhere.
        self.metrics_port: int | None = None
        self.health_port: int | None = None
        self._given = api
        self._identity = identity or platform.node() or "unknown"
        self._entropy = entropy
        self._stack = contextlib.AsyncExitStack()
        self._work_tasks: dict[Workers, asyncio.Task[None]] = {}
        #: Who had not begun to work when the run was stopped.
        self._unbegun: set[Workers] = set()
        self._lead: asyncio.Task[None] | None = None
        self._caches: Caches | None = None
        #: What takes the checks of caches back.
        self._checks: dict[Informer, Callable[[], None]] = {}

    # From begin to end.

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def wait(self) -> None:
        """Wait until the run ends; raises what it failed with."""
        if self._lead is None:
            raise RunningError("the operator is not running; use it inside `async with`.")
        await asyncio.shield(self._lead)

    async def synced(self) -> None:
        """Wait until every controller works: all caches are complete, and the lease, if there is one, is ours."""
        while not all(runner.working for runner in self.runners.values()):
            self._check()
            await asyncio.sleep(0.01)

    async def idle(self) -> None:
        """Wait until every controller works and none has anything to do; what waits for its time does not count."""
        await self.synced()
        while any(runner.busy for runner in self.runners.values()):
            for runner in self.runners.values():
                await runner.idle()
        self._check()

    @property
    def ended(self) -> bool:
        """Whether the run is over."""
        return self._lead is not None and self._lead.done()

    @property
    def informers(self) -> list[Informer]:
        """All caches."""
        return [] if self._caches is None else list(self._caches)

    def _check(self) -> None:
        if self._lead is not None and self._lead.done():
            self._lead.result()
            raise RunningError(f"operator {self.operator.name!r} has ended.")

    async def _start(self) -> None:
        operator, stack = self.operator, self._stack
        # Whatever is pushed here first is stopped last.
        if operator.watchdog:
            watchdog = Watchdog(metrics=self.metrics.loop)
            watchdog.start()
            stack.callback(watchdog.stop)
        client = self._connect()
        tls = Certificates(*operator.metrics_tls, metrics=self.metrics.certificates) if operator.metrics_tls else None
        guard = Guard(client) if operator.metrics_guarded else None
        self.metrics_port = await self._serve(
            Server(operator.metrics_address, {"/metrics": self.metrics.answer}, tls=tls, guard=guard)
        )
        pages = dict.fromkeys(("/healthz", "/livez", "/readyz"), self.health.answer)
        self.health_port = await self._serve(Server(operator.health_address, pages))
        caches = self._caches = Caches(client, manager=operator.name, entropy=self._entropy)
        stack.push_async_callback(caches.stop)
        # Events are news: nobody is harmed by those of a leader that was one, and the last ones are told after its end.
        instance = f"{operator.name}-{self._identity}"
        recorder = Recorder(Api(client), operator.name, instance, self._entropy, form=operator.events)
        stack.push_async_callback(recorder.finish)
        self._background(recorder.run(), "events")
        election = self.election = self._candidate(client, recorder)
        writing = WritingClient.of(client, caches)
        if election is not None:
            writing = writing.but(gate=election.fence)
        wants = {each: Wants(each, operator.namespaces) for each in operator.controllers}
        informers = {each: caches.open(of) for each, of in merge(*(each.all() for each in wants.values())).items()}
        self._make_runners(writing, wants, informers, recorder)
        self._make_rovers(writing, recorder)
        check_run(self.health, self)
        for informer in self.informers:
            self._checks[informer] = check_informer(self.health, self.metrics, informer)
        for runner in self.runners.values():
            if election is not None:
                runner.queue.stand_by()
            runner.start_sources()
        self._lead = asyncio.create_task(self._run(), name=f"operator {operator.name}")
        stack.push_async_callback(self._stop_work)

    async def _serve(self, server: Server) -> int | None:
        await server.start()
        self._stack.push_async_callback(server.stop)
        return server.port

    def _connect(self) -> Client:
        given = self._given
        if given is None:
            given = Api.connect()
            self._stack.push_async_callback(given.close)
        client = given.raw if isinstance(given, Api) else Api(given).raw
        return client.but(observer=both(client.observer, self.metrics.client))

    def _candidate(self, client: Client, recorder: Recorder) -> Election | None:
        wanted = self.operator.leader_election
        if wanted is None:
            return None
        name = wanted.name or self.operator.name
        return Election(
            client,
            name,
            wanted.namespace or client.namespace,
            self._identity,
            wanted.durations,
            delivered=self._delivered,
            observer=_Observer(self.metrics, name, recorder),
            entropy=self._entropy,
        )

    def _open(self, selection: Selection) -> Informer:
        """A cache that somebody asks for at run time."""
        assert self._caches is not None
        informer = self._caches.open(selection)
        if informer not in self._checks:
            self._checks[informer] = check_informer(self.health, self.metrics, informer, declared=False)
        return informer

    async def _close(self, informer: Informer) -> None:
        """Give such a cache back."""
        assert self._caches is not None
        await self._caches.close(informer)
        if informer not in self._caches and (uncheck := self._checks.pop(informer, None)) is not None:
            uncheck()

    def _delivered(self) -> Mapping[str, int]:
        return {each.endpoint.resource: each.revision for each in self.informers if each.revision}

    def _make_runners(
        self,
        writing: WritingClient,
        wants: Mapping[Controller[Any, Any], Wants],
        informers: Mapping[Endpoint[Any], Informer],
        recorder: Recorder,
    ) -> None:
        operator = self.operator
        names = [each.name for each in operator.controllers]
        for controller, wanted in wants.items():
            api = Api(writing, field_manager=operator.field_manager or f"{operator.name}/{controller.name}")
            own = {endpoint: informers[endpoint] for endpoint in wanted.all()}
            world = World(operator.name, controller.name, api, own, wanted, recorder, self._open, names)
            self.runners[controller.name] = Runner(
                controller, world, self.metrics, entropy=self._entropy, tracer=operator.tracer
            )

    def _make_rovers(self, writing: WritingClient, recorder: Recorder) -> None:
        operator = self.operator
        for rover in operator.rovers:
            api = Api(writing, field_manager=operator.field_manager or f"{operator.name}/{rover.name}")
            terrain = Terrain(rover.name, api, recorder, self._open, self._close)
            self.runners[rover.name] = RoverRunner(
                rover, terrain, self.metrics, entropy=self._entropy, tracer=operator.tracer
            )

    # Work.

    async def _run(self) -> None:
        if self.election is None:
            await self._work()
        else:
            await self.election.lead(self._work)

    async def _work(self) -> None:
        """All controllers, until their queues are shut down."""
        for runner in self.runners.values():
            runner.queue.begin()
            name = f"controller {runner.name}"
            self._work_tasks[runner] = asyncio.create_task(self._work_with(runner), name=name)
        rest = set(self._work_tasks.values())
        try:
            while rest:
                done, rest = await asyncio.wait(rest, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        finally:
            for task in rest:  # each once: a second time would cut its tidying up short
                task.cancel()
            if rest:
                await asyncio.wait(rest)

    async def _work_with(self, runner: Workers) -> None:
        try:
            if self.election is not None:
                await runner.prepare()  # a first state may have been asked for when another led, and come now
                await self._catch_up(self.election, runner)
            await runner.work()
        except asyncio.CancelledError:
            # Stopped while it waited for its caches it has nothing under way, and the others may end what they have.
            if runner not in self._unbegun:
                raise

    async def _catch_up(self, election: Election, runner: Workers) -> None:
        """A new leader does not act on a view that is older than what the last one had seen."""
        for informer in runner.informers:
            mark = election.watermarks.get(informer.endpoint.resource, 0)
            if mark and informer.synced.is_set():
                await informer.reach(mark)
                if informer.revision < mark:
                    election.reset_watermark(informer.endpoint.resource)

    async def _stop_work(self) -> None:
        lead = self._lead
        assert lead is not None
        for runner in self.runners.values():
            runner.stop()
        self._unbegun = {runner for runner in self.runners.values() if not runner.working}
        for runner, task in self._work_tasks.items():
            if runner in self._unbegun:
                task.cancel()
        try:
            if self._work_tasks and not lead.done():
                await asyncio.wait({lead}, timeout=self.grace)
                if not lead.done():
                    name, grace = self.operator.name, self.grace
                    _log.warning("%s: reconciles did not end within %g s and are cancelled.", name, grace)
        finally:  # also when nobody wants to wait so long: what is under way must not outlive the run
            lead.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                try:
                    await lead
                except Exception as error:  # noqa: BLE001 - `wait` raises it; here it must not hide what else is stopped
                    _log.debug("The run ended with: %s", error)

    def _background(self, coming: Any, name: str) -> None:
        task = asyncio.create_task(coming, name=f"{name} of {self.operator.name}")

        async def end() -> None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        self._stack.push_async_callback(end)


class _Observer:
    """Tells metrics, log and Events of an election."""

    def __init__(self, metrics: Metrics, name: str, recorder: Recorder) -> None:
        self._metrics = metrics.election(name)
        self._recorder = recorder
        self.leading = self._metrics.leading
        self.slow_path = self._metrics.slow_path

    def event(self, lease: Mapping[str, Any], message: str) -> None:
        """Who became leader, who stopped leading, as an Event about the Lease."""
        meta = lease.get("metadata") or {}
        about = Owner(endpoint_of(Lease), Key(meta.get("namespace", ""), meta.get("name", "")), meta.get("uid", ""))
        self._recorder.record(about, "Normal", "LeaderElection", message, "LeaderElection")

    def new_leader(self, holder: str) -> None:
        """Somebody leads, or nobody."""
        _log.info("The leader is %s.", holder or "nobody")
