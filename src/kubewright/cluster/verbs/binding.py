"""POST of a Binding: a pod is given its node, once and for all.

The pod is changed in the store as it is there: nothing of it is judged anew, nobody comes to own what changes, and its
generation stays.
"""

from typing import Final

from kubewright.cluster.admission.lifecycle import admit_content
from kubewright.cluster.call import Call, Document
from kubewright.cluster.registry.kinds.pod.conditions import set_condition
from kubewright.cluster.store import Conflict
from kubewright.cluster.verbs.answer import answer_document
from kubewright.cluster.verbs.create import put, settle_namespace
from kubewright.cluster.verbs.decode import decode_object, read_bytes
from kubewright.cluster.verbs.options import read_write_options
from kubewright.cluster.verbs.turn import document
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.media import request_media
from kubewright.cluster.wire.status import Failure, Target, bad_request, broken, conflict, done, not_found
from kubewright.http import Response
from kubewright.model.kind import GroupVersionKind
from kubewright.schema.walk.errors import FieldError, not_supported, required
from kubewright.schema.walk.golang import quote

__all__ = ["bind", "bind_named"]

_KIND: Final = GroupVersionKind("", "v1", "Binding")


async def bind(call: Call) -> Response:
    """Bind the pod of the path."""
    return await _bind(call, call.name)


async def bind_named(call: Call) -> Response:
    """Bind the pod that the Binding names, at the path of bindings."""
    return await _bind(call, None)


async def _bind(call: Call, name: str | None) -> Response:
    media = request_media(call.request.headers.get(b"content-type"))
    body = await read_bytes(call)
    options = read_write_options("create", call.query)
    binding = await decode_object(call, builtin_codec(*_KIND), _KIND, body, media, options, custom=False)
    meta = binding["metadata"]
    settle_namespace(call, meta)
    admit_content(call, "create", call.name)
    if name is not None and meta.get("name", "") != name:
        raise bad_request("name in URL does not match name in Binding object")
    if errors := _check(binding["target"]):
        texts = [str(error) for error in errors]
        raise broken(texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]")
    await _assign(_on_pod(call, meta.get("name", "")), binding, dry_run=options.dry_run)
    return answer_document(call, done(201), 201)


def _on_pod(call: Call, name: str) -> Call:
    """The same request, of the pod."""
    pods = call.api.registry.find("", "v1", "pods")
    assert pods is not None, "pods are served always"
    return Call(call.api, call.request, pods, call.namespace, name, None, call.query, call.output, call.warnings)


def _check(target: Document) -> list[FieldError]:
    errors = []
    if target.get("kind", "") not in ("", "Node"):
        errors.append(not_supported("target.kind", target["kind"], ("Node", "<empty>")))
    if not target.get("name"):
        errors.append(required("target.name"))
    return errors


async def _assign(call: Call, binding: Document, *, dry_run: bool) -> None:
    """Write down the node."""
    meta = binding["metadata"]
    while True:
        record = call.stored()
        if record is None:
            raise not_found(call.target)
        call.size = len(record.value or b"")
        pod = await document(call, record)
        for what, name in (("UID", "uid"), ("ResourceVersion", "resourceVersion")):
            if meta.get(name) and meta[name] != pod["metadata"][name]:
                raise _other(call, what, meta[name], pod["metadata"][name])
        if why := _unfit(pod):
            raise conflict(Target("", "pods/binding", "", call.name), why)
        pod["spec"]["nodeName"] = binding["target"]["name"]
        pod["status"].pop("nominatedNodeName", None)
        for name in ("annotations", "labels"):
            if added := meta.get(name):
                pod["metadata"][name] = {**(pod["metadata"].get(name) or {}), **added}
        set_condition(pod["status"], "PodScheduled", "True")
        try:
            await put(call, call.name, record.revision, pod, dry_run=dry_run)
        except Conflict:
            continue
        return


def _unfit(pod: Document) -> str:
    """Why a pod cannot be bound."""
    name = pod["metadata"]["name"]
    if pod["metadata"].get("deletionTimestamp"):
        return f"pod {name} is being deleted, cannot be assigned to a host"
    if node := pod["spec"].get("nodeName"):
        return f"pod {name} is already assigned to node {quote(node)}"
    if pod["spec"].get("schedulingGates"):
        return f"pod {name} has non-empty .spec.schedulingGates"
    return ""


def _other(call: Call, what: str, wanted: str, found: str) -> Failure:
    why = f"Precondition failed: {what} in precondition: {wanted}, {what} in object meta: {found}"
    place = f"Code: 4, Key: /registry/pods/{call.namespace}/{call.name}, ResourceVersion: 0"
    return conflict(call.target, f"StorageError: invalid object, {place}, AdditionalErrorMsg: {why}")
