"""DELETE of a collection: each selected object by itself, others running in between."""

import asyncio
from dataclasses import replace

from kubewright.cluster.call import Call
from kubewright.cluster.registry.strategy import Propagation
from kubewright.cluster.verbs.answer import answer_list
from kubewright.cluster.verbs.decode import read_delete_body
from kubewright.cluster.verbs.delete import delete_object
from kubewright.cluster.verbs.list import find
from kubewright.cluster.verbs.options import read_delete_options, read_list_options
from kubewright.cluster.verbs.selection import Selection
from kubewright.cluster.wire.status import Failure
from kubewright.http import Response

__all__ = ["deletecollection"]

#: So many objects are deleted before others run: some two milliseconds.
_STRIDE = 10


async def deletecollection(call: Call) -> Response:
    """Delete the selected objects; the answer lists them as they were found."""
    options = read_list_options(call.query)
    selection = Selection(call.resource, call.namespace, "", options)
    how = read_delete_options(call.query, await read_delete_body(call))
    call.warnings += call.resource.strategy.parting_warnings(Propagation(how.propagation, how.orphan))
    found = await find(call, selection, options)
    for number, record in enumerate(found.records, 1):
        *_, namespace, name = record.key.split("/")
        one = replace(call, namespace=namespace if call.resource.namespaced else "", name=name)
        try:
            await delete_object(one, how)
        except Failure as failure:
            if failure.code != 404:  # gone meanwhile is as good
                raise
        if number % _STRIDE == 0:
            await asyncio.sleep(0)
    if call.resource.view.remote:
        await call.resource.view.fetch(found.records)
    return await answer_list(call, found)
