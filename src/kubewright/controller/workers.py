"""Workers: they take keys from a queue, have each worked on, and see to what becomes of it.

What a key stands for, and what is done about it, is for those who have workers to say (`runner`, `rover`). Here is what
is the same for all: each key is worked on by one worker at a time, for a reason that is kept, under an identifier;
what fails comes back later; it is counted, traced and told in the log.
"""

import asyncio
import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final, cast

from kubewright.cache import Informer, Key, Unsettled
from kubewright.client.errors import ApiError, Conflict
from kubewright.client.plugin import PluginError
from kubewright.controller.backoff import Backoff
from kubewright.controller.circles import Circles
from kubewright.controller.fence import NotLeading
from kubewright.controller.outcome import MisfitError, Outcome, Retry, TimeLimitError
from kubewright.controller.queue import Queue, ShutDown
from kubewright.entropy import Entropy
from kubewright.errors import KubewrightError
from kubewright.http import HttpError
from kubewright.observe import Cause, Metrics, Run, Tracer, Why
from kubewright.observe.log import about
from kubewright.observe.metrics import Result
from kubewright.observe.trace import guarded

__all__ = ["INITIAL", "Workers", "ended"]

_log = logging.getLogger(__name__)

#: What was there before we began yields to what changes now.
INITIAL: Final = -100
#: What fails because nothing could be asked, and not because of the key; and for how many seconds a key is then put off
#: at most: an outage should not last longer for those who have tried through it.
_OUTAGES: Final = (HttpError, PluginError, Unsettled)
_OUTAGE: Final = 60.0
#: Seconds that a reconcile has for tidying up after it was cancelled; until then the lease is not given back.
_TIDYING: Final = 10.0


class Workers(ABC):
    """So many workers on one queue."""

    def __init__(
        self, name: str, group: str, kind: str, concurrency: int, metrics: Metrics, entropy: Entropy, tracer: Tracer
    ) -> None:
        """`group` and `kind` are of what keys stand for, if there is one."""
        self.name = name
        self._kind = kind
        self._concurrency = concurrency
        self._tracer = guarded(tracer)
        self._metrics = metrics.controller(name, concurrency)
        meter = metrics.queue(name)
        self.queue: Queue[Key] = Queue(backoff=Backoff(entropy=entropy), meter=meter)
        meter.reads(self.queue)
        self._why: Why[Key] = Why()
        self._circles = Circles(self._changed_again)
        #: Reconciles are counted, under an identifier of the run's own: drawing one for each would take longer.
        self._id = entropy.uid()[:24]
        self._count = 0
        self._about = {"controller": name, "controllerGroup": group, "controllerKind": kind}
        self._active = 0
        self._loop = asyncio.get_running_loop()
        self._idle = asyncio.Event()
        #: Whether workers run: what they need is there, and the operator leads.
        self.working = False

    # What each has in its own way.

    @abstractmethod
    def start_sources(self) -> None:
        """Begin to note what is to be done."""

    @abstractmethod
    def stop_sources(self) -> None:
        """Note nothing more."""

    @property
    @abstractmethod
    def informers(self) -> Sequence[Informer]:
        """The caches that it reads."""

    @abstractmethod
    async def prepare(self) -> None:
        """Wait until work can begin."""

    @abstractmethod
    async def _perform(self, key: Key, reconcile_id: str) -> Outcome:
        """Do what is to be done about a key; whatever goes wrong is in the outcome."""

    @abstractmethod
    def problem(self) -> str | None:
        """What work is past its limit and cannot be stopped, or what has ended that should go on, in a sentence."""

    def _changed_again(self, cause: Cause) -> bool:
        """Whether a reconcile has changed the very child whose change had caused it."""
        return False

    # From start to end.

    async def work(self) -> None:
        """Work until `stop`; returns when all workers have ended."""
        await self.prepare()
        self.working = True
        workers = [
            asyncio.create_task(self._worker(), name=f"worker {number} of {self.name}")
            for number in range(self._concurrency)
        ]
        rest = set(workers)
        try:
            while rest:
                done, rest = await asyncio.wait(rest, return_when=asyncio.FIRST_COMPLETED)
                for worker in done:
                    worker.result()
        finally:
            self.working = False
            # A function may take its cancellation for something else and go on: then this was its worker's last key.
            self.queue.shut_down(drain=False)
            if rest:
                await self._cancel(rest)

    async def _cancel(self, workers: set[asyncio.Task[None]]) -> None:
        for worker in workers:
            worker.cancel()
        _, rest = await asyncio.wait(workers, timeout=_TIDYING)
        if rest:
            _log.error(
                "%s: reconciles that were cancelled and do not end: %d; nobody waits for them.", self.name, len(rest)
            )

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
        return bool(self._active or self.queue.ready)

    def add(self, key: Key, cause: Cause, priority: int = 0, after: float = 0.0) -> None:
        """Have an object looked at, in `after` seconds."""
        self._why.note(key, cause)
        self.queue.add(key, priority, after)

    def drop(self, key: Key) -> None:
        """Have a key not looked at for what was noted so far; it stands for nothing any more."""
        if self.queue.discard(key):
            self._why.take(key)
        if not self.busy:
            self._idle.set()

    async def _worker(self) -> None:
        queue = self.queue
        task = cast("asyncio.Task[None]", asyncio.current_task())
        while True:
            try:
                key = await queue.get()
            except ShutDown:
                return
            except asyncio.CancelledError:
                if self._goes_on(task):
                    continue
                raise
            self._active += 1
            try:
                await self._reconcile(key)
            finally:
                queue.done(key)
                self._active -= 1
                if not self.busy:
                    self._idle.set()
            if queue.ready or task.cancelling():
                # A reconcile that finds nothing to do waits for nothing: thousands of them, after a start, would hold
                # up the lease and the probes.
                try:
                    await asyncio.sleep(0)
                except asyncio.CancelledError:
                    if not self.working:
                        raise
                self._goes_on(task)

    def _goes_on(self, task: "asyncio.Task[None]") -> bool:
        """Whether a worker goes on that was cancelled: not by us, but by a function that ran in it."""
        while self.working and task.cancelling():
            task.uncancel()
        return self.working

    async def _reconcile(self, key: Key) -> None:
        metrics = self._metrics
        loop = self._loop
        self._count += 1
        reconcile_id = f"{self._id}{self._count:012x}"
        run = Run(self.name, self._kind, *key, reconcile_id, self._why.take(key))
        metrics.active.inc()
        started = loop.time()
        try:
            with (
                about(**self._about, namespace=key.namespace, name=key.name, reconcileID=reconcile_id),
                self._tracer(run) as ended,
            ):
                if _log.isEnabledFor(logging.DEBUG):
                    _log.debug("Reconciling because of %s", run.causes)
                try:
                    outcome = await self._perform(key, reconcile_id)
                except asyncio.CancelledError as error:
                    if not self.working:
                        raise
                    # It was not us: the function has cancelled the task that it runs in, which is its own affair.
                    outcome = Outcome(error)
                result = self._follow_up(key, outcome, run)
                if result == "success":
                    self._circles.count(key, run, started)
                ended(result, outcome.error)
                metrics.ended(result, loop.time() - started, terminal=outcome.terminal)
        finally:
            metrics.active.dec()

    def _follow_up(self, key: Key, outcome: Outcome, run: Run) -> Result:
        """What becomes of the key; said in the log if it failed, with why it ran."""
        queue, error = self.queue, outcome.error
        if error is None:
            if outcome.done:
                queue.forget(key)
                return "success"
            self._why.note(key, Cause("requeued"))
            if outcome.after is None:
                queue.failed(key)
                return "requeue"
            queue.requeue(key, outcome.after)
            return "requeue_after"
        why = {"causes": str(run.causes)}
        if isinstance(error, TimeLimitError):
            self._metrics.timed_out()
        if outcome.terminal:
            queue.forget(key)
            if not isinstance(error, MisfitError):
                _log.error("It fails, and will not be tried again before something changes: %s", error, extra=why)
            return "error"
        self._why.note(key, Cause("retried", detail=type(error).__name__))
        if outcome.after is not None:
            after = outcome.after
            queue.requeue(key, after)
        else:
            after = queue.failed(key, _OUTAGE if _is_outage(error) else math.inf)
        if isinstance(error, Retry | Conflict | NotLeading | Unsettled):
            _log.info("Again in %.3g s: %s", after, error, extra=why)
        elif isinstance(error, KubewrightError | ApiError):
            _log.warning("It failed, and is tried again in %.3g s: %s", after, error, extra=why)
        else:
            self._metrics.panicked()
            _log.error("The reconciler raised; it is tried again in %.3g s", after, exc_info=error, extra=why)
        return "error"


def _is_outage(error: BaseException) -> bool:
    """Whether the server is to blame, or what stands before it: it is not there, or does not know us for a while."""
    return error.passes if isinstance(error, ApiError) else isinstance(error, _OUTAGES)


def ended(tasks: Iterable[asyncio.Task[None]]) -> str | None:
    """That a task has ended which goes on until it is cancelled, in a sentence: nobody does its work now."""
    return next((f"the {task.get_name()} has ended" for task in tasks if task.done()), None)
