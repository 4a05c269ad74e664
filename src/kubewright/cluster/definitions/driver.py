"""Follows the CRDs of the store: serves what they define, writes what becomes of them, and clears up after them.

What is served changes inside the commit that changes a CRD, so that whoever was answered meets the new schema. What is
written in consequence is written afterwards, a step at a time.

Most of a CRD is its spec, and most changes leave that alone: it is then neither read nor written again.
"""

import asyncio
import logging
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from kubewright.cluster.call import Api, timestamp
from kubewright.cluster.definitions.cleanup import (
    COMPLETED,
    IN_PROGRESS,
    NEVER_ESTABLISHED,
    UNCONFIRMED,
    Stage,
    delete_objects,
    emptied,
    failed,
    let_go,
    told,
)
from kubewright.cluster.definitions.status import is_served, next_status
from kubewright.cluster.registry.custom import Definition, custom_resources, stored_resource
from kubewright.cluster.registry.custom.webhook import Address, Resolve, Webhook
from kubewright.cluster.registry.kinds.crd.conditions import is_true
from kubewright.cluster.registry.kinds.crd.strategy import FINALIZER
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.registry.tracking import tracking_of
from kubewright.cluster.registry.view import ConversionFailed
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.watch import end_watches
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.status import Failure
from kubewright.http import Pool
from kubewright.schema.definition import Names, read_crd

__all__ = ["Definitions", "install_crds"]

logger = logging.getLogger(__name__)

Document = dict[str, Any]

PREFIX: Final = "/customresourcedefinitions.apiextensions.k8s.io/"
_KIND: Final = ("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
_split: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
#: Who writes the status of CRDs.
_MANAGER: Final = "kube-apiserver"
#: So many seconds after a failure it is tried again to delete the objects of a CRD: at first, and at the most.
_SHORTEST: Final = 0.1
_LONGEST: Final = 60.0
_NAMES: Final = ("plural", "singular", "kind", "listKind")


def nowhere(namespace: str, name: str, port: int) -> Address | None:
    """Where services are, if there are none."""
    return None


def install_crds(api: Api, resolve: Resolve = nowhere) -> "Definitions":
    """Serve what the CRDs of the store define, and follow them from now on."""
    definitions = Definitions(api, resolve)
    definitions.start()
    return definitions


class _Served:
    """What is served of one CRD."""

    def __init__(self, crd: Document, definition: Definition, resources: list[Resource]) -> None:
        self.crd = crd
        self.definition = definition
        self.resources = resources
        #: The version that is stored, served or not.
        self.stored = stored_resource(definition)

    def still(self, crd: Document) -> bool:
        """Whether it is what a CRD asks for."""
        return _signature(self.crd) == _signature(crd)


def _forget(_: _Served) -> None:
    """Whoever called had the last of it."""


def _signature(crd: Document) -> tuple[object, ...]:
    return crd["metadata"]["uid"], crd["spec"], crd["status"]["acceptedNames"]


class Definitions:
    """All CRDs."""

    def __init__(self, api: Api, resolve: Resolve) -> None:
        self._api = api
        self._resolve = resolve
        resource = api.registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions")
        assert resource is not None, "CRDs are built in"
        self._kind = resource
        self._crds: dict[str, Document] = {}
        #: Their specs as they are written.
        self._specs: dict[str, msgspec.Raw] = {}
        self._served: dict[str, _Served] = {}
        #: CRDs to look at, each once, in the order in which they changed.
        self._waiting: dict[str, None] = {}
        self._next: asyncio.Handle | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._pool: Pool | None = None
        self._loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Take over what is stored, and listen."""
        self._end = self._api.store.listen(PREFIX, self._notice)
        for record in self._api.store.list(PREFIX).records:
            self._notice(record, since=self._api.store.revision)

    async def close(self) -> None:
        """Follow them no more."""
        self._end()
        if self._next is not None:
            self._next.cancel()
        tasks = [*self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._pool is not None:
            await self._pool.close()

    def distrust(self, revision: int) -> None:
        """Objects up to a revision may be older than their numbers say: read them as if they came before the CRD."""
        for served in self._served.values():
            served.definition.since = max(served.definition.since, revision)

    def _notice(self, record: Record, since: int | None = None) -> None:
        """A CRD has come, changed or gone."""
        name = record.key.removeprefix(PREFIX)
        if record.value is None:
            self._crds.pop(name, None)
            self._specs.pop(name, None)
            self._replace(name, None)
        else:
            crd = self._crds[name] = self._read(name, record)
            self._serve(name, crd, since if since is not None else record.revision)
        self._look_at(name)

    def _read(self, name: str, record: Record) -> Document:
        """A CRD. Its spec is the one it had, if that has not changed."""
        parts = _split(self._kind.view.data(record))
        spec, before = parts["spec"], self._specs.get(name)
        self._specs[name] = spec
        same = before is not None and bytes(before) == bytes(spec)
        return {
            member: self._crds[name]["spec"] if same and member == "spec" else msgspec.json.decode(part)
            for member, part in parts.items()
        }

    # -- what is served

    def _serve(self, name: str, crd: Document, since: int) -> None:
        served = self._served.get(name)
        if not is_served(crd):
            self._replace(name, None)
            return
        if served is None or not served.still(crd):
            served = self._define(crd, since)
            self._replace(name, served)
        if (going := is_true(crd, "Terminating")) != served.definition.terminating:
            served.definition.terminating = going
            self._api.registry.replace((), ())  # nothing comes or goes, but what is told of it changes

    def _define(self, crd: Document, since: int) -> _Served:
        read = read_crd(crd, judged=True)
        accepted = crd["status"]["acceptedNames"]
        plural, singular, kind, list_kind = (accepted.get(name, "") for name in _NAMES)
        short_names, categories = (accepted.get(name) or [] for name in ("shortNames", "categories"))
        names = Names(plural, singular, kind, list_kind, short_names, categories)
        webhook = None
        if read.conversion.get("strategy") == "Webhook":
            webhook = Webhook(read.conversion, self._api.chance, self._connections, self._resolve)
        definition = Definition(read, names, since=since, webhook=webhook)
        return _Served(crd, definition, [*self._ours(custom_resources(definition))])

    def _ours(self, resources: list[Resource]) -> Iterator[Resource]:
        """Those whose place is not taken by a built-in one."""
        for resource in resources:
            there = self._api.registry.find(resource.group, resource.version, resource.names.plural)
            if there is None or there.custom:
                yield resource

    def _replace(self, name: str, come: _Served | None) -> None:
        gone = self._served.pop(name, None)
        if come is not None:
            self._served[name] = come
        if gone is None and come is None:
            return
        if gone is not None:
            gone.definition.retired = True
            gone.definition.successor = come.definition if come is not None else None
        self._api.registry.replace(
            gone.resources if gone is not None else (), come.resources if come is not None else ()
        )
        for resource in gone.resources if gone is not None else ():
            end_watches(self._api, resource)
        if gone is not None:
            # To forget a large one takes a millisecond, which the commit has not.
            self._loop.call_soon(_forget, gone)

    def _connections(self) -> Pool:
        self._pool = self._pool or Pool()
        return self._pool

    # -- what is written

    def _look_at(self, name: str) -> None:
        self._waiting[name] = None
        if self._next is None:
            self._next = self._loop.call_soon(self._look)

    def _look(self) -> None:
        """Take the next step of one CRD."""
        name = next(iter(self._waiting))
        del self._waiting[name]
        self._next = self._loop.call_soon(self._look) if self._waiting else None
        crd = self._crds.get(name)
        if crd is None:
            self._look_at_group(name.partition(".")[2], name)
            return
        others = [other for key, other in self._crds.items() if key != name]
        status = next_status(crd, others, timestamp())
        if status is not None:
            freed = status["acceptedNames"] != crd["status"]["acceptedNames"]
            self._write(crd | {"status": status})
            if freed:
                self._look_at_group(crd["spec"]["group"], name)
        if "deletionTimestamp" in crd["metadata"] and FINALIZER in (crd["metadata"].get("finalizers") or ()):
            self._finish(name, crd["metadata"]["uid"])

    def _look_at_group(self, group: str, name: str) -> None:
        """Names may be free now that others of the group wanted."""
        for other, crd in self._crds.items():
            if crd["spec"]["group"] == group and other != name:
                self._look_at(other)

    def _write(self, crd: Document) -> None:
        """Commit a CRD as it was last noticed, but for what is new."""
        meta = crd["metadata"] = {**crd["metadata"]}
        tracking_of(self._kind, "status").track(self._crds[meta["name"]], crd, _MANAGER, timestamp())

        def value(revision: int) -> bytes:
            meta["resourceVersion"] = str(revision)
            return builtin_codec(*_KIND).write_around(crd, "spec", self._specs[meta["name"]])

        self._api.store.commit(PREFIX + meta["name"], int(meta["resourceVersion"]), value)

    # -- the end

    def _finish(self, name: str, uid: str) -> None:
        if uid not in self._tasks:
            task = self._loop.create_task(self._clean_up(name, uid))
            self._tasks[uid] = task
            task.add_done_callback(lambda _: self._tasks.pop(uid, None))

    async def _clean_up(self, name: str, uid: str) -> None:
        pause = _SHORTEST
        try:
            while (crd := self._going(name, uid)) is not None:
                served = self._served.get(name)
                if not is_true(crd, "Established") or served is None:
                    self._last(told(self._tell(crd, IN_PROGRESS), NEVER_ESTABLISHED, timestamp()))
                    return
                self._tell(crd, IN_PROGRESS)
                try:
                    await delete_objects(self._api, served.stored)
                except (ConversionFailed, Failure) as error:
                    if (crd := self._going(name, uid)) is not None:
                        self._tell(crd, failed(error))
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, _LONGEST)
                    continue
                complete = await emptied(self._api, served.stored)
                crd = self._going(name, uid)
                if crd is not None and complete:
                    self._last(told(crd, COMPLETED, timestamp()))
                elif crd is not None:
                    self._tell(crd, UNCONFIRMED)
        except Exception:
            logger.exception("the objects of CRD %s could not be deleted", name)

    def _going(self, name: str, uid: str) -> Document | None:
        """The CRD as it is now, if it is still the same and waits for us."""
        crd = self._crds.get(name)
        if crd is None or crd["metadata"]["uid"] != uid or FINALIZER not in (crd["metadata"].get("finalizers") or ()):
            return None
        return crd

    def _tell(self, crd: Document, stage: Stage) -> Document:
        now = told(crd, stage, timestamp())
        if now["status"] != crd["status"]:
            self._write(now)
        return self._crds[crd["metadata"]["name"]]

    def _last(self, crd: Document) -> None:
        """Take our finalizer away; if it was the last, the CRD is gone."""
        crd = let_go(crd)
        meta = crd["metadata"]
        if meta["finalizers"]:
            self._write(crd)
        else:
            self._api.store.commit(PREFIX + meta["name"], int(meta["resourceVersion"]), None)
