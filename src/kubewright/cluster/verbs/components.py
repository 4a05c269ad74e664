"""GET of ComponentStatuses: how the parts of a control plane fare. They are asked then, and nothing is stored.

Here all of them are one process, so that each that runs is well; of one that does not, what a server says that finds
nobody at its port.
"""

from typing import Any, Final

from kubewright.cluster.call import Call, Document
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.answer import answer_data, answer_list
from kubewright.cluster.verbs.list import Found
from kubewright.cluster.verbs.options import read_list_options
from kubewright.cluster.verbs.selection import Selection
from kubewright.cluster.wire.status import Target, not_found, unsupported_verb
from kubewright.http import Response

__all__ = ["get_component", "list_components", "watch_components"]

#: The components by name, and the ports at which they are asked; what is stored is never away.
_PORTS: Final = {"controller-manager": 10257, "etcd-0": 0, "scheduler": 10259}


async def get_component(call: Call) -> Response:
    """How one fares."""
    if call.name not in _PORTS:
        raise not_found(Target("", "componentstatus", "ComponentStatus", call.name))
    return await answer_data(call, _written(call, call.name))


async def list_components(call: Call) -> Response:
    """How all of them fare, or those that are selected."""
    selection = Selection(call.resource, "", "", read_list_options(call.query))
    records = [Record(call.resource.key("", name), _written(call, name), 0, 0, None) for name in _PORTS]
    return await answer_list(call, Found([record for record in records if selection.matches(record)], 0))


def watch_components(call: Call) -> Response:
    """Nobody is told when that changes."""
    raise unsupported_verb(call.target, "watch")


def _written(call: Call, name: str) -> bytes:
    resource, condition = call.resource, {"type": "Healthy", "status": "True", "message": "ok"}
    if name in call.api.absent:
        at = f"127.0.0.1:{_PORTS[name]}"
        why = f'Get "https://{at}/healthz": dial tcp {at}: connect: connection refused'
        condition |= {"status": "False", "message": why}
    document: Document = {"metadata": {"name": name}, "conditions": [condition]}
    said: dict[str, Any] = {"apiVersion": resource.api_version, "kind": resource.names.kind}
    return resource.codec.write(resource.codec.read(said | document).object)
