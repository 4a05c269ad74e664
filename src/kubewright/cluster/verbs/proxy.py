"""What a service leads to, reached through the server.

As far as it is told whom a request would reach, and why nobody, it is told here. There is no network of pods behind
this server, so that a request that would reach one is refused.
"""

import re
from typing import Final

from kubewright.cluster.call import Call, Document
from kubewright.cluster.registry.view import View
from kubewright.cluster.wire.status import Failure, bad_request, not_found, not_served
from kubewright.http import Response
from kubewright.schema.walk.golang import quote

__all__ = ["reach_service"]

_number: Final = re.compile("[+-]?[0-9]{1,18}").fullmatch


async def reach_service(call: Call) -> Response:
    """Refuse, for a reason."""
    parts = call.name.split(":")
    if len(parts) < 3:
        parts = ["", *parts]  # only with a port can there be a scheme
    scheme, name, port = (*parts, "")[:3]
    if len(parts) > 3 or not name or scheme not in ("", "http", "https"):
        raise bad_request(f"invalid service request {quote(call.name)}")
    if _number(port):
        port = _named(call, name, int(port))
    endpoints = _document(call, "endpoints", name)
    subsets: list[Document] = endpoints.get("subsets") or []
    if not subsets:
        raise _unavailable(f"no endpoints available for service {quote(name)}")
    for subset in subsets:
        if any(each.get("name", "") == port for each in subset.get("ports") or ()):
            for address in subset.get("addresses") or ():
                if _is_pod(call, address):
                    raise not_served("services/proxy")
    raise _unavailable(f"no endpoints available for service {quote(call.name)}")


def _document(call: Call, plural: str, name: str) -> Document:
    record = call.api.store.get(f"/{plural}/{call.namespace}/{name}")
    if record is None:
        # Whatever is missing, it is the service that is told.
        raise not_found(call.named(name))
    return View().document(record)


def _named(call: Call, service: str, number: int) -> str:
    """The name of the port of that number."""
    for port in _document(call, "services", service)["spec"].get("ports") or ():
        if port["port"] == number:
            return str(port.get("name", ""))
    raise _unavailable(f"no service port {number} found for service {quote(service)}")


def _is_pod(call: Call, address: Document) -> bool:
    """Whether an address is of the pod that it says it is of: only these are reached."""
    target = address.get("targetRef") or {}
    record = call.api.store.get(f"/pods/{call.namespace}/{target.get('name', '')}")
    if record is None or target.get("namespace") != call.namespace:
        return False
    status = View().document(record).get("status") or {}
    return any(each.get("ip") == address["ip"] for each in status.get("podIPs") or ())


def _unavailable(message: str) -> Failure:
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message}
    return Failure(status | {"reason": "ServiceUnavailable", "code": 503})
