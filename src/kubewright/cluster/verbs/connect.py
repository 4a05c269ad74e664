"""What is asked of the node of a pod: its log, a command in it, a way to its ports.

The server sees which container is meant and where it is, and hands the request on to the kubelet there. Commands and
ports are spoken of with a protocol that is not HTTP: such a connection is the kubelet's from then on. A log may be had
over a WebSocket, too, which is the server's own.
"""

import base64
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from kubewright.cluster.auth.intent import Intent
from kubewright.cluster.auth.user import MASTERS
from kubewright.cluster.call import Call, Document
from kubewright.cluster.registry.rules.addresses import sloppy_address
from kubewright.cluster.verbs.kubelet import ask_kubelet
from kubewright.cluster.verbs.options import flag, integer
from kubewright.cluster.wire.status import (
    Failure,
    Target,
    bad_request,
    broken,
    internal,
    invalid,
    not_found,
    not_served,
    unknown_resource,
)
from kubewright.http import Headers, Request, Response
from kubewright.schema.walk.errors import FieldError, forbidden
from kubewright.schema.walk.errors import invalid as invalid_field
from kubewright.schema.walk.golang import quote

if TYPE_CHECKING:
    from kubewright.http.websocket import WebSocket

__all__ = ["forward", "log", "proxy", "stream"]

_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")
_NO_CACHE: Final = Headers([(b"Cache-Control", b"no-cache, private")])
_TEXT: Final = Headers([(b"Cache-Control", b"no-cache, private"), (b"Content-Type", b"text/plain")])
#: What of a query about logs is handed on, and what of one about streams, under which name.
_LOG: Final = ("follow", "previous", "timestamps"), ("sinceSeconds", "sinceTime", "tailLines", "limitBytes")
#: How a log is told over a WebSocket; the first too if nothing is said of it.
_BINARY: Final = "binary.k8s.io"
_BASE64: Final = "base64.binary.k8s.io"
_STREAMS: Final = {"stdin": "input", "stdout": "output", "stderr": "error", "tty": "tty"}


async def log(call: Call) -> Response:
    """The log of a container; of a pod that runs nowhere there is none."""
    if errors := _check_log(call):
        raise invalid(Target("", "", "PodLogOptions", call.name), errors)
    pod = _pod(call, call.name)
    container = _container(call, pod)
    if not pod["spec"].get("nodeName"):
        return Response(204, _NO_CACHE, b"")
    flags, values = _LOG
    words = [(name, "true") for name in flags if flag(call.query, name)]
    words += [(name, call.query[name][0]) for name in values if call.query.get(name)]
    target = f"/containerLogs/{call.namespace}/{call.name}/{container}?{urlencode(words)}"
    answer = await ask_kubelet(call.api, _node(call, pod), Request("GET", target, link=call.request.link))
    if answer.status >= 300:
        raise _refused(answer.status, (await answer.read()).decode(errors="replace"))
    return _in_messages(call.request, Response(200, _TEXT, answer.body))


def _in_messages(request: Request, shown: Response) -> Response:
    """A log as it is, or on a WebSocket if `request` asks for one: after an empty message, what there is."""
    # Loaded when it is needed: hardly any client asks for it.
    from kubewright.http.websocket import accept, wanted

    if not wanted(request):
        return shown

    async def talk(socket: "WebSocket") -> None:
        text = socket.subprotocol == _BASE64

        async def show() -> None:
            await socket.send("" if text else b"")
            async for piece in shown:
                await socket.send(base64.b64encode(piece).decode() if text else piece)

        await socket.attended(show())

    answer = accept(request, talk, (_BINARY, _BASE64))
    if answer.status != 101:
        shown.close()
    return answer


async def stream(call: Call) -> Response:
    """A command in a container, or what runs there already."""
    _may_create(call)
    pod = _pod(call, call.name)
    container = _container(call, pod)
    node = _node(call, pod)
    words = [(told, "1") for name, told in _STREAMS.items() if flag(call.query, name)]
    words += [("command", word) for word in call.query.get("command", ())]
    assert call.subresource is not None
    return await _hand_on(call, node, f"/{call.subresource.name}/{call.namespace}/{call.name}/{container}", words)


async def forward(call: Call) -> Response:
    """The ports of a pod."""
    _may_create(call)
    node = _node(call, _pod(call, call.name))
    ports = ",".join(call.query.get("ports", ()))
    return await _hand_on(call, node, f"/portForward/{call.namespace}/{call.name}", [("port", ports)] if ports else [])


async def _hand_on(call: Call, node: Document, path: str, words: list[tuple[str, str]]) -> Response:
    asked = call.request
    if not asked.upgrade:
        raise bad_request("Upgrade request required")
    request = Request(asked.method, f"{path}?{urlencode(words)}", asked.headers, link=asked.link)
    request.upgrade = True
    # What the kubelet refuses, it tells the client itself.
    return await ask_kubelet(call.api, node, request)


def _may_create(call: Call) -> None:
    """See that who asks with GET, as every WebSocket does, might ask with POST."""
    access = call.api.access
    if call.request.method != "GET" or access is None or MASTERS in call.user.groups:
        return
    assert call.subresource is not None
    asked = call.namespace, "pods", call.subresource.name, call.name
    access.authorizer.authorize(call.user, Intent("create", call.request.path, True, "", "v1", *asked))


def _refused(status: int, why: str) -> Failure:
    """What a kubelet refused."""
    if status == 400:
        return bad_request(why)
    return unknown_resource() if status == 404 else internal(why)


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


def _container(call: Call, pod: Document) -> str:
    """Which container is meant."""
    wanted: str = call.query.get("container", [""])[0]
    containers = [each["name"] for kind in _KINDS for each in pod["spec"].get(kind) or ()]
    if wanted:
        if wanted not in containers:
            raise bad_request(f"container {wanted} is not valid for pod {call.name}")
    elif len(pod["spec"]["containers"]) > 1:
        listed = " ".join(containers)
        raise bad_request(f"a container name must be specified for pod {call.name}, choose one of: [{listed}]")
    return wanted or str(pod["spec"]["containers"][0]["name"])


def _node(call: Call, pod: Document) -> Document:
    """The node of a pod."""
    name = pod["spec"].get("nodeName")
    if not name:
        raise bad_request(f"pod {call.name} does not have a host assigned")
    nodes = call.api.registry.find("", "v1", "nodes")
    assert nodes is not None, "nodes are served always"
    record = call.api.store.get(nodes.key("", name))
    if record is None:
        raise not_found(call.named(name))  # the server calls it a pod
    node = nodes.view.document(record)
    if not node.get("status", {}).get("addresses"):
        raise broken("no preferred addresses found; known addresses: []")
    return node


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
