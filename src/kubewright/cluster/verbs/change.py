"""An object that is there gets a new state: what update, patch and their subresources share.

The new state is made of the one that is stored, judged, and committed if the stored one is still the same; if somebody
else was quicker, it is made again of what he wrote. Whoever named a resourceVersion then hears that it is old.
"""

from collections.abc import Awaitable, Callable, Generator
from functools import partial
from typing import NamedTuple

from kubewright.cluster.admission.chain import admit, vet
from kubewright.cluster.admission.lifecycle import admit_content
from kubewright.cluster.call import Call, Document
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.strategy import Strategy
from kubewright.cluster.store import Conflict, Record
from kubewright.cluster.verbs.create import begin, put
from kubewright.cluster.verbs.options import WriteOptions
from kubewright.cluster.verbs.owners import drop_repeated_owners
from kubewright.cluster.verbs.track import settled
from kubewright.cluster.verbs.turn import LARGE, document, in_turns, judged, refused, tolerated, turn, warned, written
from kubewright.cluster.verbs.versions import object_version
from kubewright.cluster.wire.status import Target, conflict, internal, invalid, modified, not_found
from kubewright.model.ordered import same_in_steps
from kubewright.schema.walk.errors import invalid as invalid_field
from kubewright.schema.walk.metarules import (
    check_meta,
    check_meta_in_steps,
    check_meta_update,
    check_meta_update_in_steps,
)
from kubewright.schema.walk.names import path_segment, path_segment_prefix

__all__ = ["Changed", "change"]

Update = Callable[[Document | None], Awaitable[Document]]


class Changed(NamedTuple):
    """What came of it."""

    data: bytes
    created: bool = False


async def change(
    call: Call, update: Update, options: WriteOptions, *, uid: str = "", creating: bool = False
) -> Changed:
    """Put the object that `update` makes of the stored one in its place; `creating` makes one if there is none."""
    resource, view, strategy = call.resource, call.resource.view, call.strategy
    while True:
        record = call.stored()
        if record is None and not (creating or strategy.create_on_update):
            raise not_found(call.target)
        if record is not None and view.remote:
            await view.fetch([record])
        old = None
        if record is not None:
            call.size = max(call.size, len(record.value or b""))
            old = await document(call, record)
            await turn(call)
        if uid and uid != (old["metadata"]["uid"] if old else ""):
            raise _other(call, uid, old, options)
        obj = await settled(call, partial(update, old))
        await turn(call)
        version = object_version(obj["metadata"])
        admit_content(call, "create" if old is None else "update")
        drop_repeated_owners(call, obj["metadata"])
        await admit(call, obj, old)
        if record is not None:
            if version == 0 and not strategy.unconditional_update:
                error = invalid_field("metadata.resourceVersion", 0, "must be specified for an update")
                raise invalid(Target(resource.told_group, "", resource.names.plural, call.name), [error])
            if version not in (0, record.revision):
                raise modified(call.target)
            if not obj.get("apiVersion"):
                raise internal("Object 'apiVersion' is missing in 'object has no apiVersion field'")
            obj["metadata"]["resourceVersion"] = str(record.revision)
        try:
            with strategy.allocating(obj, old, call.api.store, call.api.entropy, options.dry_run):
                if old is None:
                    await begin(call, obj)
                else:
                    await prepare(call, obj, old, strategy)
                await turn(call)
                await vet(call, obj, old)
                return await _settle(call, record, obj, old, options, strategy)
        except Conflict:
            continue


async def prepare(call: Call, obj: Document, old: Document, strategy: Strategy) -> None:
    """Keep what no update may change, and judge what is left."""
    meta, before = obj["metadata"], old["metadata"]
    _carry(meta, before, "generation")
    if call.size > LARGE:
        await in_turns(strategy.prepare_in_steps(obj, old))
    else:
        strategy.prepare_update(obj, old)
    if not meta.get("uid"):
        meta["uid"] = before["uid"]
    _carry(meta, before, "creationTimestamp")
    if before.get("deletionTimestamp"):
        meta["deletionTimestamp"] = before["deletionTimestamp"]
    if "deletionGracePeriodSeconds" in before:
        meta.setdefault("deletionGracePeriodSeconds", before["deletionGracePeriodSeconds"])
    names = {"name": path_segment, "name_prefix": path_segment_prefix}
    if call.size > LARGE:
        rules = await in_turns(check_meta_in_steps(meta, "metadata", **names, namespaced=call.resource.namespaced))
        rules += await in_turns(check_meta_update_in_steps(meta, before, "metadata"))
    else:
        rules = check_meta(meta, "metadata", **names, namespaced=call.resource.namespaced)
        rules += check_meta_update(meta, before, "metadata")
    errors = [*rules, *await judged(call, strategy, obj, old)]
    await turn(call)
    call.warnings += await tolerated(call, strategy, obj, old)
    if errors:
        raise await refused(call, obj, errors)
    call.warnings += await warned(call, strategy, obj, old)


async def _settle(
    call: Call, record: Record | None, obj: Document, old: Document | None, options: WriteOptions, strategy: Strategy
) -> Changed:
    """Commit; or delete an object that is being deleted and lost its last finalizer; or nothing, if nothing changed."""
    resource, view = call.resource, call.resource.view
    if not options.dry_run:
        obj["metadata"].pop("selfLink", None)  # not stored, and so only told to who tries
    if record is None or old is None:
        stored = await view.stored(obj)
        made = await put(call, call.name, 0, stored, dry_run=options.dry_run)
        return Changed(await _shown(call, made), created=True)
    meta, before = obj["metadata"], old["metadata"]
    if (
        before.get("deletionTimestamp")
        and not meta.get("finalizers")
        and not before.get("deletionGracePeriodSeconds")
        and strategy.emptied(obj, old)
    ):
        if not options.dry_run:
            call.api.store.commit(record.key, record.revision, None)
            resource.strategy.gone(obj, call.api.store)
        return Changed(await written(call, resource.codec, obj))
    if await in_turns(_same_but_for_times(obj, old, custom=resource.custom)):
        meta["managedFields"] = before["managedFields"]
    await turn(call)
    stored = await view.stored(obj)
    # What is stored counts, not what is seen: an object of an older schema or version is brought up to date.
    data = await written(call, resource.stored_codec, stored)
    await turn(call)
    if data == record.value:
        return Changed(view.data(record))
    made = await put(call, call.name, record.revision, stored, dry_run=options.dry_run, data=data)
    return Changed(await _shown(call, made))


def _same_but_for_times(obj: Document, old: Document, *, custom: bool) -> Generator[None, None, bool]:
    """Whether all that changed is when managers wrote: then nobody did. Custom resources keep what is empty."""
    meta, before = obj["metadata"], old["metadata"]
    now, then = meta.get("managedFields"), before.get("managedFields")
    if not now or not then or len(now) != len(then) or now == then:
        return False
    if not all(one | {"time": None} == other | {"time": None} for one, other in zip(now, then, strict=True)):
        return False
    # The longest part last: most writes differ before it.
    (meta, rest), (before, others) = (
        (each["metadata"] | {"managedFields": None}, each | {"metadata": None}) for each in (obj, old)
    )
    if custom:
        return meta == before and (yield from same_in_steps(rest, others))
    return same(meta, before) and same(rest, others)


async def _shown(call: Call, record: Record) -> bytes:
    await turn(call)
    if call.resource.view.remote:
        await call.resource.view.fetch([record])
    return call.resource.view.data(record)


def _carry(meta: Document, before: Document, name: str) -> None:
    if name in before:
        meta[name] = before[name]
    else:
        meta.pop(name, None)


def _other(call: Call, uid: str, old: Document | None, options: WriteOptions) -> Exception:
    found = old["metadata"]["uid"] if old else ""
    why = f"Precondition failed: UID in precondition: {uid}, UID in object meta: {found}"
    # Of what is only tried the server names the key without the prefix that all have in its store.
    prefix = "" if options.dry_run else "/registry"
    key = f"{prefix}/{call.resource.registry_path}{call.key.removeprefix(f'/{call.resource.storage}')}"
    return conflict(
        call.target, f"StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: {why}"
    )
