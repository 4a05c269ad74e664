"""GET of a collection: selected, in pages, at the revision the client names.

    resourceVersion   match          what is answered
    none                             what is there now
    "0"                              what is there now; the limit is ignored, as the server's cache does
    N                 NotOlderThan   what is there now, which is waited for if N is still to come
    N                 Exact          what was there at N; also with a limit and no match
    continue token                   what was there when the first page was read

A long list is gone through in slices, all at one revision, and others run in between.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple

from kubewright.cluster.call import Call
from kubewright.cluster.store import Compacted, Future, Record, Store
from kubewright.cluster.verbs.answer import answer_list
from kubewright.cluster.verbs.options import ListOptions, read_list_options
from kubewright.cluster.verbs.selection import Selection
from kubewright.cluster.verbs.versions import Token, fresh, listed_version, read_token
from kubewright.cluster.wire.status import bad_request, expired, page_expired, too_large_version
from kubewright.http import Response

__all__ = ["Found", "find", "list_", "slices"]

#: So many records are looked at before others run: a millisecond or two, if each has to be decoded. A number and not a
#: time, so that the same requests interleave in the same way whenever they are repeated.
_STRIDE = 100


class Found(NamedTuple):
    """Some objects of a collection, all as of one revision."""

    records: list[Record]
    revision: int
    #: Where the next page begins; empty if there is none.
    token: str = ""
    #: How many come after this page, if that is known.
    remaining: int | None = None


async def list_(call: Call) -> Response:
    """The selected objects."""
    options = read_list_options(call.query)
    found = await find(call, Selection(call.resource, call.namespace, call.name, options), options)
    if call.resource.view.remote:
        await call.resource.view.fetch(found.records)
    return await answer_list(call, found)


async def find(call: Call, selection: Selection, options: ListOptions) -> Found:
    """The objects that a list is about."""
    store = call.api.store
    version = listed_version(options.resource_version)
    # Keys are told relative to the collection, even where the selection leaves but one of them.
    prefix = call.resource.key(call.namespace).removesuffix("/")
    start, limit = None, max(0, options.limit)
    limit = 0 if options.resource_version == "0" else limit
    if options.token:
        if version:
            raise bad_request("specifying resource version is not allowed when using continue")
        start, at = read_token(options.token, prefix)
        revision = at if at > 0 else store.revision
    elif options.match == "Exact" or (limit > 0 and version and not options.match):
        revision = version
        if revision > store.revision:
            await fresh(store, revision)
    else:
        await fresh(store, version)
        revision = store.revision
    try:
        return await _page(store, selection, prefix, revision, start, limit)
    except Compacted as error:
        if options.token:
            raise page_expired(Token("meta.k8s.io/v1", -1, (start or "").removeprefix(f"{prefix}/")).write()) from None
        raise expired("The resourceVersion for the provided list is too old.") from error
    except Future as error:
        raise too_large_version(error.revision, error.current) from None


async def _page(store: Store, selection: Selection, prefix: str, revision: int, start: str | None, limit: int) -> Found:
    chosen: list[Record] = []
    async for records in slices(store, selection.prefix, revision, start, limit):
        if selection.looks_inside and selection.resource.view.remote:
            await selection.resource.view.fetch(records)
        if not limit:
            chosen += records if selection.everything else filter(selection.matches, records)
            continue
        for record in records:
            if len(chosen) == limit:
                # There is more to look at, whether or not it will be selected.
                token = Token("meta.k8s.io/v1", revision, chosen[-1].key.removeprefix(prefix) + "\0").write()
                remaining = None
                if selection.everything:
                    remaining = store.count(selection.prefix, revision=revision, start=chosen[-1].key + "\0")
                return Found(chosen, revision, token, remaining)
            if selection.matches(record):
                chosen.append(record)
    return Found(chosen, revision)


async def slices(
    store: Store, prefix: str, revision: int, start: str | None = None, limit: int = 0
) -> AsyncIterator[list[Record]]:
    """The records under a prefix at a revision, some at a time, others running every now and then.

    Whoever wants `limit` of them will see one more, to know whether there is.
    """
    if not prefix.endswith("/"):
        record = store.get(prefix, revision)
        if record is not None and (start is None or record.key >= start):
            yield [record]
        return
    stride = min(_STRIDE, limit + 1) if limit else _STRIDE
    while True:
        page = store.list(prefix, revision=revision, start=start, limit=stride)
        yield page.records
        if page.next is None:
            return
        start = page.next
        await asyncio.sleep(0)
