"""What is asked of the node of a pod: its log, a command in it, a way to its ports.

As long as no node can be asked, this is what the server itself has to say: which container is meant, and where it is.
"""

from typing import Final

from kubewright.cluster.call import Call, Document
from kubewright.cluster.registry.rules.addresses import sloppy_address
from kubewright.cluster.verbs.options import integer
from kubewright.cluster.wire.status import Target, bad_request, broken, invalid, not_found, not_served
from kubewright.http import Headers, Response
from kubewright.schema.walk.errors import FieldError, forbidden
from kubewright.schema.walk.errors import invalid as invalid_field
from kubewright.schema.walk.golang import quote

__all__ = ["forward", "log", "proxy", "stream"]

_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")
_NO_CACHE: Final = Headers([(b"Cache-Control", b"no-cache, private")])


def log(call: Call) -> Response:
    """The log of a container; of a pod that runs nowhere there is none."""
    if errors := _check_log(call):
        raise invalid(Target("", "", "PodLogOptions", call.name), errors)
    pod = _pod(call, call.name)
    _container(call, pod)
    if not pod["spec"].get("nodeName"):
        return Response(204, _NO_CACHE, b"")
    raise _unreachable(call, pod)


def stream(call: Call) -> Response:
    """A command in a container, or what runs there already."""
    pod = _pod(call, call.name)
    _container(call, pod)
    raise _unreachable(call, pod)


def forward(call: Call) -> Response:
    """The ports of a pod."""
    raise _unreachable(call, _pod(call, call.name))


def proxy(call: Call) -> Response:
    """A request to a port of a pod."""
    parts = call.name.split(":")
    if len(parts) > 3 or (len(parts) == 3 and parts[0] not in ("", "http", "https")):
        raise bad_request(f"invalid pod request {quote(call.name)}")
    pod = _pod(call, parts[1] if len(parts) == 3 else parts[0])
    address = sloppy_address(pod["status"].get("podIP", ""))
    if address is None or address.is_loopback or address.is_multicast or address.is_link_local:
        raise bad_request("address not allowed")
    raise not_served("requests to the ports of pods")


def _pod(call: Call, name: str) -> Document:
    record = call.api.store.get(call.resource.key(call.namespace, name))
    if record is None:
        raise not_found(call.named(name))
    return call.resource.view.document(record)


def _container(call: Call, pod: Document) -> None:
    """See that it is clear which container is meant."""
    wanted = call.query.get("container", [""])[0]
    containers = [each["name"] for kind in _KINDS for each in pod["spec"].get(kind) or ()]
    if wanted:
        if wanted not in containers:
            raise bad_request(f"container {wanted} is not valid for pod {call.name}")
    elif len(pod["spec"]["containers"]) > 1:
        listed = " ".join(containers)
        raise bad_request(f"a container name must be specified for pod {call.name}, choose one of: [{listed}]")


def _unreachable(call: Call, pod: Document) -> Exception:
    """Why the node of a pod cannot be asked."""
    node = pod["spec"].get("nodeName")
    if not node:
        return bad_request(f"pod {call.name} does not have a host assigned")
    nodes = call.api.registry.find("", "v1", "nodes")
    assert nodes is not None, "nodes are served always"
    record = call.api.store.get(nodes.key("", node))
    if record is None:
        return not_found(call.named(node))  # the server calls it a pod
    addresses = nodes.view.document(record).get("status", {}).get("addresses") or []
    if not addresses:
        return broken("no preferred addresses found; known addresses: []")
    assert call.subresource is not None
    return not_served(f"pods/{call.subresource.name} of a pod that runs on a node")


def _check_log(call: Call) -> list[FieldError]:
    query = call.query
    since, lines, size = (integer(query, name) for name in ("sinceSeconds", "tailLines", "limitBytes"))
    errors = []
    if lines is not None and lines < 0:
        errors.append(invalid_field("tailLines", lines, "must be greater than or equal to 0"))
    if size is not None and size < 1:
        errors.append(invalid_field("limitBytes", size, "must be greater than 0"))
    if since is not None and query.get("sinceTime"):
        errors.append(forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"))
    elif since is not None and since < 1:
        errors.append(invalid_field("sinceSeconds", since, "must be greater than 0"))
    if query.get("stream"):
        errors.append(forbidden("stream", "may not be specified"))
    return errors
