"""Rovers: controllers that are bound to no kind.

A controller is for the objects of one kind. Some work is not: a garbage collector, a quota, a policy looks at kinds
that it only learns of at run time, of which it wants the metadata, raw, and what it works on has a name of its own (a
uid, a namespace). For those:

    class Rounds:
        def __init__(self, terrain: Terrain) -> None: ...
        async def follow(self) -> None: ...             # keeps kinds followed and keys coming, until cancelled
        async def work(self, key: kw.Key) -> ...: ...   # as a reconciler: ends, fails, comes again as one does

    app = kw.Operator("collector", [Rover("garbage", Rounds)])

Each run of the operator makes rounds of its own, so that what they remember is theirs. Queue, back-off, metrics,
tracing, leadership, Events, the caches and their health are the operator's, as for any controller.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain
from typing import Any, Final, Literal, Protocol

from kubewright.cache import Informer, Key, Listener, Selection, Subscription
from kubewright.cache.trouble import is_end
from kubewright.client.api import Api
from kubewright.client.endpoint import Endpoint
from kubewright.controller.children import Owner
from kubewright.controller.context import Recorder
from kubewright.controller.declaration import CONCURRENCY, TIME_LIMIT, check_name
from kubewright.controller.event import check_event
from kubewright.controller.limit import Limit
from kubewright.controller.outcome import Outcome, Requeue, judge, judge_error
from kubewright.controller.workers import Workers, ended
from kubewright.entropy import SYSTEM, Entropy
from kubewright.observe import Cause, Metrics, Tracer, no_tracing

__all__ = ["Rounds", "Rover", "RoverRunner", "Terrain"]

_log = logging.getLogger(__name__)

#: Seconds before rounds that failed to follow are begun anew: the first pause, and the longest.
_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 60.0
_TRIGGERED: Final = Cause("triggered")


class Rounds(Protocol):
    """What a rover does in one run."""

    async def follow(self) -> None:
        """Follow kinds and add keys, for ever. What it raises is logged, and it is called again after a while."""

    async def work(self, key: Key) -> Requeue | None:
        """Do what is to be done about a key; what it returns or raises is taken as a reconciler's.

        What became of own writes is known by then, where the server tells.
        """


class Terrain:
    """What rounds have in hand."""

    def __init__(
        self,
        controller: str,
        api: Api,
        recorder: Recorder,
        open_informer: Callable[[Selection], Informer],
        close_informer: Callable[[Informer], Awaitable[None]],
    ) -> None:
        #: The typed client: what it reads is what the server says now, and what it writes the caches know.
        self.live = api
        self.log = logging.getLogger(f"kubewright.controller.{controller}")
        #: Set by the rounds when all they need is there; no key is worked on before.
        self.ready = asyncio.Event()
        #: Puts a key into the queue; the runner puts it here.
        self.queue: Callable[[Key, float], None] = lambda key, after: None
        self._controller = controller
        self._recorder = recorder
        self._open, self._close = open_informer, close_informer
        self._subscriptions: dict[Informer, list[Subscription]] = {}

    def add(self, key: Key, *, after: float = 0.0) -> None:
        """Have a key worked on, in `after` seconds."""
        self.queue(key, after)

    def follow(self, endpoint: Endpoint[Any], listener: Listener) -> Informer:
        """Keep the metadata of all objects of a kind, and tell each change as it comes; also to one more listener."""
        informer = self._open(Selection(endpoint, metadata_only=True))
        self._subscriptions.setdefault(informer, []).append(informer.subscribe(listener))
        return informer

    async def leave(self, informer: Informer) -> None:
        """Follow a kind no longer: none of its listeners is told more."""
        for subscription in self._subscriptions.pop(informer):
            subscription.cancel()
            await self._close(informer)

    def event(
        self,
        about: Owner,
        reason: str,
        note: str = "",
        *,
        type: Literal["Normal", "Warning"] = "Normal",  # noqa: A002
        action: str = "Reconcile",
    ) -> None:
        """Tell of something that happened to an object, as an Event; the same again is counted, not repeated."""
        check_event(type, reason, note, action)
        self._recorder.record(about, type, reason, note, action, self._controller)

    @property
    def informers(self) -> Sequence[Informer]:
        """The caches that it follows now."""
        return tuple(self._subscriptions)

    def stop(self) -> None:
        """Tell nothing more."""
        for subscription in chain.from_iterable(self._subscriptions.values()):
            subscription.cancel()


class Rover:
    """A controller of no kind; `begin` makes the rounds of one run. `timeout`: seconds for one key."""

    def __init__(
        self,
        name: str,
        begin: Callable[[Terrain], Rounds],
        *,
        concurrency: int = CONCURRENCY,
        timeout: float | None = TIME_LIMIT,
    ) -> None:
        check_name(name)
        self.name = name
        self.where = f"controller {name!r}"
        self.begin = begin
        self.concurrency = concurrency
        self.timeout = timeout

    def __repr__(self) -> str:
        return f"<kubewright {self.where} for no kind>"


class RoverRunner(Workers):
    """Runs one rover."""

    def __init__(
        self,
        rover: Rover,
        terrain: Terrain,
        metrics: Metrics,
        *,
        entropy: Entropy = SYSTEM,
        tracer: Tracer = no_tracing,
    ) -> None:
        super().__init__(rover.name, "", "", rover.concurrency, metrics, entropy, tracer)
        self.rover = rover
        self._terrain = terrain
        terrain.queue = lambda key, after: self.add(key, _TRIGGERED, after=after)
        self._rounds = rover.begin(terrain)
        self._limit = Limit(rover.where, rover.timeout)
        self._task: asyncio.Task[None] | None = None

    def start_sources(self) -> None:
        """Begin to follow."""
        self._task = asyncio.create_task(self._follow(), name=f"rounds of {self.name}")

    def stop_sources(self) -> None:
        """Note nothing more."""
        self._terrain.stop()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def problem(self) -> str | None:
        """Which keys are worked on past the limit, or that the rounds have ended, in a sentence."""
        return self._limit.problem() or ended([self._task] if self._task is not None else [])

    @property
    def informers(self) -> Sequence[Informer]:
        """The caches that it reads."""
        return self._terrain.informers

    async def prepare(self) -> None:
        """Wait until work can begin."""
        await self._terrain.ready.wait()

    async def _perform(self, key: Key, reconcile_id: str) -> Outcome:
        try:
            await self._settle()
            return judge(await self._limit.awaited(key, self._rounds.work(key)), self.rover.where)
        except BaseException as error:  # noqa: BLE001 - an outcome, or raised again
            return judge_error(error)

    async def _settle(self) -> None:
        """Have it known what became of own writes, as before a reconcile."""
        for informer in self._terrain.informers:
            if informer.unsettled:
                await informer.settle_if_answered()

    async def _follow(self) -> None:
        pause = _PAUSE
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                await self._rounds.follow()
            except BaseException as error:
                if is_end(error) or isinstance(error, GeneratorExit):
                    raise
                if loop.time() - began > _LONGEST_PAUSE:
                    pause = _PAUSE
                _log.exception("%s fails to follow; it begins anew in %g s.", self.rover.where, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
