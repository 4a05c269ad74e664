"""One selection of a kind, kept as it is on the server and told to whoever subscribes.

Reading: `get` and `list` answer at once, from memory; own writes are seen (`overlay`). Before a reader acts on what it
reads it calls `await informer.settle()`, which does nothing unless the outcome of a write is unknown.

Each namespace of the selection has a reflector of its own; all fill one store. Everything here runs in one loop: a
change of the store, of its indexes and of the overlay is one step, and listeners are called after it, in the order of
the server. A listener that fails is logged; the others go on.
"""

import asyncio
import logging
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

import msgspec

from kubewright.cache.cached import Cached, Key
from kubewright.cache.change import Change, Listener
from kubewright.cache.header import Header, UnreadableError, revision_of
from kubewright.cache.misfits import Misfits
from kubewright.cache.overlay import Overlay
from kubewright.cache.reflector import Reflector, Told
from kubewright.cache.selection import Selection
from kubewright.cache.store import Store, UnknownIndex
from kubewright.cache.trouble import is_end, is_trouble
from kubewright.client.answer import AnswerError, ListHead, check_list
from kubewright.client.client import JSON, METADATA_LIST, Client
from kubewright.client.errors import ApiError, NotFound
from kubewright.entropy import Entropy
from kubewright.model.selectors import FieldSelector, FieldTerm, LabelSelector

__all__ = ["Informer", "Subscription"]

Changes = list[Change]
Events = list[Told]

_log = logging.getLogger(__name__)

#: So many changes are told before others run.
_STRIDE = 256
#: So many ends are remembered: more than requests can be under way at once.
_ENDS = 256
#: So many indexes by functions of users: each is asked at every change.
_INDEXES = 32
#: For how long at least nobody asks again what the server could not tell.
_PAUSE = 1.0
#: How long a watch may take to catch up by itself before everything is read anew.
_PATIENCE = 1.0


class Subscription:
    """A listener's place; `cancel` gives it up."""

    __slots__ = ("_informer", "active", "listener")

    def __init__(self, informer: "Informer", listener: Listener) -> None:
        self._informer = informer
        self.listener = listener
        self.active = True

    def cancel(self) -> None:
        """Tell it nothing more."""
        self.active = False
        self._informer._subscriptions.pop(self, None)


class Informer:
    """A cache of one selection, filled by watches. Handed out by `Caches.open`; shared by all who want the same."""

    def __init__(self, client: Client, selection: Selection, manager: str, entropy: Entropy) -> None:
        self.selection = selection
        self.endpoint = selection.endpoint
        #: Set once everything there was has been told; stays set.
        self.synced = asyncio.Event()
        #: What was wrong with objects that do not fit their type, by key: a sentence with the field. Logged once each.
        self.misfits = Misfits(selection.endpoint)
        self._client = client
        self._store = Store()
        self._overlay = Overlay()
        #: While this is not empty there is something to `settle`; to look first costs less than a call that waits.
        self.unsettled: Mapping[Key, object] = self._overlay.doubts
        #: The uids whose end was told last, in that order: the answer to a delete often comes after it.
        self._ends: dict[str, None] = {}
        self._indexes: dict[Hashable, str] = {}
        self._header = Header(self.misfits, manager)
        self._subscriptions: dict[Subscription, None] = {}
        self._reflectors = {
            scope: Reflector(client, selection, scope, self._header, entropy) for scope in selection.scopes
        }
        #: Up to where the store has come, by namespace, and how often it was filled from a list.
        self._revisions = dict.fromkeys(self._reflectors, 0)
        self._fills = dict.fromkeys(self._reflectors, 0)
        self._moved: asyncio.Event | None = None
        self._settling = asyncio.Lock()
        #: Until then nobody asks again what became of writes.
        self._unanswered = 0.0
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to follow."""
        if not self._tasks:
            for reflector in self._reflectors.values():
                name = f"follow {self.endpoint.resource} {reflector.namespace}".rstrip()
                self._tasks.append(asyncio.create_task(reflector.run(self), name=name))

    async def stop(self) -> None:
        """Follow no longer. What is known can still be read, and is forgotten with the last who does."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._subscriptions.clear()

    # Reading.

    def get(self, key: Key, *, sure: bool = True) -> Cached | None:
        """One object, or None. While the outcome of an own write to it is unknown, `Unsettled` is raised.

        Not `sure` is for who only wants to know at whom to look: what was known before is good enough for that.
        """
        stored, overlay = self._store.get(key), self._overlay
        if sure and overlay.doubts:
            overlay.check(key)
        return overlay.see(key, stored, self._passed(key)) if overlay.entries else stored

    def list(
        self,
        namespace: str | None = None,
        labels: LabelSelector | None = None,
        index: tuple[str, str] | None = None,
        *,
        sure: bool = True,
    ) -> "list[Cached]":
        """Those in a namespace, with labels, with a value of an index: `index=("owner", uid)`. `sure`: as in `get`."""
        found = self._store.select(namespace, labels, index)
        overlay = self._overlay
        if not overlay:
            return [*found]
        if sure:
            overlay.check_all(namespace)
        over = dict.fromkeys(overlay)
        seen = [cached for cached in found if cached.key not in over]
        for key in over:
            cached = overlay.see(key, self._store.get(key), self._passed(key))
            if cached is not None and self._store.matches(cached, namespace, labels, index):
                seen.append(cached)
        return seen

    async def ask(self, key: Key) -> Cached | None:
        """One object as the server has it, be it selected or not; None if there is none."""
        try:
            body = await self._client.ask("GET", self.endpoint.path(key.namespace or None, key.name))
        except NotFound:
            return None
        return self._header.read(body)

    def everything(self) -> tuple[Cached, ...]:
        """All that the watch has told, with nothing laid over: for who only wants to know at whom to look."""
        return tuple(self._store)

    def add_index(self, name: str, values: Callable[[Cached], Iterable[str]]) -> None:
        """Keep an index; `namespace` and `owner` (by uid) are there. `label:app` indexes a label by itself."""
        self._store.add_index(name, values)

    def index(self, sign: Hashable, values: Callable[[Cached], Iterable[str]]) -> str:
        """The name of an index that is known again by its sign; it is made when it is first asked for."""
        name = self._indexes.get(sign)
        if name is None:
            if len(self._indexes) >= _INDEXES:
                raise UnknownIndex(
                    f"{self.endpoint.resource} have {_INDEXES} indexes already: give the same function each time, one "
                    "that is defined outside of what asks."
                )
            name = f"function {len(self._indexes)}"
            self._store.add_index(name, values)
            self._indexes[sign] = name
        return name

    async def settle(self) -> None:
        """Ask the server about all whose state is unknown since a write of ours, until nothing is; mostly nothing is.

        Of what is lost meanwhile the answer says nothing, so it is asked about again. What the server refuses to tell
        keeps nobody from asking about the others, and is raised at the end.
        """
        async with self._settling:
            doubts, refusal = self._overlay.doubts, None
            asked: dict[Key, int] = {}
            while pending := [each for each in doubts.items() if asked.get(each[0]) != each[1]]:
                for place, number in pending:
                    asked[place] = number
                    try:
                        found, at = await self._look(place)
                    except ApiError as error:
                        refusal = error
                    else:
                        self._settled(place, number, found, at)
            if refusal is not None:
                raise refusal

    async def settle_if_answered(self) -> None:
        """`settle`, as far as the server answers now: who reads what is still unknown hears so, and nobody else.

        One asks for all, and after a failure nobody for as long as that took: a server that hangs holds up who waits.
        """
        if self._settling.locked():
            async with self._settling:
                return
        began = asyncio.get_running_loop().time()
        if began < self._unanswered:
            return
        try:
            await self.settle()
        except is_trouble as error:
            now = asyncio.get_running_loop().time()
            self._unanswered = now + max(_PAUSE, now - began)
            _log.debug("%s: what became of writes is not known yet: %s", self.endpoint.resource, error)

    # Changes.

    def subscribe(self, listener: Listener) -> Subscription:
        """Tell `listener` what is there now (`initial`), and from then on every change, none left out."""
        subscription = Subscription(self, listener)
        for cached in tuple(self._store):
            self._call(subscription, Change("added", cached.key, None, cached, True))
        if subscription.active:
            self._subscriptions[subscription] = None
        return subscription

    # Own writes; `Caches` passes them on.

    def wrote(self, body: bytes) -> Cached:
        """A write was answered with this object; what is kept of it."""
        new = self._header.read_answer(body)
        key = new.key
        if self.selection.may_hold(key):
            self._overlay.wrote(new, self.selection.holds(new), self._passed(key))
        return new

    def deleted(self, key: Key, uid: str) -> None:
        """A delete was answered with success."""
        if self.selection.may_hold(key) and uid not in self._ends:
            self._overlay.deleted(key, uid, self._store.get(key), self._passed(key))

    def unsure(self, place: Key) -> None:
        """Nobody knows what became of a write to a key, or with no name to whatever in its namespace."""
        for part in self.selection.parts(place):
            self._overlay.unsure(part)

    async def look(self, place: Key) -> None:
        """A write was done, and its answer does not say how things are now: ask, and lay that over.

        Meanwhile what was known before is read, as it is while a write is under way. If there is no answer, nobody
        knows what became of it.
        """
        overlay = self._overlay
        for part in self.selection.parts(place):
            doubt = overlay.doubts.get(part)
            try:
                found, at = await self._look(part)
            except BaseException as error:
                self.unsure(place)
                if not isinstance(error, Exception):
                    raise
                _log.debug("%s %s: what a write made of it is not known: %s", self.endpoint.resource, part, error)
                return
            if overlay.doubts.get(part) in (None, doubt):  # else another write was lost meanwhile
                self._settled(part, overlay.doubts.get(part), found, at)

    # How it fares.

    @property
    def revision(self) -> int:
        """The resourceVersion up to which everything is known; 0 before the first list."""
        return min(self._revisions.values())

    @property
    def age(self) -> float:
        """Seconds since the server was last heard of (of the namespace where that is longest)."""
        return asyncio.get_running_loop().time() - min(each.heard for each in self._reflectors.values())

    @property
    def state(self) -> str:
        """`streaming`, `listing`, `watching`, or what keeps it from that: `forbidden`, `missing`, `unreachable` …"""
        return self._worst.state

    @property
    def ended(self) -> bool:
        """Whether it follows no longer, though nobody has stopped it."""
        return any(task.done() for task in self._tasks)

    @property
    def trouble(self) -> str:
        """The sentence of the last failure that is not over; empty when all is well."""
        return self._worst.problem if self._worst.machine.trouble is not None else ""

    @property
    def retry_in(self) -> float | None:
        """Seconds until the next attempt, while it rests after a failure."""
        until = [each.rests_until for each in self._reflectors.values() if each.machine.phase == "resting"]
        return max(0.0, min(until) - asyncio.get_running_loop().time()) if until else None

    @property
    def objects(self) -> int:
        """How many objects are kept."""
        return len(self._store)

    @property
    def bytes(self) -> int:
        """How many bytes of documents are kept."""
        return self._store.bytes

    def nudge(self) -> None:
        """Try now, if it rests after a failure: a CRD has come, a role was given."""
        for reflector in self._reflectors.values():
            reflector.nudge()

    async def reach(self, revision: int) -> None:
        """Wait until everything up to `revision` is known: what a new leader does with the watermark of the last.

        A watch that is behind may catch up; if it does not soon, everything is read anew. If even that is older, the
        server was put back to an earlier state: that is then what there is, and it is said.
        """
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._until(lambda: self.revision >= revision)
        except TimeoutError:
            fills = {scope: fill for scope, fill in self._fills.items() if self._revisions[scope] < revision}
            for scope in fills:
                self._reflectors[scope].renew()

            def caught_up(scope: str) -> bool:
                return self._fills[scope] > fills[scope] or self._revisions[scope] >= revision

            await self._until(lambda: all(map(caught_up, fills)))
            if self.revision < revision:
                _log.warning(
                    "%s: the server is at %d, which is before %d; it was restored, and what there is now counts.",
                    self.endpoint.resource,
                    self.revision,
                    revision,
                )

    # What the reflectors tell.

    def known(self, key: Key) -> Cached | None:
        """What the store has, with nothing laid over."""
        return self._store.get(key)

    async def replaced(self, namespace: str, objects: dict[Key, Cached], revision: int) -> None:
        """These, and no others, are there."""
        if revision < self._revisions[namespace]:
            before = self._revisions[namespace]
            name = self.endpoint.resource
            _log.warning("%s: the server went back from %d to %d; it was restored.", name, before, revision)
            self._overlay.forget([key for key in self._overlay if self._in(key, namespace)])
            self._ends.clear()
        changes = self._store.replace(namespace, objects)
        self._revisions[namespace] = revision
        for key in (*self._overlay, *objects) if self._overlay.surveys else self._overlay:
            if self._in(key, namespace):
                self._overlay.listed(key, self._store.get(key), revision)
        initial = not self._fills[namespace]
        await self._tell(changes, initial)
        if initial or not self._reflectors[namespace].renewing:  # else it was asked for before somebody needed it anew
            self._fills[namespace] += 1
        if initial and all(self._fills.values()):
            self.synced.set()
        self._move()

    async def happened(self, namespace: str, events: Events) -> None:
        """Changes, in their order."""
        changes: Changes = []
        passed = self._revisions[namespace]
        overlay, store = self._overlay, self._store
        for kind, new in events:
            key, revision = new.key, new.revision
            if kind == "DELETED":
                old = store.get(key)
                # Some servers send the last version before the deletion: who it was decides, not how old it is.
                if old is not None and (old.uid == new.uid or old.revision < revision):
                    store.remove(key)
                    changes.append(Change("deleted", key, new if old.uid == new.uid else old, None))
                overlay.ended(key, new.uid)
            elif revision > passed:  # else it was told already
                store.put(new, changes)
            if revision > passed:
                passed = revision
            if overlay.entries or overlay.surveys:
                overlay.told(key, passed)
        self._revisions[namespace] = passed
        await self._tell(changes, initial=False)
        self._move()

    def marked(self, namespace: str, revision: int) -> None:
        """Nothing else happened up to there."""
        self._revisions[namespace] = passed = max(revision, self._revisions[namespace])
        # Also where the bookmark is no news: changes of other keys have brought it so far, and looked at theirs alone.
        for key in self._overlay:
            if self._in(key, namespace):
                self._overlay.told(key, passed)
        self._move()

    def unreadable(self, problem: str) -> None:
        """An object cannot be kept."""
        _log.error("%s It is left out of the cache.", problem)

    # Within.

    def _in(self, key: Key, scope: str) -> bool:
        return self.selection.scope_of(key.namespace) == scope

    def _passed(self, key: Key) -> int:
        return self._revisions.get(self.selection.scope_of(key.namespace) or "", 0)

    @property
    def _worst(self) -> Reflector:
        """The reflector that fares worst: in trouble, or not yet watching, or the one not heard of for longest."""
        return max(
            self._reflectors.values(),
            key=lambda each: (each.machine.trouble is not None, each.machine.phase != "watching", -each.heard),
        )

    async def _tell(self, changes: Changes, initial: bool) -> None:
        # Who subscribes while this goes on has been told the outcome already, and is not told the way there.
        subscriptions = tuple(self._subscriptions)
        for number, change in enumerate(changes, 1):
            if change.kind == "deleted":
                self._end(change)
            told = Change(change.kind, change.key, change.old, change.new, True) if initial else change
            for subscription in subscriptions:
                self._call(subscription, told)
            if number % _STRIDE == 0:
                await asyncio.sleep(0)

    def _end(self, change: Change) -> None:
        if self.misfits:
            self.misfits.pop(change.key, None)
        # What leaves a selection is told as if it had ended, and may come back.
        if change.old is not None and self.selection.whole:
            self._ends[change.old.uid] = None
            if len(self._ends) > _ENDS:
                del self._ends[next(iter(self._ends))]

    def _call(self, subscription: Subscription, change: Change) -> None:
        if subscription.active:
            try:
                subscription.listener(change)
            except BaseException as error:
                if is_end(error):
                    raise
                # Whatever it is, the others are told.
                _log.exception("%s %s: a listener failed.", self.endpoint.resource, change.key)

    def _move(self) -> None:
        if self._moved is not None:
            self._moved.set()
            self._moved = None

    async def _until(self, reached: Callable[[], bool]) -> None:
        while not reached():
            if self._moved is None:
                self._moved = asyncio.Event()
            await self._moved.wait()

    def _settled(self, place: Key, number: int | None, found: dict[Key, Cached], at: int) -> None:
        stored = () if place.name else self._store.select(place.namespace or None, None, None)
        self._overlay.settled(place, number, found, at, (each.key for each in stored), self._passed(place))

    async def _look(self, place: Key) -> tuple[dict[Key, Cached], int]:
        """What the selection has in a place, asked of the server: a list, for that says at which revision.

        It comes in one piece, for it is of one name, or rare.
        """
        selection = self.selection
        query: dict[str, Any] = {**selection.query()}
        if place.name:
            fields = FieldSelector((*selection.fields.terms, FieldTerm("metadata.name", True, place.name)))
            query["fieldSelector"] = str(fields)
        accept = METADATA_LIST if selection.metadata_only else JSON
        body = await self._client.ask("GET", self.endpoint.path(place.namespace or None), query, accept=accept)
        about = f"the answer to a list of {self.endpoint.resource}"
        try:
            page = msgspec.json.decode(body, type=_Page)
        except msgspec.DecodeError as error:
            raise AnswerError(f"{about} is no list ({error}); it begins {body[:60]!r}.") from None
        check_list(self.endpoint, page, body, about, metadata_only=selection.metadata_only)
        found: dict[Key, Cached] = {}
        for number, item in enumerate(page.items or (), 1):
            try:
                cached = self._header.read(bytes(item))
            except UnreadableError as error:
                self.unreadable(str(error))  # as the watch does
                continue
            found[cached.key] = cached
            if number % _STRIDE == 0:
                await asyncio.sleep(0)
        return found, revision_of(page.metadata.resource_version)


class _ListMeta(msgspec.Struct, rename="camel"):
    resource_version: str = ""


class _Page(ListHead, kw_only=True):
    metadata: _ListMeta
