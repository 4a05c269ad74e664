"""GET of one object. Answers at once: there is nothing to wait for but a revision that does not exist yet."""

from collections.abc import Coroutine
from typing import Any

from kubewright.cluster.call import Call
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.answer import answer_at_once, answer_data
from kubewright.cluster.verbs.options import flag
from kubewright.cluster.verbs.versions import asked_version, fresh
from kubewright.cluster.wire.status import bad_request, not_found
from kubewright.http import Response

__all__ = ["get"]


def get(call: Call) -> Response | Coroutine[Any, Any, Response]:
    """The object, as it is now or was not long ago."""
    if flag(call.query, "export"):
        raise bad_request("the export parameter, deprecated since v1.14, is no longer supported")
    version = asked_version(call.query["resourceVersion"][0]) if "resourceVersion" in call.query else 0
    if call.resource.view.remote or version > call.api.store.revision:
        return _later(call, version)
    return _answer(call, call.stored())


async def _later(call: Call, version: int) -> Response:
    await fresh(call.api.store, version)
    record = call.stored()
    if record is not None:
        await call.resource.view.fetch([record])
    # The one that was converted, though there may be a newer one by now.
    answer = _answer(call, record)
    return answer if isinstance(answer, Response) else await answer


def _answer(call: Call, record: Record | None) -> Response | Coroutine[Any, Any, Response]:
    if record is None:
        raise not_found(call.target)
    data = call.resource.view.data(record)
    return answer_at_once(call, data) or answer_data(call, data)
