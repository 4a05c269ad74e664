"""What a reconciler has in hand besides the object: reading, applying, telling.

| call                                   | what it does                                                             |
|----------------------------------------|--------------------------------------------------------------------------|
| `await ctx.apply(child)`               | makes a child so, as ours; sends nothing if nothing would change          |
| `await ctx.apply_all(children, prune=True)` | the same for all; those of ours that are not among them go          |
| `ctx.get(Kind, name)`, `ctx.list(Kind)` | from memory; only kinds that the controller declares                    |
| `await ctx.live.get(Kind, name)`       | asks the server; `ctx.live` is the whole typed client                    |
| `ctx.event("Scaled", "to 3 replicas")` | an Event about the object                                                |
| `ctx.log`                              | a logger; its lines say which object they are about                      |

Whatever is read from memory is at least as new as what this operator has written. A synchronous reconciler gets a
`SyncContext`: the same calls, without `await`.
"""

import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, Protocol, TypeVar, cast

from kubewright.cache import Informer, Key, Selection, Unsettled
from kubewright.client.api import Api
from kubewright.client.endpoint import Document, Endpoint, endpoint_of
from kubewright.client.errors import NotFound
from kubewright.client.options import Labels
from kubewright.controller.apply import Applier, Look, digest_of, look
from kubewright.controller.bridge import Bridge
from kubewright.controller.children import ChildError, Owner, configure
from kubewright.controller.event import check_event
from kubewright.controller.reader import By, ContextError, Reader
from kubewright.controller.source import Kind, Watch
from kubewright.controller.wants import Wants, view
from kubewright.controller.writes import WritingClient
from kubewright.errors import called
from kubewright.model.codec import document_of, unread
from kubewright.model.documents import Named
from kubewright.model.resource import Resource

__all__ = ["Context", "ContextError", "SyncContext", "World"]

T = TypeVar("T")
Obj = TypeVar("Obj", bound=Resource | dict[str, Any])
#: `list` is a method here.
Listed = list
EventType = Literal["Normal", "Warning"]

#: Data outlives the program that made it: claims go only when they are named.
_PRECIOUS: Final = ("", "persistentvolumeclaims")


class Recorder(Protocol):
    """Takes events about objects."""

    def record(
        self,
        owner: Owner,
        type: EventType,  # noqa: A002
        reason: str,
        note: str,
        action: str,
        controller: str = "",
    ) -> None:
        """Tell of something that happened; never waits, never fails."""


class World:
    """What all reconciles of one controller share."""

    def __init__(
        self,
        operator: str,
        controller: str,
        api: Api,
        informers: dict[Endpoint[Any], Informer],
        wants: Wants,
        recorder: Recorder,
        open_informer: Callable[[Selection], Informer] | None = None,
        controllers: Iterable[str] = (),
    ) -> None:
        """`controllers`: the names of all that the operator has."""
        self.operator = operator
        self.controller = controller
        self.api = api
        self.informers = informers
        self.wants = wants
        self.owns = tuple(wants.owned)
        #: Where the children of a class are, of those that were there: asked for every child, each time.
        self.children: dict[type, Endpoint[Any]] = {}
        #: Of what is in memory that which this controller may read.
        self.views = {each: view(of, informers[each].selection) for each, of in wants.read.items()}
        self.recorder = recorder
        self._open = open_informer
        #: Follows one more kind for the controller; the runner puts it here.
        self.start_watch: Callable[[Watch], None] | None = None
        assert isinstance(api.raw, WritingClient), "what is written past the caches is not seen in them"
        self.writes = api.raw
        self.applier = Applier(api.raw, f"{operator}/{controller}", [f"{operator}/{each}" for each in controllers])
        self.log = logging.getLogger(f"kubewright.controller.{controller}")

    def follow(self, selection: Selection) -> Informer:
        """A cache that holds what is selected, begun now if there is none."""
        informer = self.informers.get(selection.endpoint)
        if informer is None or not informer.selection.covers(selection):
            if self._open is None:
                raise ContextError(f"controller {self.controller!r} cannot follow {selection.endpoint.kind} here.")
            informer = self._open(selection)
            self.informers.setdefault(selection.endpoint, informer)
        return informer


class Context(Reader):
    """One reconcile of one object."""

    def __init__(self, world: World, owner: Owner, reconcile_id: str) -> None:
        super().__init__(world, owner.key.namespace)
        self._world = world
        self._owner = owner
        #: What shall be there as this reconcile says, and how it was applied, or is being; None if it could not be.
        self._applied: dict[tuple[str, Key], Look | bytes | None] = {}
        #: What it could not apply, and has not applied since; without a key if that was not known yet.
        self._failed: dict[tuple[Endpoint[Any], Key | None], None] = {}
        #: The kinds of which it has said that all there shall be is there.
        self._complete: dict[Endpoint[Any], None] = {}
        self._reconcile_id = reconcile_id

    # Properties, for a mock is made of the class.

    @property
    def reconcile_id(self) -> str:
        """Which reconcile this is, in logs and traces."""
        return self._reconcile_id

    @property
    def live(self) -> Api:
        """The typed client: what it reads is what the server says now, and what it writes the caches know."""
        return self._world.api

    @property
    def log(self) -> logging.Logger:
        """The controller's logger; what it says is told with the object and the reconcile."""
        return self._world.log

    @property
    def namespace(self) -> str:
        """The namespace of the object; empty if it is in none."""
        return self._owner.key.namespace

    @property
    def name(self) -> str:
        """The name of the object."""
        return self._owner.key.name

    # Reading.

    def list(
        self,
        kind: type[T] | Endpoint[T],
        *,
        namespace: str | None = None,
        labels: Labels | None = None,
        owner: Resource | str | None = None,
        owned: bool = False,
        orphans: bool = False,
        index: By[T] | None = None,
    ) -> Listed[T]:
        """Objects from memory: of a namespace (by default the object's own; "" is all), with labels.

        `owned`: only those that the object itself owns. `owner`: those that another one does, given as an object or as
        its uid. `orphans`: those that nobody controls. `index=(secrets_of, "tls")`: those of which that function says
        `"tls"`; it is asked once for each version of an object, and not at every look.
        """
        uid = self._owner.uid if owned else owner
        return super().list(kind, namespace=namespace, labels=labels, owner=uid, orphans=orphans, index=index)

    # Writing.

    async def apply(self, child: Obj, *, adopt: bool = False) -> Obj:
        """Make a child as it is given here, and ours; the child as it is then comes back, status included.

        `adopt` takes over one that exists and belongs to nobody. What the child does not set is left to others.
        """
        owner, world = self._owner, self._world
        endpoint = world.children.get(type(child)) or self._owned(child)
        informer, applier = world.informers[endpoint], world.applier
        if informer.unsettled:
            await informer.settle_if_answered()
        seen, raw = look(child, endpoint, owner), None
        if seen is not None:
            try:
                raw = applier.recall(informer, endpoint, seen)
            except Unsettled:
                self._failed[endpoint, seen.key] = None
                raise
        if seen is not None and raw is not None:
            key = seen.key
            self._note(endpoint, key, seen)
        else:
            key, raw = await self._make(child, endpoint, seen, adopt=adopt)
        if self._failed:
            self._failed.pop((endpoint, key), None)
        source, model = Named(endpoint.kind, key), endpoint.model
        made: Obj = unread(raw, model, source) if model is not None else endpoint.read(raw, source)
        return made

    async def apply_all(
        self, children: Iterable[Obj], *, prune: bool | Sequence[Kind] = False, adopt: bool = False
    ) -> Listed[Obj]:
        """Apply each; with `prune`, these and what this reconcile applied before are all there shall be.

        Pruned are, once every apply has succeeded, objects of the kinds in `owns` whose controller is this object and
        which this controller applied; one that another controller of the operator applies too only loses what this one
        had set, unless the rest would be no object by itself. Claims of storage are kept unless named:
        `prune=[PersistentVolumeClaim]`. What this reconcile would apply of them after that is refused: the next one
        would prune it, and so for ever.
        """
        if isinstance(children, Resource | dict | str) or not isinstance(children, Iterable):
            raise ContextError("ctx.apply_all takes children: a list, as in ctx.apply_all([deployment, service]).")
        kinds = self._prunable(prune)
        made = [await self.apply(child, adopt=adopt) for child in children]
        self._check_failed(kinds)
        self._complete |= dict.fromkeys(kinds)
        for endpoint in kinds:
            await self._prune(self._world.informers[endpoint])
        return made

    async def delete(self, child: Resource | Document) -> None:
        """Delete an object that was read, if it is that one still; one that is gone already is fine."""
        document = child.get("metadata") or {} if isinstance(child, dict) else {}
        if not isinstance(child, Resource | dict) or not isinstance(document, dict):
            raise ContextError(f"ctx.delete takes an object that was read, not {child!r:.60}.")
        endpoint = self._endpoint(child)
        meta = child.metadata if isinstance(child, Resource) else None
        name = meta.name if meta is not None else document.get("name", "")
        namespace = meta.namespace if meta is not None else document.get("namespace", "")
        uid = meta.uid if meta is not None else document.get("uid", "")
        if not uid:
            raise ContextError(f"{endpoint.kind} {name!r} has no uid, so it was not read: get it, then delete it.")
        await self._delete(endpoint, Key(namespace, name), uid)

    def event(
        self,
        reason: str,
        note: str = "",
        *,
        type: EventType = "Normal",  # noqa: A002
        action: str = "Reconcile",
        about: Resource | None = None,
    ) -> None:
        """Tell of something that happened to the object, as an Event; the same again is counted, not repeated.

        `about`: to another one, as it was read or applied.
        """
        check_event(type, reason, note, action)
        owner = self._owner if about is None else _owner_of(about)
        self._world.recorder.record(owner, type, reason, note, action, self._world.controller)

    def watch(self, watch: Watch) -> None:
        """Follow one more kind from now on: `ctx.watch(kw.watch(Kind, map=…))`, with the same function each time.

        For kinds that are only known when an object names them; all others are declared.
        """
        if not isinstance(watch, Watch):
            raise ContextError(f"ctx.watch takes a watch, as in ctx.watch(kw.watch(Kind, map=…)), not {watch!r:.60}.")
        if self._world.start_watch is None:
            raise ContextError(f"controller {self._world.controller!r} does not run, so it can watch nothing.")
        self._world.start_watch(watch)

    # How it is done.

    def _endpoint(self, child: Resource | Document) -> Endpoint[Any]:
        if isinstance(child, Resource):
            return endpoint_of(type(child))
        for endpoint in self._world.informers:
            if (endpoint.api_version, endpoint.kind) == (child.get("apiVersion"), child.get("kind")):
                return replace(endpoint, model=None)
        if not child.get("apiVersion") or not child.get("kind"):
            raise ContextError(f"{called(child)} does not say what it is: give it apiVersion and kind.")
        raise ContextError(
            f"controller {self._world.controller!r} declares no {child.get('apiVersion')} {child.get('kind')}: add it "
            "to owns=[…]."
        )

    def _owned(self, child: object) -> Endpoint[Any]:
        if not isinstance(child, (Resource, dict)):
            raise ChildError(f"{child!r:.60} is no child: give an object of a kind, or a document.")
        endpoint = self._endpoint(child)
        if endpoint not in self._world.owns:
            raise ContextError(
                f"controller {self._world.controller!r} does not own {endpoint.kind}: add owns=[{endpoint.kind}], so "
                "that it is in memory and its changes are seen."
            )
        if isinstance(child, Resource):
            self._world.children[type(child)] = endpoint
        return endpoint

    async def _make(self, child: Obj, endpoint: Endpoint[Any], seen: Look | None, *, adopt: bool) -> tuple[Key, bytes]:
        """Apply a child that is not known to be as it is given; its key, and the document as it is then."""
        world, owner, key = self._world, self._owner, None
        informer, image = world.informers[endpoint], seen.image if seen is not None else None
        try:
            key, config = configure(child, endpoint, owner, world.operator, image)
            self._check_followed(endpoint, key, config)
            given = seen if seen is not None else digest_of(config)
            # While it is under way nobody prunes it or applies it otherwise; nothing says that all is awaited in turn.
            self._note(endpoint, key, given)
            sign = given if isinstance(given, bytes) else given.sign
            try:
                raw = await world.applier.apply(informer, endpoint, key, config, owner, sign=sign, adopt=adopt)
            except BaseException:
                self._applied[endpoint.address, key] = None
                raise
            self._applied[endpoint.address, key] = given
        except BaseException:
            self._failed[endpoint, key] = None
            raise
        return key, raw

    def _check_failed(self, kinds: Iterable[Endpoint[Any]]) -> None:
        """What could not be applied shall be there nevertheless: it must not be taken for what is not wanted."""
        for endpoint, key in self._failed:
            if endpoint in kinds:
                which = f"{endpoint.kind} {key}" if key is not None else f"a {endpoint.kind}"
                raise ChildError(
                    f"nothing is pruned: {which} could not be applied in this same reconcile, and would be deleted if "
                    "it is there. Let what ctx.apply raises pass, or prune only when nothing was raised."
                )

    def _check_followed(self, endpoint: Endpoint[Any], key: Key, config: Document) -> None:
        """A child that is not followed would be written each time, and missed by nobody."""
        wanted = self._world.wants.owned[endpoint]
        if wanted.scope_of(key.namespace) is None:
            problem = f"is in none of the namespaces {', '.join(wanted.namespaces)}"
        elif not wanted.labels.empty and not wanted.labels.matches(config["metadata"]["labels"]):
            problem = f"has not the labels {wanted.labels}"
        else:
            return
        raise ContextError(
            f"{endpoint.kind} {key} {problem} to which controller {self._world.controller!r} limits what it owns of "
            "that kind, so its changes would not be seen."
        )

    def _note(self, endpoint: Endpoint[Any], key: Key, given: Look | bytes) -> None:
        """Note that a child is applied; refuse it if the next reconcile would undo that."""
        place = endpoint.address, key
        before = self._applied.get(place)
        if before is None:
            if endpoint in self._complete and place not in self._applied:
                raise ChildError(
                    f"{endpoint.kind} {key} comes after ctx.apply_all(…, prune=True), which said that no more of its "
                    "kind shall be there: the next reconcile would delete it, and so for ever. Apply it before, or "
                    "among them."
                )
            self._applied[place] = given
        elif before != given and self._digest(endpoint, before) != self._digest(endpoint, given):
            raise ChildError(
                f"{endpoint.kind} {key} was applied otherwise in this same reconcile: each would undo the other, and "
                "so for ever. Put both into one, or give one another name."
            )

    def _digest(self, endpoint: Endpoint[Any], given: Look | bytes) -> bytes:
        """What tells a configuration from others: those that do not look the same may only be in another order."""
        if isinstance(given, bytes):
            return given
        document = document_of(given.image, given.model)
        if document is None:
            return given.image
        return digest_of(configure(document, endpoint, self._owner, self._world.operator)[1])

    def _prunable(self, prune: bool | Sequence[Kind]) -> Listed[Endpoint[Any]]:
        owns = self._world.owns
        if prune and not self._owner.uid:
            raise ContextError(
                f"{self._owner} is not there, so nothing is its to prune: ctx.delete what is left of it."
            )
        if isinstance(prune, bool):
            return [each for each in owns if (each.group, each.plural) != _PRECIOUS] if prune else []
        if not isinstance(prune, list | tuple):
            raise ContextError(
                f"ctx.apply_all(…, prune={prune!r:.60}): prune is True, False, or a list of kinds, as in "
                "prune=[ConfigMap]."
            )
        named = [endpoint_of(kind) for kind in prune]
        for endpoint in named:
            if endpoint not in owns:
                raise ContextError(
                    f"controller {self._world.controller!r} does not own {endpoint.kind}: nothing to prune."
                )
        return named

    async def _prune(self, informer: Informer) -> None:
        owner, applier = self._owner, self._world.applier
        await informer.settle_if_answered()
        place = owner.key.namespace if informer.endpoint.namespaced else ""  # children are where their owner is
        for each in informer.list(place or None, index=("owner", owner.uid)):
            if (informer.endpoint.address, each.key) in self._applied or each.deleting:
                continue
            if each.controller != owner.uid or not applier.is_applied_by_us(each):
                continue
            if not await applier.withdraw(informer.endpoint, each):
                await self._delete(informer.endpoint, each.key, each.uid)

    async def _delete(self, endpoint: Endpoint[Any], key: Key, uid: str) -> None:
        try:
            await self.live.delete(endpoint, key.name, key.namespace or None, uid=uid, propagation="Background")
        except NotFound:
            self.log.debug("%s %s is gone already.", endpoint.kind, key)


class SyncContext:
    """The same for a reconciler that runs in a thread: every call waits for its end."""

    def __init__(self, context: Context, bridge: Bridge) -> None:
        self._context = context
        self._wait = bridge.wait

    @property
    def reconcile_id(self) -> str:
        """See `Context.reconcile_id`."""
        return self._context.reconcile_id

    @property
    def log(self) -> logging.Logger:
        """See `Context.log`."""
        return self._context.log

    @property
    def namespace(self) -> str:
        """See `Context.namespace`."""
        return self._context.namespace

    @property
    def name(self) -> str:
        """See `Context.name`."""
        return self._context.name

    def get(self, kind: type[T] | Endpoint[T], name: str, namespace: str | None = None) -> T | None:
        """See `Context.get`."""
        return cast("T | None", self._wait(_soon(lambda: self._context.get(kind, name, namespace))))

    def list(
        self,
        kind: type[T] | Endpoint[T],
        *,
        namespace: str | None = None,
        labels: Labels | None = None,
        owner: Resource | str | None = None,
        owned: bool = False,
        orphans: bool = False,
        index: By[T] | None = None,
    ) -> Listed[T]:
        """See `Context.list`."""
        options: dict[str, Any] = {"owner": owner, "owned": owned, "orphans": orphans, "index": index}
        return self._wait(_soon(lambda: self._context.list(kind, namespace=namespace, labels=labels, **options)))

    def apply(self, child: Obj, *, adopt: bool = False) -> Obj:
        """See `Context.apply`."""
        return self._wait(self._context.apply(child, adopt=adopt))

    def apply_all(
        self, children: Iterable[Obj], *, prune: bool | Sequence[Kind] = False, adopt: bool = False
    ) -> Listed[Obj]:
        """See `Context.apply_all`."""
        return self._wait(self._context.apply_all(children, prune=prune, adopt=adopt))

    def delete(self, child: Resource | Document) -> None:
        """See `Context.delete`."""
        self._wait(self._context.delete(child))

    def event(
        self,
        reason: str,
        note: str = "",
        *,
        type: EventType = "Normal",  # noqa: A002
        action: str = "Reconcile",
        about: Resource | None = None,
    ) -> None:
        """See `Context.event`."""
        self._wait(_soon(lambda: self._context.event(reason, note, type=type, action=action, about=about)))

    def watch(self, watch: Watch) -> None:
        """See `Context.watch`."""
        self._wait(_soon(lambda: self._context.watch(watch)))

    def wait(self, coming: Coroutine[Any, Any, T]) -> T:
        """The outcome of anything that is awaited: `ctx.wait(ctx.live.get(Pod, "web"))`."""
        return self._wait(coming)

    @property
    def live(self) -> Api:
        """The typed client; its calls are awaited with `ctx.wait`."""
        return self._context.live


def _owner_of(about: object) -> Owner:
    """An object as what an Event is about."""
    if not isinstance(about, Resource) or not about.metadata.name or not about.metadata.uid:
        raise ContextError(
            f"about={called(about)} is no object as it was read or applied, with a name and a uid: an Event is about "
            "one that is there."
        )
    meta = about.metadata
    return Owner(endpoint_of(type(about)), Key(meta.namespace, meta.name), meta.uid)


async def _soon(call: Any) -> Any:
    return call()
