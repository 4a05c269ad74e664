"""A controller at work: its sources fill the queue, its workers empty it.

    changes of its kind ──predicates──▶┐
    changes of children ──owner──▶     ├─▶ queue ──▶ workers ──▶ reconcile ──▶ done, again later, or failed
    changes of others ──map──▶         │
    timers, streams ──▶                ┘

The sources run from the start, so that a standby has its caches warm; the workers when the operator leads. They wait
until every cache of the controller is complete: a reconciler never sees half of the world. A kind that is not served or
may not be read holds up this controller alone, and that is told.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final

from kubewright.cache import Cached, Change, Key, Subscription
from kubewright.client.endpoint import Endpoint, endpoint_of
from kubewright.client.errors import ApiError, Conflict
from kubewright.controller.backoff import Backoff
from kubewright.controller.context import World
from kubewright.controller.declaration import Controller
from kubewright.controller.fence import NotLeading
from kubewright.controller.outcome import Outcome, Retry, TimeLimitError
from kubewright.controller.predicate import Predicate
from kubewright.controller.queue import Queue, ShutDown
from kubewright.controller.reader import Reader, read_cached
from kubewright.controller.reconcile import Reconciler
from kubewright.controller.source import Every, Stream, Watch, read_key, read_keys
from kubewright.controller.wants import View, view
from kubewright.entropy import SYSTEM, Entropy
from kubewright.errors import KubewrightError
from kubewright.observe import Cause, Metrics, Run, Tracer, Why, no_tracing
from kubewright.observe.cause import Event
from kubewright.observe.log import about
from kubewright.observe.metrics import Result

__all__ = ["INITIAL", "Runner"]

_log = logging.getLogger(__name__)

#: What was there before we began yields to what changes now.
INITIAL: Final = -100
#: Seconds before a stream that ended or failed is begun anew: the first pause, and the longest.
_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 60.0


class Runner:
    """Runs one declared controller."""

    def __init__(
        self,
        controller: Controller[Any, Any],
        world: World,
        metrics: Metrics,
        *,
        entropy: Entropy = SYSTEM,
        tracer: Tracer = no_tracing,
    ) -> None:
        self.controller = controller
        self.reconciler = Reconciler(controller, world)
        self._world = world
        self._endpoint = controller.endpoint
        self._sees = view(world.wants.own, world.informers[controller.endpoint].selection)
        self._tracer = tracer
        self._metrics = metrics.controller(controller.name, controller.concurrency)
        meter = metrics.queue(controller.name)
        self.queue: Queue[Key] = Queue(backoff=Backoff(entropy=entropy), meter=meter)
        meter.reads(self.queue)
        self._why: Why[Key] = Why()
        #: Reconciles are counted, under an identifier of the run's own: drawing one for each would take longer.
        self._id = entropy.uid()[:24]
        self._count = 0
        self._about = {
            "controller": controller.name,
            "controllerGroup": self._endpoint.group,
            "controllerKind": self._endpoint.kind,
        }
        self._subscriptions: list[Subscription] = []
        self._followed: set[Watch] = set()
        world.start_watch = self.start_watch
        self._tasks: list[asyncio.Task[None]] = []
        self._workers: list[asyncio.Task[None]] = []
        self._active = 0
        self._idle = asyncio.Event()
        #: Whether workers run: all caches are complete, and the operator leads.
        self.working = False

    # From start to end.

    def start_sources(self) -> None:
        """Begin to note what is to be done."""
        informers, wants = self._world.informers, self._world.wants
        self._subscriptions.append(informers[self._endpoint].subscribe(self._own_changed))
        for endpoint, wanted in wants.owned.items():
            sees = view(wanted, informers[endpoint].selection)
            self._subscriptions.append(informers[endpoint].subscribe(self._child_listener(endpoint, sees)))
        for watch in self.controller.watches:
            self.start_watch(watch)
        for number, source in enumerate(self.controller.others):
            run = self._tick(source) if isinstance(source, Every) else self._follow(source)
            self._tasks.append(asyncio.create_task(run, name=f"source {number} of {self.controller.name}"))

    def start_watch(self, watch: Watch) -> None:
        """Follow one more kind; once is enough, however often it is asked for."""
        if watch in self._followed:
            return
        self._followed.add(watch)
        wanted = self._world.wants.watched(watch)
        informer = self._world.follow(wanted)
        self._subscriptions.append(informer.subscribe(self._map_listener(watch, view(wanted, informer.selection))))

    async def work(self) -> None:
        """Reconcile until `stop`; returns when all workers have ended."""
        for informer in dict.fromkeys(self._world.informers.values()):
            await informer.synced.wait()
        self.working = True
        name = self.controller.name
        self._workers = [
            asyncio.create_task(self._worker(), name=f"worker {number} of {name}")
            for number in range(self.controller.concurrency)
        ]
        try:
            await asyncio.gather(*self._workers)
        finally:
            self.working = False
            for worker in self._workers:
                worker.cancel()

    def stop_sources(self) -> None:
        """Note nothing more."""
        for subscription in self._subscriptions:
            subscription.cancel()
        self._subscriptions.clear()
        for task in self._tasks:
            task.cancel()

    def stop(self) -> None:
        """Begin nothing new; what is being worked on may end."""
        self.stop_sources()
        self.queue.shut_down(drain=False)

    async def idle(self) -> None:
        """Wait until nothing is being worked on and nothing is ready to be."""
        while self.busy:
            self._idle.clear()
            await self._idle.wait()

    @property
    def busy(self) -> bool:
        """Whether anything is being worked on or ready to be."""
        return bool(self._active or len(self.queue))

    def problem(self) -> str | None:
        """Which reconciles are past their limit and cannot be stopped, in a sentence."""
        overdue = self.reconciler.overdue
        if not overdue:
            return None
        keys = ", ".join(map(str, list(overdue)[:3]))
        return f"{self.controller.where}: {len(overdue)} reconciles are past their limit and do not end: {keys}"

    # Sources.

    def add(self, key: Key, cause: Cause, priority: int = 0, after: float = 0.0) -> None:
        """Have an object looked at, in `after` seconds."""
        self._why.note(key, cause)
        self.queue.add(key, priority, after)

    def _own_changed(self, change: Change) -> None:
        if change.new is None:
            # An absent object reaches nothing; what failed about it need not be remembered.
            self.queue.forget(change.key)
            if self.controller.clean is not None:
                self.add(change.key, _cause(change, self._endpoint))
        elif (self._sees is None or self._sees(change.new)) and self._passes(self.controller.predicates, change):
            self.add(change.key, _cause(change, self._endpoint), INITIAL if change.initial else 0)

    def _child_listener(self, endpoint: Endpoint[Any], sees: View) -> Callable[[Change], None]:
        def changed(change: Change) -> None:
            if change.new is None:
                self._world.applier.forget(endpoint, change.key)
            old, new = change.old, change.new
            if sees is not None:
                old = old if old is not None and sees(old) else None
                new = new if new is not None and sees(new) else None
            owners = dict.fromkeys(self._owners(new)) if new is not None else {}
            if old is not None and (new is None or old.owners != new.owners):
                owners |= dict.fromkeys(self._owners(old))
            for key in owners:
                self._add_later(key, change, endpoint)

        return changed

    def _map_listener(self, watch: Watch, sees: View) -> Callable[[Change], None]:
        endpoint = endpoint_of(watch.kind)
        where = f"{self.controller.where}: the map for {endpoint.kind}"

        def changed(change: Change) -> None:
            if not self._passes(watch.predicates, change):
                return
            keys: dict[Key, None] = {}
            for cached in (change.old, change.new):
                if cached is not None and (sees is None or sees(cached)):
                    keys |= dict.fromkeys(self._mapped(watch, cached, where))
            for key in keys:
                self._add_later(key, change, endpoint)

        return changed

    def _add_later(self, key: Key, change: Change, endpoint: Endpoint[Any]) -> None:
        """Have an object looked at because of another; with others that come within the time to gather them."""
        self.add(key, _cause(change, endpoint), INITIAL if change.initial else 0, self.controller.gather)

    def _mapped(self, watch: Watch, cached: Cached, where: str) -> Iterable[Key]:
        try:
            obj = read_cached(cached, watch.kind)
            given = watch.map(obj, Reader(self._world, cached.key.namespace)) if watch.looks else watch.map(obj)
            return read_keys(given, cached.key.namespace, self._endpoint.namespaced, where)
        except Exception:  # noqa: BLE001 - logged
            # One object that a map does not understand must not keep the others from being seen.
            _log.exception("%s fails on %s; nothing is looked at again because of it.", where, cached.key)
            return ()

    def _owners(self, cached: Cached) -> Iterable[Key]:
        """The objects of our kind that control an object; which version they are named in does not matter."""
        if not cached.owners:
            return ()
        endpoint = self._endpoint
        return [
            Key(cached.key.namespace if endpoint.namespaced else "", owner.name)
            for owner in cached.metadata.owner_references or ()
            if owner.controller and owner.kind == endpoint.kind and _group(owner.api_version) == endpoint.group
        ]

    def _passes(self, predicates: Iterable[Predicate], change: Change) -> bool:
        try:
            return all(predicate(change) for predicate in predicates)
        except Exception:  # noqa: BLE001 - logged
            _log.exception("%s: a predicate fails on %s; the change counts.", self.controller.where, change.key)
            return True

    async def _tick(self, source: Every) -> None:
        own = self._world.informers[self._endpoint]
        while True:
            await asyncio.sleep(source.seconds)
            for cached in own.everything():
                if self._sees is None or self._sees(cached):
                    self.add(cached.key, Cause("triggered", detail=f"every {source.seconds:g} s"), INITIAL)

    async def _follow(self, source: Stream) -> None:
        where = f"{self.controller.where}: a stream"
        pause = _PAUSE
        while True:
            try:
                async for given in source.open():
                    key = read_key(given, "", self._endpoint.namespaced, where)
                    self.add(key, Cause("triggered", detail="stream"))
                    pause = _PAUSE
                _log.info("%s has ended; it is begun anew in %g s.", where, pause)
            except Exception:  # noqa: BLE001 - logged
                _log.exception("%s fails; it is begun anew in %g s.", where, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    # Work.

    async def _worker(self) -> None:
        queue = self.queue
        while True:
            try:
                key = await queue.get()
            except ShutDown:
                return
            self._active += 1
            try:
                await self._reconcile(key)
            finally:
                queue.done(key)
                self._active -= 1
                if not self.busy:
                    self._idle.set()
            if len(queue):
                # A reconcile that finds nothing to do waits for nothing: thousands of them, after a start, would hold
                # up the lease and the probes.
                await asyncio.sleep(0)

    async def _reconcile(self, key: Key) -> None:
        controller, metrics = self.controller, self._metrics
        loop = asyncio.get_running_loop()
        self._count += 1
        reconcile_id = f"{self._id}{self._count:012x}"
        run = Run(controller.name, self._endpoint.kind, *key, reconcile_id, self._why.take(key))
        metrics.active.inc()
        started = loop.time()
        try:
            with (
                about(**self._about, namespace=key.namespace, name=key.name, reconcileID=reconcile_id),
                self._tracer(run) as ended,
            ):
                if _log.isEnabledFor(logging.DEBUG):
                    _log.debug("Reconciling because of %s", run.causes)
                outcome = await self.reconciler.run(key, reconcile_id)
                result = self._follow_up(key, outcome)
                ended(result, outcome.error)
                metrics.ended(result, loop.time() - started, terminal=outcome.terminal)
        finally:
            metrics.active.dec()

    def _follow_up(self, key: Key, outcome: Outcome) -> Result:
        """What becomes of the key; said in the log if it failed."""
        queue, error = self.queue, outcome.error
        if error is None:
            if outcome.after is None:
                queue.forget(key)
                return "success"
            self._why.note(key, Cause("requeued"))
            queue.requeue(key, outcome.after)
            return "requeue_after"
        if isinstance(error, TimeLimitError):
            self._metrics.timed_out()
        if outcome.terminal:
            queue.forget(key)
            _log.error("It fails, and will not be tried again before something changes: %s", error)
            return "error"
        self._why.note(key, Cause("retried", detail=type(error).__name__))
        if outcome.after is not None:
            queue.requeue(key, outcome.after)
            after = outcome.after
        else:
            after = queue.failed(key)
        if isinstance(error, Retry | Conflict | NotLeading):
            _log.info("Again in %.3g s: %s", after, error)
        elif isinstance(error, KubewrightError | ApiError):
            _log.warning("It failed, and is tried again in %.3g s: %s", after, error)
        else:
            self._metrics.panicked()
            _log.error("The reconciler raised; it is tried again in %.3g s", after, exc_info=error)
        return "error"


def _cause(change: Change, endpoint: Endpoint[Any]) -> Cause:
    cached = change.new or change.old
    assert cached is not None
    event: Event = "initial" if change.initial else change.kind
    return Cause(event, endpoint.kind, *change.key, str(cached.revision))


def _group(api_version: str) -> str:
    return api_version.rpartition("/")[0]
