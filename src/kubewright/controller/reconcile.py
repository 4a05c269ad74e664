"""One reconcile of one object: what is called, in which order, and how it ends.

                    ┌─ absent ────────────────────────────────▶ nothing, or what is declared for that (`absent`)
    read the cache ─┼─ being deleted, without our finalizer ──▶ nothing
                    ├─ being deleted ─▶ finalizer ─▶ status ──▶ take our finalizer away, if it returned None
                    └─ else ─▶ have our finalizer there ─▶ reconciler ─▶ status

The finalizer is there before anything else is done that would need it, and goes after everything else. Status is
written in every case, however the function ended. What a function raises, however it hangs, stays in here: it becomes
an `Outcome`.
"""

import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from kubewright.cache import Cached, Key
from kubewright.client.client import PATCHES
from kubewright.client.errors import ApiError, Conflict, Invalid, NotFound
from kubewright.controller.bridge import call
from kubewright.controller.children import Owner
from kubewright.controller.context import Context, SyncContext, World
from kubewright.controller.declaration import Controller
from kubewright.controller.emptied import emptying_patch
from kubewright.controller.finalizer import add_finalizer, has_finalizer, remove_finalizer
from kubewright.controller.limit import Limit
from kubewright.controller.outcome import MisfitError, NonsenseError, Outcome, Retry, judge, judge_error, leaves
from kubewright.controller.status import (
    Mark,
    StatusError,
    fitting_status,
    is_observed,
    mark_status,
    observes_generation,
    read_status,
    renew_patch,
    status_patch,
)
from kubewright.controller.wants import view
from kubewright.model.codec import decode
from kubewright.model.documents import Named, dump_json

__all__ = ["Reconciler"]

_log = logging.getLogger(__name__)

#: What a server says of a field that it does not know, in an apply.
_UNDECLARED = "field not declared in schema"
#: How often a status is written at most, if the object changes each time between reading and writing.
_ATTEMPTS = 5


class Reconciler:
    """Reconciles the objects of one controller, by key."""

    def __init__(self, controller: Controller[Any, Any], world: World) -> None:
        self._controller = controller
        self._world = world
        self._endpoint = controller.endpoint
        self._own = world.informers[controller.endpoint]
        self._sees = view(world.wants.own, self._own.selection)
        self.limit = Limit(controller.where, controller.timeout)
        #: The uids of those that were let go: of the others, who is gone has left.
        self.let_go: set[str] = set()
        #: The uids of those of which was said that nobody will let them go.
        self._stranded: set[str] = set()
        self._async: dict[int, bool] = {}

    async def run(self, key: Key, reconcile_id: str) -> Outcome:
        """Reconcile an object; whatever goes wrong is in the outcome."""
        try:
            return await self._run(key, reconcile_id)
        except BaseException as error:  # noqa: BLE001 - an outcome, or raised again
            return judge_error(error)

    async def _run(self, key: Key, reconcile_id: str) -> Outcome:
        for informer in tuple(self._world.informers.values()):
            if informer.unsettled:
                await informer.settle_if_answered()
        cached = self._own.get(key)
        if cached is None:
            return await self._clean(key, reconcile_id)
        if self._sees is not None and not self._sees(cached):
            return Outcome()
        name = self._controller.finalizer_name
        if cached.deleting and not self._controller.deleting:
            if self._controller.finalize is None:
                self._look_for_former(cached)
                return Outcome()
            if not has_finalizer(cached, name):
                return Outcome()
            outcome = await self._call(self._controller.finalize, cached, reconcile_id)
            if outcome.done:
                await self._let_go(cached, name)
            return outcome
        if name and not has_finalizer(cached, name):
            await self._patch(key, add_finalizer(cached, name))
            patched = self._own.get(key)
            # Before the answer the watch may have told more: that it is another by now, or is being deleted.
            if patched is None or patched.uid != cached.uid or patched.deleting:
                return Outcome(after=0.0)
            cached = patched
        return await self._call(self._controller.reconcile, cached, reconcile_id)

    def _look_for_former(self, cached: Cached) -> None:
        """Say it if an object waits for a finalizer that the controller once had, for ever."""
        former = self._controller.usual_finalizer
        if cached.uid in self._stranded or not has_finalizer(cached, former):
            return
        self._stranded.add(cached.uid)
        _log.warning(
            "%s: %s %s is being deleted and waits for the finalizer %s, but no function here is called for that: give "
            "the controller its finalizer back, or take it from the object.",
            self._controller.where,
            self._endpoint.kind,
            cached.key,
            former,
        )

    async def _clean(self, key: Key, reconcile_id: str) -> Outcome:
        """What is to be done for an object that is not there."""
        clean, cache = self._controller.clean, self._own
        if clean is None or self._world.wants.own.scope_of(key.namespace) is None:
            return Outcome()
        if not cache.selection.whole and await cache.ask(key) is not None:
            return Outcome()  # it is there, and only not selected
        context = Context(self._world, Owner(self._endpoint, key, ""), reconcile_id)
        return judge(await self._begin(clean, key, context, key), f"{self._controller.where}: {clean.__name__}")

    async def _call(self, function: Callable[..., Any], cached: Cached, reconcile_id: str) -> Outcome:
        """Call the user's function and write the status that it left."""
        obj, problem = self._read(cached)
        if problem and not cached.deleting:
            return Outcome(MisfitError(problem), terminal=True)
        handed = mark_status(obj) if self._controller.status else None
        context = Context(self._world, Owner(self._endpoint, cached.key, cached.uid), reconcile_id)
        try:
            returned = await self._begin(function, obj, context, cached.key)
        except BaseException as error:  # noqa: BLE001 - an outcome, or raised again
            outcome, failed = self._judge(error, cached), True
        else:
            outcome = judge(returned, f"{self._controller.where}: {getattr(function, '__name__', function)}")
            failed = outcome.error is not None
        if not self._controller.status:
            return outcome
        left = mark_status(obj)
        # That its generation was seen is not told by itself if it failed, or if the object now goes.
        untold = failed or (outcome.done and self._goes(cached))
        if handed is None or left != handed or not (untold or is_observed(obj, cached.generation)):
            try:
                await self._write_status(obj, cached, handed, left, untold=untold)
            except Exception:
                # It is tried again because of this, and not of the other; that would be seen nowhere.
                if outcome.error is not None:
                    _log.error("It failed, and then its status could not be written.", exc_info=outcome.error)
                raise
        return outcome

    def _goes(self, cached: Cached) -> bool:
        """Whether the object is only there because of our finalizer."""
        return cached.deleting and cached.metadata.finalizers == [self._controller.finalizer_name]

    def _read(self, cached: Cached) -> tuple[Any, str]:
        """The object as the controller's class, and a sentence if something of it does not fit."""
        model = self._endpoint.model
        if model is None:
            return cached.document(), ""
        problems: list[str] = []
        obj = decode(cached.raw, model, Named(self._endpoint.resource, cached.key), problems.append)
        if not problems:
            return obj, ""
        if self._controller.status and (fitting := self._with_fitting_status(cached, model)) is not None:
            self._own.misfits.misfit(cached, problems[0], "What of its status does not fit counts as absent.")
            return fitting, ""
        hence = "" if cached.deleting else "It is not reconciled until that is put right."
        return obj, self._own.misfits.misfit(cached, problems[0], hence)

    def _with_fitting_status(self, cached: Cached, model: type[Any]) -> Any:
        """The object with what of its status fits, if all else of it does: the rest is for the reconciler to say anew.

        What fits stays: forgotten, it would be made and written anew each time, and conditions with a new time.
        """

        def read(document: Any) -> Any:
            problems: list[str] = []
            obj = decode(dump_json(document), model, Named(self._endpoint.resource, cached.key), problems.append)
            return None if problems else obj

        document = msgspec.json.decode(cached.raw)
        status = document.pop("status", None)
        if (bare := read(document)) is None or not isinstance(status, dict):
            return bare
        head = {name: document[name] for name in ("apiVersion", "kind", "metadata") if name in document}
        fitting = fitting_status(status, lambda part: read({**head, "status": part}) is not None)
        return read({**document, "status": fitting})

    def _begin(self, function: Callable[..., Any], obj: Any, context: Context, key: Key) -> Awaitable[Any]:
        """What comes of the user's function, within its time."""
        if self._awaits(function):
            return self.limit.awaited(key, function(obj, context))
        return self._beside(function, obj, context, key)

    async def _beside(self, function: Callable[..., Any], obj: Any, context: Context, key: Key) -> Any:
        returned = await self.limit.threaded(key, call(lambda bridge: function(obj, SyncContext(context, bridge))))
        if inspect.iscoroutine(returned):
            # It has a context for threads, which the loop would wait for itself with, for ever.
            returned.close()
            raise NonsenseError(
                f"{self._controller.where} is synchronous, yet returned a coroutine: what wraps an asynchronous "
                "reconciler is to be `async def` itself, and to await it."
            )
        return returned

    def _awaits(self, function: Callable[..., Any]) -> bool:
        found = self._async.get(id(function))
        if found is None:  # they are the controller's, and live as long
            found = self._async[id(function)] = _is_async(function)
        return found

    async def _write_status(
        self, obj: Any, cached: Cached, handed: Mark | None, left: Mark | None, *, untold: bool
    ) -> None:
        """Write what was left of the status that was handed out."""
        before = handed.document() if handed is not None else None
        after = left.document() if left is not None else None
        if before is None or after is None:
            before, after = read_status(self._read(cached)[0]), read_status(obj)
        if before is None or after is None:
            return
        tells = observes_generation(obj, changed=after != before, untold=untold)
        manager = self._world.applier.manager
        patch = status_patch(self._endpoint, cached, before, after, manager, generation=tells)
        if patch is None:
            return
        key = cached.key
        writes = self._world.writes
        emptied = False
        for _ in range(_ATTEMPTS):
            try:
                await writes.apply_bytes(self._endpoint, key, dump_json(patch), manager, "status")
                return
            except Invalid as refusal:
                less = emptying_patch(patch, cached.document(), refusal)
                if emptied or not less:
                    raise
                emptied = True
                renew_patch(patch, await writes.merge(self._endpoint, cached, less, manager, "status"), cached.uid)
            except (NotFound, Conflict) as error:
                # It has changed since it was read, or is gone. What is applied merges with what there is; but it must
                # be the same object.
                try:
                    live = await writes.ask("GET", self._endpoint.path(key.namespace or None, key.name))
                except NotFound:
                    return  # there is nowhere to write its status
                if not renew_patch(patch, live, cached.uid):
                    return
                if isinstance(error, NotFound):
                    raise StatusError(
                        f"the status of {self._endpoint.kind} {key} cannot be written, though it is there: {error}. "
                        f"If {self._endpoint.resource} have no subresource status, give their CRD one, or declare "
                        f"{self._controller.where} with status=False."
                    ) from error
            except ApiError as error:
                if _UNDECLARED not in str(error):
                    raise
                raise StatusError(
                    f"the status of {self._endpoint.kind} {key} has a field that the server does not know: {error}. If "
                    f"the CRD there is older than the class here, install the newer one (`kubewright install`)."
                ) from error
        raise Retry(f"the status of {self._endpoint.kind} {key} could not be written: it changes all the time")

    async def _let_go(self, cached: Cached, finalizer: str) -> None:
        key = cached.key
        current = self._own.get(key)
        # Another one of the same name, by now, has a clean-up of its own before it.
        if current is None or current.uid != cached.uid or not has_finalizer(current, finalizer):
            return
        # Its end may be told before the answer comes.
        self.let_go.add(cached.uid)
        try:
            await self._patch(key, remove_finalizer(current, finalizer))
        except NotFound:
            _log.debug("%s %s is gone already.", self._endpoint.kind, key)
        except BaseException:
            self.let_go.discard(cached.uid)
            raise

    async def _patch(self, key: Key, patch: list[dict[str, Any]]) -> None:
        path = self._endpoint.path(key.namespace or None, key.name)
        query = {"fieldManager": self._world.applier.manager}
        try:
            await self._world.api.raw.ask("PATCH", path, query, msgspec.json.encode(patch), PATCHES["json"])
        except Invalid as error:
            if error.causes:
                raise  # the server says what is wrong with the object; of a patch that does not fit it says nothing
            # A test of the patch failed: the object has changed since it was read.
            raise Retry(f"{self._endpoint.kind} {key} has changed meanwhile") from error

    def _judge(self, error: BaseException, cached: Cached) -> Outcome:
        """What it means that the function raised for an object."""
        # What is being deleted still has to be cleaned up after, wherever that fails.
        if not cached.deleting and all(_ends(each, cached.key.namespace) for each in leaves(error)):
            # Nothing can be made there any more, and what is there goes by itself.
            _log.info("%s: its namespace is being deleted; nothing is made in it any more.", self._controller.where)
            return Outcome()
        return judge_error(error)


def _ends(error: BaseException, namespace: str) -> bool:
    """Whether the server refused a write because that namespace, and no other, is being deleted."""
    if not isinstance(error, ApiError):
        return False
    told = f"namespace {namespace} is being terminated"
    return any((each.get("reason"), each.get("message")) == ("NamespaceTerminating", told) for each in error.causes)


def _is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
