"""Others have their turn while a large object is worked on.

What is done to an object is done in steps: it is read, merged, tracked, judged, written. One of a few kilobytes takes a
millisecond for all of them; one of a megabyte takes that long for a hundredth of one. So between the steps of a large
one everybody else who is ready goes first. Nothing is torn by that: a write is a compare-and-swap on what was read.

There are no threads: the order of things is the loop's, and the same in every run of the same requests.

To forget a large document takes a millisecond or two as well, and a write makes several. So they are kept until it is
over (`Call.spent`), and then let go part by part.
"""

import asyncio
from collections.abc import Generator, Sequence
from typing import Any, Final, TypeVar

from kubewright.cluster.call import Call, Document
from kubewright.cluster.registry.strategy import Lengthy, Strategy
from kubewright.cluster.store import Record
from kubewright.cluster.wire.codec import Codec, Read
from kubewright.cluster.wire.status import Failure, invalid, invalid_in_steps
from kubewright.schema.walk.errors import FieldError
from kubewright.schema.walk.values import copy, copy_in_steps

__all__ = [
    "LARGE",
    "copied",
    "document",
    "in_turns",
    "judged",
    "let_go",
    "read",
    "refused",
    "restored",
    "tolerated",
    "turn",
    "warned",
    "written",
]

T = TypeVar("T")

#: An object of so many bytes is large.
LARGE: Final = 32 * 1024


async def turn(call: Call) -> None:
    """Let others go first, if the object is large."""
    if call.size > LARGE:
        await asyncio.sleep(0)


async def document(call: Call, record: Record) -> Document:
    """The object of a record, in the version of the call's resource."""
    view = call.resource.view
    if call.size > LARGE:
        made = await in_turns(view.document_in_steps(record))
        call.spent.append(made)
        return made
    return view.document(record)


async def copied(call: Call, obj: Document) -> Document:
    """An object of its own, equal to another."""
    if call.size > LARGE:
        made: Document = await in_turns(copy_in_steps(obj))
        call.spent.append(made)
        return made
    return {name: copy(value) for name, value in obj.items()}


async def read(call: Call, codec: Codec, document: Document, duplicates: Sequence[str] = ()) -> Read:
    """The object that a document means; `Undecodable` if none."""
    if call.size > LARGE:
        call.spent.append(document)
        found = await in_turns(codec.read_in_steps(document, duplicates))
        call.spent.append(found.object)
        return found
    return codec.read(document, duplicates)


async def restored(call: Call, codec: Codec, document: Document) -> Read:
    """The object of a built-in kind that the server reads out of a map of anything; `Undecodable` if none."""
    found: Read
    if call.size > LARGE:
        found = await in_turns(codec.restore_in_steps(document))  # type: ignore[attr-defined]  # built-in codecs have it
        call.spent.append(found.object)
        return found
    found = codec.restore(document)  # type: ignore[attr-defined]  # likewise
    return found


async def judged(call: Call, strategy: Strategy, obj: Document, old: Document | None) -> list[FieldError]:
    """What is wrong with an object that is new, or else replaces `old`."""
    if call.size <= LARGE:
        try:
            return strategy.validate(obj) if old is None else strategy.validate_update(obj, old)
        except Lengthy:
            pass
    return await in_turns(strategy.judge_in_steps(obj, old))


async def refused(call: Call, obj: Document, errors: list[FieldError]) -> Failure:
    """The refusal of an object that is not valid."""
    target = call.named(obj["metadata"].get("name", ""), obj)
    return await in_turns(invalid_in_steps(target, errors)) if call.size > LARGE else invalid(target, errors)


async def tolerated(call: Call, strategy: Strategy, obj: Document, old: Document) -> list[str]:
    """What is wrong with a changed object and was so before."""
    if call.size <= LARGE:
        try:
            return strategy.tolerated(obj, old)
        except Lengthy:
            pass
    return await in_turns(strategy.tolerated_in_steps(obj, old))


async def warned(call: Call, strategy: Strategy, obj: Document, old: Document | None) -> list[str]:
    """What a writer should know of an object that is valid."""
    if call.size > LARGE:
        return await in_turns(strategy.warnings_in_steps(obj, old))
    return strategy.warnings(obj, old)


async def written(call: Call, codec: Codec, obj: Document) -> bytes:
    """The text of an object."""
    return await in_turns(codec.write_in_steps(obj)) if call.size > LARGE else codec.write(obj)


def let_go(spent: list[Document]) -> None:
    """Forget large documents, one part in each turn of the loop."""
    metas = [meta for document in spent if isinstance(meta := document.get("metadata"), dict)]
    parts = [part for whole in (*spent, *metas) for part in whole.values()]
    spent.clear()
    _drop([part for part in parts if part.__class__ is dict or part.__class__ is list])


def _drop(parts: list[Any]) -> None:
    if parts:
        parts.pop()
        asyncio.get_running_loop().call_soon(_drop, parts)


async def in_turns(steps: Generator[None, None, T]) -> T:
    """What work gives that comes in steps; others go first between them."""
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            result: T = ended.value
            return result
        await asyncio.sleep(0)
