"""GET, PUT and PATCH of `/scale`: how many replicas there are and are to be, of any kind that has a number for it.

What is spoken is a Scale; what is written is the object, with one number changed, as if it had been updated.
"""

from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Final

import msgspec

from kubewright.cluster.call import Call, Document, timestamp
from kubewright.cluster.fields.scale import to_object, to_scale
from kubewright.cluster.fields.tracking import spelled_object
from kubewright.cluster.registry.columns import SCALE, builtin_columns
from kubewright.cluster.registry.scale import ScaleShape, scale_document
from kubewright.cluster.registry.tracking import scale_places, scale_tracking
from kubewright.cluster.verbs.answer import answer_document
from kubewright.cluster.verbs.apply import apply_config, check_strictly, read_config
from kubewright.cluster.verbs.change import change
from kubewright.cluster.verbs.create import settle_namespace
from kubewright.cluster.verbs.decode import decode_object, read_bytes
from kubewright.cluster.verbs.options import WriteOptions, read_write_options
from kubewright.cluster.verbs.patch import APPLY_PATCH, patched, read_patch
from kubewright.cluster.verbs.track import field_manager
from kubewright.cluster.verbs.update import check_name
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.media import request_media
from kubewright.cluster.wire.patching import patch_type
from kubewright.cluster.wire.status import Failure, Target, bad_request, broken, conflict, internal, invalid, not_found
from kubewright.http import Response
from kubewright.model.kind import GroupVersionKind

__all__ = ["SCALE_VERBS"]

_KIND: Final = GroupVersionKind("autoscaling", "v1", "Scale")
#: All that a CRD's server has to say of a Scale that cannot be read.
_UNCONVERTED: Final = "to proper version: request to convert CR to an invalid group/version: autoscaling/v1"
_UNKNOWN: Final = 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"'
#: A number that says that there was none: the server's own habit, which shows in what it says of a patch.
_UNSET: Final = -(2**31)


async def get_scale(call: Call) -> Response:
    """How large an object is."""
    record = call.stored()
    if record is None:
        raise not_found(call.target)
    await call.resource.view.fetch([record])
    obj, shape = call.resource.view.document(record), _shape(call)
    if _read(shape, obj)["spec"]["replicas"] == _UNSET:
        raise internal(f'the spec replicas field "{shape.place}" does not exist')
    return _answer(call, obj)


async def update_scale(call: Call) -> Response:
    """Say how large an object is to be."""
    media = request_media(call.request.headers.get(b"content-type"))
    body = await read_bytes(call)
    options = read_write_options("update", call.query)
    codec = builtin_codec(*_KIND)
    try:
        scale = await decode_object(call, codec, _KIND, body, media, options, custom=False)
    except Failure:
        if call.resource.custom:
            raise bad_request(_UNKNOWN) from None
        raise
    settle_namespace(call, scale["metadata"])
    check_name(call, scale["metadata"])

    async def made(old: Document) -> Document:
        new = codec.told(scale)
        _track(call, old, new, options)
        return new

    return await _change(call, made, options, uid=scale["metadata"].get("uid", ""))


async def patch_scale(call: Call) -> Response:
    """Change how large an object is to be."""
    given = await read_patch(call)
    media, body, options = given
    codec, kind = builtin_codec(*_KIND), partial(patch_type, _KIND)

    async def made(old: Document) -> Document:
        before: Document = msgspec.json.decode(codec.write(old))
        if media == APPLY_PATCH:
            return await _applied(call, before, body, options)
        new = codec.told(await patched(call, codec, kind, given, before))
        _track(call, before, new, options)
        return new

    return await _change(call, made, options)


def _track(call: Call, old: Document, new: Document, options: WriteOptions) -> None:
    scale_tracking().track(old, new, field_manager(call, options), timestamp())


async def _applied(call: Call, old: Document, body: bytes, options: WriteOptions) -> Document:
    """What a configuration makes of a Scale."""
    parsed = await read_config(call, body, f"{_KIND.group}/{_KIND.version}", _KIND.kind)
    config = parsed.document
    if call.resource.custom and not old["metadata"].get("managedFields"):
        # As below; and here it is an empty Scale, from which nobody's part is told.
        why = f"failed to convert live object (/; autoscaling/v1, Kind=Scale) {_UNCONVERTED}"
        raise broken(f"failed to create manager for existing fields: {why}")
    outcome = await apply_config(call, scale_tracking(), old, config, options, body)
    if call.resource.custom and outcome.changed:
        # As it is there: what becomes of a Scale is taken for an object of the CRD.
        raise broken(f"failed to convert new object ({spelled_object(config)}) {_UNCONVERTED}")
    check_strictly(call, parsed, options)
    new = builtin_codec(*_KIND).restore(outcome.value).object
    new["metadata"]["managedFields"] = outcome.entries
    settle_namespace(call, new["metadata"])
    check_name(call, new["metadata"])
    return new


async def _change(
    call: Call, made: Callable[[Document], Awaitable[Document]], options: WriteOptions, uid: str = ""
) -> Response:
    """Write what `made` makes of the present Scale into the object."""
    shape, resource = _shape(call), call.resource
    places = scale_places(resource)

    async def updated(old: Document | None) -> Document:
        if old is None:
            raise not_found(call.target)
        entries: list[Document] = old["metadata"].get("managedFields") or []
        before = _read(shape, old)
        if owners := to_scale(entries, places):
            before["metadata"]["managedFields"] = owners
        scale = await made(before)
        if errors := shape.check(scale):
            raise invalid(Target("autoscaling", "scales", "Scale", call.name), errors)
        if not resource.custom:
            _check_uid(call, scale["metadata"].get("uid"), old["metadata"]["uid"])
        wanted = scale["spec"].get("replicas", 0)
        if wanted == _UNSET:
            raise bad_request(f'the spec replicas field "{shape.place}" cannot be empty')
        obj: Document = msgspec.json.decode(msgspec.json.encode(old))
        try:
            shape.write(obj, wanted)
        except ValueError as error:
            raise broken(str(error)) from None
        if version := scale["metadata"].get("resourceVersion"):
            obj["metadata"]["resourceVersion"] = version
        owners = scale["metadata"].get("managedFields") or []
        now = to_object(entries, owners, places, resource.api_version, sort=not resource.custom)
        if now:
            obj["metadata"]["managedFields"] = now
        return obj

    changed = await change(call, updated, options, uid=uid)
    return _answer(call, msgspec.json.decode(changed.data))


def _check_uid(call: Call, said: str | None, uid: str) -> None:
    """Whoever names the uid of a former object means that one; CRDs' servers do not look."""
    if said and said != uid:
        target = call.target
        why = f"Precondition failed: UID in precondition: {said}, UID in object meta: {uid}"
        raise conflict(target._replace(resource=f"{target.resource}/scale"), why)


def _shape(call: Call) -> ScaleShape:
    assert call.subresource is not None
    assert call.subresource.scale is not None, "only what can be scaled has such a path"
    return call.subresource.scale


def _read(shape: ScaleShape, obj: Document) -> Document:
    try:
        sizes = shape.read(obj)
    except ValueError as error:
        raise broken(str(error)) from None
    return scale_document(obj, sizes._replace(wanted=_UNSET) if sizes.wanted is None else sizes)


def _answer(call: Call, obj: Document) -> Response:
    scale = builtin_codec(*_KIND).write(_read(_shape(call), obj))
    columns = SCALE if call.resource.custom else builtin_columns(_KIND.group, _KIND.kind)
    return answer_document(call, msgspec.json.decode(scale), columns=columns)


Verb = Callable[[Call], Coroutine[Any, Any, Response]]
SCALE_VERBS: Final[dict[str, Verb]] = {"get": get_scale, "update": update_scale, "patch": patch_scale}
