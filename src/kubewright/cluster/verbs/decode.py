"""What a client sent becomes an object of the resource, or a refusal that says why not."""

from kubewright.cluster.call import Call, Document
from kubewright.cluster.registry.custom.codec import CustomCodec
from kubewright.cluster.verbs.options import WriteOptions, read_write_options
from kubewright.cluster.verbs.turn import LARGE, in_turns, read, turn
from kubewright.cluster.wire import body as wire
from kubewright.cluster.wire.builtin import read_options
from kubewright.cluster.wire.codec import Codec, Undecodable
from kubewright.cluster.wire.identify import interpret, no_such_kind, unhandled
from kubewright.cluster.wire.media import PROTOBUF, request_media
from kubewright.cluster.wire.status import Failure, bad_request, broken, not_found, timeout, too_large, unknown_resource
from kubewright.http import RefusedError
from kubewright.model.kind import GroupVersionKind
from kubewright.schema.walk.prune import META_FIELDS

__all__ = ["BODY_LIMIT", "custom_codec", "read_bytes", "read_delete_body", "read_object", "unknown_fields"]

BODY_LIMIT = 3 * 1024 * 1024
#: Of what is of another kind than it should be, the metadata alone is looked at before it is refused.
_ANY = CustomCodec("", {"type": "object", "x-kubernetes-preserve-unknown-fields": True})
#: A version that nobody knows has no fields of its own.
_NOTHING = CustomCodec("", {"type": "object"})


async def read_bytes(call: Call) -> bytes:
    """The body of a request."""
    try:
        body = await call.request.read()
    except RefusedError as refused:
        raise _unread(refused) from None
    if len(body) > BODY_LIMIT:
        raise too_large(BODY_LIMIT)
    call.size = max(call.size, len(body))
    if call.resource.custom:
        _look_again(call)
    return body


def _unread(refused: RefusedError) -> Failure:
    """What is said of a body that did not come whole: too long, too slow, or not what HTTP calls a body."""
    if refused.status == 413:
        return too_large(BODY_LIMIT)
    if refused.status == 408:
        return timeout("request did not complete within the allotted timeout")
    return broken(str(refused))


def _look_again(call: Call) -> None:
    """A body may take its time, and its kind be defined anew meanwhile: what counts is how it is when all is there."""
    before, part = call.resource, call.subresource
    now = call.api.registry.find(before.group, before.version, before.names.plural)
    if now is before:
        return
    if now is None or not now.custom or now.namespaced != before.namespaced:
        raise unknown_resource()
    call.resource = now
    if part is not None:
        call.subresource = now.subresource(part.name)
        if call.subresource is None:
            raise not_found(call.target)


async def read_object(call: Call, verb: str) -> tuple[Document, WriteOptions]:
    """The object of a create or update, and the options beside it."""
    media = request_media(call.request.headers.get(b"content-type"), custom=call.resource.custom)
    body = await read_bytes(call)
    options = read_write_options(verb, call.query)
    resource = call.resource
    obj = await decode_object(call, resource.codec, resource.kind, body, media, options, custom=resource.custom)
    await turn(call)
    call.strategy.default(obj)
    return obj, options


async def decode_object(
    call: Call, codec: Codec, want: GroupVersionKind, body: bytes, media: str, options: WriteOptions, *, custom: bool
) -> Document:
    """The object that bytes mean, of the kind `want`."""
    if media == PROTOBUF:
        # Loaded when it is needed, here and below, so that the server is there sooner.
        from kubewright.cluster.wire.protobuf import envelope

        if call.size <= LARGE:
            return envelope.read_object(body, want)
        unpacked = await in_turns(envelope.read_in_steps(body, want))
        call.spent.append(unpacked)
        return unpacked
    try:
        lenient = options.field_validation == "Ignore"
        parsed = await in_turns(wire.read_object(body, media, want, custom=custom, lenient=lenient))
    except Failure:
        if custom and not lenient:
            await _look_at_another_version(call, body, media, options)
        raise
    await turn(call)
    said = want
    if custom and (kind := parsed.document["kind"]) != want.kind:
        said, codec = want._replace(kind=kind), _ANY
    try:
        obj, complaints, call.hollow = await read(call, codec, parsed.document, parsed.duplicates)
    except Undecodable as error:
        raise unhandled(said, want, str(error)) from None
    if complaints or parsed.repeated:
        if options.field_validation == "Strict":
            raise unhandled(said, said, wire.strict_error(parsed, complaints))
        if options.field_validation == "Warn":
            call.warnings += wire.warnings(parsed, complaints)
    return obj


async def _look_at_another_version(call: Call, body: bytes, media: str, options: WriteOptions) -> None:
    """Say what is odd about an object that is of another version: it is read before that is noticed."""
    try:
        parsed = await in_turns(wire.steps(body, media, custom=True))
        document = parsed.document
        said = interpret(document)
        if not document.get("kind") or not document.get("apiVersion"):
            return
        codec = custom_codec(call, document)
        if codec is not _ANY:
            other = call.api.registry.find(said.group, said.version, call.resource.names.plural)
            codec = other.codec if other is not None else _NOTHING
        complaints = (await read(call, codec, document, parsed.duplicates)).complaints
    except (wire.Unreadable, Undecodable):
        return
    if options.field_validation == "Warn":
        call.warnings += wire.warnings(parsed, complaints)
    elif complaints or parsed.repeated:
        raise unhandled(said, said, wire.strict_error(parsed, complaints))


def unknown_fields(document: Document) -> list[str]:
    """What is odd about an object of a version that nobody knows: that has no fields of its own."""
    return [f'unknown field "{name}"' for name in sorted({*document} - META_FIELDS)]


def custom_codec(call: Call, document: Document) -> Codec:
    """How a document is read that was sent for a custom resource: by its schema, if it says that it is one."""
    said = interpret(document)
    resource = call.resource
    return resource.codec if (said.group, said.kind) == (resource.group, resource.names.kind) else _ANY


async def read_delete_body(call: Call) -> Document | None:
    """The DeleteOptions that a client sent as a body; None if it sent none."""
    body = await read_bytes(call)
    if not body:
        return None
    media = request_media(call.request.headers.get(b"content-type"))
    try:
        if media == PROTOBUF:
            from kubewright.cluster.wire.protobuf.envelope import read_options as unpack_options

            return unpack_options(body, "DeleteOptions")
        parsed = wire.decode(body, media, custom=False)
        said = interpret(parsed.document)
        if said.kind not in ("", "DeleteOptions"):
            raise Undecodable(no_such_kind(said if said.version else said._replace(group="meta.k8s.io", version="v1")))
        return read_options("DeleteOptions", parsed.document)
    except (wire.Unreadable, Undecodable) as error:
        raise bad_request(str(error)) from None
