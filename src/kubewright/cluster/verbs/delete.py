"""DELETE of an object: at once, or marked as going until its finalizers and its grace have run out.

live ──delete──► gone                         nothing holds it
  │                ▲
  └──► deleting ───┘ the last finalizer is removed (verbs/change.py), or the grace is cut to nothing
       deletionTimestamp, and what the client said of dependents as a finalizer for the garbage collector
"""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from kubewright import clock
from kubewright.cluster.admission.lifecycle import admit_deletion
from kubewright.cluster.call import Call, Document
from kubewright.cluster.registry.strategy import FOREGROUND, ORPHAN, Propagation, Strategy
from kubewright.cluster.store import Conflict, Record
from kubewright.cluster.verbs.answer import answer_data, answer_document
from kubewright.cluster.verbs.create import put
from kubewright.cluster.verbs.decode import read_delete_body
from kubewright.cluster.verbs.options import DeleteOptions, read_delete_options
from kubewright.cluster.verbs.turn import document, turn, written
from kubewright.cluster.wire.status import Failure, Target, conflict, not_found, success
from kubewright.http import Response

__all__ = ["Deleted", "check_preconditions", "delete", "delete_all", "delete_each", "delete_object"]

_FORM: Final = "%Y-%m-%dT%H:%M:%SZ"
#: So many objects are deleted before others run: some two milliseconds.
_STRIDE: Final = 10


class Deleted:
    """What came of a deletion: the last state, and its bytes if the object is not gone."""

    def __init__(self, document: Document, data: bytes | None = None) -> None:
        self.document = document
        self.data = data


async def delete(call: Call) -> Response:
    """Delete an object."""
    options = read_delete_options(call.query, await read_delete_body(call))
    call.warnings += call.resource.strategy.parting_warnings(Propagation(options.propagation, options.orphan))
    deleted = await delete_object(call, options)
    if deleted.data is not None:
        return await answer_data(call, deleted.data, 202 if options.orphan is False else 200)
    if call.resource.strategy.returns_deleted:
        return await answer_data(call, await written(call, call.resource.codec, deleted.document))
    return answer_document(call, success(call.target, deleted.document["metadata"]["uid"]))


async def delete_object(call: Call, options: DeleteOptions) -> Deleted:
    """Delete the object that a call names, or begin to."""
    view, strategy = call.resource.view, call.resource.strategy
    while True:
        record = call.stored()
        if record is None:
            raise not_found(call.target)
        if view.remote:
            await view.fetch([record])
        call.size = len(record.value or b"")
        obj = await document(call, record)
        await turn(call)
        check_preconditions(call, obj["metadata"], options)
        admit_deletion(call)
        try:
            return await _delete(call, record, obj, options, strategy)
        except Conflict:
            continue


async def delete_each(call: Call, records: Iterable[Record], options: DeleteOptions) -> None:
    """Delete some objects of the resource of a call, others running in between; to be gone meanwhile is as good."""
    for number, record in enumerate(records, 1):
        *_, namespace, name = record.key.split("/")
        one = replace(call, namespace=namespace if call.resource.namespaced else "", name=name)
        try:
            await delete_object(one, options)
        except Failure as failure:
            if failure.code != 404:
                raise
        if number % _STRIDE == 0:
            await asyncio.sleep(0)


async def delete_all(call: Call, options: DeleteOptions) -> None:
    """Delete every object of the resource of a call, in its namespace if it names one.

    Each page is of now: of many objects so many are deleted that the past they began in is forgotten before the end.
    """
    start: str | None = ""
    while start is not None:
        page = call.api.store.list(call.resource.key(call.namespace), start=start, limit=_STRIDE)
        await delete_each(call, page.records, options)
        start = page.next
        await asyncio.sleep(0)  # also where all of a page was deleted before


async def _delete(call: Call, record: Record, obj: Document, options: DeleteOptions, strategy: Strategy) -> Deleted:
    resource, meta = call.resource, obj["metadata"]
    if strategy.hold(obj, Propagation(options.propagation, options.orphan), clock.now().strftime(_FORM)):
        return await _begin(call, record, obj, options)
    grace, pending = _graceful(obj, options, strategy)
    if pending:
        return Deleted(obj, resource.view.data(record))
    finalizers = _finalizers(meta, options, strategy)
    if finalizers:
        meta["finalizers"] = finalizers
    else:
        meta.pop("finalizers", None)
    if grace is None and finalizers:
        _mark(meta)
    elif not grace and not finalizers:
        if not options.dry_run:
            if grace is not None:
                # A kind that knows grace is told that it has none before it goes.
                record = await put(call, call.name, record.revision, obj, dry_run=False)
            gone = call.api.store.commit(record.key, record.revision, None)
            obj["metadata"]["resourceVersion"] = str(gone.revision)
            strategy.gone(obj, call.api.store)
        return Deleted(obj)
    return await _begin(call, record, obj, options)


async def _begin(call: Call, record: Record, obj: Document, options: DeleteOptions) -> Deleted:
    """Write down that an object is being deleted, if that is news."""
    resource = call.resource
    data = await written(call, resource.codec, obj)
    if data != resource.view.data(record):
        stored = await resource.view.stored(obj)
        made = await put(call, call.name, record.revision, stored, dry_run=options.dry_run)
        await resource.view.fetch([made])
        data = resource.view.data(made)
    return Deleted(obj, data)


def check_preconditions(call: Call, meta: Document, options: DeleteOptions) -> None:
    """Refuse if an object is another than the client means."""
    if call.resource.strategy.plain_preconditions:
        for what, wanted, found in (
            ("UID", options.uid, meta["uid"]),
            ("ResourceVersion", options.resource_version, meta["resourceVersion"]),
        ):
            if wanted is not None and wanted != found:
                why = f"Precondition failed: {what} in precondition: {wanted}, {what} in object meta: {found}"
                raise conflict(call.target, why)
    target = Target(call.resource.told_group, call.resource.names.kind, call.resource.names.kind, call.name)
    if options.uid is not None and options.uid != meta["uid"]:
        why = f"the UID in the precondition ({options.uid}) does not match the UID in record ({meta['uid']}). "
        raise conflict(target, why + "The object might have been deleted and then recreated")
    version, found = options.resource_version, meta["resourceVersion"]
    if version is not None and version != found:
        why = f"the ResourceVersion in the precondition ({version}) does not match the ResourceVersion in record "
        raise conflict(target, f"{why}({found}). The object might have been modified")


def _graceful(obj: Document, options: DeleteOptions, strategy: Strategy) -> tuple[int | None, bool]:
    """How long the object has from now on, which is then noted in it; None if its kind knows no grace.

    Also whether a deletion is under way already that this one cannot hasten.
    """
    meta = obj["metadata"]
    asked = 1 if options.grace is not None and options.grace < 0 else options.grace
    grace = strategy.grace(obj, asked)
    if grace is None:
        return None, False
    if "deletionTimestamp" in meta:
        left = meta.get("deletionGracePeriodSeconds")
        if not left:
            return None, False
        if asked is None or asked >= left:
            return None, True
        ends = datetime.strptime(meta["deletionTimestamp"], _FORM) - timedelta(seconds=left - asked)
        now = clock.now().replace(tzinfo=None)
        if ends < now:
            ends, asked = now, min(asked, 1)
        meta["deletionTimestamp"] = ends.strftime(_FORM)
        meta["deletionGracePeriodSeconds"] = asked
        return asked, False
    meta["deletionTimestamp"] = (clock.now() + timedelta(seconds=grace)).strftime(_FORM)
    meta["deletionGracePeriodSeconds"] = grace
    if meta.get("generation"):
        meta["generation"] += 1
    return grace, False


def _mark(meta: Document) -> None:
    """Say that an object is being deleted from now on."""
    now = clock.now().strftime(_FORM)
    if "deletionTimestamp" not in meta and meta.get("generation"):
        meta["generation"] += 1
    if meta.get("deletionTimestamp", now) >= now:
        meta["deletionTimestamp"] = now
    meta["deletionGracePeriodSeconds"] = 0


def _finalizers(meta: Document, options: DeleteOptions, strategy: Strategy) -> list[str]:
    """The object's finalizers, and among them what is to become of its dependents."""
    present: list[str] = meta.get("finalizers") or []
    others = [name for name in present if name not in (ORPHAN, FOREGROUND)]
    if strategy.default_propagation == "Unsupported":
        wish = ""
    elif options.orphan is not None:
        wish = "Orphan" if options.orphan else ""
    elif options.propagation is not None:
        wish = options.propagation
    elif ORPHAN in present:
        wish = "Orphan"
    elif FOREGROUND in present:
        wish = "Foreground"
    else:
        wish = strategy.default_propagation
    added = {"Orphan": [ORPHAN], "Foreground": [FOREGROUND]}.get(wish, [])
    return present if {*others, *added} == {*present} else others + added
