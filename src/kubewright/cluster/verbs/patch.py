"""PATCH: a change to the object that is there, in one of three languages; what applies them is in `cluster.patches`."""

import re

import msgspec

from kubewright.cluster.patches import json, merge, strategic
from kubewright.cluster.patches.decode import merge_patch, strategic_patch
from kubewright.cluster.patches.errors import InapplicablePatch, OversizedPatch, PatchError
from kubewright.cluster.verbs.answer import answer_data
from kubewright.cluster.verbs.call import Call, Document
from kubewright.cluster.verbs.change import change
from kubewright.cluster.verbs.create import settle_namespace
from kubewright.cluster.verbs.decode import read_bytes
from kubewright.cluster.verbs.options import WriteOptions, read_write_options
from kubewright.cluster.verbs.status import (
    Failure,
    Target,
    bad_request,
    broken,
    invalid,
    not_found,
    too_many_operations,
    unpatchable,
    unsupported_media_type,
)
from kubewright.cluster.verbs.update import check_name
from kubewright.cluster.wire.codec import Undecodable
from kubewright.http import Response
from kubewright.schema.walk.errors import invalid as invalid_field
from kubewright.schema.walk.golang import sprint

__all__ = ["patch"]

JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_PATCH = "application/strategic-merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"


async def patch(call: Call) -> Response:
    """Change an object."""
    media = (call.request.headers.get(b"content-type") or b"").decode("latin-1").partition(";")[0]
    known = [JSON_PATCH, MERGE_PATCH, *([] if call.resource.custom else [STRATEGIC_PATCH]), APPLY_PATCH]
    if media not in known:
        raise unsupported_media_type(known)
    body = await read_bytes(call)
    options = read_write_options("patch", call.query, applying=media == APPLY_PATCH)
    if media == APPLY_PATCH:
        raise unsupported_media_type(known[:-1])

    def updated(old: Document | None) -> Document:
        if old is None:
            raise not_found(call.target)
        return _patched(call, media, body, options, old)

    changed = await change(call, updated, options)
    return answer_data(call, changed.data)


def _patched(call: Call, media: str, body: bytes, options: WriteOptions, old: Document) -> Document:
    """The object that a patch makes of another."""
    complaints: list[str] = []
    checked = options.field_validation != "Ignore"
    try:
        if media == JSON_PATCH:
            operations = json.read(body, checked=checked)
            complaints = json.unknown_members(body) if checked else []
            patched = json.apply(old, operations)
        elif media == MERGE_PATCH:
            patched = merge.apply(old, merge_patch(body, checked=checked))
        else:
            assert call.resource.patch_type is not None, "only built-in kinds take strategic merge patches"
            given = strategic_patch(body)
            patched = strategic.apply(old, given, call.resource.patch_type())
            return _read(call, patched, complaints, options, given)
    except PatchError as error:
        raise _refused(error) from None
    if not isinstance(patched, dict):
        raise bad_request("the patch does not make an object")
    return _read(call, patched, complaints, options)


def _read(
    call: Call, patched: Document, complaints: list[str], options: WriteOptions, given: Document | None = None
) -> Document:
    """The patched document as an object of the resource. `given` is a strategic patch: the server then shows that."""
    shown = msgspec.json.encode(patched).decode() if given is None else sprint(given)
    try:
        obj, found = call.resource.codec.read(patched)
    except Undecodable as error:
        raise _unreadable(shown, str(error) if given is None else _converted(str(error))) from None
    call.strategy.default(obj)
    complaints = [*complaints, *found]
    if complaints and options.field_validation == "Strict":
        raise _unreadable(shown, f"strict decoding error: {', '.join(complaints)}")
    if options.field_validation == "Warn":
        call.warnings += complaints
    settle_namespace(call, obj["metadata"])
    check_name(call, obj["metadata"])
    return obj


_UNMARSHAL = re.compile(r"json: cannot unmarshal (\w+)(?: (\S+))? into Go (?:struct field \S+|value) of type (.+)")
_GO = {
    "array": "slice",
    "bool": "bool",
    "number": "int64",
    "object": "map",
    "string": "string",
}


def _converted(error: str) -> str:
    """What is wrong with a value, as the server says it where it reads a map of anything instead of JSON."""
    match = _UNMARSHAL.fullmatch(error)
    if match is None:
        return error
    got, number, wanted = match.groups()
    kind = "float64" if number and not number.lstrip("-").isdigit() else _GO.get(got, got)
    for start, container in (("map[", "map"), ("[]", "slice")):
        if wanted.startswith(start):
            return f"cannot restore {container} from {kind}"
    return f"cannot convert {kind} to {wanted}"


def _unreadable(shown: str, why: str) -> Failure:
    return invalid(Target("", "", ""), [invalid_field("patch", shown, why)])


def _refused(error: PatchError) -> Failure:
    if isinstance(error, InapplicablePatch):
        return unpatchable()
    if isinstance(error, OversizedPatch):
        return too_many_operations(str(error))
    return bad_request(str(error)) if error.code == 400 else broken(str(error))
