"""PATCH with a configuration, by server-side apply: what it says becomes so, and its manager owns it."""

from collections.abc import Generator, Hashable
from hashlib import blake2b
from typing import Final

import msgspec

from kubewright.cluster.admission.chain import concerned
from kubewright.cluster.call import Call, Document, timestamp
from kubewright.cluster.fields.ownership import Conflicts
from kubewright.cluster.fields.pathset import path_text, paths
from kubewright.cluster.fields.tracking import Outcome, Refused, Tracking, spelled_object
from kubewright.cluster.registry.custom.codec import CustomCodec
from kubewright.cluster.registry.memo import memo
from kubewright.cluster.registry.tracking import tracking_of
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.answer import answer_data
from kubewright.cluster.verbs.change import change
from kubewright.cluster.verbs.create import settle_namespace
from kubewright.cluster.verbs.options import WriteOptions
from kubewright.cluster.verbs.turn import LARGE, copied, in_turns, read, restored, turn
from kubewright.cluster.verbs.update import check_name
from kubewright.cluster.wire import body as wire
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.media import YAML
from kubewright.cluster.wire.status import Failure, apply_conflict, bad_request, broken, conflict
from kubewright.cluster.wire.unreadable import Unreadable
from kubewright.http import Response
from kubewright.model.steps import finish
from kubewright.schema.expression import expression

__all__ = ["apply", "apply_config", "check_strictly", "read_config"]

#: So many who apply to one object are remembered.
_APPLIERS: Final = 4
#: So many conflicts are told at once.
_FEW: Final = 200
_NO_OBJECT: Final = expression(r"json: cannot unmarshal \w+ into Go value of type")


async def apply(call: Call, body: bytes, options: WriteOptions) -> Response:
    """Apply a configuration to an object, or make one of it."""
    part = call.subresource.name if call.subresource is not None else ""
    tracking = tracking_of(call.resource, part)
    resource = call.resource

    async def updated(old: Document | None) -> Document:
        parsed = await read_config(call, body, resource.api_version, resource.names.kind)
        await turn(call)
        outcome = await apply_config(call, tracking, old, parsed.document, options, body)
        await turn(call)
        obj = await _read(call, outcome, parsed.document)
        check_strictly(call, parsed, options)
        if old is None and (uid := obj["metadata"].get("uid")):
            why = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
            raise conflict(call.target, why)
        settle_namespace(call, obj["metadata"])
        check_name(call, obj["metadata"])
        return obj

    before, said = call.stored(), len(call.warnings)
    # Operators apply the same over and over: what was once found to change nothing in an object changes nothing in it
    # until somebody writes it, or its kind is defined anew.
    wish = resource, part, blake2b(body, digest_size=16).digest(), options
    if before is not None and (warnings := memo(before).idle.get(wish)) is not None:
        call.warnings += warnings
        return await answer_data(call, resource.view.data(before))
    changed = await change(call, updated, options, creating=not part)
    if before is not None and call.stored() is before and not options.dry_run:
        _note_idle(call, before, wish, call.warnings[said:])
    return await answer_data(call, changed.data, 201 if changed.created else 200)


def _note_idle(call: Call, record: Record, wish: Hashable, warnings: list[str]) -> None:
    """Remember that something changes nothing in an object, if that depends on nothing else."""
    if not call.resource.view.remote and not concerned(call):
        idle = memo(record).idle
        if len(idle) >= _APPLIERS:
            idle.clear()
        idle[wish] = warnings


async def read_config(call: Call, body: bytes, api_version: str, kind: str) -> wire.Parsed:
    """The configuration that a body means, of the kind that is spoken at this path."""
    try:
        parsed = await in_turns(wire.steps(body, YAML, custom=True))
    except Unreadable as error:
        raise bad_request(f"error decoding YAML: {_complaint(str(error))}") from None
    said = parsed.document.get("apiVersion"), parsed.document.get("kind")
    if said != (api_version, kind):
        version, name = (text if isinstance(text, str) else "" for text in said)
        group, _, version = version.rpartition("/")
        raise bad_request(f"invalid object type: {group}/{version}, Kind={name}")
    return parsed


def _complaint(text: str) -> str:
    """What the server says of a body that is no YAML, or no object."""
    if (found := _NO_OBJECT.search(text)) is not None:
        return f"error unmarshaling JSON: while decoding JSON: {found[0]} map[string]interface {{}}"
    return f"error converting YAML to JSON: {text}"


def check_strictly(call: Call, parsed: wire.Parsed, options: WriteOptions) -> None:
    """What field validation has to say of a configuration, once it was applied."""
    if parsed.repeated and options.field_validation != "Ignore":
        if options.field_validation == "Strict":
            text = wire.strict_error(parsed, ()).removeprefix("strict decoding error: ")
            raise bad_request(f"error strict decoding YAML: error converting YAML to JSON: {text}")
        call.warnings += wire.warnings(parsed, ())


async def apply_config(
    call: Call, tracking: Tracking, old: Document | None, config: Document, options: WriteOptions, body: bytes
) -> Outcome:
    """What a configuration, read from `body`, makes of an object."""
    if await _speaks_of_owners(call, config):
        raise bad_request("metadata.managedFields must be nil")
    try:
        given, force = (old, config, options.field_manager, timestamp()), bool(options.force)
        if call.size > LARGE:
            return await in_turns(tracking.apply_in_steps(*given, force=force, text=body))
        return tracking.apply(*given, force=force, text=body)
    except Refused as error:
        raise broken(str(error)) from None
    except Conflicts as error:
        steps = _conflicts(error)
        raise (await in_turns(steps) if call.size > LARGE else finish(steps)) from None


def _given_entries(config: Document) -> object:
    meta = config.get("metadata")
    return meta.get("managedFields") if isinstance(meta, dict) else None


async def _speaks_of_owners(call: Call, config: Document) -> bool:
    """Whether a configuration says who owns what; where one entry cannot be read, the server sees none."""
    entries = _given_entries(config)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return False
    try:
        await restored(call, builtin_codec("", "v1", "ConfigMap"), {"metadata": {"managedFields": entries}})
    except Undecodable:
        return False
    return True


async def _read(call: Call, outcome: Outcome, config: Document) -> Document:
    """The object that came of it, with parts of its own."""
    meta = outcome.value.get("metadata") or {}
    if (odd := _given_entries(config)) is None:
        meta = {name: value for name, value in meta.items() if name != "managedFields"}
    made = outcome.value | {"metadata": meta}
    codec = call.resource.codec
    obj: Document
    if isinstance(codec, CustomCodec):
        # It is not read again: null stays null, to be refused where it may not stand.
        obj = await copied(call, made)
        if outcome.changed:
            await in_turns(codec.walk.default_in_steps(obj)) if call.size > LARGE else codec.walk.default(obj)
    elif outcome.changed:
        try:
            obj = await _restored(call, made)
        except Undecodable as error:
            what, kind = spelled_object(config), _spelled_kind(call)
            why = f"unable to convert unstructured object to {kind}: {error}"
            raise broken(f"failed to convert new object ({what}) to proper version: {why}") from None
        call.strategy.default(obj)
    else:
        obj = msgspec.json.decode(msgspec.json.encode(made))
    if outcome.entries:
        obj["metadata"]["managedFields"] = outcome.entries
    elif odd is not None:
        obj["metadata"].pop("managedFields", None)
    return obj


def _spelled_kind(call: Call) -> str:
    kind = call.resource.kind
    return f"{kind.group}/{kind.version}, Kind={kind.kind}"


async def _restored(call: Call, made: Document) -> Document:
    """A merged document as an object of a built-in kind."""
    codec = call.resource.codec
    try:
        # What can be read is read the same, in half the time; only the words of refusals differ.
        return (await read(call, codec, made)).object
    except Undecodable:
        return (await restored(call, codec, made)).object


def _conflicts(conflicts: Conflicts) -> Generator[None, None, Failure]:
    """Every path that others own, by manager; in steps."""
    causes: list[Document] = []
    lines: list[str] = []
    for manager, fields in sorted(conflicts.fields.items(), key=lambda pair: pair[0].identity):
        message = f"conflict with {manager}"
        lines.append(f"conflicts with {manager}:")
        for path in map(path_text, paths(fields)):
            causes.append({"reason": "FieldManagerConflict", "message": message, "field": path})
            lines.append(f"- {path}")
            if len(causes) % _FEW == 0:
                yield
    if len(causes) == 1:
        text = f"1 conflict: {causes[0]['message']}: {causes[0]['field']}"
    else:
        text = f"{len(causes)} conflicts: " + "\n".join(lines)
    return apply_conflict(f"Apply failed with {text}", causes)
