"""Who wrote what: a write that is no apply takes the fields that it changed."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from kubewright.cluster.call import Call, Document, timestamp
from kubewright.cluster.fields.tracking import Tracking
from kubewright.cluster.registry.tracking import NeedsConversion, tracking_of
from kubewright.cluster.verbs.options import WriteOptions
from kubewright.cluster.verbs.turn import LARGE, in_turns

__all__ = ["field_manager", "settled", "track"]

T = TypeVar("T")

_LIMIT = 128


async def track(call: Call, old: Document | None, obj: Document, options: WriteOptions) -> None:
    """Say in an object, in place, who owns what in it."""
    part = call.subresource.name if call.subresource is not None else ""
    tracking, manager = tracking_of(call.resource, part), field_manager(call, options)
    if not call.hollow:
        await _track(call, tracking, old, obj, manager)
        return
    # Nobody owns what is not written.
    told: Document
    codec = call.resource.codec
    if call.size > LARGE:
        told = await in_turns(codec.told_in_steps(obj))  # type: ignore[attr-defined]  # built-in codecs have it
        call.spent.append(told)
    else:
        told = codec.told(obj)  # type: ignore[attr-defined]  # likewise
    meta, given = told["metadata"], obj["metadata"].pop("managedFields", None)
    if given is not None:
        meta["managedFields"] = given
    await _track(call, tracking, old, told, manager)
    if "managedFields" in meta:
        obj["metadata"]["managedFields"] = meta["managedFields"]


async def _track(call: Call, tracking: Tracking, old: Document | None, obj: Document, manager: str) -> None:
    if call.size > LARGE:
        await in_turns(tracking.track_in_steps(old, obj, manager, timestamp()))
    else:
        tracking.track(old, obj, manager, timestamp())


def field_manager(call: Call, options: WriteOptions) -> str:
    """Under which name a request writes: the one it gives, or the program's."""
    if options.field_manager:
        return options.field_manager
    agent = (call.request.headers.get(b"user-agent") or b"").partition(b"/")[0].decode("utf-8", "replace")
    if agent.isascii() and agent.isprintable():
        return agent[:_LIMIT]
    name = ""
    for char in filter(str.isprintable, agent):
        if len(f"{name}{char}".encode()) > _LIMIT:
            break
        name += char
    return name


async def settled(call: Call, work: Callable[[], Awaitable[T]]) -> T:
    """What `work` gives; what it needs of a webhook is fetched, and then it is done again."""
    said = len(call.warnings)
    while True:
        try:
            return await work()
        except NeedsConversion as need:
            del call.warnings[said:]
            await need.meet()
