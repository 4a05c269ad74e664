"""DELETE of a collection: each selected object by itself, others running in between."""

from kubewright.cluster.call import Call
from kubewright.cluster.registry.strategy import Propagation
from kubewright.cluster.verbs.answer import answer_list
from kubewright.cluster.verbs.decode import read_delete_body
from kubewright.cluster.verbs.delete import delete_each
from kubewright.cluster.verbs.list import find
from kubewright.cluster.verbs.options import read_delete_options, read_list_options
from kubewright.cluster.verbs.selection import Selection
from kubewright.http import Response

__all__ = ["deletecollection"]


async def deletecollection(call: Call) -> Response:
    """Delete the selected objects; the answer lists them as they were found."""
    options = read_list_options(call.query)
    selection = Selection(call.resource, call.namespace, "", options)
    how = read_delete_options(call.query, await read_delete_body(call))
    call.warnings += call.resource.strategy.parting_warnings(Propagation(how.propagation, how.orphan))
    found = await find(call, selection, options)
    await delete_each(call, found.records, how)
    if call.resource.view.remote:
        await call.resource.view.fetch(found.records)
    return await answer_list(call, found)
