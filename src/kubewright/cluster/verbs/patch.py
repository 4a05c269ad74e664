"""PATCH: a change to the object that is there, in one of three languages; what applies them is in `cluster.patches`.

A fourth, server-side apply, is in `apply`.
"""

from collections.abc import Callable, Generator
from contextlib import suppress

import msgspec

from kubewright.cluster.call import Call, Document
from kubewright.cluster.patches import json, merge, strategic
from kubewright.cluster.patches.decode import merge_patch, strategic_patch
from kubewright.cluster.patches.errors import InapplicablePatch, OversizedPatch, PatchError
from kubewright.cluster.patches.lookup import PatchType
from kubewright.cluster.verbs.answer import answer_data
from kubewright.cluster.verbs.change import change
from kubewright.cluster.verbs.create import settle_namespace
from kubewright.cluster.verbs.decode import custom_codec, read_bytes, unknown_fields
from kubewright.cluster.verbs.options import WriteOptions, read_write_options
from kubewright.cluster.verbs.track import track
from kubewright.cluster.verbs.turn import LARGE, in_turns, read, restored, turn
from kubewright.cluster.verbs.update import check_name, undeterminable
from kubewright.cluster.wire.body import as_object, hold, may_be_long, plain
from kubewright.cluster.wire.codec import Codec, Read, Undecodable
from kubewright.cluster.wire.duplicates import duplicates_in_steps
from kubewright.cluster.wire.identify import identify, inner_stranger, interpret
from kubewright.cluster.wire.status import (
    Failure,
    Target,
    bad_request,
    broken,
    invalid,
    not_found,
    too_many_operations,
    unknown_patch,
    unpatchable,
    unsupported_media_type,
)
from kubewright.cluster.wire.unreadable import Unreadable
from kubewright.http import Response
from kubewright.model.kind import GroupVersionKind
from kubewright.model.parts import summed
from kubewright.model.steps import finish
from kubewright.schema.walk.errors import INVALID, FieldError
from kubewright.schema.walk.errors import invalid as invalid_field
from kubewright.schema.walk.golang import quote, quote_in_steps, sprint_in_steps

__all__ = ["APPLY_PATCH", "Patch", "patch", "patched", "read_patch"]

JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_PATCH = "application/strategic-merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"

#: Its language, its bytes, and the options beside it.
Patch = tuple[str, bytes, WriteOptions]


async def patch(call: Call) -> Response:
    """Change an object."""
    media, body, options = await read_patch(call)
    if media == APPLY_PATCH:
        # Loaded when it is needed: it is a language of its own.
        from kubewright.cluster.verbs.apply import apply

        return await apply(call, body, options)

    async def updated(old: Document | None) -> Document:
        if old is None:
            raise not_found(call.target)
        obj = await patched(call, call.resource.codec, call.resource.patch_type, (media, body, options), old)
        call.strategy.default(obj)
        await turn(call)
        if obj.get("apiVersion"):  # else it is refused, once it is known that nothing else is wrong with it
            await track(call, old, obj, options)
        return obj

    changed = await change(call, updated, options)
    return await answer_data(call, changed.data)


async def read_patch(call: Call) -> Patch:
    """The patch of a request."""
    media = (call.request.headers.get(b"content-type") or b"").decode("latin-1").partition(";")[0]
    known = [JSON_PATCH, MERGE_PATCH, *([] if call.resource.custom else [STRATEGIC_PATCH]), APPLY_PATCH]
    if media not in known:
        raise unsupported_media_type(known) if call.resource.custom else unknown_patch()
    if not call.name:
        raise bad_request("name must be provided")
    body = await read_bytes(call)
    options = read_write_options("patch", call.query, applying=media == APPLY_PATCH)
    return media, body, options


async def patched(
    call: Call, codec: Codec, kind: Callable[[], PatchType] | None, patch: Patch, old: Document
) -> Document:
    """The object that a patch makes of another; `codec` and `kind` are those of what is patched."""
    media, body, options = patch
    complaints: list[str] = []
    checked = options.field_validation != "Ignore"
    try:
        if media == JSON_PATCH:
            operations, members = await in_turns(json.read_in_steps(body, checked=checked))
            if checked:
                repeated = await in_turns(_repeated(body, members))
                complaints = [*json.unknown_members(members), *(f"json patch {each}" for each in repeated)]
            made = await in_turns(json.apply_in_steps(old, operations))
        elif media == MERGE_PATCH:
            found = await _plain(call, body)
            given = await in_turns(merge_patch(body, checked=checked)) if found is None else found
            await turn(call)
            if call.size > LARGE:
                made = await in_turns(merge.apply_in_steps(old, given))
            else:
                made = merge.apply(old, given)
            complaints = await in_turns(_repeated(body, given)) if checked and found is None else []
        else:
            assert kind is not None, "only built-in kinds take strategic merge patches"
            found = await _plain(call, body)
            wish = await in_turns(strategic_patch(body)) if found is None else found
            await turn(call)
            steps = strategic.apply_in_steps(old, wish, kind())
            merged = await in_turns(steps) if call.size > LARGE else finish(steps)
            await turn(call)
            complaints = await in_turns(_repeated(body, wish)) if checked and found is None else []
            await turn(call)
            return await _read(call, codec, merged, complaints, options, wish)
    except PatchError as error:
        raise _refused(error) from None
    try:
        made = as_object(made)
    except Unreadable as error:
        shown = msgspec.json.encode(made).decode()
        raise invalid(Target("", "", ""), [invalid_field("patch", shown, str(error))]) from None
    if call.resource.custom and may_be_long(body):
        await in_turns(hold(made))
    await turn(call)
    return await _read(call, codec, made, complaints, options)


async def _plain(call: Call, body: bytes) -> Document | None:
    """The patch that a large body is, if there is nothing odd about it; None if somebody has to look."""
    return await in_turns(plain(body)) if len(body) > LARGE else None


async def _read(
    call: Call,
    codec: Codec,
    made: Document,
    complaints: list[str],
    options: WriteOptions,
    given: Document | None = None,
) -> Document:
    """The patched document as an object. `given` is a strategic patch: the server then shows that."""
    # It is shown as it is now: a custom object is read in place, and what does not say what it is is told.
    odd = given is None and (_is_custom(call, codec) or not _says(made, _wanted(call, codec)))
    text = msgspec.json.encode(made).decode() if odd else ""
    await turn(call)

    def unreadable(why: str) -> Generator[None, None, Failure]:
        if given is not None:
            shown = yield from sprint_in_steps(given)
        else:
            shown = text or msgspec.json.encode(made).decode()
        yield
        quoted = yield from quote_in_steps(shown)
        yield
        return invalid(Target("", "", ""), [FieldError(INVALID, "patch", f"Invalid value: {quoted}: {why}")])

    async def refusal(why: str) -> Failure:
        return await in_turns(unreadable(why)) if call.size > LARGE else finish(unreadable(why))

    try:
        if given is None:
            _check_kind(call, codec, made, text)
            await turn(call)
            own = codec if not _is_custom(call, codec) else custom_codec(call, made)
            obj, found, call.hollow = await read(call, own, made)
        else:
            obj, found, call.hollow = await _restored(call, codec, made)
    except Undecodable as error:
        raise await refusal(str(error)) from None
    if _is_custom(call, codec) and _is_unknown(call, made):
        found = unknown_fields(made)
    complaints = [*complaints, *found]
    if complaints and options.field_validation == "Strict":
        raise await refusal(f"strict decoding error: {', '.join(complaints)}")
    if options.field_validation == "Warn":
        call.warnings += complaints
    settle_namespace(call, obj["metadata"])
    check_name(call, obj["metadata"])
    return obj


async def _restored(call: Call, codec: Codec, made: Document) -> Read:
    """What a strategic patch made, as an object: the server reads it as a map of anything, not as JSON."""
    if call.size > LARGE:
        # What can be read is read the same, and in steps; only the words for what is odd differ.
        with suppress(Undecodable):
            found = await read(call, codec, made)
            if not found.complaints:
                return found
    return await restored(call, codec, made)


def _is_unknown(call: Call, made: Document) -> bool:
    """Whether a patch gave an object a version that its kind does not have."""
    group, _, version = made.get("apiVersion", "").rpartition("/")
    resource = call.resource
    if (group, made["kind"]) != (resource.group, resource.names.kind) or version == resource.version:
        return False
    return call.api.registry.find(group, version, resource.names.plural) is None


def _repeated(body: bytes, given: object) -> Generator[None, None, list[str]]:
    """What a patch names twice, of which that was read."""
    # Where a name is lost, its quotation marks are.
    if body.count(b'"') == (yield from summed(given, _marks)):
        return []
    _, duplicates = yield from duplicates_in_steps(body, merge=False)
    return [f"duplicate field {quote(path)}" for path in duplicates]


def _marks(given: object) -> int:
    return msgspec.json.encode(given).count(b'"')


def _check_kind(call: Call, codec: Codec, made: Document, shown: str) -> None:
    """A patch leaves an object what it is, and a Scale a Scale."""
    try:
        interpret(made)
    except Unreadable as error:
        raise Undecodable(str(error)) from None
    if _is_custom(call, codec):
        # That the kind is the right one is for validation to say.
        if not made.get("kind"):
            raise Undecodable(f"Object 'Kind' is missing in '{shown}'")
        return
    if not made.get("apiVersion") and not call.resource.custom:
        said, own = made.get("kind"), call.resource.kind
        if said and said != own.kind and codec is call.resource.codec:
            raise Undecodable(inner_stranger(said, own))
        # The server reads it into its own inner type, which knows none of these fields.
        call.warnings += [f"unknown field {quote(name)}" for name in sorted(made) if name not in ("apiVersion", "kind")]
        raise bad_request(undeterminable(call))
    want = _wanted(call, codec)
    if _says(made, want):
        return
    try:
        identify(made, shown.encode(), want, custom=False)
    except Failure as failure:
        _, _, why = str(failure).partition(f" cannot be handled as a {want.kind}: ")
        raise Undecodable(why or str(failure)) from None


def _is_custom(call: Call, codec: Codec) -> bool:
    """Whether it is a custom resource that is patched, and not its Scale."""
    return call.resource.custom and codec is call.resource.codec


def _wanted(call: Call, codec: Codec) -> GroupVersionKind:
    """The kind of what is patched."""
    if codec is call.resource.codec:
        return call.resource.kind
    assert call.subresource is not None, "only a subresource speaks of another kind"
    return call.subresource.kind


def _says(made: Document, want: GroupVersionKind) -> bool:
    """Whether a document says that it is of a kind."""
    return (made.get("apiVersion"), made.get("kind")) == (want.api_version, want.kind)


def _refused(error: PatchError) -> Failure:
    if isinstance(error, InapplicablePatch):
        return unpatchable()
    if isinstance(error, OversizedPatch):
        return too_many_operations(str(error))
    return bad_request(str(error)) if error.code == 400 else broken(str(error))
