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
from collections.abc import Callable, Coroutine, Hashable, Iterable, Sequence
from typing import Any, Final

from kubewright.cache import Cached, Change, Informer, Key, Selection, Subscription
from kubewright.cache.trouble import is_end
from kubewright.client.endpoint import Endpoint, endpoint_of
from kubewright.controller.bare import bare
from kubewright.controller.children import is_of
from kubewright.controller.context import World
from kubewright.controller.declaration import Controller
from kubewright.controller.finalizer import has_finalizer
from kubewright.controller.outcome import Outcome
from kubewright.controller.predicate import Predicate, meaningful, unfinalized
from kubewright.controller.reader import ContextError, Reader, read_cached
from kubewright.controller.reconcile import Reconciler
from kubewright.controller.source import Every, SourceError, Stream, Watch, read_key, read_keys, sign
from kubewright.controller.wants import View, seen, view
from kubewright.controller.workers import INITIAL, Workers, ended
from kubewright.entropy import SYSTEM, Entropy
from kubewright.errors import KubewrightError
from kubewright.observe import Cause, Metrics, Tracer, no_tracing
from kubewright.observe.cause import Event

__all__ = ["INITIAL", "Runner"]

_log = logging.getLogger(__name__)

#: Seconds before a stream that ended or failed is begun anew: the first pause, and the longest.
_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 60.0
#: So many keys of a source are noted in one go: one that never waits must not hold up those who work on them.
_STRIDE: Final = 100
#: How many watches a reconciler may begin: one that begins another each time, and is brought back by it, never ends.
_FOLLOWED: Final = 100
#: Seconds after which it is looked again whether what is in the way of a child, and is not followed, still is.
_BLOCKED: Final = 60.0


class Runner(Workers):
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
        endpoint = controller.endpoint
        super().__init__(
            controller.name, endpoint.group, endpoint.kind, controller.concurrency, metrics, entropy, tracer
        )
        self.controller = controller
        self.reconciler = Reconciler(controller, world)
        self._world = world
        self._endpoint = endpoint
        self._sees = view(world.wants.own, world.informers[endpoint].selection)
        ours = controller.finalizer_name
        self._predicates = [unfinalized(ours) if each is meaningful else each for each in controller.predicates]
        self._subscriptions: list[Subscription] = []
        self._followed: set[Hashable] = set()
        #: The keys of our objects by uid, by which their children name them.
        self._uids: dict[str, Key] = {}
        world.start_watch = self.start_watch
        world.applier.blocked = self._look_later
        self._tasks: list[asyncio.Task[None]] = []

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
        known = (watch.kind, watch.only, sign(watch.map), *map(sign, watch.predicates))
        if known in self._followed:
            return
        if len(self._followed) >= _FOLLOWED:
            raise ContextError(
                f"{self.controller.where} has called ctx.watch with {_FOLLOWED} different watches: give it the same "
                "map and predicates each time, functions that are defined outside of the reconciler."
            )
        wanted = self._world.wants.watched(watch)
        informer = self._world.follow(wanted)
        self._followed.add(known)
        self._subscriptions.append(informer.subscribe(self._map_listener(watch, wanted, informer.selection)))

    @property
    def informers(self) -> Sequence[Informer]:
        """The caches that it reads."""
        return tuple(dict.fromkeys(self._world.informers.values()))

    async def prepare(self) -> None:
        """Wait until work can begin."""
        for informer in self.informers:
            await informer.synced.wait()

    def _perform(self, key: Key, reconcile_id: str) -> Coroutine[Any, Any, Outcome]:
        return self.reconciler.run(key, reconcile_id)

    def _changed_again(self, cause: Cause) -> bool:
        key, version = Key(cause.namespace, cause.name), cause.resource_version
        return any(
            endpoint.kind == cause.kind and self._world.applier.has_changed(endpoint, key, int(version or 0))
            for endpoint in self._world.owns
        )

    def stop_sources(self) -> None:
        """Note nothing more."""
        for subscription in self._subscriptions:
            subscription.cancel()
        self._subscriptions.clear()
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()

    def problem(self) -> str | None:
        """Which reconciles are past their limit and do not end, or that a source has, in a sentence."""
        return self.reconciler.limit.problem() or ended(self._tasks)

    # Sources.

    def add(self, key: Key, cause: Cause, priority: int = 0, after: float = 0.0) -> None:
        """Have an object looked at, in `after` seconds."""
        # A standby would keep the keys of all objects that there ever were.
        if self.queue.begun or not self._is_nothing(key):
            super().add(key, cause, priority, after)

    def _is_nothing(self, key: Key) -> bool:
        own = self._world.informers[self._endpoint]
        return self.controller.clean is None and own.synced.is_set() and own.known(key) is None

    def _own_changed(self, change: Change) -> None:
        if change.old is not None:
            self._uids.pop(change.old.uid, None)
        if change.new is not None:
            self._uids[change.new.uid] = change.key
        if change.new is None:
            self.drop(change.key)  # an absent object reaches nothing
            if change.old is not None and not self._is_over(change.old):
                self._look_after(change.old)
            known = self._sees is None or (change.old is not None and self._sees(change.old))
            if known and self.controller.clean is not None:
                self.add(change.key, _cause(change, self._endpoint))
        elif self._sees is not None and not self._sees(change.new):
            if change.old is not None and self._sees(change.old):
                self._look_after(change.new)
        elif self._passes(self._predicates, change if self._sees is None else seen(change, self._sees) or change):
            self.add(change.key, _cause(change, self._endpoint), INITIAL if change.initial else 0)

    def _is_over(self, gone: Cached) -> bool:
        """Whether an object that is told as gone is. One that was deleted waits for us to the last, as it is told."""
        let_go = self.reconciler.let_go
        if gone.uid in let_go:
            let_go.discard(gone.uid)
            return True
        return gone.deleting and not self.working  # another lets it go

    def _look_after(self, left: Cached) -> None:
        """Say it if an object is selected no longer and still waits for us."""
        name, own = self.controller.finalizer_name, self._world.wants.own
        if (own.labels.empty and own.fields.empty) or not has_finalizer(left, name):
            return
        _log.warning(
            "%s: %s %s is not among those that it is for any more, and still has its finalizer %s: if it is there, it "
            "cannot be deleted now. Give it its labels back, or take the finalizer away.",
            self.controller.where,
            self._endpoint.kind,
            left.key,
            name,
        )

    def _child_listener(self, endpoint: Endpoint[Any], sees: View) -> Callable[[Change], None]:
        def changed(change: Change) -> None:
            if change.new is None:
                self._world.applier.forget(endpoint, change.key)
            owners: dict[Key, None] = {}
            if (told := change if sees is None else seen(change, sees)) is not None:
                old, new = told.old, told.new
                owners = dict.fromkeys(self._owners(new)) if new is not None else {}
                if old is not None and (new is None or old.owners != new.owners):
                    owners |= dict.fromkeys(self._owners(old))
            if change.old is not None and (change.new is None or change.old.owners != change.new.owners):
                # It stood in somebody's way, seen by us or not, and no longer does.
                owners |= dict.fromkeys(self._world.applier.claimants(endpoint, change.key))
            for key in owners:
                self._add_later(key, change, endpoint)

        return changed

    def _map_listener(self, watch: Watch, wanted: Selection, kept: Selection) -> Callable[[Change], None]:
        endpoint, sees = endpoint_of(watch.kind), view(wanted, kept)
        whole = endpoint in self._world.wants.read and not kept.metadata_only
        where = f"{self.controller.where}: the map for {endpoint.kind}"

        def changed(change: Change) -> None:
            told = change if sees is None else seen(change, sees)
            if told is None or not self._passes(watch.predicates, told):
                return
            keys: dict[Key, None] = {}
            for cached in (told.old, told.new):
                if cached is not None:
                    # That it fails on what was there before was said when that came.
                    quiet = cached is told.old and told.new is not None
                    keys |= dict.fromkeys(self._mapped(watch, cached, where, whole=whole, quiet=quiet))
            for key in keys:
                self._add_later(key, told, endpoint)

        return changed

    def _add_later(self, key: Key, change: Change, endpoint: Endpoint[Any]) -> None:
        """Have an object looked at because of another; with others that come within the time to gather them."""
        self.add(key, _cause(change, endpoint), INITIAL if change.initial else 0, self.controller.gather)

    def _look_later(self, key: Key) -> None:
        """Have an object looked at again whose child could not be made because of what nobody will tell the end of."""
        self.add(key, Cause("triggered", detail="something was in the way of its child"), after=_BLOCKED)

    def _mapped(self, watch: Watch, cached: Cached, where: str, *, whole: bool, quiet: bool) -> Iterable[Key]:
        try:
            obj = read_cached(cached, watch.kind)
            if not whole:
                obj = bare(obj)
            # What is unsure is good enough: the watch will tell of it, and nobody would come back to this change.
            reader = Reader(self._world, cached.key.namespace, sure=False)
            given = watch.map(obj, reader) if watch.looks else watch.map(obj)
            return read_keys(given, cached.key.namespace, self._endpoint.namespaced, where)
        except BaseException as error:
            if is_end(error):
                raise
            # One object that a map does not understand must not keep the others from being seen.
            if quiet:
                return ()
            if isinstance(error, SourceError):  # it says where
                _log.error("%s Nothing is looked at again because of %s.", error, cached.key)
            elif isinstance(error, KubewrightError):
                _log.error("%s fails on %s; nothing is looked at again because of it: %s", where, cached.key, error)
            else:
                _log.exception("%s fails on %s; nothing is looked at again because of it.", where, cached.key)
            return ()

    def _owners(self, cached: Cached) -> Iterable[Key]:
        """The objects of our kind that control an object; which version they are named in does not matter."""
        if not cached.controller:
            return ()
        known = self._uids.get(cached.controller)
        if known is not None:
            return (known,)
        endpoint = self._endpoint
        return [
            Key(cached.key.namespace if endpoint.namespaced else "", owner.name)
            for owner in cached.metadata.owner_references or ()
            if owner.controller and is_of(owner, endpoint)
        ]

    def _passes(self, predicates: Iterable[Predicate], change: Change) -> bool:
        try:
            for predicate in predicates:
                if not predicate(change):
                    return False
        except BaseException as error:
            if is_end(error):
                raise
            _log.exception("%s: a predicate fails on %s; the change counts.", self.controller.where, change.key)
        return True

    async def _tick(self, source: Every) -> None:
        own = self._world.informers[self._endpoint]
        while True:
            await asyncio.sleep(source.seconds)
            for number, cached in enumerate(own.everything(), 1):
                if self._sees is None or self._sees(cached):
                    self.add(cached.key, Cause("triggered", detail=f"every {source.seconds:g} s"), INITIAL)
                if number % _STRIDE == 0:
                    await asyncio.sleep(0)

    async def _follow(self, source: Stream) -> None:
        where = f"{self.controller.where}: a stream"
        pause = _PAUSE
        number = 0
        while True:
            began, before = self._loop.time(), number
            try:
                async for given in source.open():
                    number += 1
                    if number % _STRIDE == 0:
                        await asyncio.sleep(0)
                    try:
                        key = read_key(given, "", self._endpoint.namespaced, where)
                    except SourceError as error:  # what comes after it is none the worse for it
                        _log.error("%s It is passed over.", error)
                        continue
                    self.add(key, Cause("triggered", detail="stream"))
                if number > before:
                    pause = _PAUSE
                _log.info("%s has ended; it is begun anew in %g s.", where, pause)
            except BaseException as error:
                if is_end(error) or isinstance(error, GeneratorExit):
                    raise
                if self._loop.time() - began > _LONGEST_PAUSE:
                    pause = _PAUSE
                _log.exception("%s fails; it is begun anew in %g s.", where, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)


def _cause(change: Change, endpoint: Endpoint[Any]) -> Cause:
    cached = change.new or change.old
    assert cached is not None
    event: Event = "initial" if change.initial else change.kind
    return Cause(event, endpoint.kind, *change.key, str(cached.revision))
