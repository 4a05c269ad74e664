"""POST to a collection: a new object, named by the client or by the server."""

from kubewright.cluster.admission.chain import admit, vet
from kubewright.cluster.admission.lifecycle import admit_content
from kubewright.cluster.call import Call, Document, timestamp
from kubewright.cluster.registry.view import View
from kubewright.cluster.store import Conflict, Record
from kubewright.cluster.verbs.answer import answer_record
from kubewright.cluster.verbs.decode import read_object
from kubewright.cluster.verbs.owners import drop_repeated_owners
from kubewright.cluster.verbs.room import FITS, overweight
from kubewright.cluster.verbs.track import settled, track
from kubewright.cluster.verbs.turn import judged, refused, turn, warned, written
from kubewright.cluster.verbs.versions import BadVersion, read_version
from kubewright.cluster.wire.revision import renumbered
from kubewright.cluster.wire.status import already_exists, bad_request, broken, no_unique_name, no_version
from kubewright.http import Response

__all__ = ["begin", "create", "put", "settle_namespace", "wipe"]

#: How many generated names are tried.
ATTEMPTS = 8
#: A generated name is at most this long, its random end included.
_LONGEST, _RANDOM = 63, 5
#: An apply is about managed fields: without them it would be another.
_APPLY = b"application/apply-patch"
#: The groups of built-in kinds that etcd holds as JSON.
_AS_JSON = ("apiextensions.k8s.io", "apiregistration.k8s.io")
#: What a client cannot set.
_OURS = ("creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink")


async def create(call: Call) -> Response:
    """Make an object."""
    obj, options = await read_object(call, "create")
    meta = obj["metadata"]
    wipe(meta)
    settle_namespace(call, meta)
    drop_repeated_owners(call, meta)

    async def tracked() -> None:
        await track(call, None, obj, options)

    await turn(call)
    await settled(call, tracked)
    await turn(call)
    admit_content(call, "create", meta.get("name", ""))
    await admit(call, obj, None)
    wanted = meta.get("name")
    for _ in range(ATTEMPTS if not wanted and meta.get("generateName") else 1):
        if not wanted and (prefix := meta.get("generateName")):
            meta["name"] = prefix[: _LONGEST - _RANDOM] + call.api.entropy.suffix(_RANDOM)
        try:
            with call.resource.strategy.allocating(obj, None, call.api.store, call.api.entropy, options.dry_run):
                await begin(call, obj)
                await turn(call)
                await vet(call, obj, None)
                if _has_version(meta) and not options.dry_run:  # the store's complaint, and it is not asked
                    raise no_version()
                stored = await call.resource.view.stored(obj)
                record = await put(call, meta["name"], 0, stored, dry_run=options.dry_run)
        except Conflict:
            continue
        await call.resource.view.fetch([record])
        return await answer_record(call, record, 201)
    if not wanted:
        raise no_unique_name(call.named(meta["name"]))
    there = call.api.store.get(call.resource.key(call.namespace, meta["name"]))
    going = there is not None and "deletionTimestamp" in View().document(there)["metadata"]
    raise already_exists(call.named(meta["name"]), going=going)


def _has_version(meta: Document) -> bool:
    """Whether a new object says which version it has; what is no number says nothing."""
    try:
        return read_version(meta.get("resourceVersion") or "") != 0
    except BadVersion:
        return False


def wipe(meta: Document) -> None:
    """Drop what a client cannot set."""
    for name in _OURS:
        meta.pop(name, None)


def settle_namespace(call: Call, meta: Document) -> None:
    """An object is in the namespace of its path; it may say so, or nothing."""
    namespace = call.namespace if call.resource.namespaced else ""
    if not namespace:
        meta.pop("namespace", None)
    elif meta.get("namespace", namespace) != namespace:
        raise bad_request("the namespace of the provided object does not match the namespace sent on the request")
    else:
        meta["namespace"] = namespace


async def begin(call: Call, obj: Document) -> None:
    """Make a new object of what a client sent, in place, and judge it."""
    strategy, meta = call.resource.strategy, obj["metadata"]
    meta["uid"] = call.api.entropy.uid()
    meta["creationTimestamp"] = timestamp()
    strategy.prepare_create(obj)
    if errors := await judged(call, strategy, obj, None):
        raise await refused(call, obj, errors)
    call.warnings += await warned(call, strategy, obj, None)


async def put(
    call: Call, name: str, expected: int, stored: Document, *, dry_run: bool, data: bytes | None = None
) -> Record:
    """Commit an object as it is to be stored, or see what would be. `Conflict` if it is not as expected.

    `data` is its text under the revision that is expected, where that is known already.
    """
    resource, store = call.resource, call.api.store
    key = resource.key(call.namespace, name)
    if dry_run:
        current = store.get(key)
        if (current.revision if current is not None else 0) != expected:
            raise Conflict(key, expected, current.revision if current is not None else 0)
        # As if it had been stored now, and read again: another version may lose something on the way.
        text = data or await written(call, resource.stored_codec, stored)
        return Record(key, text, store.revision + 1, 0, None)
    text = data or await written(call, resource.stored_codec, _under(stored, expected))
    if len(text) > FITS and (resource.custom or resource.group in _AS_JSON):
        stored, text = await _fitting(call, key, expected, stored, text)
    await turn(call)

    def value(revision: int) -> bytes:
        resource.view.note_write(revision)
        return renumbered(text, expected, revision) or resource.stored_codec.write(_under(stored, revision))

    return store.commit(key, expected, value)


async def _fitting(call: Call, key: str, expected: int, stored: Document, text: bytes) -> tuple[Document, bytes]:
    """A large object and its text, as they fit into etcd: without managed fields if there is no other way."""
    numbered = len(f'"resourceVersion":"{expected}",') - 1  # not stored there; but the text ends with a line's end
    if not (why := overweight(key, expected, len(text) - numbered)):
        return stored, text
    applied = (call.request.headers.get(b"content-type") or b"").startswith(_APPLY)
    if applied or "managedFields" not in stored["metadata"]:
        raise broken(why)
    meta = {name: value for name, value in stored["metadata"].items() if name != "managedFields"}
    stored = stored | {"metadata": meta}
    text = await written(call, call.resource.stored_codec, _under(stored, expected))
    if why := overweight(key, expected, len(text) - numbered):
        raise broken(why)
    return stored, text


def _under(stored: Document, revision: int) -> Document:
    return stored | {"metadata": stored["metadata"] | {"resourceVersion": str(revision)}}
