"""PUT: an object takes the place of the one that is there."""

from kubewright.cluster.call import Call, Document
from kubewright.cluster.verbs.answer import answer_data
from kubewright.cluster.verbs.change import change
from kubewright.cluster.verbs.create import settle_namespace
from kubewright.cluster.verbs.decode import read_object
from kubewright.cluster.verbs.owners import drop_repeated_owners
from kubewright.cluster.verbs.track import track
from kubewright.cluster.verbs.turn import copied, turn
from kubewright.cluster.wire.status import bad_request
from kubewright.http import Response

__all__ = ["check_name", "undeterminable", "update"]


async def update(call: Call) -> Response:
    """Replace an object."""
    obj, options = await read_object(call, "update")
    settle_namespace(call, obj["metadata"])
    check_name(call, obj["metadata"])

    async def updated(old: Document | None) -> Document:
        made = await copied(call, obj)
        drop_repeated_owners(call, made["metadata"])
        await turn(call)
        await track(call, old, made, options)
        return made

    changed = await change(call, updated, options, uid=obj["metadata"].get("uid", ""))
    return await answer_data(call, changed.data, 201 if changed.created else 200)


def undeterminable(call: Call) -> str:
    """What is said of an object without a name."""
    return f"the name of the object ({call.name} based on URL) was undeterminable: name must be provided"


def check_name(call: Call, meta: Document) -> None:
    """An object has the name of its path; it may say so, or nothing."""
    name = meta.get("name")
    if not name:
        raise bad_request(undeterminable(call))
    if name != call.name:
        raise bad_request(f"the name of the object ({name}) does not match the name on the URL ({call.name})")
