"""The garbage collector: follows every kind there is, keeps the graph, and does what is decided about it.

    discovery ──kinds──▶ metadata of each ──changes──▶ graph ──uids──▶ queue ──▶ decide ──▶ write

It is bound to no kind (a `Rover`): what discovery tells can be deleted and watched is followed, as long as it is there.
Changes go into the graph as they come, and who is to be looked at because of them into the queue, by uid.

In the process of the server somebody can tell which kinds have objects that are anything to the collector at all
(`Tell`). Then these alone are followed, and the kinds of their owners: before anything is decided about a dependent, so
that the end of its owner is not missed.

Caches may be behind, so nothing is deleted because of what they do not have: an owner that is not there is asked for
(`Ask`), once; who was seen to go, or was asked for, never comes back under its uid. What is decided holds only for the
object as it was then: every write names its uid, and where it matters its resourceVersion. Whoever changed it meanwhile
has it decided anew.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, Literal

import msgspec

import kubewright as kw
from kubewright.cache import Change, Informer, Listener
from kubewright.client.client import PATCHES, Query
from kubewright.client.discovery import Discovery, Served
from kubewright.client.endpoint import Document, Endpoint
from kubewright.client.errors import NotFound, UnsupportedMediaType
from kubewright.cluster.controllers.collect import (
    Action,
    Ask,
    Await,
    Delete,
    Look,
    Release,
    Report,
    Standing,
    Strip,
    Unblock,
    decide,
)
from kubewright.cluster.controllers.graph import Effect, Graph, Identity, Node, Reference, read_node
from kubewright.controller.children import Owner
from kubewright.controller.rover import Rover, Terrain
from kubewright.errors import KubewrightError

__all__ = ["Collector", "Name", "Tell", "followable", "garbage_collector"]

_NAME: Final = "garbage-collector-controller"
_QUERY: Final[Query] = {"fieldManager": "kube-controller-manager"}
#: What a kind must let be done with it to be collected.
_VERBS: Final = frozenset(("delete", "list", "watch"))
#: Nobody's dependents: they go by themselves.
_IGNORED: Final = (("", "events"), ("events.k8s.io", "events"))
#: Kinds whose changes are changes of kinds.
_KINDS: Final = (("apiextensions.k8s.io", "customresourcedefinitions"), ("apiregistration.k8s.io", "apiservices"))
#: Seconds between two looks at which kinds there are: shortly after something happened to them, and at rest, unless
#: it is told when something does.
_SOON: Final = 1.0
_AT_REST: Final = 30.0
#: So long the caches of new kinds may take before the others are worked on without them.
_PATIENCE: Final = 30.0
#: So many seconds the owner that an object has just let go has to go, before that object is looked at again.
_AGAIN: Final = 0.005
#: So many owners are remembered to be absent; kube-controller-manager's number.
_REMEMBERED: Final = 500
#: So many steps are taken before others run.
_STRIDE: Final = 64

#: A resource, whatever its version.
Name = tuple[str, str]
#: Calls the first with each resource of which an object concerns the collector, once: at once with those of which one
#: is there, then with others when the first comes, before anybody else hears of it; and the second whenever kinds may
#: come or go. Returns what ends that.
Tell = Callable[[Callable[[Name], None], Callable[[], None]], Callable[[], None]]
#: An owner as a reference names it.
Place = tuple[Endpoint[Any], str, str, str]


def garbage_collector(tell: Tell | None = None) -> Rover:
    """The controller; `tell` spares it kinds where somebody knows which ones concern it."""
    return Rover(_NAME, partial(Collector, tell=tell), timeout=None)


def followable(served: Iterable[Served]) -> dict[Name, Endpoint[Document]]:
    """Of all kinds those that can be collected, each in the first version in which that can be done."""
    found: dict[Name, Endpoint[Document]] = {}
    for endpoint, verbs in served:
        name = (endpoint.group, endpoint.plural)
        if verbs >= _VERBS and name not in _IGNORED:
            found.setdefault(name, endpoint)
    return found


class Collector:
    """What the collector does in one run."""

    def __init__(self, terrain: Terrain, tell: Tell | None = None) -> None:
        self._terrain = terrain
        self._tell = tell
        #: Kinds to follow, of those that can be; None: all.
        self._wanted: set[Name] | None = set() if tell is not None else None
        self._client = terrain.live.raw
        self._discovery = Discovery(self._client)
        self._graph = Graph()
        #: What can be followed, and what is; what discovery told when that was last looked through.
        self._followable: dict[Name, Endpoint[Document]] = {}
        self._followed: dict[Name, Informer] = {}
        self._taken: tuple[Served, ...] | None = None
        #: Where objects were seen: an owner that is not where it should be may be there.
        self._namespaces: set[str] = set()
        #: By what references say.
        self._named: dict[tuple[str, str], Endpoint[Document]] = {}
        self._fresh: set[str] = set()
        #: Who waits for a kind to come.
        self._awaiting: dict[str, None] = {}
        #: Who is not to be looked at before some time of the loop.
        self._resting: dict[str, float] = {}
        #: Owners that the server says are not there, the last ones.
        self._absent: dict[Place, None] = {}
        #: Who is to be looked at, and whether there is anybody; whether something is to be done about kinds.
        self._look: deque[str] = deque()
        self._news, self._changed = asyncio.Event(), asyncio.Event()
        #: Whether discovery is to be asked: kinds may have come or gone.
        self._stale = True
        #: Kinds that take no strategic merge patch.
        self._plain: set[Endpoint[Any]] = set()

    # -- what is followed

    async def follow(self) -> None:
        """See `Rounds`."""
        end = self._tell(self._want, self._ask_kinds) if self._tell is not None else None
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._keep_kinds())
                group.create_task(self._pass_on())
        finally:
            if end is not None:
                end()

    def _ask_kinds(self) -> None:
        self._stale = True
        self._changed.set()

    def _want(self, name: Name) -> None:
        """Follow a kind from now on; nothing is decided before its objects are known."""
        if self._wanted is not None and name not in self._wanted:
            self._wanted.add(name)
            self._terrain.ready.clear()
            self._stale = self._stale or name not in self._followable
            self._changed.set()

    async def _keep_kinds(self) -> None:
        pause = _SOON
        while True:
            self._changed.clear()
            stale, self._stale = self._stale, False
            try:
                if stale:
                    await self._discovery.refresh()
                await self._take_kinds()
            except KubewrightError as error:
                self._stale = True
                self._terrain.log.warning("Which kinds there are cannot be told, and is asked again: %s", error)
            rests = self._tell is not None and pause == _AT_REST and not self._stale
            try:
                async with asyncio.timeout(None if rests else pause):
                    await self._changed.wait()
                if self._stale:
                    pause = _SOON
            except TimeoutError:
                self._stale = True
                pause = min(pause * 4, _AT_REST)

    async def _take_kinds(self) -> None:
        """Follow what has come, leave what has gone."""
        served = self._discovery.served
        if served is not self._taken:
            await self._leave_gone(served)
            self._named = {(each.endpoint.api_version, each.endpoint.kind): each.endpoint for each in reversed(served)}
            self._followable = followable(served)
        while new := [each for each in self._followable.items() if self._is_missing(each[0])]:
            # Nothing is decided before their objects are known, which may be what somebody waits for.
            self._terrain.ready.clear()
            for name, endpoint in new:
                self._followed[name] = self._terrain.follow(endpoint, self._listener(endpoint))
            await self._synced()
        self._terrain.ready.set()
        if served is not self._taken:
            self._look += self._awaiting
            self._awaiting.clear()
            self._news.set()
            self._taken = served

    def _is_missing(self, name: Name) -> bool:
        """Whether a kind is to be followed, and is not."""
        return name not in self._followed and (self._wanted is None or name in self._wanted)

    async def _synced(self) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                for informer in self._followed.values():
                    await informer.synced.wait()
        except TimeoutError:
            late = [each.endpoint.resource for each in self._followed.values() if not each.synced.is_set()]
            self._terrain.log.warning("Not known after %g s, and left out: %s", _PATIENCE, ", ".join(late))

    async def _leave_gone(self, served: Iterable[Served]) -> None:
        there = {each.endpoint for each in served}
        for name, informer in tuple(self._followed.items()):
            endpoint = informer.endpoint
            if endpoint not in there and endpoint.api_version not in self._discovery.uncertain:
                await self._leave(name, informer)

    async def _leave(self, name: Name, informer: Informer) -> None:
        """A kind has gone. Objects whose end was not told may be there still, but nothing can be done about them."""
        del self._followed[name]
        await self._terrain.leave(informer)
        for number, cached in enumerate(informer.everything(), 1):
            self._heed(self._graph.forget(cached.uid))
            await _turn(number)

    def _listener(self, endpoint: Endpoint[Any]) -> Listener:
        api_version, kind = endpoint.api_version, endpoint.kind
        of_kinds = (endpoint.group, endpoint.plural) in _KINDS
        graph, namespaces = self._graph, self._namespaces

        def changed(change: Change) -> None:
            new = change.new
            namespaces.add(change.key.namespace)
            if new is None:
                assert change.old is not None
                self._heed(graph.remove(change.old.uid))
            elif new.owners or new.deleting or new.uid in graph.nodes:
                self._put(read_node(api_version, kind, new.raw))
            if of_kinds:
                self._ask_kinds()

        return changed

    def _put(self, node: Node, *, ours: bool = False) -> None:
        """An object is there; `ours`: as we have just made it, which is no news about itself."""
        uid = node.identity.uid
        known = self._graph.nodes.get(uid)
        if known is not None and node.revision <= known.revision:
            return  # our own write, which the graph has already
        effect = self._graph.put(node)
        if ours:
            effect = Effect([each for each in effect.look if each != uid])
        elif effect.fresh:
            self._fresh.add(uid)
        self._heed(effect)

    def _heed(self, effect: Effect) -> None:
        if effect.look:
            self._look += effect.look
            self._news.set()

    async def _pass_on(self) -> None:
        """Have those looked at who are to be: an owner may have many dependents, and others run in between."""
        while True:
            self._news.clear()
            number = 0
            while self._look:
                number += 1
                self._terrain.add(kw.Key("", self._look.popleft()))
                await _turn(number)
            await self._news.wait()

    def _want_owners(self, uid: str) -> bool:
        """Have the kinds of an object's owners followed: who asks for an owner first may miss its end after that."""
        node = self._graph.nodes.get(uid)
        if self._wanted is None or node is None:
            return False
        named = [self._named.get((each.api_version, each.kind)) for each in node.owners]
        names = [(each.group, each.plural) for each in named if each is not None]
        new = [name for name in names if name in self._followable and name not in self._wanted]
        for name in new:
            self._want(name)
        return bool(new)

    # -- what is asked about owners

    def place(self, reference: Reference, namespace: str) -> Place | None:
        """Where an owner is, if its kind is known; the namespace is empty for one that is in none."""
        endpoint = self._named.get((reference.api_version, reference.kind))
        if endpoint is None:
            return None
        return endpoint, namespace if endpoint.namespaced else "", reference.name, reference.uid

    def standing(self, place: Place) -> Standing:
        """Where an owner stands, as far as is known here; see `World`."""
        endpoint, where, name, uid = place
        if endpoint.namespaced and not where:
            return Standing.MISPLACED
        if place in self._absent:
            return Standing.ABSENT
        informer = self._followed.get((endpoint.group, endpoint.plural))
        # As the watch has told it: our own writes are no reason to think that somebody is gone.
        found = informer.known(kw.Key(where, name)) if informer is not None else None
        if found is None or found.uid != uid:
            return Standing.UNSEEN
        owner = read_node(endpoint.api_version, endpoint.kind, found.raw) if found.deleting else None
        return Standing.WAITING if owner is not None and owner.waiting else Standing.SOLID

    def elsewhere(self, reference: Reference, namespace: str) -> bool:
        """Whether an owner is in another namespace; see `World`."""
        endpoint = self._named.get((reference.api_version, reference.kind))
        if endpoint is None or not endpoint.namespaced:
            return False
        informer = self._followed.get((endpoint.group, endpoint.plural))
        if informer is None:
            return False
        found = [informer.known(kw.Key(name, reference.name)) for name in self._namespaces if name != namespace]
        return any(each is not None and each.uid == reference.uid for each in found)

    async def _ask(self, reference: Reference, namespace: str, answers: dict[Place, Standing]) -> None:
        """Ask the server where an owner stands."""
        place = self.place(reference, namespace)
        if place is None:
            return
        endpoint, where, name, uid = place
        try:
            answer = await self._client.ask("GET", endpoint.path(where or None, name))
        except NotFound as error:
            if error.name != name:
                # It is the kind that is not there: not any more, or not yet again.
                self._ask_kinds()
                raise kw.Retry(f"{endpoint.resource} is not served: {error}", after=_SOON) from error
            owner = None
        else:
            owner = read_node(endpoint.api_version, endpoint.kind, answer)
        if owner is not None and owner.identity.uid == uid:
            answers[place] = Standing.WAITING if owner.waiting else Standing.SOLID
            return
        self._absent[place] = None
        while len(self._absent) > _REMEMBERED:
            del self._absent[next(iter(self._absent))]
        answers[place] = Standing.ABSENT

    # -- what is done

    async def work(self, key: kw.Key) -> kw.Requeue | None:
        """See `Rounds`."""
        await self._terrain.ready.wait()
        uid = key.name
        if (rest := self._resting.get(uid, 0.0) - asyncio.get_running_loop().time()) > 0:
            return kw.Requeue(after=rest)
        self._resting.pop(uid, None)
        view = _View(self)
        fresh = uid in self._fresh
        while True:
            while self._want_owners(uid):
                await self._terrain.ready.wait()
            actions = decide(self._graph, uid, view, fresh=fresh)
            asked = [each for each in actions if isinstance(each, Ask)]
            if not asked:
                break
            for node, reference in asked:
                await self._ask(reference, node.identity.namespace, view.answers)
        self._fresh.discard(uid)
        for number, action in enumerate(actions, 1):
            await self._do(action, uid)
            await _turn(number)
        if not any(isinstance(each, Look) and each.uid == uid for each in actions):
            return None
        self._resting[uid] = asyncio.get_running_loop().time() + _AGAIN
        return kw.Requeue(after=_AGAIN)

    async def _do(self, action: Action, own: str) -> None:
        match action:
            case Look(uid):
                if uid != own:
                    self._terrain.add(kw.Key("", uid))
            case Await(uid):
                self._awaiting[uid] = None
            case Report(node, owner):
                self._report(node, owner)
            case Delete(node, policy):
                await self._delete(node, policy)
            case Strip(node, owners):
                await self._strip(node, owners)
            case Unblock(node):
                await self._unblock(node)
            case Release(node, finalizer):
                kept = [name for name in node.finalizers if name != finalizer]
                await self._patch(node, "merge", {"resourceVersion": str(node.revision), "finalizers": kept or None})

    async def _delete(self, node: Node, policy: str) -> None:
        endpoint, identity = self._endpoint(node), node.identity
        if endpoint is None:
            return
        precise = {"uid": identity.uid, "resourceVersion": str(node.revision)}
        body = msgspec.json.encode({"preconditions": precise, "propagationPolicy": policy})
        try:
            await self._client.ask("DELETE", endpoint.path(identity.namespace or None, identity.name), None, body)
        except NotFound:
            self._terrain.log.debug("%s is gone already.", identity)

    async def _strip(self, node: Node, owners: tuple[str, ...]) -> None:
        gone = [{"$patch": "delete", "uid": owner} for owner in owners]
        kept = [_written(each) for each in node.owners if each.uid not in owners]
        await self._patch_owners(node, gone, kept)

    async def _unblock(self, node: Node) -> None:
        free = [{**_written(each), "blockOwnerDeletion": False} for each in node.owners]
        blocking = {each.uid for each in node.owners if each.block_owner_deletion}
        await self._patch_owners(node, [each for each in free if each["uid"] in blocking], free)

    async def _patch_owners(self, node: Node, change: list[Document], whole: list[Document]) -> None:
        """Change the references of an object, one by one where its kind knows how to, or all of them."""
        endpoint = self._endpoint(node)
        if endpoint not in self._plain:
            try:
                await self._patch(node, "strategic", {"uid": node.identity.uid, "ownerReferences": change})
                return
            except UnsupportedMediaType:
                if endpoint is not None:
                    self._plain.add(endpoint)
        await self._patch(node, "merge", {"resourceVersion": str(node.revision), "ownerReferences": whole or None})

    async def _patch(self, node: Node, strategy: Literal["merge", "strategic"], meta: Document) -> None:
        endpoint, identity = self._endpoint(node), node.identity
        if endpoint is None:
            return
        path, body = endpoint.path(identity.namespace or None, identity.name), msgspec.json.encode({"metadata": meta})
        try:
            answer = await self._client.ask("PATCH", path, _QUERY, body, PATCHES[strategy])
        except NotFound:
            self._terrain.log.debug("%s is gone already.", identity)
            return
        informer = self._followed.get((endpoint.group, endpoint.plural))
        found = informer.known(kw.Key(identity.namespace, identity.name)) if informer is not None else None
        # What its watch has told the end of must not be put back.
        if found is not None and found.uid == identity.uid:
            self._put(read_node(endpoint.api_version, endpoint.kind, answer), ours=True)

    def _endpoint(self, node: Node) -> Endpoint[Any] | None:
        """Where an object is written to; None if its kind has gone."""
        return self._named.get((node.identity.api_version, node.identity.kind))

    def _report(self, node: Node, owner: Identity) -> None:
        endpoint, identity = self._endpoint(node), node.identity
        if endpoint is None:
            return
        note = f'ownerRef {owner} does not exist in namespace "{identity.namespace}"'
        about = Owner(endpoint, kw.Key(identity.namespace, identity.name), identity.uid)
        self._terrain.event(about, "OwnerRefInvalidNamespace", note, type="Warning")


class _View:
    """Owners as they are when one object is decided about: what is known of each is looked for, or asked for, once."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self.answers: dict[Place, Standing] = {}

    def standing(self, reference: Reference, namespace: str) -> Standing:
        place = self._collector.place(reference, namespace)
        if place is None:
            return Standing.UNKNOWN
        found = self.answers.get(place)
        if found is None:
            found = self._collector.standing(place)
            if found is not Standing.UNSEEN:
                self.answers[place] = found
        return found

    def elsewhere(self, reference: Reference, namespace: str) -> bool:
        return self._collector.elsewhere(reference, namespace)


async def _turn(number: int) -> None:
    """Let others run after so many steps."""
    if number % _STRIDE == 0:
        await asyncio.sleep(0)


def _written(reference: Reference) -> Document:
    """A reference as it stands in an object."""
    document: Document = {
        "apiVersion": reference.api_version,
        "kind": reference.kind,
        "name": reference.name,
        "uid": reference.uid,
    }
    if reference.controller is not None:
        document["controller"] = reference.controller
    if reference.block_owner_deletion is not None:
        document["blockOwnerDeletion"] = reference.block_owner_deletion
    return document
